import { env } from "cloudflare:workers"
import { decode } from "hono/jwt"
import { verify } from "hono/utils/jwt/jwt"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { classCounts, classEnrollments, classes, classRecordings, classSessions } from "../../drizzle/schema/classes.ts"
import { locations } from "../../drizzle/schema/locations.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, group, portal, rowsOf, signedIn, tokenOf, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post, query } from "../helpers/client.ts"
import { keepsSecret } from "../helpers/secrets.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = Date.UTC(2026, 10, 30, 10)
const OPEN = "The webinar is open."
const SECRET = "the webinar provider's own secret"

const details = (registrationId: number, options = {}) =>
  get(`/api/class/webinar/details${query({ registrationId })}`, options)
const launch = (registrationId: number, options = {}) =>
  get(`/api/class/webinar/launch${query({ registrationId })}`, options)
const setStatus = (parameters: object, options = {}) =>
  get(`/api/users/update-webinar-status${query({ ...parameters })}`, options)
const setNotes = (parameters: object, options = {}) =>
  get(`/api/users/update-webinar-notes${query({ ...parameters })}`, options)
const at = (time: number) => vi.useFakeTimers({ toFake: ["Date"], now: time })

function configure(url: string, secret?: string) {
  env.WEBINAR_URL = url
  Object.assign(env, { WEBINAR_SECRET: secret })
}

async function webinar(overrides: Parameters<typeof classOf>[1] = {}) {
  const teacher = await signedIn("staff", { firstName: "Ada", lastName: "Byron" })
  const inClass = await classOf(await course({ name: "Algebra", instructions: "<p>Bring paper</p>" }), {
    startAt: START,
    endAt: START + HOUR,
    webinarProvider: "Meet",
    webinarMeetingId: "room 7/a",
    instructorId: teacher.id,
    ...overrides,
  })
  const learner = await signedIn("general", { firstName: "Bob", lastName: "Dole" })
  const enrolled = await classEnrollment(learner, inClass)
  return { teacher, learner, inClass, place: enrolled }
}

beforeEach(() => {
  at(START)
  configure("https://meet.example/rooms/", SECRET)
})
afterEach(() => configure(""))

