import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { notificationPreferences, notifications } from "../../drizzle/schema/notifications.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { users } from "../../drizzle/schema/users.ts"
import { openDatabase } from "../../src/db/client.ts"
import { DAY, HOUR, MINUTE } from "../../src/lib/clock.ts"
import { sendDigests } from "../../src/modules/notifications/digests.ts"
import { deleteOldNotifications } from "../../src/modules/notifications/notifications.queries.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { notify } from "../factories/notifications.ts"
import { call, cost, get, post, put } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"

const PATH = "/api/notifications"
const PREFERENCES = "/api/notification-preferences"
const database = () => openDatabase(env.DB, "first-primary")

describe("the list of notifications", () => {
  it("has the unread first, then the latest, in the person's language, page by page in one round trip", async () => {
    const [ada, eve] = [await signedIn("general", { language: "es" }), await signedIn("general")]
    for (const course of ["A", "B", "C"]) await notify([ada], { variables: { course } })
    await notify([eve])
    expect((await get("/api/me", { token: ada.token })).body).toMatchObject({ unreadNotifications: 3, language: "es" })
    const read = await post(`${PATH}/read`, { ids: [2, 4] }, { token: ada.token })
    expect(read).toMatchObject({ status: 200, body: { message: "Marked as read." } })
    const first = await get(`${PATH}?page_size=2`, { token: ada.token })
    expect(first).toMatchObject({
      status: 200,
      body: {
        unread: 2,
        records: [
          { id: 3, kind: "enrolled", title: "Se le ha inscrito en C", path: "/console/learning/7", readAt: null },
          { id: 1, title: "Se le ha inscrito en A" },
        ],
        nextCursor: "0-1",
      },
    })
    expect(cost(first).roundTrips).toBe(1)
    const second = await get(`${PATH}?page_size=2&cursor=0-1`, { token: ada.token })
    expect(second.body).toMatchObject({ records: [{ id: 2, readAt: expect.any(String) }], nextCursor: null })
    // Eve's was not hers to mark.
    expect((await get(PATH, { token: eve.token })).body).toMatchObject({
      unread: 1,
      records: [{ id: 4, readAt: null }],
    })
    expect(await get(`${PATH}?cursor=x`, { token: ada.token })).toMatchObject({ status: 422 })
  })

  it("is marked as read at once", async () => {
    const ada = await signedIn("general")
    await notify([ada])
    await notify([ada])
    expect((await post(`${PATH}/read-all`, {}, { token: ada.token })).status).toBe(200)
    expect((await get(PATH, { token: ada.token })).body).toMatchObject({ unread: 0 })
  })

  it("loses what is 90 days old", async () => {
    const ada = await user()
    await notify([ada])
    await notify([ada])
    await db
      .update(notifications)
      .set({ createdAt: Date.now() - 91 * DAY })
      .where(eq(notifications.id, 1))
    await deleteOldNotifications(database())
    expect(await rowsOf(notifications)).toMatchObject([{ id: 2 }])
  })
})

describe("notification preferences", () => {
  it("are immediately and in the list by default, and are changed by kind with an audit row", async () => {
    const ada = await signedIn("general")
    const before = await get(PREFERENCES, { token: ada.token })
    expect(cost(before).roundTrips).toBe(1)
    expect(before.body.records).toHaveLength(18)
    expect(before.body.records).toContainEqual({
      kind: "enrolled",
      mail: "immediately",
      inApp: true,
      required: false,
      listed: true,
    })
    const changed = await put(PREFERENCES, { records: [{ kind: "enrolled", mail: "daily" }] }, { token: ada.token })
    expect(changed).toMatchObject({ status: 200, body: { message: "Notification preferences updated." } })
    expect(cost(changed).roundTrips).toBe(2)
    expect((await get(PREFERENCES, { token: ada.token })).body.records).toContainEqual({
      kind: "enrolled",
      mail: "daily",
      inApp: true,
      required: false,
      listed: true,
    })
    // What was read is accepted, and changes nothing.
    const read = (await get(PREFERENCES, { token: ada.token })).body
    expect((await put(PREFERENCES, read, { token: ada.token })).status).toBe(200)
    expect(await rowsOf(notificationPreferences)).toHaveLength(1)
    expect(await rowsOf(auditLogs)).toMatchObject([{ action: "updated", subject: "notification preferences" }])
  })

  it("changes a kind that is named twice by both", async () => {
    const ada = await signedIn("general")
    const records = [
      { kind: "due_soon", mail: "never" },
      { kind: "due_soon", inApp: false },
    ]
    expect((await put(PREFERENCES, { records }, { token: ada.token })).status).toBe(200)
    expect(await rowsOf(notificationPreferences)).toMatchObject([{ kind: "due_soon", mail: "never", inApp: false }])
  })

  it.each([
    [{ kind: "overdue", mail: "never" }],
    [{ kind: "overdue", inApp: false }],
    [{ kind: "invited", mail: "never" }],
    [{ kind: "account", mail: "never" }],
    [{ kind: "security", mail: "never" }],
    [{ kind: "unheard_of" }],
  ])("cannot be %j", async (record) => {
    const ada = await signedIn("general")
    const refused = await put(PREFERENCES, { records: [record] }, { token: ada.token })
    expect(refused).toMatchObject({ status: 422, body: { errors: { records: [expect.any(String)] } } })
    expect(await rowsOf(notificationPreferences)).toEqual([])
  })
})

