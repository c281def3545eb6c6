import { env, exports } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import ICAL from "ical.js"
import { afterEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { calendarCancellations, calendarSubscriptions } from "../../drizzle/schema/calendars.ts"
import { classEnrollments } from "../../drizzle/schema/classes.ts"
import { users } from "../../drizzle/schema/users.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post } from "../helpers/client.ts"

const DAY = 86_400_000

afterEach(() => vi.useRealTimers())

interface Caller {
  token: string
}

const subscribe = async (caller: Caller) =>
  (await post("/api/me/calendar/create", undefined, { token: caller.token })).body as {
    url: string
    webcalUrl: string
  }

/** Reads a calendar as a calendar application does: without a credential. */
const fetchCalendar = (url: string, headers: Record<string, string> = {}) => exports.default.fetch(url, { headers })

async function eventsAt(url: string) {
  const response = await fetchCalendar(url)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text.split("\r\n").every((line) => line.length <= 75)).toBe(true)
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.reset()
  for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone)
  return calendar.getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component)
    const value = (name: string) => component.getFirstPropertyValue(name)?.toString() ?? null
    return {
      uid: event.uid,
      summary: event.summary,
      starts: event.startDate.toJSDate().toISOString(),
      ends: event.endDate.toJSDate().toISOString(),
      zone: component.getFirstProperty("dtstart")?.getParameter("tzid"),
      sequence: event.sequence,
      status: value("status"),
      url: value("url"),
    }
  })
}

async function setup() {
  const [staff, ada] = [await signedIn("staff"), await signedIn("general")]
  const algebra = await classOf(await course({ name: "Algebra" }), {
    ...{ startAt: Date.parse("2027-03-01T09:30Z"), instructorId: staff.id, timeZone: "Europe/Berlin" },
    webinarProvider: "lectern",
  })
  const enrolled = await classEnrollment(ada, algebra)
  return { staff, ada, algebra, enrolled }
}

/** Removes everyone from a class. */
async function emptyClass(classId: number, staff: Caller) {
  const enrollmentIds = (await rowsOf(classEnrollments)).map(({ id }) => id)
  return post(`/api/class/remove/${classId}`, { enrollmentIds }, { token: staff.token })
}

describe("a calendar subscription", () => {
  it("has the person's classes in their time zones, with their links, in one round trip", async () => {
    const { staff, ada, algebra, enrolled } = await setup()
    const physics = await classOf(await course({ name: "Physics" }), {
      ...{ startAt: Date.parse("2027-07-01T22:00Z"), instructorId: staff.id, timeZone: "Asia/Tokyo" },
    })
    await classEnrollment(ada, physics)
    await classEnrollment(ada, await classOf(undefined, { startAt: Date.now() - 400 * DAY }))
    await classEnrollment(await user(), await classOf())
    const { url, webcalUrl } = await subscribe(ada)
    expect(url).toMatch(/^https:\/\/lectern\.test\/calendar\/[\w-]{43}\.ics$/)
    expect(webcalUrl).toBe(url.replace("https:", "webcal:"))

    const events = await eventsAt(url)
    expect(events).toEqual([
      {
        uid: `class-${algebra.id}@lectern.test`,
        summary: "Algebra",
        starts: "2027-03-01T09:30:00.000Z",
        ends: "2027-03-01T10:30:00.000Z",
        zone: "Europe/Berlin",
        sequence: 0,
        status: null,
        url: `https://lectern.test/api/class/webinar/launch?registrationId=${enrolled.id}`,
      },
      expect.objectContaining({ summary: "Physics", starts: "2027-07-01T22:00:00.000Z", zone: "Asia/Tokyo" }),
    ])
    const read = await fetchCalendar(url)
    expect(cost(read).roundTrips).toBe(1)
    expect(read.headers.get("content-type")).toBe("text/calendar; charset=utf-8")
    // Instructors have the classes that they teach.
    const taught = await eventsAt((await subscribe(staff)).url)
    expect(taught.map(({ summary }) => summary)).toEqual(["Algebra", "Physics"])
  })

  it("is empty, but valid, without classes", async () => {
    const ada = await signedIn("general")
    expect(await eventsAt((await subscribe(ada)).url)).toEqual([])
  })

  it("is revalidated with its ETag, and counts against the rate limit of the address", async () => {
    const { staff, ada, algebra } = await setup()
    const { url } = await subscribe(ada)
    const first = await fetchCalendar(url)
    expect(first.headers.get("cache-control")).toBe("private, max-age=300")
    expect(first.headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/)
    const etag = first.headers.get("etag") ?? ""
    expect((await fetchCalendar(url, { "if-none-match": etag })).status).toBe(304)
    await post("/api/class/update", { id: algebra.id, endTime: "2027-03-01 12:00" }, { token: staff.token })
    const changed = await fetchCalendar(url, { "if-none-match": etag })
    expect(changed.status).toBe(200)
    expect(await eventsAt(url)).toMatchObject([{ sequence: 1, ends: "2027-03-01T11:00:00.000Z" }])
  })

  it("cancels a class that the person left, and restores it with a higher sequence, for 30 days", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() })
    const { staff, ada, algebra } = await setup()
    const { url } = await subscribe(ada)
    expect(await eventsAt(url)).toMatchObject([{ sequence: 0, status: null }])

    await emptyClass(algebra.id, staff)
    const [canceled] = await eventsAt(url)
    expect(canceled).toMatchObject({
      uid: `class-${algebra.id}@lectern.test`,
      summary: "Algebra",
      starts: "2027-03-01T09:30:00.000Z",
      status: "CANCELLED",
    })
    const enrolling = { studentIds: [ada.id] }
    expect((await post(`/api/class/enroll/${algebra.id}`, enrolling, { token: staff.token })).status).toBe(200)
    const [restored] = await eventsAt(url)
    expect(restored).toMatchObject({ status: null })
    expect(restored?.sequence).toBeGreaterThan(canceled?.sequence ?? 0)
    await emptyClass(algebra.id, staff)
    const [again] = await eventsAt(url)
    expect(again?.sequence).toBeGreaterThan(restored?.sequence ?? 0)

    vi.setSystemTime(Date.now() + 31 * DAY)
    expect(await eventsAt(url)).toEqual([])
    await runScheduled(env)
    expect(await rowsOf(calendarCancellations)).toEqual([])
  })

  it("cancels a deleted class for learners and the instructor", async () => {
    const { staff, ada, algebra } = await setup()
    const [learner, teacher] = [await subscribe(ada), await subscribe(staff)]
    const admin = await signedIn("admin")
    const deleted = await post("/api/class/delete", { classId: algebra.id }, { token: admin.token })
    expect(deleted.status).toBe(200)
    for (const { url } of [learner, teacher])
      expect(await eventsAt(url)).toMatchObject([{ summary: "Algebra", status: "CANCELLED", sequence: 1 }])
  })

  it("cancels a class for its previous instructor", async () => {
    const { staff, algebra } = await setup()
    const { url } = await subscribe(staff)
    const other = await signedIn("staff")
    await post("/api/class/update", { id: algebra.id, instructor: other.id }, { token: other.token })
    expect(await eventsAt(url)).toMatchObject([{ status: "CANCELLED" }])
    expect(await eventsAt((await subscribe(other)).url)).toMatchObject([{ status: null }])
  })

  it("costs people without one nothing", async () => {
    const { staff, algebra } = await setup()
    await emptyClass(algebra.id, staff)
    expect(await rowsOf(calendarCancellations)).toEqual([])
  })
})