describe("the launch of a webinar", () => {
  it("has a credential for one user and one class, valid two hours and signed with the provider's secret", async () => {
    const { learner, inClass, place } = await webinar()
    const response = await launch(place.id, learner)
    expect(response.body).toEqual({
      provider: "Meet",
      webinarDetails: { is_success: true, message: "The webinar is open.", url: expect.any(String) },
    })
    expect(response.headers.get("cache-control")).toBe("no-store")
    const url = new URL(response.body.webinarDetails.url)
    expect(url.origin + url.pathname).toBe("https://meet.example/rooms/room%207%2Fa")
    const token = url.searchParams.get("token") ?? ""
    expect(decode(token).header).toMatchObject({ alg: "HS256", typ: "JWT" })
    const claims = await verify(token, SECRET, "HS256")
    expect(claims).toEqual({
      iss: "https://lectern.test",
      aud: "https://meet.example",
      sub: String(learner.id),
      name: "Bob Dole",
      email: learner.email,
      role: "attendee",
      class_id: inClass.id,
      meeting_id: "room 7/a",
      jti: expect.stringMatching(/^[\w-]{36}$/),
      iat: START / 1000,
      exp: START / 1000 + 7200,
    })
    await expect(verify(token, "another secret", "HS256")).rejects.toThrow()
    expect((await rowsOf(classEnrollments))[0]?.lastAccessedAt).toBe(START)
    expect(cost(response).roundTrips).toBe(2)
  })

  it("makes only the class's instructor the host", async () => {
    const { teacher, place } = await webinar()
    const roleOf = (response: Awaited<ReturnType<typeof launch>>) => {
      const token = new URL(response.body.webinarDetails.url).searchParams.get("token") ?? ""
      const { sub, role, name } = decode(token).payload
      return { sub, role, name }
    }
    expect(roleOf(await launch(place.id, teacher))).toEqual({
      sub: String(teacher.id),
      role: "host",
      name: "Ada Byron",
    })
    expect((await rowsOf(classEnrollments))[0]?.lastAccessedAt).toBe(0)
    expect(roleOf(await launch(place.id))).toEqual({ sub: String(place.userId), role: "attendee", name: "Bob Dole" })
  })

  it("is refused to other users, and returns 404 to users who cannot see the learner", async () => {
    const { learner, place } = await webinar()
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [learner.id] })
    for (const other of [await signedIn("owner"), await signedIn("staff"), supervisor]) {
      const { body } = await launch(place.id, other)
      expect(body.webinarDetails).toEqual({
        is_success: false,
        message: expect.stringContaining("Only the enrolled"),
        url: "",
      })
      expect((await details(place.id, other)).status).toBe(200)
    }
    for (const stranger of [await signedIn("general"), await signedIn("group_admin")]) {
      expect((await launch(place.id, stranger)).status).toBe(404)
      expect((await details(place.id, stranger)).status).toBe(404)
    }
    expect((await launch(99)).status).toBe(404)
    expect((await get("/api/class/webinar/launch")).body.errors).toHaveProperty("registrationId")
  })

  it("is available from 15 minutes before the start until the end", async () => {
    const { learner, place } = await webinar()
    const tries = async (time: number) => {
      at(time)
      const token = await tokenOf(learner)
      const { webinarDetails } = (await launch(place.id, { token })).body
      const found = (await details(place.id, { token })).body
      expect(found.webinarDetails).toMatchObject({
        is_success: webinarDetails.is_success,
        message: webinarDetails.message,
      })
      return [webinarDetails.is_success, found.webinarStatus, webinarDetails.message]
    }
    expect(await tries(START - 15 * MINUTE - 1)).toEqual([
      false,
      "Upcoming",
      "The webinar opens 15 minutes before it starts, at Nov 30, 2026 09:45 AM UTC.",
    ])
    expect(await tries(START - 15 * MINUTE)).toEqual([true, "Upcoming", OPEN])
    expect(await tries(START)).toEqual([true, "Live", OPEN])
    expect(await tries(START + HOUR - 1)).toEqual([true, "Live", OPEN])
    expect(await tries(START + HOUR)).toEqual([false, "Ended", "The webinar has ended."])
  })

  it("says why it is unavailable, and writes nothing", async () => {
    const { learner, place, teacher } = await webinar()
    const why = async (of = place, as: { token: string } = learner) => {
      const { webinarDetails } = (await launch(of.id, as)).body
      expect(webinarDetails).toMatchObject({ is_success: false, url: "" })
      return webinarDetails.message
    }
    for (const [url, secret] of [
      ["", SECRET],
      ["https://meet.example", ""],
      ["http://meet.example", SECRET],
      ["nonsense", SECRET],
    ] as const) {
      configure(url, secret)
      expect(await why()).toBe("No webinar provider is configured for this service.")
    }
    configure("https://meet.example", SECRET)
    const room = await classOf(undefined, { startAt: START, endAt: START + HOUR })
    expect(await why(await classEnrollment(learner, room))).toBe("This class has no webinar.")
    await db.update(classes).set({ disabled: true })
    expect(await why()).toBe("This class is disabled.")
    expect(await why(place, teacher)).toBe("This class is disabled.")
    expect((await details(place.id, learner)).body).toMatchObject({ meetingUrl: "", serviceProvider: "Meet" })
    await db.update(classes).set({ disabled: false })
    await db.update(classEnrollments).set({ status: "Cancelled" })
    expect(await why()).toBe("This enrollment is canceled.")
    expect((await launch(place.id, teacher)).body.webinarDetails.is_success).toBe(true)
    expect((await rowsOf(classEnrollments)).map((row) => row.lastAccessedAt)).toEqual([0, 0])
  })

  it("does not reveal the provider's secret", async () => {
    const { place } = await webinar()
    await keepsSecret(async (secret) => {
      secret("the provider's secret", SECRET)
      await launch(place.id)
      await details(place.id)
    })
  })
})

