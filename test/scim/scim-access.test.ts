import { describe, expect, it } from "vitest"
import "../../src/modules/scim/scim-discovery.routes.ts"
import "../../src/modules/scim/scim-groups.routes.ts"
import { scimOperations } from "../../src/modules/scim/scim-operation.ts"
import "../../src/modules/scim/scim-users.routes.ts"
import { signedIn } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { call, get } from "../helpers/client.ts"

// Every SCIM operation with every kind of caller.

const ROLES = ["general", "group_admin", "portal_admin", "staff", "admin", "owner"] as const
const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error"
type Operation = (typeof scimOperations)[number]

const send = ({ method, path }: Operation, token?: string) =>
  call(method.toUpperCase(), `/scim/v2${path.replace("{id}", "999999999").replace("{uri}", "None")}`, {
    ...(token && { token }),
    ...(method !== "get" &&
      method !== "delete" && { headers: { "content-type": "application/scim+json" }, body: "{}" }),
  })

const nameOf = ({ method, path }: Operation) => `${method} ${path}`
const changes = ({ method }: Operation) => method !== "get"

async function expectRefused(operation: Operation, token: string | undefined, status: 401 | 403, detail?: string) {
  const answer = await send(operation, token)
  const { body } = answer
  expect(answer.status, `${nameOf(operation)}: ${JSON.stringify(body)}`).toBe(status)
  expect(answer.headers.get("content-type")).toContain("application/scim+json")
  expect(body).toMatchObject({ schemas: [ERROR], status: String(status), ...(detail && { detail }) })
}

async function expectAllowed(operation: Operation, token: string) {
  const { status, body } = await send(operation, token)
  expect([200, 400, 404], `${nameOf(operation)}: ${status} ${JSON.stringify(body)}`).toContain(status)
}

describe("every SCIM operation", () => {
  it("is in the OpenAPI document, and the other way round", async () => {
    const { body } = await get("/openapi.json?tag=SCIM")
    const documented = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.replace("/scim/v2", "")}`),
    )
    expect(scimOperations.map(nameOf).sort()).toEqual(documented.sort())
    expect(new Set(documented).size).toBeGreaterThan(15)
  })

  it("refuses calls without a credential, and sessions of every role", async () => {
    for (const operation of scimOperations) await expectRefused(operation, undefined, 401)
    for (const role of ROLES) {
      const { token } = await signedIn(role)
      for (const operation of scimOperations)
        await expectRefused(operation, token, 403, "SCIM needs an API key with the scope scim.")
    }
  })

  it("refuses keys without the scope scim, whatever else they may do", async () => {
    for (const grant of [{}, { families: ["Users"] }, { access: "read" as const }]) {
      const { token } = await apiKey({ role: "owner", ...grant })
      for (const operation of scimOperations)
        await expectRefused(operation, token, 403, "SCIM needs an API key with the scope scim.")
    }
  })

  it("allows keys with the scope scim from staff on, and with read access only to read", async () => {
    for (const role of ROLES) {
      const isAllowed = ["staff", "admin", "owner"].includes(role)
      const write = await apiKey({ role, scopes: ["scim"], access: "write" })
      const read = await apiKey({ role, scopes: ["scim"], access: "read" })
      for (const operation of scimOperations) {
        if (!isAllowed) {
          for (const { token } of [write, read])
            await expectRefused(operation, token, 403, "Your role does not allow this.")
          continue
        }
        await expectAllowed(operation, write.token)
        if (changes(operation)) await expectRefused(operation, read.token, 403, "This API key is read-only.")
        else await expectAllowed(operation, read.token)
      }
    }
  })
})

describe("a key with the scope scim", () => {
  it("can call nothing but SCIM", async () => {
    const { token } = await apiKey({ role: "owner", scopes: ["scim"], access: "write" })
    for (const path of ["/api/users/tabularlist", "/api/courses/tabularlist", "/api/events", "/api/group/1"])
      expect(await get(path, { token }), path).toMatchObject({ status: 403, body: { code: "key_scope_insufficient" } })
  })
})