describe("the secret URL of a calendar", () => {
  it("is shown once, replaced by a new one, ended by its owner, and stored as a hash", async () => {
    const { ada } = await setup()
    const state = () => get("/api/me/calendar", { token: ada.token })
    expect((await state()).body).toEqual({ active: false, createdAt: null })
    const first = await subscribe(ada)
    expect((await state()).body).toEqual({ active: true, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) })
    const [stored] = await rowsOf(calendarSubscriptions)
    expect(first.url).not.toContain(stored?.tokenHash)
    const second = await subscribe(ada)
    expect((await fetchCalendar(first.url)).status).toBe(404)
    expect((await fetchCalendar(second.url)).status).toBe(200)
    await post("/api/me/calendar/delete", undefined, { token: ada.token })
    expect((await fetchCalendar(second.url)).status).toBe(404)
    expect((await post("/api/me/calendar/delete", undefined, { token: ada.token })).status).toBe(200)
    const audited = (await rowsOf(auditLogs)).map(({ action, subject, performedBy }) => [action, subject, performedBy])
    expect(audited.filter(([, subject]) => subject === "calendar subscription")).toEqual([
      ["created", "calendar subscription", ada.id],
      ["created", "calendar subscription", ada.id],
      ["deleted", "calendar subscription", ada.id],
    ])
    expect(JSON.stringify(await rowsOf(auditLogs))).not.toContain(first.url.slice(-20, -4))
  })

  it("is for people only, not for API keys", async () => {
    const key = await apiKey({ role: "admin", access: "write" })
    expect(await post("/api/me/calendar/create", undefined, { token: key.token })).toMatchObject({
      status: 403,
      body: { code: "user_session_required" },
    })
  })

  it("ends when the person is disabled, deleted or erased", async () => {
    const admin = await signedIn("admin")
    const { url } = await subscribe(await signedIn("general"))
    const [{ userId = 0 } = {}] = await rowsOf(calendarSubscriptions)
    await post("/api/user/quickEdit", { user_ids: [userId], disabled: true }, { token: admin.token })
    expect((await db.select().from(users).where(eq(users.id, userId)))[0]?.disabled).toBe(true)
    expect((await fetchCalendar(url)).status).toBe(404)
    expect(await rowsOf(calendarSubscriptions)).toEqual([])

    const [deleted, erased] = [await signedIn("general"), await signedIn("general")]
    const urls = [(await subscribe(deleted)).url, (await subscribe(erased)).url]
    await post("/api/user/delete", { delete_ids: [deleted.id] }, { token: admin.token })
    await post("/api/user/erase", { userId: erased.id, email: erased.email }, { token: admin.token })
    for (const ended of urls) expect((await fetchCalendar(ended)).status).toBe(404)
    expect(await rowsOf(calendarSubscriptions)).toEqual([])
  })

  it("answers 404 as JSON for an unknown or malformed token", async () => {
    const unknown = await fetchCalendar(`https://lectern.test/calendar/${"a".repeat(43)}.ics`)
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ code: "not_found" })
    expect((await fetchCalendar("https://lectern.test/calendar/a.ics")).status).toBe(404)
  })
})
