import { describe, expect, it } from "vitest"
import { auditLogs } from "../drizzle/audit.ts"
import { users } from "../drizzle/users.ts"
import { cost, get, post, query } from "./client.ts"
import { rowsOf, user } from "./factories.ts"

const newUser = (given = {}) => ({
  firstName: "Ada",
  lastName: "Byron",
  email: "ada@example.com",
  password: "analytical engine",
  password_confirmation: "analytical engine",
  ...given,
})

describe("POST /api/user/create", () => {
  it("creates a user and its audit row in two trips", async () => {
    const answer = await post("/api/user/create", newUser())
    expect(answer).toMatchObject({ status: 200, body: { id: 1, message: "User created." } })
    expect(cost(answer).trips).toBe(2)
    expect(await rowsOf(users)).toMatchObject([
      { id: 1, firstName: "Ada", lastName: "Byron", email: "ada@example.com", userType: "general" },
    ])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "user", subjectId: 1, effectOn: "Ada Byron" },
    ])
  })
})

describe("GET /api/users/tabularlist", () => {
  it("lists in one trip, with exact totals and links", async () => {
    for (let i = 0; i < 5; i++) await user()
    const answer = await get(
      `/api/users/tabularlist${query({ page_size: 2, page_number: 2, order_by: { colName: "id", direction: "asc" } })}`,
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ recordsTotal: 5, recordsFiltered: 5, records: [{ id: 3 }, { id: 4 }] })
    expect(cost(answer).trips).toBe(1)
  })
})
