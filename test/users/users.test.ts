import { env } from "cloudflare:workers"
import fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { categories, userCategories } from "../../drizzle/schema/categories.ts"
import { courseCategories } from "../../drizzle/schema/courses.ts"
import { memberships } from "../../drizzle/schema/memberships.ts"
import { idempotencyKeys } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"
import { searchText } from "../../src/db/search.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { category as courseCategory } from "../factories/categories.ts"
import { manyUsers } from "../factories/exports.ts"
import { db, group, nextId, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { course, enrollment } from "../factories/learning.ts"
import { call, cost, get, post, put, query } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { deployedPasswords } from "../helpers/password-cost.ts"
import { anyIsoTime, iso } from "../helpers/times.ts"

const ada = (input = {}) => ({
  firstName: "Ada",
  lastName: "Byron",
  email: "ada@example.com",
  password: "analytical engine",
  password_confirmation: "analytical engine",
  ...input,
})

const category = async (name: string) => {
  const id = await nextId("categories")
  await db.insert(categories).values({ id, name, type: "user", createdAt: 0, updatedAt: 0 })
  return id
}

const list = (parameters: Record<string, unknown> = {}, options = {}) =>
  get(`/api/users/tabularlist${query({ page_size: 10, page_number: 1, ...parameters })}`, options)

const idsOf = (response: { body: { records: { id: number }[] } }) => response.body.records.map((record) => record.id)

describe("GET /api/userType/lookup", () => {
  it("lists the five user types of the interface", async () => {
    const { body } = await get("/api/userType/lookup")
    expect(body.map((type: { db_value: string }) => type.db_value)).toEqual([
      "admin",
      "owner",
      "staff",
      "group_admin",
      "general",
    ])
  })
})

describe("POST /api/user/create", () => {
  it("creates a user with categories, an audit row and a hashed password in two round trips", async () => {
    deployedPasswords()
    const [gold, silver] = [await category("Gold"), await category("Silver")]
    const response = await post("/api/user/create", ada({ userCategory: [gold, silver] }))
    expect(response).toMatchObject({ status: 200, body: { id: 1, message: "User created." } })
    expect(cost(response).roundTrips).toBe(2)
    const [row] = await rowsOf(users)
    expect(row).toMatchObject({
      id: 1,
      firstName: "Ada",
      lastName: "Byron",
      email: "ada@example.com",
      userType: "general",
    })
    expect(row?.passwordHash).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/)
    expect(await rowsOf(userCategories)).toHaveLength(2)
    const audit = await rowsOf(auditLogs)
    expect(audit).toMatchObject([
      { action: "created", subject: "user", subjectId: 1, effectOn: "Ada Byron", performedBy: null },
    ])
    expect(JSON.stringify(audit)).not.toContain("analytical")
    expect((await list()).body).toMatchObject({ recordsTotal: 1, records: [{ user_category: "Gold, Silver" }] })
  })

  it("reads ids from an array, a JSON string or a comma-separated list", async () => {
    const [gold, silver] = [await category("Gold"), await category("Silver")]
    const spellings = [[gold, silver], `[${gold},${silver}]`, `${gold},${silver}`, [String(gold), `${silver}`], "", []]
    for (const [i, userCategory] of spellings.entries())
      expect((await post("/api/user/create", ada({ email: `u${i}@example.com`, userCategory }))).status).toBe(200)
    expect(await rowsOf(userCategories)).toHaveLength(8)
  })

  it("reports every invalid field and writes nothing", async () => {
    const bad: [object, string][] = [
      [{ firstName: "" }, "firstName"],
      [{ firstName: undefined }, "firstName"],
      [{ firstName: "x".repeat(101) }, "firstName"],
      [{ firstName: 7 }, "firstName"],
      [{ firstName: " \u0007 " }, "firstName"],
      [{ email: "ada" }, "email"],
      [{ email: `${"a".repeat(250)}@example.com` }, "email"],
      [{ password: "short", password_confirmation: "short" }, "password"],
      [{ password: "x".repeat(129), password_confirmation: "x".repeat(129) }, "password"],
      [{ password: "password1", password_confirmation: "password1" }, "password"],
      [{ password: "ADA@example.com", password_confirmation: "ADA@example.com" }, "password"],
      [{ password: "ada byron", password_confirmation: "ada byron" }, "password"],
      [{ password_confirmation: "other" }, "password_confirmation"],
      [{ userCategory: [99] }, "userCategory"],
      [{ userCategory: "a,b" }, "userCategory.0"],
      [{ userType: "emperor" }, "userType"],
    ]
    for (const [input, field] of bad) {
      const response = await post("/api/user/create", ada(input))
      expect(response.status, JSON.stringify(input)).toBe(422)
      expect(Object.keys(response.body.errors), JSON.stringify(input)).toContain(field)
      expect(response.body.message).toContain(field.split(".")[0])
    }
    const many = await post("/api/user/create", {})
    expect(Object.keys(many.body.errors)).toEqual(["firstName", "email", "password", "password_confirmation"])
    expect(many.body.message).toBe("firstName is required. (and 3 more errors)")
    expect(await rowsOf(users)).toEqual([])
    expect(await rowsOf(auditLogs)).toEqual([])
  })

  it("sends an invitation with a one-time link when requested, instead of a password", async () => {
    const { password: _, password_confirmation: __, ...person } = ada()
    const response = await post("/api/user/create", { ...person, sendInvitation: true })
    expect(response.body).toEqual({ id: 1, message: "User created. Invitation sent." })
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(users)).toMatchObject([{ passwordHash: null, emailVerifiedAt: 0 }])
    const mails = await delivered()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([["ada@example.com", "You're invited to Lectern"]])
    const token = /set-password\?token=([\w-]+)/.exec(mails[0]?.text ?? "")?.[1]
    expect((await post("/set-password", { token, password: "analytical engines" })).status).toBe(200)
    expect((await post("/set-password", { token, password: "analytical engines" })).status).toBe(410)
    expect((await rowsOf(users))[0]?.emailVerifiedAt).toBeGreaterThan(0)
    expect(await delivered(), "no notice of the first password").toEqual([])
  })

  it("invites a user in their language, and stores their time zone", async () => {
    const { password: _, password_confirmation: __, ...person } = ada({ timeZone: "asia/tokyo", language: "es" })
    const { id } = (await post("/api/user/create", { ...person, sendInvitation: true })).body
    expect((await delivered()).map(({ subject }) => subject)).toEqual(["Invitación a Lectern"])
    const { body } = await get(`/api/user/${id}`, await signedIn("staff"))
    expect(body).toMatchObject({ timeZone: "Asia/Tokyo", language: "es" })
    const wrong = ada({ email: "b@example.com", timeZone: "Mars/Olympus" })
    expect((await post("/api/user/create", wrong)).body).toMatchObject({ errors: { timeZone: [expect.any(String)] } })
  })

  it("creates a user without a password, with an email only if notify is true", async () => {
    const { password: _, password_confirmation: __, ...person } = ada()
    const quiet = await post("/api/user/create", { ...person, notify: false })
    expect(quiet.body).toEqual({ id: 1, message: "User created." })
    expect(await delivered()).toEqual([])
    const loud = await post("/api/user/create", { ...person, email: "bob@example.com", notify: true })
    expect(loud.body).toEqual({ id: 2, message: "User created. Invitation sent." })
    expect((await delivered()).map(({ to, subject }) => [to, subject])).toEqual([
      ["bob@example.com", "You're invited to Lectern"],
    ])
    const withPassword = await post("/api/user/create", ada({ email: "eve@example.com", notify: false }))
    expect(withPassword.body).toEqual({ id: 3, message: "User created." })
    expect(await delivered()).toEqual([])
    expect((await rowsOf(users)).map(({ passwordHash }) => passwordHash === null)).toEqual([true, true, false])
    const refused = await post("/api/user/create", { ...person, sendInvitation: true, notify: false })
    expect(refused.body.errors).toEqual({ notify: ["notify must not be false with sendInvitation."] })
  })

  it("creates users without a password for an API key that may not set one", async () => {
    const key = await apiKey({ families: ["Users"] })
    const { password: _, password_confirmation: __, ...person } = ada()
    const quiet = await post("/api/user/create", { ...person, notify: false }, key)
    expect(quiet.body).toEqual({ id: 1, message: "User created." })
    const loud = await post("/api/user/create", { ...person, email: "bob@example.com", notify: true }, key)
    expect(loud.body).toEqual({ id: 2, message: "User created. Invitation sent." })
    const dropped = await post("/api/user/create", ada({ email: "eve@example.com", notify: false }), key)
    expect(dropped.body.message).toBe("User created without the password: this API key may not set passwords.")
    expect((await rowsOf(users)).map(({ passwordHash }) => passwordHash)).toEqual([null, null, null])
    expect((await delivered()).map(({ to }) => to)).toEqual(["bob@example.com"])
  })

  it("rejects a password together with an invitation, and requires one otherwise; a blank one is missing", async () => {
    const fields = async (overrides: object) =>
      Object.keys((await post("/api/user/create", ada(overrides))).body.errors ?? {})
    expect(await fields({ sendInvitation: true })).toEqual(["password"])
    for (const sendInvitation of [false, null, ""])
      expect(await fields({ sendInvitation, password: "", password_confirmation: "" })).toEqual([
        "password",
        "password_confirmation",
      ])
    expect(await fields({ password_confirmation: undefined })).toEqual(["password_confirmation"])
    for (const body of [null, [], 7, "x"]) expect((await post("/api/user/create", body)).status).toBe(400)
    expect(await rowsOf(users)).toEqual([])
    expect(await fields({ sendInvitation: true, password: " ", password_confirmation: "" })).toEqual([])
  })

  it("rejects a taken address regardless of case, also for concurrent requests", async () => {
    const responses = await Promise.all(
      [1, 2, 3].map((n) => post("/api/user/create", ada({ email: n === 2 ? "ADA@example.com" : "ada@example.com" }))),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([200, 422, 422])
    expect(responses.find((response) => response.status === 422)?.body).toEqual({
      status: "error",
      code: "validation_failed",
      message: "email is already taken by another user.",
      errors: { email: ["email is already taken by another user."] },
    })
    expect(await rowsOf(auditLogs)).toHaveLength(1)
  })

  it("stores text of any script in NFC without control characters", async () => {
    const response = await post(
      "/api/user/create",
      ada({ firstName: " Zoe\u0308\u0000 ", lastName: "محمد 山田 👩🏽‍🚀" }),
    )
    expect(response.status).toBe(200)
    expect((await get("/api/user/1")).body).toMatchObject({
      firstName: "Zoë",
      lastName: "محمد 山田 👩🏽‍🚀",
      avatar: "Zم",
    })
  })

  it("stores names on one line and well-formed", async () => {
    const sent = ada({ firstName: "Ada\r\nBcc: all@example.com", lastName: "By\u0000ron\u2028II" })
    const { body } = await post("/api/user/create", sent)
    expect((await get(`/api/user/${body.id}`)).body).toMatchObject({
      firstName: "Ada Bcc: all@example.com",
      lastName: "Byron II",
    })
  })

  it("rejects a type above the caller's, and allows owner only to owners", async () => {
    const tries: [string, string, number][] = [
      ["staff", "general", 200],
      ["staff", "group_admin", 200],
      ["staff", "staff", 403],
      ["staff", "admin", 403],
      ["admin", "admin", 200],
      ["admin", "portal_admin", 200],
      ["admin", "owner", 403],
      ["owner", "owner", 200],
    ]
    for (const [i, [caller, userType, status]] of tries.entries()) {
      const { token } = await signedIn(caller)
      const response = await post("/api/user/create", ada({ email: `t${i}@example.com`, userType }), { token })
      expect(response.status, `${caller} makes ${userType}`).toBe(status)
    }
  })

  it("returns the first response for a repeated Idempotency-Key and creates one user, also concurrently", async () => {
    const headers = { "idempotency-key": "k-1" }
    const [first, second] = await Promise.all([
      post("/api/user/create", ada(), { headers }),
      post("/api/user/create", ada(), { headers }),
    ])
    const third = await post("/api/user/create", ada(), { headers })
    expect(first.body).toEqual(second.body)
    expect(third.body).toEqual(first.body)
    expect(third.headers.get("idempotency-replayed")).toBe("true")
    expect(await rowsOf(users)).toHaveLength(1)
    const other = await post("/api/user/create", ada({ firstName: "Eve" }), { headers })
    expect(other).toMatchObject({ status: 422, body: { errors: { "Idempotency-Key": expect.anything() } } })
    const elsewhere = await post("/api/user/create", ada(), {
      headers: { ...headers, "cf-connecting-ip": "198.51.100.1" },
    })
    expect(elsewhere.body.errors).toHaveProperty("email")
  })

  it("accepts a key again after 24 hours and after a failed first request", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const headers = { "idempotency-key": "k-1" }
    expect((await post("/api/user/create", {}, { headers })).status).toBe(422)
    expect((await post("/api/user/create", ada(), { headers })).body.id).toBe(1)
    vi.setSystemTime(Date.now() + 24 * 3600_000 + 1)
    expect(await rowsOf(idempotencyKeys)).toHaveLength(1)
    await runScheduled(env)
    expect(await rowsOf(idempotencyKeys)).toEqual([])
    const later = await post("/api/user/create", ada({ email: "eve@example.com" }), { headers })
    expect(later).toMatchObject({ status: 200, body: { message: "User created." } })
    expect(later.headers.get("idempotency-replayed")).toBeNull()
    expect(await rowsOf(users)).toHaveLength(2)
  })
})

