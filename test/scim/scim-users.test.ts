import { describe, expect, it } from "vitest"
import { users } from "../../drizzle/schema/users.ts"
import { rowsOf } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { call, cost } from "../helpers/client.ts"

const USER = "urn:ietf:params:scim:schemas:core:2.0:User"
const scimKey = () => apiKey({ role: "admin", scopes: ["scim"] })

describe("SCIM users", () => {
  it("are created in two round trips, without a password", async () => {
    const { token } = await scimKey()
    const made = await call("POST", "/scim/v2/Users", {
      token,
      body: { schemas: [USER], userName: "ada@example.com", name: { givenName: "Ada", familyName: "Byron" } },
    })
    expect(made).toMatchObject({ status: 201, body: { id: "1", userName: "ada@example.com", active: true } })
    expect(cost(made).trips).toBe(2)
    expect(await rowsOf(users)).toMatchObject([{ email: "ada@example.com", passwordHash: null }])
  })
})
