import { env, exports } from "cloudflare:workers"
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js"
import { afterEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { users } from "../../drizzle/schema/users.ts"
import { operations } from "../../src/http/operation.ts"
import { rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { course } from "../factories/learning.ts"
import { get, put } from "../helpers/client.ts"
import { BASE, connected } from "../helpers/mcp.ts"

/** Sends one message as it is. */
async function send(message: unknown, { token, ...headers }: Record<string, string> = {}, queryString = "") {
  const response = await exports.default.fetch(`${BASE}/mcp${queryString}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof message === "string" ? message : JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) }
}

const rpc = (method: string, params?: object) => ({ jsonrpc: "2.0", id: 1, method, ...(params && { params }) })

afterEach(() => vi.restoreAllMocks())

describe("an MCP client with a scoped key", () => {
  it("finds a user, enrolls them and reads their progress; the same key cannot do more", async () => {
    const learner = await user({ firstName: "Grace", lastName: "Hopper", email: "grace@example.com" })
    await user({ email: "another@example.com" })
    const algebra = await course({ name: "Algebra" })
    const key = await apiKey({ role: "staff", access: "write", families: ["Users", "Courses", "Learning data"] })
    const { client, call, tools } = await connected(key.token, "?write=1")
    expect(client.getServerVersion()).toMatchObject({ name: "lectern", title: "Lectern" })
    expect(client.getInstructions()).toContain("page_size")

    const found = await call("listUsers", {
      page_size: 5,
      page_number: 1,
      search_param: { nameOrEmail: "grace" },
      fields: "id,email",
    })
    expect(found).toEqual({
      isError: false,
      body: { recordsTotal: 2, recordsFiltered: 1, records: [{ id: learner.id, email: "grace@example.com" }] },
    })

    const enrolled = await call("enrollUsers", { course_ids: [algebra.id], user_ids: [learner.id] })
    expect(enrolled).toMatchObject({ isError: false, body: { enrolled: 1, alreadyEnrolled: 0, skipped: 0 } })
    const [enrollment] = await rowsOf(enrollments)
    expect(enrollment).toMatchObject({ userId: learner.id, courseId: algebra.id })
    expect((await rowsOf(auditLogs)).map(({ performedBy }) => performedBy)).toEqual([-key.id])

    const progress = await call("listEnrolledCourses", { user_id: learner.id, page_size: 5, page_number: 1 })
    const [enrolled1] = progress.body.records
    expect(enrolled1).toMatchObject({ courseName: "Algebra", percentComplete: 0, status: "Not Started" })

    const { names } = await tools()
    expect(names).toEqual(expect.arrayContaining(["listUsers", "enrollUsers", "listEnrolledCourses"]))
    const scoped = operations.filter(({ operationId, keys }) => names.includes(operationId) && keys === "scope")
    expect([...new Set(scoped.map(({ tag }) => tag))].sort()).toEqual(["Courses", "Learning data", "Users"])
    // Beyond its families, its role, and what an API key may do at all.
    expect(await call("listOrders", { page_size: 5, page_number: 1 })).toMatchObject({
      isError: true,
      body: { status: "error", code: "key_scope_insufficient" },
    })
    expect(await call("deleteUsers", { delete_ids: [learner.id] })).toMatchObject({
      isError: true,
      body: { code: "insufficient_role" },
    })
    await expect(call("createApiKey", { name: "Mine", role: "owner" })).rejects.toThrow("Unknown tool: createApiKey")
    expect(await rowsOf(users)).toHaveLength(2)
  })

  it("is read-only unless the URL asks for changes and the key may make them", async () => {
    const learner = await user()
    const algebra = await course()
    const enrolling = { course_ids: [algebra.id], user_ids: [learner.id] }
    const key = await apiKey({ role: "admin", access: "write" })
    const reader = await connected(key.token)
    const { tools } = await reader.tools()
    expect(tools.length).toBeGreaterThan(100)
    for (const { name, annotations } of tools) {
      expect(annotations, name).toEqual({ readOnlyHint: true, openWorldHint: false })
      const { method, mutates } = operations.find(({ operationId }) => operationId === name) ?? {}
      expect({ method, mutates }, name).toEqual({ method: "get", mutates: false })
    }
    await expect(reader.call("enrollUsers", enrolling)).rejects.toThrow(/changes data.*mcp\?write=1/)

    const readKey = await apiKey({ role: "admin", access: "read" })
    const writer = await connected(readKey.token, "?write=1")
    expect((await writer.tools()).names).not.toContain("enrollUsers")
    expect(await writer.call("enrollUsers", enrolling)).toMatchObject({
      isError: true,
      body: { code: "key_read_only" },
    })
    expect(await rowsOf(enrollments)).toEqual([])
  })
})

describe("the tools", () => {
  it("are the operations that a key can call with JSON, in pages, with schemas that a model can read", async () => {
    const key = await apiKey({ role: "owner", access: "write" })
    const { tools, names, pages } = await (await connected(key.token, "?write=1")).tools()
    expect(pages.slice(0, -1).every((length) => length === 50)).toBe(true)
    expect(new Set(names).size).toBe(names.length)
    const callable = operations.filter(({ path, keys }) => path.startsWith("/api/") && keys !== "none")
    // Files and forms are left out.
    expect(names.every((name) => callable.some(({ operationId }) => operationId === name))).toBe(true)
    expect(names.length).toBeGreaterThan(callable.length * 0.85)
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z][A-Za-z0-9]{2,63}$/)
      expect(description, name).toMatch(/^[A-Z].{8,}/s)
      expect(JSON.stringify(inputSchema), name).not.toMatch(/"\$ref"|"example"|undefined/)
      expect(JSON.stringify(inputSchema).length, name).toBeLessThan(4000)
      for (const required of inputSchema.required ?? []) expect(inputSchema.properties).toHaveProperty([required])
    }
    const annotationsOf = (wanted: string) => tools.find(({ name }) => name === wanted)?.annotations
    expect(annotationsOf("deleteUsers")).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(annotationsOf("enrollUsers")).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(annotationsOf("updateUser")).toMatchObject({ destructiveHint: true, idempotentHint: true })
  })

  it("are limited to the tags of the URL, whose names are checked", async () => {
    const { token } = await apiKey({ role: "admin" })
    const { names } = await (await connected(token, "?tag=Users,Courses&tag=Groups")).tools()
    expect(names).toContain("listGroups")
    expect(names).not.toContain("listCategories")
    const refused = await send(rpc("tools/list"), { token }, "?tag=People")
    expect(refused).toMatchObject({ status: 422, body: { code: "validation_failed", errors: { tag: [/People/] } } })
  })

  it("keep the path's id apart from another record's id in the body, and report wrong arguments", async () => {
    const learner = await user()
    const { token } = await apiKey({ role: "admin", access: "write" })
    const { call } = await connected(token, "?write=1")
    expect(await call("getUser", { id: learner.id, fields: "id" })).toEqual({
      isError: false,
      body: { id: learner.id },
    })
    expect(await call("getUser", { user: 3 })).toMatchObject({
      isError: true,
      body: {
        code: "validation_failed",
        errors: { user: ["user is not an argument of this tool."], id: ["id is required."] },
      },
    })
    expect(await call("getUser", { id: "../users/tabularlist" })).toMatchObject({ isError: true })
    expect(await call("updateUserMembership", { userId: learner.id, id: 999 })).toMatchObject({
      isError: true,
      body: { code: "validation_failed" },
    })
  })

  it("make a change once for an idempotency key, and validate a bulk upload without changes", async () => {
    const { token } = await apiKey({ role: "admin", access: "write" })
    const { call } = await connected(token, "?write=1")
    const group = { name: "Engineers", idempotencyKey: "one" }
    const first = await call("createGroup", group)
    expect(first).toMatchObject({ isError: false })
    expect(await call("createGroup", group)).toEqual(first)
    expect(await call("createGroup", { ...group, name: "Others" })).toMatchObject({ isError: true })
    expect((await call("listGroups", { page_size: 5, page_number: 1 })).body.recordsTotal).toBe(1)

    const rows = [{ first_name: "Ada", last_name: "Byron", email: "ada@example.com" }]
    const dryRun = await call("bulkUploadUsers", { userList: rows, dryRun: true })
    expect(dryRun).toMatchObject({ isError: false, body: { dryRun: true } })
    expect(await rowsOf(users)).toEqual([])
  })
})

describe("the endpoint", () => {
  it("accepts API keys only", async () => {
    const list = rpc("tools/list")
    const anonymous = await send(list)
    expect(anonymous).toMatchObject({ status: 401, body: { code: "invalid_key" } })
    expect(anonymous.headers.get("www-authenticate")).toBe("Bearer")
    const { token } = await signedIn("owner")
    expect(await send(list, { token })).toMatchObject({ status: 403, body: { code: "api_key_required" } })
    expect(await send(list, { cookie: `__Host-session=${token}` })).toMatchObject({ status: 403 })
    expect(await send(list, { token: "lk_1_invented" })).toMatchObject({ status: 401, body: { code: "invalid_key" } })
    expect(await get("/mcp")).toMatchObject({ status: 405, body: { code: "method_not_allowed" } })
  })

  it("counts a tool call once, and refuses it over the limit", async () => {
    vi.spyOn(env, "RATE_LIMIT", "get").mockReturnValue("3")
    const { token } = await apiKey({ role: "staff" })
    const calling = rpc("tools/call", { name: "lookUpUserTypes", arguments: {} })
    const first = await send(calling, { token })
    expect(first.headers.get("x-ratelimit-remaining")).toBe("2")
    expect(first.headers.get("content-security-policy")).toContain("default-src 'none'")
    await send(calling, { token })
    await send(calling, { token })
    expect(await send(calling, { token })).toMatchObject({ status: 429, body: { code: "rate_limited" } })
  })

  it("negotiates the version, and refuses what is not one message of the protocol", async () => {
    const { token } = await apiKey({ role: "staff" })
    const initialize = (protocolVersion: string) => send(rpc("initialize", { protocolVersion }), { token })
    expect((await initialize("2025-06-18")).body.result.protocolVersion).toBe("2025-06-18")
    await put("/api/settings", { name: "Northwind" }, await signedIn("admin"))
    expect((await initialize("2025-06-18")).body.result.serverInfo.title).toBe("Northwind")
    expect((await initialize("1999-01-01")).body.result.protocolVersion).toBe(LATEST_PROTOCOL_VERSION)
    expect(await send(rpc("ping"), { token })).toMatchObject({ status: 200, body: { id: 1, result: {} } })
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" }
    expect(await send(notification, { token })).toMatchObject({ status: 202, body: undefined })

    const codeOf = async (message: unknown, headers = {}) => {
      const { status, body } = await send(message, { token, ...headers })
      return [status, body.error?.code ?? body.code]
    }
    expect(await codeOf("{")).toEqual([400, -32700])
    expect(await codeOf("null")).toEqual([400, -32600])
    expect(await codeOf([rpc("ping")])).toEqual([400, -32600])
    expect(await codeOf(rpc("roots/list"))).toEqual([200, -32601])
    expect(await codeOf(rpc("tools/call", { arguments: {} }))).toEqual([200, -32602])
    expect(await codeOf(rpc("tools/list", { cursor: "nothing" }))).toEqual([200, -32602])
    expect(await codeOf(rpc("ping"), { "mcp-protocol-version": "1999-01-01" })).toEqual([400, "malformed_body"])
    expect(await codeOf(rpc("ping"), { "content-type": "text/plain" })).toEqual([415, "unsupported_type"])
    expect(await codeOf(rpc("ping"), { origin: "https://evil.example" })).toEqual([403, "origin_not_allowed"])
    // The host of a request may be an attacker's name for this machine.
    expect(await codeOf(rpc("ping"), { origin: BASE })).toEqual([403, "origin_not_allowed"])
    vi.spyOn(env, "BASE_URL", "get").mockReturnValue(`${BASE}/`)
    expect(await send(rpc("ping"), { token, origin: BASE })).toMatchObject({ status: 200 })
  })

  it("accepts a level for log messages, which it does not send", async () => {
    const { client } = await connected((await apiKey({ access: "read" })).token)
    expect(await client.setLoggingLevel("warning")).toEqual({})
    await expect(client.setLoggingLevel("loud" as "error")).rejects.toMatchObject({ code: -32602 })
  })

  it("reads the key's own changes", async () => {
    const learner = await user()
    const { token } = await apiKey({ role: "staff", access: "write" })
    const { call } = await connected(token, "?write=1")
    await call("updateUser", { id: learner.id, firstName: "Augusta" })
    expect((await call("getUser", { id: learner.id })).body.firstName).toBe("Augusta")
  })
})