describe("an Idempotency-Key of more than 24 hours", () => {
  it("can be used again before the cron has deleted it", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const headers = { "idempotency-key": "k-1" }
    await post("/api/user/create", ada(), { headers })
    vi.setSystemTime(Date.now() + 24 * 3600_000 + 1)
    expect((await post("/api/user/create", ada({ email: "eve@example.com" }), { headers })).status).toBe(200)
  })
})

describe("GET /api/user/{id}", () => {
  it("returns every field of the interface in one round trip", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5) })
    await db.insert(memberships).values({ id: 4, name: "Gold", searchText: searchText("Gold"), createdAt: 0 })
    const row = await user({
      firstName: "Ada",
      lastName: "Byron",
      email: "ada@example.com",
      lastLoginAt: Date.now() - 3 * 86_400_000,
      membershipId: 4,
      membershipExpiresAt: Date.UTC(2026, 5, 1),
      internalNote: "Prefers evenings",
    })
    const response = await get(`/api/user/${row.id}`)
    expect(response.body).toEqual({
      id: row.id,
      firstName: "Ada",
      lastName: "Byron",
      email: "ada@example.com",
      lastLoggedIn: "3 days ago",
      lastLoginAt: "2026-01-02T00:00:00.000Z",
      createdAt: iso(row.createdAt),
      updatedAt: anyIsoTime,
      avatar: "AB",
      disabled: false,
      userType: "general",
      currentLoggedUserType: "anonymous",
      membership: { id: 4, name: "Gold", expiryDate: "Jun 01, 2026", expiresAt: "2026-06-01T00:00:00.000Z" },
      customUserMetas: {},
      internal_note: "Prefers evenings",
      user_source_id: 1,
      timeZone: null,
      language: null,
      pendingEmail: null,
      externalId: null,
      externalIds: [],
    })
    expect(cost(response)).toMatchObject({ roundTrips: 1, written: 0 })
  })

  it("returns the time zone and the language that users set for themselves", async () => {
    const ada = await signedIn("general")
    const input = { timeZone: "europe/madrid", language: "ES-mx" }
    expect((await put(`/api/user/${ada.id}`, input, ada)).status).toBe(200)
    expect((await get(`/api/user/${ada.id}`, ada)).body).toMatchObject({ timeZone: "Europe/Madrid", language: "es-MX" })
    for (const wrong of [{ timeZone: "+02:00" }, { timeZone: "Mars/Olympus" }, { language: "no language" }])
      expect(await put(`/api/user/${ada.id}`, wrong, ada)).toMatchObject({ status: 422 })
    expect((await put(`/api/user/${ada.id}`, { timeZone: null, language: null }, ada)).status).toBe(200)
    expect((await get(`/api/user/${ada.id}`, ada)).body).toMatchObject({ timeZone: null, language: null })
  })

  it("returns an ETag, 304 for it, and a new ETag after a change", async () => {
    const { id } = await user()
    const etag = (await get(`/api/user/${id}`)).headers.get("etag") ?? ""
    const same = await get(`/api/user/${id}`, { headers: { "if-none-match": etag } })
    expect(same).toMatchObject({ status: 304, body: "" })
    await put(`/api/user/${id}`, { firstName: "Eve" })
    expect((await get(`/api/user/${id}`, { headers: { "if-none-match": etag } })).status).toBe(200)
  })

  it("returns the users that each role can see, and 404 for all others", async () => {
    const member = await user()
    const stranger = await user()
    const learner = await signedIn("general", { internalNote: "secret" })
    const supervisor = await signedIn("group_admin")
    const keeper = await signedIn("portal_admin")
    await group({ admins: [supervisor.id], members: [member.id] })
    await portal({ admins: [keeper.id], members: [member.id] })
    const status = async (id: number, token: string) => (await get(`/api/user/${id}`, { token })).status
    for (const { token, id } of [supervisor, keeper]) {
      expect(await status(member.id, token)).toBe(200)
      expect(await status(stranger.id, token)).toBe(404)
      expect(await status(id, token)).toBe(200)
    }
    expect(await status(member.id, learner.token)).toBe(404)
    const ownRecord = await get(`/api/user/${learner.id}`, learner)
    expect(ownRecord.body).toMatchObject({ id: learner.id, internal_note: null })
    expect(await status(stranger.id, (await signedIn("staff")).token)).toBe(200)
  })
})