describe("the details of a webinar", () => {
  it("have every field in one round trip", async () => {
    const { learner, inClass, place } = await webinar()
    await post("/api/class-recording/create", {
      classId: inClass.id,
      name: "Part one",
      url: "https://meet.example/recordings/1",
      duration: 1800,
    })
    at(START - HOUR)
    const response = await details(place.id, { token: await tokenOf(learner) })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.body).toEqual({
      recordings: [
        {
          id: 1,
          name: "Part one",
          url: "https://meet.example/recordings/1",
          duration: 1800,
          recorded_on: "Nov 30, 2026",
          recordedAt: "2026-11-30T11:00:00.000Z",
        },
      ],
      name: "Algebra",
      instructions: "<p>Bring paper</p>",
      status: "Registered",
      display_status: "Registered",
      startTime: "2026-11-30 10:00:00",
      endTime: "2026-11-30 11:00:00",
      startsAt: "2026-11-30T10:00:00.000Z",
      endsAt: "2026-11-30T11:00:00.000Z",
      location: "",
      instructor: "Ada Byron",
      serviceProvider: "Meet",
      meetingUrl: "https://meet.example/rooms/room%207%2Fa",
      timeZone: "UTC",
      webinarTimezone: "UTC",
      duration: 60,
      webinarStatus: "Upcoming",
      webinarDetails: { is_success: false, message: expect.stringContaining("09:45 AM"), url: "" },
    })
    configure("")
    expect((await details(place.id)).body.meetingUrl).toBe("")
  })

  it("follow a recurring class from session to session", async () => {
    const { learner, inClass, place } = await webinar({ endAt: START + 49 * HOUR, type: "recurring", sessionCount: 2 })
    await db.delete(classSessions)
    const session = { classId: inClass.id, courseId: inClass.courseId }
    await db.insert(classSessions).values([
      { ...session, startAt: START, endAt: START + HOUR },
      { ...session, startAt: START + 48 * HOUR, endAt: START + 49 * HOUR },
    ])
    const on = async (time: number) => {
      at(time)
      const { webinarStatus, startTime, webinarDetails } = (await details(place.id, { token: await tokenOf(learner) }))
        .body
      return [webinarStatus, startTime, webinarDetails.is_success]
    }
    expect(await on(START)).toEqual(["Live", "2026-11-30 10:00:00", true])
    expect(await on(START + HOUR)).toEqual(["Upcoming", "2026-12-02 10:00:00", false])
    expect(await on(START + 48 * HOUR)).toEqual(["Live", "2026-12-02 10:00:00", true])
    expect(await on(START + 50 * HOUR)).toEqual(["Ended", "2026-12-02 10:00:00", false])
  })

  it("hide recordings from learners who canceled", async () => {
    const { learner, inClass, place } = await webinar()
    await post("/api/class-recording/create", { classId: inClass.id, name: "One", url: "https://meet.example/1" })
    await db.update(classEnrollments).set({ status: "Cancelled" })
    expect((await details(place.id, learner)).body).toMatchObject({ recordings: [], meetingUrl: "" })
    expect((await details(place.id, await signedIn("staff"))).body.recordings).toHaveLength(1)
  })
})

describe("recordings", () => {
  it("are added and deleted by staff, each with an audit row", async () => {
    const { inClass } = await webinar()
    const url = "https://meet.example/1?pwd=pa55-of-the-recording"
    const body = { classId: inClass.id, name: "One", url, recordedAt: "2026-11-30" }
    const created = await post("/api/class-recording/create", body)
    expect(created.body).toEqual({ id: 1, message: "Recording added." })
    expect(cost(created).roundTrips).toBe(2)
    expect(await rowsOf(classRecordings)).toMatchObject([{ classId: inClass.id, name: "One", duration: 0 }])
    expect((await post("/api/class-recording/create", { ...body, classId: 99 })).body.errors).toHaveProperty("classId")
    for (const url of ["http://meet.example/1", "javascript:alert(1)", "one"])
      expect((await post("/api/class-recording/create", { ...body, url })).body.errors).toHaveProperty("url")
    const supervisor = await signedIn("group_admin")
    expect((await post("/api/class-recording/create", body, supervisor)).status).toBe(403)
    const removed = await post("/api/class-recording/delete", { delete_ids: [1, 99] })
    expect(removed.body.message).toBe("1 class recording deleted. 1 id unknown.")
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.subject, row.effectOn])).toEqual([
      ["created", "class recording", "One"],
      ["deleted", "class recording", "One"],
    ])
    expect((await rowsOf(auditLogs))[0]?.details).toMatchObject({ url: "https://meet.example" })
    expect(JSON.stringify(await rowsOf(auditLogs))).not.toContain("pa55")
  })
})