describe("the daily digest", () => {
  it("merges what waits into one mail after 07:00 in the person's time zone, once a day", async () => {
    const evening = Date.UTC(2026, 10, 24, 18)
    vi.useFakeTimers({ toFake: ["Date"], now: evening })
    const [ada, gone] = [await user({ timeZone: "Asia/Kolkata" }), await user()]
    await db
      .insert(notificationPreferences)
      .values(
        [ada, gone].map(({ id }) => ({ userId: id, kind: "enrolled" as const, mail: "daily" as const, inApp: true })),
      )
    for (const course of ["A", "B"]) await notify([ada, gone], { variables: { course } })
    await db.update(users).set({ disabled: true }).where(eq(users.id, gone.id))
    // 07:00 in Kolkata is 01:30 in UTC.
    const morning = Date.UTC(2026, 10, 25, 1, 31)
    for (let at = evening + MINUTE; at < morning; at += 15 * MINUTE) {
      vi.setSystemTime(at)
      await sendDigests(env, database())
    }
    expect(await rowsOf(outbox)).toEqual([])
    vi.setSystemTime(morning)
    await Promise.all([sendDigests(env, database()), sendDigests(env, database())])
    await notify([ada], { variables: { course: "C" } })
    vi.setSystemTime(morning + HOUR)
    await sendDigests(env, database())
    const [digest, ...others] = await delivered()
    expect(others).toEqual([])
    expect(digest).toMatchObject({ to: ada.email, subject: "Your notifications from Lectern" })
    expect(digest?.text).toMatch(/- You are enrolled in A: \S*\/console\/learning\/7\n- You are enrolled in B: /)
    expect(digest?.text).not.toContain("enrolled in C")
    vi.setSystemTime(morning + DAY)
    await sendDigests(env, database())
    expect((await delivered()).map(({ text }) => /enrolled in \w/.exec(text)?.[0])).toEqual(["enrolled in C"])
  })
})

it("keeps a reminder out of the daily digest when its training was completed before", async () => {
  const evening = Date.UTC(2026, 10, 24, 18)
  vi.useFakeTimers({ toFake: ["Date"], now: evening })
  const ada = await user()
  await db.insert(notificationPreferences).values({ userId: ada.id, kind: "due_soon", mail: "daily", inApp: true })
  const dueAt = evening + DAY
  const due = { dueAt, dueSoonAt: evening, overdueAt: dueAt, dueStatus: "due_soon" } as const
  const [open, completed] = [await enrollment(ada, await course(), due), await enrollment(ada, await course(), due)]
  for (const [name, { id }] of Object.entries({ Open: open, Completed: completed }))
    await notify([ada], { kind: "due_soon", variables: { course: name, due_date: dueAt, registration: id } })
  await db
    .update(enrollments)
    .set({ status: "Completed", dueStatus: "completed" })
    .where(eq(enrollments.id, completed.id))
  vi.setSystemTime(Date.UTC(2026, 10, 25, 7, 1))
  await sendDigests(env, database())
  const [digest, ...others] = await delivered()
  expect(others).toEqual([])
  expect(digest?.text).toContain("Open")
  expect(digest?.text).not.toContain("Completed")
  expect((await rowsOf(notifications)).map(({ inDigest }) => inDigest)).toEqual([false, false])
})

describe("an unsubscribe link", () => {
  const linkOf = async () => {
    const ada = await signedIn("general")
    await notify([ada])
    const [mail] = await delivered()
    expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click")
    const url = new URL(/^<(.+)>$/.exec(mail?.headers?.["List-Unsubscribe"] ?? "")?.[1] ?? "")
    return { ada, path: `${url.pathname}${url.search}` }
  }

  it("says what it will do, and ends mails of the kind by one POST without sign-in, more than once", async () => {
    const { ada, path } = await linkOf()
    const page = await call("GET", path)
    expect(page.status).toBe(200)
    expect(page.body).toContain("You will get no more emails about: new enrollments.")
    expect(await rowsOf(notificationPreferences)).toEqual([])
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    for (let times = 0; times < 2; times++) {
      const done = await call("POST", path, { headers, body: "List-Unsubscribe=One-Click" })
      expect(done.status).toBe(200)
      expect(done.body).toContain("You are unsubscribed.")
    }
    expect(await rowsOf(notificationPreferences)).toMatchObject([{ userId: ada.id, mail: "never", inApp: true }])
    await notify([ada])
    expect(await delivered()).toEqual([])
  })

  it("is refused if it was changed", async () => {
    const { path } = await linkOf()
    const other = path.replace("enrolled", "announcement")
    expect((await call("GET", other)).status).toBe(410)
    expect((await call("POST", other)).status).toBe(410)
    expect(await rowsOf(notificationPreferences)).toEqual([])
  })

  it("is in no mail of a kind that cannot be switched off", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 25, 12) })
    await notify([await user()], { kind: "overdue", variables: { course: "Algebra", due_date: 1 } })
    const [mail] = await delivered()
    expect(mail?.headers).toBeUndefined()
    expect(mail?.text).not.toContain("unsubscribe")
  })
})