describe("PUT /api/user/{id}", () => {
  it("updates only the provided fields in two round trips and audits the changes", async () => {
    const row = await user({ firstName: "Ada", lastName: "Byron", internalNote: "keep" })
    const response = await put(`/api/user/${row.id}`, { lastName: "Lovelace", userCategory: [await category("Gold")] })
    expect(response.body).toEqual({ message: "User updated." })
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(users)).toMatchObject([
      { firstName: "Ada", lastName: "Lovelace", internalNote: "keep", version: 2 },
    ])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "updated", details: { lastName: "Lovelace", userCategory: [1] } },
    ])
    expect((await list({ search_param: { nameOrEmail: "lovelace" } })).body.recordsFiltered).toBe(1)
    expect((await list({ search_param: { nameOrEmail: "byron" } })).body.recordsFiltered).toBe(0)
  })

  it("accepts the response of GET without a change", async () => {
    const { id } = await user()
    const { body } = await get(`/api/user/${id}`)
    expect((await put(`/api/user/${id}`, body)).status).toBe(200)
    expect(await rowsOf(auditLogs)).toEqual([])
    expect((await rowsOf(users))[0]?.version).toBe(1)
  })

  it("honors If-Match, also for concurrent changes", async () => {
    const { id } = await user()
    const headers = { "if-match": (await get(`/api/user/${id}`)).headers.get("etag") ?? "" }
    const responses = await Promise.all(
      ["A", "B"].map((firstName) => put(`/api/user/${id}`, { firstName }, { headers })),
    )
    const statuses = responses.map((response) => response.status).sort()
    expect(statuses[0]).toBe(200)
    expect([409, 412]).toContain(statuses[1])
    expect((await put(`/api/user/${id}`, { firstName: "C" }, { headers })).status).toBe(412)
    expect((await put(`/api/user/${id}`, { firstName: "C" }, { headers: { "if-match": '"other"' } })).status).toBe(412)
    expect((await put(`/api/user/${id}`, { firstName: "C" }, { headers: { "if-match": "*" } })).status).toBe(200)
  })

  it("accepts the URL or path of an image as avatar, URL-encoded", async () => {
    const { id } = await user({ firstName: "Ada", lastName: "Byron" })
    const savedAvatar = async (avatar: string) => {
      const { status } = await put(`/api/user/${id}`, { avatar })
      return status === 200 ? (await get(`/api/user/${id}`)).body.avatar : status
    }
    const cases: [string, string | number][] = [
      ["https://example.com/ada.png", "https://example.com/ada.png"],
      [`https://example.com/"onerror='x'.png`, "https://example.com/%22onerror=%27x%27.png"],
      ["HTTP://example.com", "http://example.com/"],
      ["//cdn.example.com/a.png", "https://cdn.example.com/a.png"],
      ["/storage/ada.png?v=2", "/storage/ada.png?v=2"],
      ["storage/../ada.png", "/ada.png"],
      ["ada.png", "/ada.png"],
      ["/\\evil.example/a.png", 422],
      ["javascript:alert(1)", 422],
      ["data:text/html,<b>", 422],
      ["https://", 422],
      ["no picture at all", 422],
      ["<p>Ada</p>", 422],
      [`/${"a".repeat(10_001)}`, 422],
    ]
    for (const [input, expected] of cases) expect(await savedAvatar(input), input).toBe(expected)
    expect(await savedAvatar("")).toBe("AB")
    await put(`/api/user/${id}`, { avatar: "/ada.png" })
    expect((await put(`/api/user/${id}`, { avatar: null })).status).toBe(200)
    expect(await rowsOf(users)).toMatchObject([{ avatar: null }])
  })

  it("accepts initials of the current, the previous and the new name as no avatar", async () => {
    const { id } = await user({ firstName: "Ada", lastName: "Byron" })
    const { body } = await get(`/api/user/${id}`)
    expect((await put(`/api/user/${id}`, { ...body, lastName: "Lovelace" })).status).toBe(200)
    expect((await put(`/api/user/${id}`, { ...body, lastName: "Lovelace" })).status).toBe(200)
    expect((await put(`/api/user/${id}`, { firstName: "Eve", lastName: "Crow", avatar: "EC" })).status).toBe(200)
    for (const [firstName, lastName] of [
      ["/dev", "null"],
      ["<b>", ""],
      ["\u0301a", "b"],
      ["👩🏽‍🚀", "'"],
    ] as const) {
      await put(`/api/user/${id}`, { firstName, lastName })
      const renamed = await get(`/api/user/${id}`)
      expect((await put(`/api/user/${id}`, renamed.body)).status, firstName).toBe(200)
      expect((await put(`/api/user/${id}`, { ...renamed.body, firstName: "Eve" })).status, firstName).toBe(200)
    }
    expect(await rowsOf(users)).toMatchObject([{ avatar: null }])
  })

  it("reduces SVG markup to shapes and accepts its own output", async () => {
    const { id } = await user({ firstName: "Ada", lastName: "Byron" })
    const shapes =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><linearGradient id="g">' +
      '<stop offset="0" stop-color="#fff" /></linearGradient></defs>' +
      '<circle cx="4" cy="4" r="4" fill="url(#g)" /><text x="4">AB &amp; é</text></svg>'
    const markup = `<?xml version="1.0"?>${shapes
      .replace("<circle", `<circle onclick="alert(1)" style="fill:url(//x)"`)
      .replace(
        "<text",
        '<script>alert(1)</script><image href="//x/y"/>' +
          '<a href="javascript:alert(1)"><use href="//x"/></a><text stroke="url(//x)"',
      )}`
    expect((await put(`/api/user/${id}`, { avatar: markup })).status).toBe(200)
    const { body } = await get(`/api/user/${id}`)
    expect(body.avatar).toBe(shapes)
    expect((await list()).body.records).toMatchObject([{ avatar: shapes }])
    expect((await put(`/api/user/${id}`, body)).status).toBe(200)
    expect(await rowsOf(users)).toMatchObject([{ version: 2 }])
    expect((await put(`/api/user/${id}`, { avatar: "<svg onload=alert(1)>" })).status).toBe(422)
  })

  it("clears the categories only by an empty array, not by null or an empty string", async () => {
    const { id } = await user()
    await put(`/api/user/${id}`, { userCategory: [await category("Gold")] })
    for (const userCategory of [null, "", " "])
      expect((await put(`/api/user/${id}`, { userCategory })).status).toBe(200)
    expect(await rowsOf(userCategories)).toHaveLength(1)
    expect(await rowsOf(auditLogs)).toHaveLength(1)
    expect((await put(`/api/user/${id}`, { userCategory: "[]" })).status).toBe(200)
    expect(await rowsOf(userCategories)).toEqual([])
  })

  it("lets learners change their own name and address, but no administrative fields", async () => {
    const learner = await signedIn("general", { internalNote: "secret" })
    const other = await user()
    const ownPath = `/api/user/${learner.id}`
    const { body } = await get(ownPath, learner)
    expect((await put(ownPath, { ...body, firstName: "Ada" }, learner)).status).toBe(200)
    expect((await put(ownPath, { disabled: true }, learner)).status).toBe(403)
    expect((await put(ownPath, { userType: "admin" }, learner)).status).toBe(403)
    expect((await put(ownPath, { userCategory: [await category("Gold")] }, learner)).status).toBe(403)
    expect((await put(`/api/user/${other.id}`, { firstName: "Eve" }, learner)).status).toBe(404)
    const [row] = await rowsOf(users)
    expect(row).toMatchObject({ firstName: "Ada", internalNote: "secret", userType: "general", disabled: false })
  })

  it("rejects a type that the caller may not change", async () => {
    const tries: [string, string, number][] = [
      ["staff", "group_admin", 200],
      ["staff", "staff", 403],
      ["staff", "admin", 403],
      ["admin", "staff", 200],
      ["admin", "admin", 200],
      ["admin", "owner", 403],
      ["owner", "owner", 200],
    ]
    for (const [caller, userType, status] of tries) {
      const { id } = await user()
      expect((await put(`/api/user/${id}`, { userType }, await signedIn(caller))).status, `${caller} ${userType}`).toBe(
        status,
      )
    }
  })

  it("refuses to take the role from the last owner who can sign in", async () => {
    const owner = await signedIn("owner")
    await user({ userType: "owner", disabled: true })
    const leave = () => put(`/api/user/${owner.id}`, { userType: "admin" }, owner)
    expect(await leave()).toMatchObject({ status: 409, body: { code: "last_owner" } })
    await user({ userType: "owner" })
    expect((await leave()).status).toBe(200)
  })

  it("lets staff change only learners, and only owners change owners", async () => {
    const staff = await signedIn("staff")
    const admin = await signedIn("admin")
    const owner = await signedIn("owner")
    const change = async (caller: { token: string }, target: { id: number }) =>
      (await put(`/api/user/${target.id}`, { firstName: "X" }, caller)).status
    expect(await change(staff, await user())).toBe(200)
    expect(await change(staff, await user({ userType: "staff" }))).toBe(403)
    expect(await change(staff, admin)).toBe(403)
    expect(await change(admin, await user({ userType: "admin" }))).toBe(200)
    expect(await change(admin, owner)).toBe(403)
    expect(await change(owner, await user({ userType: "owner" }))).toBe(200)
    expect((await put(`/api/user/${admin.id}`, { disabled: true }, admin)).status).toBe(409)
  })
})