describe("updates of class enrollments", () => {
  it("set a status, with counters and an audit row for each change", async () => {
    const { inClass, place } = await webinar()
    const second = await classEnrollment(await user(), inClass, { status: "Attended" })
    const response = await setStatus({ ids: [place.id, second.id, 99], status: "attended" })
    expect(response.body).toEqual({ message: "2 enrollments updated. 1 id unknown." })
    expect(cost(response).roundTrips).toBe(2)
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect((await rowsOf(classEnrollments)).map((row) => row.status)).toEqual(["Attended", "Attended"])
    const [all] = (await rowsOf(classCounts)).filter((row) => row.audience === "all" && row.classId === inClass.id)
    expect(all).toMatchObject({ registered: 0, attended: 2 })
    expect(await rowsOf(auditLogs)).toMatchObject([
      {
        action: "updated",
        subject: "class enrollment",
        effectOn: "Algebra",
        details: { user_id: place.userId, status: "Attended", before: "Registered" },
      },
    ])
    await setStatus({ ids: [place.id], status: "Attended" })
    expect(await rowsOf(auditLogs)).toHaveLength(1)
  })

  it("re-enroll canceled users only when seats are left", async () => {
    await db.insert(locations).values({ id: 1, name: "Closet", capacity: 2, searchText: "", createdAt: 1 })
    const { inClass, place } = await webinar({ locationId: 1 })
    const canceled = [
      await classEnrollment(await user(), inClass, { status: "Cancelled" }),
      await classEnrollment(await user(), inClass, { status: "Cancelled" }),
    ]
    const [one] = canceled
    const both = await setStatus({ ids: canceled.map(({ id }) => id), status: "Registered" })
    expect(both).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("1 seat left and this request needs 2") },
    })
    expect(await rowsOf(auditLogs)).toEqual([])
    expect((await setStatus({ ids: [one?.id, place.id], status: "Attended" })).body.message).toBe(
      "2 enrollments updated.",
    )
    expect((await setStatus({ ids: canceled.map(({ id }) => id), status: "Attended" })).status).toBe(409)
    expect((await setNotes({ ids: canceled.map(({ id }) => id), notes: "Came late" })).status).toBe(200)
  })

  it("set and remove notes", async () => {
    const { place } = await webinar()
    expect((await setNotes({ ids: [place.id], notes: "Asked good questions" })).body.message).toBe(
      "1 enrollment updated.",
    )
    expect(await rowsOf(classEnrollments)).toMatchObject([{ notes: "Asked good questions", status: "Registered" }])
    await setNotes({ ids: [place.id], notes: "" })
    expect(await rowsOf(classEnrollments)).toMatchObject([{ notes: "" }])
    expect((await setNotes({ ids: [place.id] })).body.errors).toHaveProperty("notes")
  })

  it("are limited to the class, the portal and the users the caller manages", async () => {
    const { learner, inClass, place } = await webinar()
    const supervisor = await signedIn("group_admin")
    const { id: portalId } = await portal({ members: [learner.id] })
    const { id: emptyPortal } = await portal()
    const missed = { message: "0 enrollments updated. 1 id unknown." }
    expect((await setStatus({ ids: [place.id], status: "Attended" }, supervisor)).body).toEqual(missed)
    expect((await setStatus({ ids: [place.id], status: "Attended", webinarId: 99 })).body).toEqual(missed)
    expect((await setStatus({ ids: [place.id], status: "Attended", portalId: emptyPortal })).body).toEqual(missed)
    expect(await rowsOf(auditLogs)).toEqual([])
    await group({ admins: [supervisor.id], members: [learner.id] })
    const all = { ids: [place.id], status: "No Show", webinarId: inClass.id }
    expect((await setStatus({ ...all, portalId }, supervisor)).status).toBe(404)
    expect((await setStatus(all, supervisor)).body.message).toBe("1 enrollment updated.")
    expect((await setStatus(all, learner)).status).toBe(403)
  })

  it("return 422 for an unknown status", async () => {
    const { place } = await webinar()
    expect((await setStatus({ ids: [place.id], status: "Asleep" })).body.errors).toHaveProperty("status")
    expect((await setStatus({ ids: "x", status: "Attended" })).body.errors).toHaveProperty("ids.0")
    expect(await rowsOf(classEnrollments)).toMatchObject([{ status: "Registered" }])
  })

  it("change 500 enrollments in two round trips", async () => {
    const { inClass } = await webinar()
    await db.run(`insert into users (id, first_name, last_name, email, user_type, created_at, search_text)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
      select 10000 + i, 'Many', 'Number ' || i, 'many' || i || '@example.com', 'general', 1, '' from n`)
    await db.run(`
      insert into class_enrollments (id, class_id, user_id, status, registered_at, first_name, last_name, email)
      select id, ${inClass.id}, id, 'Registered', 1, first_name, last_name, email
      from users
      where id > 10000`)
    const response = await setStatus({ ids: Array.from({ length: 500 }, (_, i) => 10_001 + i), status: "Attended" })
    expect(response.body.message).toBe("500 enrollments updated.")
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(auditLogs)).toHaveLength(500)
  })
})
