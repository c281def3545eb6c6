import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, describe, expect, it, vi } from "vitest"
import { addresses } from "../../drizzle/schema/addresses.ts"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { erasures } from "../../drizzle/schema/erasures.ts"
import { events } from "../../drizzle/schema/events.ts"
import { externalIds } from "../../drizzle/schema/external-ids.ts"
import { mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { users } from "../../drizzle/schema/users.ts"
import { newMailingId } from "../../src/db/outbox.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { deliverErasure } from "../factories/erasures.ts"
import { bindingsWith, storedKeys } from "../factories/exports.ts"
import { db, group, PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { act, columnsWith, MARK, markedPerson, objectsWith } from "../factories/personal-data.ts"
import { provider, USER } from "../factories/scim.ts"
import { cost, get, post, put } from "../helpers/client.ts"
import { messages } from "../helpers/queues.ts"

const ERASE = "/api/user/erase"
const progressPath = (id: number) => `${ERASE}/progress/${id}`

async function erased(caller: { token: string }, person: { id: number; email: string }) {
  const response = await post(ERASE, { userId: person.id, email: person.email }, { token: caller.token })
  expect(response.status).toBe(200)
  await deliverErasure(person.id)
  const [job] = await db.select().from(erasures).where(eq(erasures.userId, person.id))
  expect(job?.status).toBe("completed")
}

afterEach(() => vi.restoreAllMocks())

describe("a user with data in every table", () => {
  it("has no data in the database, R2, the logs or the feed after the erasure", async () => {
    const said: unknown[] = []
    for (const way of ["log", "info", "warn", "error"] as const)
      vi.spyOn(console, way).mockImplementation((...overrides) => void said.push(...overrides))
    const { id, admin, own } = await markedPerson()
    const before = await rowsOf(auditLogs)
    expect((await columnsWith(MARK)).length).toBeGreaterThan(40)
    expect((await objectsWith(MARK)).length).toBeGreaterThan(2)

    await erased(admin, { id, email: "zqxj.second@example.com" })

    expect(await columnsWith(MARK)).toEqual([])
    expect(await objectsWith(MARK)).toEqual([])
    expect(said.map(String).join("\n").toLowerCase()).not.toContain(MARK)
    const feed = await get("/api/events", { token: admin.token })
    expect(JSON.stringify(feed.body).toLowerCase()).not.toContain(MARK)
    const { events: found } = (await get("/api/events?types=user.erased", { token: admin.token })).body
    expect(found).toMatchObject([{ data: { id, firstName: `Erased user ${id}`, lastName: "", disabled: true } }])

    // The audit log keeps all rows in order, and gains one.
    const facts = ({ effectOn, details, ...fact }: (typeof before)[number]) => fact
    const after = await rowsOf(auditLogs)
    expect(after.slice(0, before.length).map(facts)).toEqual(before.map(facts))
    expect(after.slice(before.length)).toMatchObject([
      { action: "deleted", subject: "user", subjectId: id, effectOn: `Erased user ${id}`, performedBy: admin.id },
    ])
    expect((await get(`/api/user/${id}`, { token: String(own.token) })).status).toBe(401)
  })
})

/** Tables whose rows belong to one user. */
const OWN = [
  "addresses",
  "reviews",
  "enrollments",
  "class_enrollments",
  "custom_field_values",
  "outbox",
  "group_members",
]

/** A response without names and login data. */
function facts(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(facts)
  if (typeof answer !== "object" || answer === null) return answer
  const called =
    /^(first_?name|last_?name|full_?name|user_?name|name|email|last_?logged_?in|last_?login(_?at)?|disabled|avatar)$/i
  const members = Object.entries(answer).filter(([key]) => !called.test(key))
  return Object.fromEntries(members.map(([key, member]) => [key, facts(member)]))
}

/** The content and the counters of lists and reports. */
async function counted(token: string, courseId: number, userId: number) {
  const page = { page_size: 50, page_number: 1 }
  const read = async (operationId: string, query: object = {}) =>
    facts(await act(operationId, { token, query: { ...page, ...query } }))
  const table = async (name: string) => (await env.DB.prepare(`select * from ${name} order by 1, 2`).all()).results
  return {
    users: ((await read("listUsers")) as { recordsTotal: number }).recordsTotal,
    report: await read("reportUsers"),
    course: await read("reportCourseInDetail", { course_id: courseId }),
    person: await read("reportUserInDetail", { user_id: userId }),
    courses: await read("listCourses"),
    overview: await read("getCoursesOverview"),
    orders: await read("listOrders"),
    ...{
      registrations: await table("enrollment_counts"),
      quizzes: await table("quiz_counts"),
      classes: await table("class_counts"),
    },
    submissions: await table("submission_counts"),
    days: await table("course_days"),
    modules: await table("module_counts"),
    scores: await table("quiz_scores"),
    points: (await env.DB.prepare("select user_id, points, badge_count from user_scores").all()).results,
  }
}

describe("an erasure", () => {
  it("removes the text from the search index, which keeps deleted entries until a merge", async () => {
    const admin = await signedIn("admin")
    const ada = await user({ searchText: "xqw" })
    const segments = "select count(distinct segid) as count from users_search_idx"
    expect(await columnsWith("xqw")).toEqual(["users.search_text", "users_search_data.block"])
    expect(await env.DB.prepare(segments).first("count")).toBeGreaterThan(1)
    await db.update(users).set({ searchText: "other" }).where(eq(users.id, ada.id))
    expect(await columnsWith("xqw")).toEqual(["users_search_data.block"])
    await erased(admin, ada)
    expect(await columnsWith("xqw")).toEqual([])
    expect(await env.DB.prepare(segments).first("count")).toBe(1)
  })

  it("keeps enrollments, results, ratings and totals of an erased user", async () => {
    const { id, admin, courseId, registrationId } = await markedPerson()
    const before = await counted(admin.token, courseId, id)
    const board = async () => (await act("getLeaderboard", { token: admin.token, path: { id: admin.id } })) as object
    expect(JSON.stringify(await board())).toContain("Zqxjane")
    await erased(admin, { id, email: "zqxj.second@example.com" })
    expect(await counted(admin.token, courseId, id)).toEqual(before)
    expect(before.registrations.length).toBeGreaterThan(2)
    expect(JSON.stringify(before.course)).toContain("Completed")
    // Disabled users are not on the leaderboard.
    expect(JSON.stringify(await board())).not.toMatch(/Zqxj|Erased/)
    const { body } = await get(`/api/user/${id}`, { token: admin.token })
    expect(body).toMatchObject({
      ...{ firstName: `Erased user ${id}`, lastName: "", email: `erased-${id}@erased.invalid`, disabled: true },
      ...{ userType: "general", internal_note: null, membership: null },
    })
    const rows = (
      await env.DB.prepare(
        "select status, percent, (select rating from reviews) as rating, (select score from quiz_attempts) as score " +
          "from enrollments where id = ?",
      )
        .bind(registrationId)
        .all()
    ).results
    expect(rows).toEqual([{ status: "Completed", percent: 100, rating: 4, score: 0 }])
    const verified = await env.DB.prepare("select code from certificates").first<{ code: string }>()
    expect((await get(`/certificate/${verified?.code}`)).body).toContain(`Erased user ${id}`)
  })

  it("does not change data of other users", async () => {
    const { id, admin, staff, classId, courseId } = await markedPerson()
    // This user has the same name and the same records as the erased one.
    const ada = await signedIn("general", { firstName: "Zqxjane", lastName: "Zqxjohnson", email: "other@example.com" })
    const byStaff = { token: staff.token }
    await act("enrollUsers", { ...byStaff, body: { course_ids: [courseId], user_ids: [ada.id] } })
    await act("enrollInClass", { ...byStaff, path: { id: classId }, body: { studentIds: [ada.id] } })
    await act("createReview", { token: ada.token, body: { courseId, rating: 5, text: "I liked it" } })
    await act("updateUser", { token: admin.token, path: { id: ada.id }, body: { internal_note: "Likes tea" } })
    const rowsIn = async (where: string) => (await env.DB.prepare(`select * from ${where} = ${ada.id}`).all()).results
    const theirs = () => Promise.all(["users where id", ...OWN.map((table) => `${table} where user_id`)].map(rowsIn))
    const logged = async () =>
      (await rowsOf(auditLogs)).filter((row) => row.subjectId === ada.id && row.subject === "user")
    const read = async () => (await rowsOf(events)).filter(({ userId }) => userId === ada.id)
    const before = [await theirs(), await logged(), await read()]
    await erased(admin, { id, email: "zqxj.second@example.com" })
    expect([await theirs(), await logged(), await read()]).toEqual(before)
    expect((await get("/api/me", { token: ada.token })).status).toBe(200)
  })

  it("ends sessions, devices and keys in the request itself, in two round trips", async () => {
    const owner = await signedIn("owner")
    const admin = await signedIn("admin", { email: "ada@example.com" })
    const login = await post("/login", { email: admin.email, password: PASSWORD, device: "Phone" })
    const key = await apiKey({ createdBy: admin.id, role: "admin" })
    const byKey = { token: key.token }
    expect((await get("/api/me", byKey)).status).toBe(200)
    const response = await post(
      ERASE,
      { userId: admin.id, email: "ADA@example.com", reason: "objection" },
      { token: owner.token },
    )
    expect(response).toMatchObject({
      status: 200,
      body: {
        status: "success",
        user_id: admin.id,
        message: "The user is anonymized. Their other data is being erased.",
      },
    })
    expect(cost(response).roundTrips).toBe(2)
    expect(messages.ERASURES).toEqual([{ userId: admin.id }])
    expect((await get("/api/me", { token: admin.token })).status).toBe(401)
    expect((await get("/api/me", byKey)).status).toBe(401)
    expect((await post("/session/refresh", { refreshToken: login.body.refreshToken })).status).toBe(401)
    expect((await post("/login", { email: "ada@example.com", password: PASSWORD })).status).toBe(401)
    expect((await rowsOf(events)).filter(({ type }) => type === "user.erased")).toMatchObject([{ objectId: admin.id }])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "login" },
      { action: "deleted", subject: "user", subjectId: admin.id, details: { erased: true, reason: "objection" } },
    ])
    const progress = await get(progressPath(admin.id), { token: owner.token })
    expect(progress.body).toEqual({
      user_id: admin.id,
      status: "processing",
      progress: 0,
      message: "The personal data is being erased.",
      reason: "objection",
      requested_at: expect.any(String),
      completed_at: null,
    })
    expect(cost(progress)).toMatchObject({ roundTrips: 1, written: 0 })
  })

  it("can be requested once; later requests are rejected while it runs and after it completed", async () => {
    const admin = await signedIn("admin")
    const ada = await user()
    const ask = (email: string) => post(ERASE, { userId: ada.id, email }, { token: admin.token })
    expect((await ask(ada.email)).status).toBe(200)
    expect(await ask(ada.email)).toMatchObject({ status: 409, body: { code: "user_erased" } })
    await deliverErasure(ada.id)
    const log = await rowsOf(auditLogs)
    expect(await ask(`erased-${ada.id}@erased.invalid`)).toMatchObject({ status: 409, body: { code: "user_erased" } })
    expect(await rowsOf(auditLogs)).toEqual(log)
    const { body } = await get(progressPath(ada.id), { token: admin.token })
    expect(body).toMatchObject({ status: "completed", progress: 100, completed_at: expect.any(String) })
    expect((await rowsOf(erasures))[0]).toMatchObject({ subject: null, lease: null, dueAt: null, after: null })
    // A repeated delivery does nothing.
    expect(await deliverErasure(ada.id)).toEqual({ retried: false })
  })

  it("starts once for 20 concurrent requests", async () => {
    const admin = await signedIn("admin")
    const ada = await user()
    const body = { userId: ada.id, email: ada.email }
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(ERASE, body, { token: admin.token })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await rowsOf(auditLogs)).toHaveLength(1)
    expect(messages.ERASURES).toHaveLength(1)
  })

  it("requires the user's address and an administrator with permission", async () => {
    const owner = await signedIn("owner")
    const admin = await signedIn("admin")
    const ada = await user()
    const ask = async (caller: { token: string }, of: { id: number; email: string }, email = of.email) =>
      (await post(ERASE, { userId: of.id, email }, { token: caller.token })).status
    const wrong = await post(ERASE, { userId: ada.id, email: "b@example.com" }, { token: admin.token })
    expect(wrong).toMatchObject({ status: 422, body: { errors: { email: [expect.stringMatching(/to confirm/)] } } })
    expect((await post(ERASE, { userId: ada.id }, { token: admin.token })).status).toBe(422)
    const reason = { userId: ada.id, email: ada.email, reason: "because" }
    expect((await post(ERASE, reason, { token: admin.token })).status).toBe(422)
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [ada.id] })
    for (const caller of [await signedIn("general"), supervisor, await signedIn("staff")])
      expect(await ask(caller, ada)).toBe(403)
    expect((await post(ERASE, { userId: ada.id, email: ada.email })).status).toBe(302)
    expect(await ask(admin, { id: 99_999, email: "a@example.com" })).toBe(404)
    expect(await ask(admin, owner)).toBe(403)
    const { token: key } = await apiKey({ role: "owner" })
    const byKey = await post(ERASE, { userId: ada.id, email: ada.email }, { token: key })
    expect(byKey).toMatchObject({ status: 403, body: { code: "user_session_required" } })
    expect((await get(progressPath(ada.id), { token: admin.token })).status).toBe(404)
    expect(await rowsOf(erasures)).toEqual([])
    // The last owner cannot be erased; one of two owners can, also by themselves.
    expect(await post(ERASE, { userId: owner.id, email: owner.email }, { token: owner.token })).toMatchObject({
      status: 409,
      body: { code: "last_owner" },
    })
    await signedIn("owner")
    expect(await ask(owner, owner)).toBe(200)
  })

  it("is permanent: no operation changes an erased account", async () => {
    const admin = await signedIn("admin")
    const ada = await user()
    const address = `erased-${ada.id}@erased.invalid`
    const { id: membershipId } = (await post("/api/membership/create", { name: "Gold" })).body
    await erased(admin, ada)
    const { token } = admin
    const stored = async () => JSON.stringify([await rowsOf(users), await rowsOf(externalIds), await rowsOf(addresses)])
    const before = await stored()
    const refused = { status: 409, body: { code: "user_erased" } }
    const path = `/api/user/${ada.id}`
    for (const changes of [
      { disabled: false },
      { firstName: "Ada" },
      { email: "ada@example.com" },
      { userType: "staff" },
      { internal_note: "Was Ada" },
      { externalId: "hr-1" },
      { avatar: "https://example.com/ada.png" },
    ])
      expect(await put(path, changes, { token }), JSON.stringify(changes)).toMatchObject(refused)
    expect(await put(`${path}/update-membership`, { id: membershipId }, { token })).toMatchObject(refused)
    const password = { password: "correct horse battery staple" }
    expect(await put(`/api/user/updatePassword/${ada.id}`, password, { token })).toMatchObject(refused)
    for (const edit of [{ disabled: false }, { disabled: true, enrollMembershipId: membershipId }])
      expect(await post("/api/user/quickEdit", { user_ids: [ada.id], ...edit }, { token })).toMatchObject(refused)
    const home = { fullName: "Ada", addressLine1: "12 Square", zipcode: "1", city: "London", country: "United Kingdom" }
    expect(await post(`${path}/addAddress`, { ...home, isDefault: true }, { token })).toMatchObject(refused)
    for (const mode of ["create", "update", "upsert"]) {
      const userList = [{ email: address, first_name: "Ada", external_id: "hr-1" }]
      const { body } = await post("/api/user/bulkUpload", { userList, mode }, { token })
      const reasons = ["The user was erased: the account cannot be changed or restored."]
      expect(body, mode).toMatchObject({ created: 0, errors: [{ row: 1, reasons }] })
    }
    // Sending the account back as it was read changes nothing.
    const read = await get(path, { token })
    expect((await put(path, read.body, { token })).status).toBe(200)
    expect(await stored()).toBe(before)
  })

  it("is hidden from identity providers", async () => {
    const admin = await signedIn("admin")
    const ada = await user()
    await erased(admin, ada)
    const scim = await provider()
    const userName = `erased-${ada.id}@erased.invalid`
    const path = `/Users/${ada.id}`
    const changes = [{ op: "replace", path: "name.givenName", value: "Ada" }]
    expect((await scim.get(path)).status).toBe(404)
    expect((await scim.put(path, { schemas: [USER], userName, active: true })).status).toBe(404)
    expect((await scim.patch(path, changes)).status).toBe(404)
    expect((await scim.delete(path)).status).toBe(404)
    expect((await scim.createUser(userName, { name: { givenName: "Ada" } })).status).toBe(409)
    const found = await scim.get(`/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`)
    expect(found.body.totalResults).toBe(0)
  })
})