describe("PUT /api/user/updatePassword/{id}", () => {
  it("stores the new password hashed in two round trips and never returns it", async () => {
    const { id, passwordHash } = await user()
    const response = await put(`/api/user/updatePassword/${id}`, {
      password: "a fresh secret",
      confirmPassword: "a fresh secret",
    })
    expect(response.body).toEqual({ message: "Password updated." })
    expect(cost(response).roundTrips).toBe(2)
    expect((await rowsOf(users))[0]?.passwordHash).not.toBe(passwordHash)
    expect(JSON.stringify(await rowsOf(auditLogs))).not.toContain("fresh")
  })

  it("rejects a different confirmation, a weak password and a caller with a lower role", async () => {
    const ada = await user({ email: "ada@example.com" })
    const path = `/api/user/updatePassword/${ada.id}`
    expect((await put(path, { password: "a fresh secret", confirmPassword: "x" })).body.errors).toHaveProperty(
      "confirmPassword",
    )
    expect((await put(path, { password: "ada@example.com" })).body.errors).toHaveProperty("password")
    const learner = await signedIn("general")
    expect((await put(path, { password: "a fresh secret" }, learner)).status).toBe(404)
    expect((await put(`/api/user/updatePassword/${learner.id}`, { password: "a fresh secret" }, learner)).status).toBe(
      200,
    )
    const admin = await user({ userType: "admin" })
    const staff = await signedIn("staff")
    expect((await put(`/api/user/updatePassword/${admin.id}`, { password: "a fresh secret" }, staff)).status).toBe(403)
  })
})

describe("POST /api/user/quickEdit", () => {
  it("disables and enables 500 users in two round trips, with one audit row each and correct counts", async () => {
    await manyUsers(500)
    const ids = Array.from({ length: 500 }, (_, i) => 1001 + i)
    const response = await post("/api/user/quickEdit", { user_ids: [...ids, 90_001, 90_002], disabled: true })
    expect(response.body.message).toBe("500 users disabled. 2 skipped: unknown, or not yours to change.")
    expect(cost(response).roundTrips).toBe(2)
    expect((await rowsOf(users)).every((row) => row.disabled)).toBe(true)
    expect(await rowsOf(auditLogs)).toHaveLength(500)
    const again = await post("/api/user/quickEdit", { user_ids: ids.slice(0, 3), disabled: "true" })
    expect(again.body.message).toBe("0 users disabled. 3 were disabled already.")
    expect((await post("/api/user/quickEdit", { user_ids: [ids[0]], disabled: 0 })).body.message).toBe(
      "1 user enabled.",
    )
  })

  it("skips the caller's own account and users above the caller", async () => {
    const staff = await signedIn("staff")
    const admin = await user({ userType: "admin" })
    const learner = await user()
    const response = await post(
      "/api/user/quickEdit",
      { user_ids: [staff.id, admin.id, learner.id], disabled: true },
      staff,
    )
    expect(response.body.message).toBe("1 user disabled. 2 skipped: unknown, or not yours to change.")
    expect((await rowsOf(users)).filter((row) => row.disabled).map((row) => row.id)).toEqual([learner.id])
  })
})

describe("POST /api/user/delete", () => {
  it("deletes unused users, keeps a portal member, and lists both by name", async () => {
    const [removable, member] = [
      await user({ firstName: "Ada", lastName: "Byron" }),
      await user({ firstName: "Eve", lastName: "Hill" }),
    ]
    const { id: portalId } = await portal({ name: "North", members: [member.id] })
    const response = await post("/api/user/delete", { delete_ids: [removable.id, member.id, 999] })
    expect(response.body).toEqual({
      message:
        "1 user deleted. 1 user not deleted: authors, instructors, users with portal access, or users you don't have " +
        "permission to delete. 1 id unknown.",
      deletedStudents: [{ id: removable.id, name: "Ada Byron" }],
      notDeletedStudents: [{ id: member.id, name: "Eve Hill" }],
      usedInCourses: {},
      usedAsCourseAuthors: {},
      usedAsModuleAuthors: {},
      usedAsInstructors: {},
      usedInPortals: { "Eve Hill": [{ id: portalId, name: "North" }] },
    })
    expect(cost(response).roundTrips).toBe(2)
    expect((await rowsOf(users)).map((row) => row.id)).toEqual([member.id])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "deleted", subjectId: removable.id, effectOn: "Ada Byron" },
    ])
    expect((await list()).body).toMatchObject({ recordsTotal: 1 })
  })

  it("requires delete_ids, which may be an empty list", async () => {
    const without = await post("/api/user/delete", {})
    expect(without).toMatchObject({ status: 422, body: { errors: { delete_ids: ["delete_ids is required."] } } })
    expect((await post("/api/user/delete", { delete_ids: [] })).body.message).toBe("0 users deleted.")
  })

  it("groups usages by any user name", async () => {
    const names = ["toString", "constructor", "__proto__", "hasOwnProperty"]
    const found = []
    for (const firstName of names) found.push(await user({ firstName, lastName: "" }))
    const delete_ids = found.map((row) => row.id)
    const { id } = await portal({ name: "North", members: delete_ids })
    const response = await post("/api/user/delete", { delete_ids })
    expect(response.status).toBe(200)
    expect(Object.entries(response.body.usedInPortals)).toEqual(names.map((name) => [name, [{ id, name: "North" }]]))
  })

  it("deletes 500 users in two round trips", async () => {
    await manyUsers(500)
    const ids = Array.from({ length: 500 }, (_, i) => 1001 + i)
    const response = await post("/api/user/delete", { delete_ids: ids })
    expect(response.body.message).toBe("500 users deleted.")
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(users)).toEqual([])
  })

  it("keeps the caller, and owners unless the caller is an owner", async () => {
    const admin = await signedIn("admin")
    const owner = await signedIn("owner")
    const second = await user({ userType: "owner" })
    const byAdmin = await post("/api/user/delete", { delete_ids: [admin.id, second.id] }, admin)
    expect(byAdmin.body.message).toMatch(/^0 users deleted. 2 users not deleted: .* permission to delete.$/)
    const byOwner = await post("/api/user/delete", { delete_ids: [second.id] }, owner)
    expect(byOwner.body.deletedStudents).toHaveLength(1)
    expect((await post("/api/user/delete", { delete_ids: [1] }, await signedIn("staff"))).status).toBe(403)
  })
})