describe("a user with more rows than one chunk", () => {
  it("is erased completely, by several messages", async () => {
    const admin = await signedIn("admin")
    const ada = await user({ firstName: "Zqxjane", lastName: "Zqxjones", email: "zqxj@example.com" })
    const numbers = (most: number) =>
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${most})`
    await db.run(
      `insert into addresses
         (id, user_id, type, is_default, full_name, address_line1, zipcode, city, country, created_at)
       ${numbers(450)} select i, ${ada.id}, 'billing', 0, 'zqxj', 'zqxj', '', '', '', 0 from n`,
    )
    await db.run(
      `insert into audit_entries (performed_by, action, subject, subject_id, effect_on, details, created_at)
       ${numbers(5000)}
       select 4, 'updated', 'user', iif(i % 9, ${ada.id}, 999), 'Zqxjane Zqxjones',
         json_object('email', 'zqxj@example.com', 'customUserMetas', json_object('a', 'zqxj'), 'userCategory',
           json_array(1, 2), 'disabled', json('true'), 'userType', 'general', 'sourceId', 7, 'note', null), 0
       from n`,
    )
    await db.run(
      `insert into events (type, occurred_at, object_id, user_id, previous)
       ${numbers(9000)} select 'user.updated', 0, ${ada.id}, ${ada.id}, '{"firstName":"zqxj"}' from n`,
    )
    await post(ERASE, { userId: ada.id, email: ada.email }, { token: admin.token })
    // Each reading of the clock advances it by half a minute, so an invocation ends after a few chunks.
    let clock = Date.now()
    vi.spyOn(Date, "now").mockImplementation(() => {
      clock += 30_000
      return clock
    })
    let deliveries = 0
    for (; (await rowsOf(erasures))[0]?.status !== "completed"; deliveries++) await deliverErasure(ada.id)
    vi.restoreAllMocks()
    expect(deliveries).toBeGreaterThan(5)
    expect(messages.ERASURES.length).toBe(deliveries)
    expect(await columnsWith(MARK)).toEqual(["audit_logs.details", "audit_logs.effect_on"])
    const log = await rowsOf(auditLogs)
    expect(log).toHaveLength(5001)
    // Events about another user of the same name keep the name, and lose only the address.
    expect(log.filter(({ effectOn }) => effectOn === "Zqxjane Zqxjones")).toHaveLength(555)
    expect(log[0]).toMatchObject({
      effectOn: `Erased user ${ada.id}`,
      details: {
        ...{ email: "[erased]", customUserMetas: "[erased]", userCategory: [1, 2], disabled: true },
        ...{ userType: "general", sourceId: 7, note: null },
      },
    })
    expect(log[8]).toMatchObject({ subjectId: 999, details: { email: "[erased]", customUserMetas: { a: "zqxj" } } })
  })
})

describe("a user who was deleted before", () => {
  it("is erased from copies in the audit log, emails and the feed", async () => {
    const admin = await signedIn("admin")
    const { id } = await act("createUser", {
      token: admin.token,
      body: {
        ...{ firstName: "Zqxjane", lastName: "Zqxjones", email: "zqxj@example.com" },
        ...{ password: PASSWORD, password_confirmation: PASSWORD },
      },
    })
    await act("deleteUsers", { token: admin.token, body: { delete_ids: [id] } })
    expect(await columnsWith(MARK)).toEqual([
      ...["audit_logs.details", "audit_logs.effect_on", "outbox.name", "outbox.recipient"],
    ])
    const body = { userId: id, email: "zqxj@example.org" }
    expect((await post(ERASE, body, { token: admin.token })).status).toBe(422)
    await erased(admin, { id, email: "zqxj@example.com" })
    expect(await columnsWith(MARK)).toEqual([])
    expect((await rowsOf(auditLogs)).map(({ action }) => action)).toEqual(["created", "deleted", "deleted"])
    expect(await rowsOf(users)).toHaveLength(1)
  })

  it("leaves the emails of another user who has the address now", async () => {
    const admin = await signedIn("admin")
    const ada = await user({ email: "office@example.com" })
    await post("/api/user/delete", { delete_ids: [ada.id] }, { token: admin.token })
    const bob = await user({ email: "office@example.com" })
    const mailing = { id: newMailingId(), kind: "test", template: { account: "webhook_gone", host: "x" } as const }
    await db.insert(mailings).values(mailing)
    const mail = {
      mailingId: mailing.id,
      recipient: "office@example.com",
      name: "",
      notBefore: Date.now(),
      dispatchedAt: 0,
    }
    const userIds = [ada.id, bob.id, null]
    await db.insert(outbox).values(userIds.map((userId, at) => ({ ...mail, userId, number: at + 1 })))
    await erased(admin, ada)
    expect((await rowsOf(outbox)).map(({ userId }) => userId)).toEqual([bob.id])
  })
})

describe("an erasure whose consumer fails", () => {
  it("continues when R2 is available again", async () => {
    const { id, admin } = await markedPerson()
    await post(ERASE, { userId: id, email: "zqxj.second@example.com" }, { token: admin.token })
    const FILES = new Proxy(env.FILES, {
      get(bucket, member: keyof R2Bucket) {
        if (member === "delete") return () => Promise.reject(new Error("R2 is away"))
        return typeof bucket[member] === "function" ? bucket[member].bind(bucket) : bucket[member]
      },
    })
    expect(await deliverErasure(id, { ...env, FILES })).toEqual({ retried: true })
    expect(await objectsWith(MARK)).not.toEqual([])
    await deliverErasure(id)
    expect(await rowsOf(erasures)).toMatchObject([{ status: "completed" }])
    expect(await objectsWith(MARK)).toEqual([])
    expect(await columnsWith(MARK)).toEqual([])
  })

  it("continues after an interruption before or after any batch was committed", async () => {
    const { id, admin } = await markedPerson()
    await post(ERASE, { userId: id, email: "zqxj.second@example.com" }, { token: admin.token })
    let failures = 0
    for (let cut = 2; ; cut++) {
      const broken = bindingsWith((trip) => {
        if (trip === cut % 7) throw new Error("D1 is away")
      })
      const { retried } = await deliverErasure(id, broken)
      if (retried) failures++
      const [job] = await rowsOf(erasures)
      if (job?.status === "completed") break
      // The lease was released, or expires if the last batch was lost as well.
      await db.update(erasures).set({ leaseUntil: 0 })
    }
    expect(failures).toBeGreaterThan(4)
    expect(await columnsWith(MARK)).toEqual([])
    expect(await objectsWith(MARK)).toEqual([])
  })

  it("is queued again by the cron without a limit, with growing delays", async () => {
    const admin = await signedIn("admin")
    const ada = await user()
    await post(ERASE, { userId: ada.id, email: ada.email }, { token: admin.token })
    const broken = () =>
      bindingsWith((trip) => {
        if (trip === 2) throw new Error("D1 is away")
      })
    const due: number[] = []
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await deliverErasure(ada.id, broken(), attempt)).toEqual({ retried: true })
      const [job] = await rowsOf(erasures)
      expect(job).toMatchObject({ status: "processing", attempts: attempt })
      due.push((job?.dueAt ?? 0) - Date.now())
    }
    expect(due).toEqual([...due].sort((a, b) => a - b))
    await db.update(erasures).set({ dueAt: Date.now() - 1 })
    messages.ERASURES.length = 0
    await runScheduled(env)
    expect(messages.ERASURES).toEqual([{ userId: ada.id }])
    await deliverErasure(ada.id)
    expect(await rowsOf(erasures)).toMatchObject([{ status: "completed" }])
  })

  it("is processed by one of two concurrent deliveries", async () => {
    const admin = await signedIn("admin")
    const ada = await user()
    await post(ERASE, { userId: ada.id, email: ada.email }, { token: admin.token })
    await deliverErasure(
      ada.id,
      bindingsWith(async (trip) => {
        if (trip !== 3) return
        const before = await rowsOf(erasures)
        expect(await deliverErasure(ada.id)).toEqual({ retried: false })
        expect(await rowsOf(erasures)).toEqual(before)
      }),
    )
    expect(await rowsOf(erasures)).toMatchObject([{ status: "completed" }])
  })
})

describe("exports from before an erasure", () => {
  it("expire for every requester, and running exports start over without the user", async () => {
    const { id, admin, exportId } = await markedPerson()
    const { export_id: running } = await act("exportUsers", { token: admin.token, body: {} })
    expect(await storedKeys()).toEqual(expect.arrayContaining([expect.stringContaining(exportId)]))
    await erased(admin, { id, email: "zqxj.second@example.com" })
    expect((await get(`/api/users/export/download/${exportId}`, { token: admin.token })).status).toBe(410)
    expect((await get(`/api/users/export/progress/${running}`, { token: admin.token })).body.status).toBe("processing")
    expect(await storedKeys()).toEqual([])
  })
})