describe("GET /api/users/tabularlist", () => {
  it("returns every field of the interface", async () => {
    const row = await user({
      firstName: "Ada",
      lastName: "Byron",
      email: "a@example.com",
      createdAt: Date.UTC(2026, 0, 5),
    })
    await portal({ name: "South", members: [row.id] })
    await portal({ name: "North", members: [row.id] })
    expect((await list()).body.records).toEqual([
      {
        id: row.id,
        first_name: "Ada",
        last_name: "Byron",
        is_disabled: false,
        email: "a@example.com",
        avatar: "AB",
        user_type: "general",
        display_user_type: "Learner",
        display_type: "Learner",
        created_at: "Jan 05, 2026",
        createdAt: "2026-01-05T00:00:00.000Z",
        updatedAt: anyIsoTime,
        last_login: "Never",
        lastLoginAt: null,
        source: "API",
        portals: "North, South",
        user_category: "",
        externalId: null,
      },
    ])
  })

  it("requires paging and reports invalid parameters by field", async () => {
    const bad: [Record<string, unknown>, string][] = [
      [{ page_size: 501 }, "page_size"],
      [{ page_size: 0 }, "page_size"],
      [{ page_size: "ten" }, "page_size"],
      [{ page_number: -1 }, "page_number"],
      [{ order_by: { colName: "password_hash", direction: "asc" } }, "order_by.colName"],
      [{ order_by: { colName: "email", direction: "sideways" } }, "order_by.direction"],
      [{ order_by: "portals" }, "order_by.colName"],
      [{ search_param: { membershipId: "gold" } }, "search_param.membershipId"],
      [{ search_param: "nonsense" }, "search_param"],
      [{ portalId: "x" }, "portalId"],
      [{ cursor: "nonsense" }, "cursor"],
    ]
    for (const [input, field] of bad) {
      const response = await list(input)
      expect(response.status, JSON.stringify(input)).toBe(422)
      expect(Object.keys(response.body.errors), JSON.stringify(input)).toEqual([field])
    }
    expect(Object.keys((await get("/api/users/tabularlist")).body.errors)).toEqual(["page_size", "page_number"])
  })

  it("accepts order_by in its three formats and ignores an extra brace", async () => {
    const [b, a] = [await user({ email: "b@example.com" }), await user({ email: "A@example.com" })]
    const forms = [
      "order_by=email",
      `order_by=${encodeURIComponent('{"colName":"email","direction":"asc"}')}`,
      `order_by=${encodeURIComponent('{"colName":"email","direction":"asc"}}')}`,
      "order_by[colName]=email&order_by[direction]=ASC",
      "order_by%5BcolName%5D=email",
    ]
    for (const form of forms) {
      const response = await get(`/api/users/tabularlist?page_size=5&page_number=1&${form}`)
      expect(idsOf(response), form).toEqual([a.id, b.id])
    }
    expect(idsOf(await list({ order_by: { colName: "email", direction: "desc" } }))).toEqual([b.id, a.id])
  })

  it("ignores an empty sort column, and defaults an empty direction", async () => {
    const [b, a] = [await user({ email: "b@example.com" }), await user({ email: "A@example.com" })]
    const usual = idsOf(await list())
    for (const form of [
      "order_by=",
      "order_by={}",
      "order_by=null",
      'order_by={"colName":"","direction":""}',
      'order_by={"colName":"","direction":"asc"}',
      "order_by[colName]=&order_by[direction]=desc",
      "order_by[colName]=&order_by[direction]=",
    ])
      expect(idsOf(await get(`/api/users/tabularlist?page_size=5&page_number=1&${form}`)), form).toEqual(usual)
    const form = "order_by[colName]=email&order_by[direction]="
    expect(idsOf(await get(`/api/users/tabularlist?page_size=5&page_number=1&${form}`))).toEqual([a.id, b.id])
    expect((await list({ order_by: { direction: "desc" } })).body.errors).toHaveProperty(["order_by.colName"])
  })

  it("ignores an empty filter", async () => {
    await user()
    for (const search_param of [
      "",
      "[]",
      "{}",
      { nameOrEmail: "", membershipId: "", userCategoryId: [] },
      { unknown: 1 },
    ])
      expect((await list({ search_param })).body).toMatchObject({ recordsTotal: 1, recordsFiltered: 1 })
  })

  it("finds substrings of names and addresses of any length and case", async () => {
    const people = [
      await user({ firstName: "Ann-Marie", lastName: "O'Neil", email: "am@example.com" }),
      await user({ firstName: "Zoë", lastName: 'The "Quote"', email: "100%_sure@example.org" }),
      await user({ firstName: "山田", lastName: "太郎", email: "yamada@example.jp" }),
    ]
    const texts = people.map((p) => [`${p.firstName} ${p.lastName}`.toLowerCase(), p.email.toLowerCase()])
    const found = async (nameOrEmail: string) => {
      const response = await list({ search_param: { nameOrEmail }, order_by: "id" })
      expect(response.body.recordsFiltered).toBe(response.body.records.length)
      return idsOf(response)
    }
    const expected = (term: string) =>
      people.filter((_, i) => texts[i]?.some((text) => text.includes(term.toLowerCase()))).map((p) => p.id)
    for (const term of [
      "a",
      "z",
      "山",
      "山田",
      "nn",
      "O'",
      '"',
      '"Q',
      "100%",
      "_",
      "%",
      "ie o",
      "EXAMPLE",
      "@example.j",
      "ë",
      "xyz",
      "qq",
      "*",
      "AND",
      "a OR b",
    ])
      expect(await found(term), term).toEqual(expected(term))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 2 }),
        fc.nat(30),
        fc.integer({ min: 1, max: 12 }),
        async (who, start, length) => {
          const text = texts[who]?.[start % 2] ?? ""
          const term = [...text]
            .slice(start % text.length, (start % text.length) + length)
            .join("")
            .trim()
          if (term) expect(await found(term), term).toEqual(expected(term))
        },
      ),
      { numRuns: 40 },
    )
  })

  it("combines the filters membership, category and type, with totals before and after filtering", async () => {
    await db.insert(memberships).values({ id: 4, name: "Gold", searchText: searchText("Gold"), createdAt: 0 })
    const gold = await category("Gold")
    const both = await user({ firstName: "Ada", membershipId: 4 })
    await user({ firstName: "Ada" })
    await user({ firstName: "Eve", membershipId: 4 })
    await db.insert(userCategories).values({ userId: both.id, categoryId: gold })
    const response = await list({ search_param: { nameOrEmail: "ada", membershipId: 4, userCategoryId: [gold] } })
    expect(response.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 1, records: [{ id: both.id }] })
    expect((await list({ search_param: { membershipId: 4 } })).body.recordsFiltered).toBe(2)
    expect((await list({ search_param: { userType: "learner" } })).body.recordsFiltered).toBe(3)
  })

  it("filters by the courses of the users, in the older format of the list", async () => {
    const [inAlgebra, inBoth, inNone] = [await user(), await user(), await user()]
    const science = await courseCategory({ type: "course" })
    const [algebra, biology] = [await course({ name: "Algebra" }), await course({ name: "Biology" })]
    await db.insert(courseCategories).values({ courseId: biology.id, categoryId: science.id })
    for (const [who, where] of [
      [inAlgebra, algebra],
      [inBoth, algebra],
      [inBoth, biology],
    ] as const)
      await enrollment(who, where)
    const found = async (search_param: object) => {
      const { body } = await list({ search_param, order_by: "id" })
      expect(body).toMatchObject({ recordsTotal: 3, recordsFiltered: body.records.length })
      return idsOf({ body })
    }
    expect(await found({ courseName: "ALG" })).toEqual([inAlgebra.id, inBoth.id])
    expect(await found({ courseName: "a" })).toEqual([inAlgebra.id, inBoth.id])
    expect(await found({ courseCategoryIds: [science.id] })).toEqual([inBoth.id])
    expect(await found({ courseCategoryIds: `${science.id}`, courseName: "alg" })).toEqual([inBoth.id])
    expect(await found({ courseName: "Chemistry" })).toEqual([])
    expect(await found({ courseCategoryIds: [99] })).toEqual([])
    expect(await found({ courseName: "", courseCategoryIds: [] })).toEqual([inAlgebra.id, inBoth.id, inNone.id])
  })

  it("sorts types by their display names", async () => {
    for (const userType of ["staff", "general", "owner", "portal_admin", "group_admin", "admin"])
      await user({ userType })
    for (const column of ["display_user_type", "display_type"]) {
      const { body } = await list({ order_by: { colName: column, direction: "asc" } })
      const displayed = body.records.map((row: Record<string, string>) => row[column])
      expect(displayed).toEqual(["Admin", "Group Admin", "Learner", "Owner", "Portal Admin", "Staff"])
    }
  })

  it("shows supervisors the names of the portals that they administer, and all of their own", async () => {
    const supervisor = await signedIn("portal_admin", { firstName: "Zoe" })
    const member = await user({ firstName: "Ada" })
    await portal({ name: "Mine", admins: [supervisor.id], members: [member.id] })
    await portal({ name: "Another customer", members: [member.id] })
    await portal({ name: "Training", members: [supervisor.id] })
    await group({ admins: [supervisor.id], members: [supervisor.id] })
    const namesFor = async (caller: { token: string }) =>
      (await list({ order_by: "first_name" }, caller)).body.records.map((row: { portals: string }) => row.portals)
    expect(await namesFor(supervisor)).toEqual(["Mine", "Mine, Training"])
    expect((await namesFor(await signedIn("staff", { firstName: "Zz" })))[0]).toBe("Another customer, Mine")
  })

  it("shows supervisors only their members, with matching totals", async () => {
    const members = [await user({ firstName: "Ada" }), await user({ firstName: "Eve" }), await user()]
    await user({ firstName: "Ada" })
    const supervisor = await signedIn("group_admin")
    const ids = members.map((member) => member.id)
    await group({ admins: [supervisor.id], members: ids })
    const second = await group({ admins: [supervisor.id], members: ids.slice(0, 1) })
    const response = await list({ order_by: "id" }, supervisor)
    expect(response.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 3 })
    expect(idsOf(response)).toEqual(ids)
    expect((await list({ search_param: { nameOrEmail: "ada" } }, supervisor)).body).toMatchObject({
      recordsTotal: 3,
      recordsFiltered: 1,
    })
    expect((await list({ group_id: second.id }, supervisor)).body).toMatchObject({
      recordsTotal: 1,
      records: [{ id: ids[0] }],
    })
    expect((await list({ portalId: 77 }, supervisor)).status).toBe(404)
  })

  it("links every page forward and back while rows are added and removed", async () => {
    const ids: number[] = []
    for (let i = 0; i < 23; i++) ids.push((await user({ firstName: `Name ${i % 3}` })).id)
    const follow = async (response: Awaited<ReturnType<typeof list>>, rel: string) => {
      const url = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(response.headers.get("link") ?? "")?.[1]
      return url ? get(url) : undefined
    }
    const order_by = { colName: "first_name", direction: "desc" }
    let response = await list({ page_size: 5, order_by })
    const seen = [idsOf(response)]
    for (let next = await follow(response, "next"); next; next = await follow(response, "next")) {
      response = next
      seen.push(idsOf(response))
      if (seen.length === 2) await user({ firstName: "Name 9" })
    }
    expect(seen.flat().sort((a, b) => a - b)).toEqual(ids)
    expect(seen.map((page) => page.length)).toEqual([5, 5, 5, 5, 3])
    const back = []
    for (let prev = await follow(response, "prev"); prev; prev = await follow(response, "prev")) {
      response = prev
      back.unshift(idsOf(response))
    }
    expect(back.slice(-4)).toEqual(seen.slice(0, 4))
    const last = await follow(await list({ page_size: 5, order_by }), "last")
    expect(last && idsOf(last)).toHaveLength(4)
    const cursor = /cursor=([^&>]+)/.exec((await list({ page_size: 5, order_by })).headers.get("link") ?? "")?.[1]
    expect((await list({ cursor, order_by: { colName: "email", direction: "asc" } })).status).toBe(422)
  })

  it("returns no rows and the correct totals for a page past the end", async () => {
    await user()
    expect((await list({ page_number: 9 })).body).toEqual({ recordsTotal: 1, recordsFiltered: 1, records: [] })
  })

  it("sorts by each column in both directions, with ties by id", async () => {
    for (let i = 0; i < 6; i++)
      await user({ firstName: `N${i % 2}`, disabled: i % 3 === 0, createdAt: i % 2, lastLoginAt: 5 - i })
    for (const colName of [
      "id",
      "first_name",
      "last_name",
      "email",
      "user_type",
      "is_disabled",
      "created_at",
      "last_login",
    ]) {
      const up = idsOf(await list({ order_by: { colName, direction: "asc" } }))
      const down = idsOf(await list({ order_by: { colName, direction: "desc" } }))
      expect(up, colName).toHaveLength(6)
      expect(down, colName).toEqual(up.toReversed())
    }
  })

  it("reads about as many rows as it returns, in one round trip, regardless of the table size", async () => {
    for (let i = 0; i < 300; i++) await user()
    for (const colName of ["created_at", "email", "first_name", "last_name", "user_type"]) {
      const response = await list({ order_by: { colName, direction: "desc" } })
      expect(cost(response).roundTrips, colName).toBe(1)
      expect(cost(response).read, colName).toBeLessThan(80)
    }
  })
})

describe("GET /api/users/getUsersByType", () => {
  it("returns the users of a type with their address, sorted by first name, and links to the next page", async () => {
    await user({ firstName: "Bea", lastName: "", email: "b@example.com" })
    const ada = await user({ firstName: "Ada", lastName: "Byron", email: "a@example.com" })
    await user({ firstName: "Abe", userType: "staff" })
    const response = await get("/api/users/getUsersByType?userType=learner")
    expect(response.body.records.map((row: { name: string }) => row.name)).toEqual([
      "Ada Byron (a@example.com)",
      "Bea (b@example.com)",
    ])
    const first = await get("/api/users/getUsersByType?userType=general&page_size=1")
    expect(first.body.records).toEqual([{ id: ada.id, name: "Ada Byron (a@example.com)" }])
    expect(first.headers.get("link")).toContain('rel="next"')
    expect((await get("/api/users/getUsersByType?userType=king")).body.errors).toHaveProperty("userType")
  })

  it("accepts a type as value or display name in any case, and as an array of one", async () => {
    const ids = new Map<string, number>()
    for (const userType of ["general", "group_admin", "portal_sub_admin", "owner"])
      ids.set(userType, (await user({ userType, firstName: userType })).id)
    for (const [userType, input] of [
      ["general", ["GENERAL", " general ", "Learner", "LEARNER", '["general"]', '["Learner"]']],
      ["group_admin", ["Group Admin", "group-admin", "GROUP_ADMIN", '["Group Admin"]']],
      ["portal_sub_admin", ["Portal Sub Admin", "portal-sub_admin", '["PORTAL SUB ADMIN"]']],
      ["owner", ["Owner", '["owner"]']],
    ] as const)
      for (const spelling of input) {
        const found = [ids.get(userType)]
        const byType = await get(`/api/users/getUsersByType${query({ userType: spelling })}`)
        expect(idsOf(byType), spelling).toEqual(found)
        expect(idsOf(await get(`/api/users/lookup${query({ userType: spelling })}`)), spelling).toEqual(found)
        expect(idsOf(await list({ search_param: { userType: spelling } })), spelling).toEqual(found)
      }
    expect((await list({ search_param: { userType: ["Owner"] } })).body.recordsFiltered).toBe(1)
    for (const userType of ["king", "portal", "Owner,Admin", ["owner", "admin"], 7, {}])
      expect((await list({ search_param: { userType } })).status, JSON.stringify(userType)).toBe(422)
    const created = await post("/api/user/create", ada({ userType: "Group Admin" }))
    expect((await get(`/api/user/${created.body.id}`)).body.userType).toBe("group_admin")
  })
})

describe("GET /api/users/lookup", () => {
  it("filters users by term, type and portal", async () => {
    const ada = await user({ firstName: "Ada", lastName: "Byron", email: "a@example.com" })
    await user({ firstName: "Adam" })
    const { id } = await portal({ members: [ada.id] })
    const response = await get(`/api/users/lookup?search_term=ada&portalId=${id}&userType=general&remote_user_search=1`)
    expect(response.body).toEqual({
      records: [{ id: ada.id, full_name: "Ada Byron", email: "a@example.com", user_type: "learner" }],
    })
    await user({ firstName: "Adamantia", userType: "staff" })
    expect((await get("/api/users/lookup?search_term=adamantia")).body.records).toMatchObject([{ user_type: "staff" }])
    expect((await get("/api/users/lookup?search_term=ada&userType=learner")).body.records).toHaveLength(2)
    expect((await get("/api/users/lookup?search_term=ada")).body.records).toHaveLength(3)
    expect((await get("/api/users/lookup")).body.records).toHaveLength(3)
  })

  it("shows learners only themselves", async () => {
    await user()
    const learner = await signedIn("general")
    expect(idsOf(await get("/api/users/lookup", learner))).toEqual([learner.id])
  })
})

describe("GET /api/users/saveViewType", () => {
  it("stores what GET /api/users/viewType returns to callers who can see the user", async () => {
    const learner = await signedIn("general")
    const other = await user()
    const read = (parameters: object, options = {}) => get(`/api/users/viewType${query({ ...parameters })}`, options)
    expect((await read({}, learner)).body).toEqual({ userId: learner.id, type: null })
    await get(`/api/users/saveViewType${query({ userId: learner.id, type: "grid" })}`, learner)
    await get(`/api/users/saveViewType${query({ userId: learner.id, type: "list" })}`, learner)
    expect((await read({}, learner)).body).toEqual({ userId: learner.id, type: "list" })
    expect((await read({ userId: learner.id })).body).toEqual({ userId: learner.id, type: "list" })
    expect((await read({ userId: other.id }, learner)).status).toBe(404)
    expect((await read({})).body.errors).toHaveProperty("userId")
  })

  it("returns 404 for an unknown user, 403 for another user, 422 without a type", async () => {
    expect((await get(`/api/users/saveViewType${query({ userId: 9, type: "grid" })}`)).status).toBe(404)
    const staff = await signedIn("staff")
    const admin = await user({ userType: "admin" })
    expect((await get(`/api/users/saveViewType${query({ userId: admin.id, type: "grid" })}`, staff)).status).toBe(403)
    expect((await get(`/api/users/saveViewType${query({ userId: staff.id })}`)).body.errors).toHaveProperty("type")
  })
})

describe("user operations", () => {
  it("respond to any input without a 500", async () => {
    const { id } = await user()
    const junk = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.integer(),
      fc.constant(null),
      fc.boolean(),
      fc.array(fc.jsonValue()),
      fc.jsonValue(),
    )
    const body = fc.record(
      {
        firstName: junk,
        lastName: junk,
        email: junk,
        password: junk,
        password_confirmation: junk,
        userCategory: junk,
        userType: junk,
        disabled: junk,
        user_ids: junk,
        delete_ids: junk,
        avatar: junk,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom(
          ["POST", "/api/user/create"],
          ["PUT", `/api/user/${id}`],
          ["POST", "/api/user/quickEdit"],
          ["POST", "/api/user/delete"],
          ["PUT", `/api/user/updatePassword/${id}`],
          ["POST", "/login"],
        ),
        async (input, [method = "", path = ""]) => {
          await call(method, path, { body: input })
        },
      ),
      { numRuns: 60 },
    )
    const parameters = fc.record(
      {
        page_size: junk,
        page_number: junk,
        order_by: junk,
        search_param: junk,
        portalId: junk,
        group_id: junk,
        cursor: junk,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(parameters, async (input) => {
        await get(`/api/users/tabularlist${query(input)}`)
        await get(`/api/users/lookup${query(input)}`)
      }),
      { numRuns: 60 },
    )
  })
})
