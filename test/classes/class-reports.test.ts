import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { classSessions } from "../../drizzle/schema/classes.ts"
import { locations } from "../../drizzle/schema/locations.ts"
import { searchText } from "../../src/db/search.ts"
import {
  classDetailedColumns,
  enrolledClassColumns,
  userClassColumns,
} from "../../src/modules/classes/class-enrollment-columns.ts"
import { certificate, template } from "../factories/certificates.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, group, portal, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { type Answer, cost, get, query } from "../helpers/client.ts"

/** What a class's learners have no index for: sorted. */
const INDEXED = new Set<string>(["user_id", "first_name", "last_name", "registered_on"])

const HOUR = 3_600_000
const JANUARY = Date.UTC(2026, 0, 5, 15, 4)
const paging = { page_size: 10, page_number: 1 }
const enrolled = (parameters = {}, options = {}) =>
  get(`/api/users/enrolled-classes${query({ ...paging, ...parameters })}`, options)
const ofUsers = (parameters = {}, options = {}) =>
  get(`/api/user/class/reports${query({ ...paging, ...parameters })}`, options)
const detailed = (parameters = {}, options = {}) =>
  get(`/api/class/reports/class-detailed${query({ ...paging, ...parameters })}`, options)
const overview = (parameters = {}, options = {}) => get(`/api/class/reports/overview${query(parameters)}`, options)
const ids = (response: Answer) => response.body.records.map((row: { id: number }) => row.id)

const algebra = () =>
  course({ name: "Algebra", searchText: searchText("Algebra"), featuredImageUrl: "https://a.example/a.png" })

describe("the classes of a user", () => {
  it("are listed with every field in one round trip", async () => {
    await db.insert(locations).values({ id: 1, name: "Main hall", searchText: "", createdAt: 1 })
    const teacher = await user({ firstName: "Ada", lastName: "Byron", userType: "staff" })
    const trainingClass = await classOf(await algebra(), {
      startAt: JANUARY,
      endAt: JANUARY + HOUR,
      locationId: 1,
      instructorId: teacher.id,
    })
    const online = await classOf(undefined, {
      startAt: JANUARY + HOUR,
      endAt: JANUARY + 2 * HOUR,
      webinarProvider: "Meet",
    })
    const learner = await user()
    const place = await classEnrollment(learner, trainingClass, {
      registeredAt: Date.UTC(2026, 0, 2),
      status: "Attended",
    })
    const other = await classEnrollment(learner, online, { lastAccessedAt: Date.UTC(2026, 0, 6) })
    const response = await enrolled({ user_id: learner.id })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2 })
    const [second, first] = response.body.records
    expect(first).toEqual({
      id: place.id,
      webinarId: null,
      classId: trainingClass.id,
      title: "Algebra",
      courseId: trainingClass.courseId,
      studyMethod: "instructor_led",
      featuredImageUrl: "https://a.example/a.png",
      launchUrl: "",
      classStudyMaterial: `https://lectern.test/api/class/study-material?registrationId=${place.id}`,
      status: "Attended",
      display_status: "Attended",
      registered_on: "Jan 02, 2026",
      registeredAt: "2026-01-02T00:00:00.000Z",
      lastAccessedAt: null,
      last_accessed_on: "Never",
      startDate: "Jan 05, 2026",
      startTime: "03:04 PM",
      endDate: "Jan 05, 2026",
      endTime: "04:04 PM",
      location: "Main hall",
      start: "Jan 05, 2026 03:04 PM",
      end: "Jan 05, 2026 04:04 PM",
      timeZone: "UTC",
      startsAt: "2026-01-05T15:04:00.000Z",
      endsAt: "2026-01-05T16:04:00.000Z",
      instructor: "Ada Byron",
      class: "Algebra, Jan 05, 2026 03:04 PM",
      add_calendar_link: `https://lectern.test/api/class/calendar/${trainingClass.id}`,
    })
    expect(second).toMatchObject({
      webinarId: online.id,
      launchUrl: `https://lectern.test/api/class/webinar/launch?registrationId=${other.id}`,
      last_accessed_on: "Jan 06, 2026",
      location: "",
    })
  })

  it("are searched by course and status, sorted by every column, and counted exactly", async () => {
    const learner = await user()
    const [one, two, three] = [await classOf(), await classOf(), await classOf()]
    const places = [
      await classEnrollment(learner, one, { status: "Attended" }),
      await classEnrollment(learner, two, { status: "No Show" }),
      await classEnrollment(learner, three),
    ]
    const by = async (search_param: object) => {
      const response = await enrolled({ user_id: learner.id, search_param, order_by: "id" })
      expect(response.body.recordsFiltered).toBe(response.body.records.length)
      expect(response.body.recordsTotal).toBe(3)
      return ids(response).map((id: number) => places.findIndex((place) => place.id === id))
    }
    expect(await by({ course_id: two.courseId })).toEqual([1])
    expect(await by({ status: ["Attended", "no_show"] })).toEqual([0, 1])
    expect(await by({ status: "Registered" })).toEqual([2])
    expect(await by({ status: ["Registered"], course_id: one.courseId })).toEqual([])
    for (const colName of Object.keys(enrolledClassColumns.sort))
      expect(ids(await enrolled({ user_id: learner.id, order_by: { colName, direction: "desc" } }))).toHaveLength(3)
    const wrong = await enrolled({ user_id: learner.id, search_param: { status: ["Asleep"] } })
    expect(wrong.status).toBe(422)
  })

  it("are sorted by title case-insensitively on every page", async () => {
    const learner = await user()
    for (const name of ["beta", "Gamma", "alpha"]) await classEnrollment(learner, await classOf(await course({ name })))
    const titles = async (overrides: object) => {
      const response = await enrolled({ user_id: learner.id, order_by: "title", ...overrides })
      return response.body.records.map((row: { title: string }) => row.title)
    }
    expect(await titles({})).toEqual(["alpha", "beta", "Gamma"])
    expect(await titles({ page_size: 1, page_number: 3 })).toEqual(["Gamma"])
  })

  it("are visible to the user, supervisors and staff only", async () => {
    const learner = await signedIn("general")
    const [mine, other] = [await signedIn("group_admin"), await signedIn("group_admin")]
    await group({ admins: [mine.id], members: [learner.id] })
    await classEnrollment(learner, await classOf())
    expect((await enrolled({}, learner)).body.recordsTotal).toBe(1)
    expect((await enrolled({ user_id: learner.id }, mine)).body.recordsTotal).toBe(1)
    expect((await enrolled({ user_id: learner.id }, await signedIn("staff"))).body.recordsTotal).toBe(1)
    expect((await enrolled({ user_id: learner.id }, other)).status).toBe(404)
    expect((await enrolled({ user_id: learner.id }, await signedIn("general"))).status).toBe(404)
    expect((await enrolled({ user_id: 999 })).status).toBe(404)
    expect((await enrolled()).body.errors).toHaveProperty("user_id")
    expect((await enrolled({ user_id: learner.id, portalId: 9 })).status).toBe(404)
  })
})

const sessions = (parameters = {}, options = {}) => get(`/api/users/class-sessions${query(parameters)}`, options)

describe("the sessions of a user's classes", () => {
  const DATES = "2026-01-01,2026-01-31"

  it("are limited to a period and the user's classes, in one round trip", async () => {
    const trainingClass = await classOf(await algebra(), {
      startAt: JANUARY,
      endAt: JANUARY + 29 * 24 * HOUR,
      timeZone: "Europe/Berlin",
    })
    const other = await classOf(undefined, { startAt: JANUARY, endAt: JANUARY + HOUR })
    const at = (startAt: number, { id: classId, courseId }: { id: number; courseId: number }) => ({
      ...{ classId, courseId, startAt, endAt: startAt + HOUR },
    })
    await db.delete(classSessions)
    await db
      .insert(classSessions)
      .values([
        at(JANUARY + 7 * 24 * HOUR, trainingClass),
        at(JANUARY, trainingClass),
        at(JANUARY + 28 * 24 * HOUR, trainingClass),
        at(JANUARY, other),
      ])
    const learner = await signedIn("general")
    const place = await classEnrollment(learner, trainingClass)
    const response = await sessions({ dates: DATES }, learner)
    expect(cost(response).roundTrips).toBe(1)
    const first = {
      registrationId: place.id,
      classId: trainingClass.id,
      title: "Algebra",
      status: "Registered",
      start_time: "2026-01-05T15:04:00.000Z",
      end_time: "2026-01-05T16:04:00.000Z",
      timeZone: "Europe/Berlin",
      location: "",
      instructor: expect.any(String),
      isOnline: false,
    }
    const second = { start_time: "2026-01-12T15:04:00.000Z", end_time: "2026-01-12T16:04:00.000Z" }
    expect(response.body).toEqual({ sessions: [first, { ...first, ...second }] })
  })

  it("are found by instants, such as the bounds of a month in a browser", async () => {
    const trainingClass = await classOf(undefined, { startAt: JANUARY, endAt: JANUARY + HOUR })
    const learner = await signedIn("general")
    await classEnrollment(learner, trainingClass)
    await db.delete(classSessions)
    const { id: classId, courseId } = trainingClass
    await db.insert(classSessions).values({ classId, courseId, startAt: JANUARY, endAt: JANUARY + HOUR })
    const from = async (start: string) =>
      (await sessions({ dates: JSON.stringify([start, "2026-01-31T23:00:00Z"]) }, learner)).body.sessions.length
    expect([await from("2026-01-05T15:04:00Z"), await from("2026-01-05T15:04:01Z")]).toEqual([1, 0])
  })

  it("return 422 without two dates that are close enough", async () => {
    const learner = await signedIn("general")
    for (const dates of [undefined, "2026-01-01", "2026-01-01,2026-06-01", "2026-02-01,2026-01-01"]) {
      const response = await sessions({ dates }, learner)
      expect([dates, response.status]).toEqual([dates, 422])
      expect(Object.keys(response.body.errors)).toEqual(["dates"])
    }
  })

  it("are visible to callers who can see the user", async () => {
    const learner = await user()
    const dates = { user_id: learner.id, dates: DATES }
    expect((await sessions(dates, await signedIn("staff"))).body).toEqual({ sessions: [] })
    expect((await sessions(dates, await signedIn("general"))).status).toBe(404)
  })
})

describe("the report on class enrollments", () => {
  const people = async () => {
    const [ada, bob] = [await user({ firstName: "Ada", lastName: "Byron" }), await user()]
    const first = await classOf(await algebra(), { startAt: JANUARY, endAt: JANUARY + HOUR })
    const second = await classOf(await course({ name: "Logic", searchText: searchText("Logic") }))
    // Earned in the course, not in the class.
    await certificate(ada.id, (await template()).id, { courseId: first.courseId })
    const places = [
      await classEnrollment(ada, first, { status: "Attended", registeredAt: 1 }),
      await classEnrollment(ada, second, { registeredAt: 2 }),
      await classEnrollment(bob, first, { status: "No Show", registeredAt: 3 }),
      await classEnrollment(bob, second, { status: "Cancelled", registeredAt: 4 }),
    ]
    return { ada, bob, first, second, places }
  }

  it("has the classes of one user, with totals that ignore the search", async () => {
    const { ada, places } = await people()
    const response = await ofUsers({ user_id: ada.id, search_param: { course: "geb" } })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toEqual({
      recordsTotal: 2,
      recordsFiltered: 1,
      totalRegistered: 1,
      totalAttended: 1,
      totalNoshow: 0,
      totalCancelled: 0,
      records: [
        {
          id: places[0]?.id,
          user_id: ada.id,
          name: "Ada Byron",
          email: ada.email,
          courseName: "Algebra",
          start_time: "Jan 05, 2026 03:04 PM",
          end_time: "Jan 05, 2026 04:04 PM",
          timeZone: "UTC",
          startsAt: "2026-01-05T15:04:00.000Z",
          endsAt: "2026-01-05T16:04:00.000Z",
          location: "",
          status: "Attended",
          display_status: "Attended",
          registered_on: "Jan 01, 1970",
          last_accessed_on: "Never",
          registeredAt: "1970-01-01T00:00:00.001Z",
          lastAccessedAt: null,
          certificate_issued: true,
        },
      ],
    })
    for (const colName of Object.keys(userClassColumns.sort))
      expect(ids(await ofUsers({ user_id: ada.id, order_by: { colName, direction: "desc" } }))).toHaveLength(2)
  })

  it("has all users, searched by course, status and dates, with exact counts", async () => {
    const { places } = await people()
    const by = async (search_param: object, overrides = {}) => {
      const response = await ofUsers({ search_param, ...overrides })
      expect(response.body.recordsFiltered).toBe(response.body.records.length)
      expect(response.body).toMatchObject({ recordsTotal: 4, totalNoshow: 1, totalCancelled: 1 })
      return ids(response).map((id: number) => places.findIndex((place) => place.id === id))
    }
    expect(await by({})).toEqual([3, 2, 1, 0])
    expect(await by({ course: "algebra" })).toEqual([2, 0])
    expect(await by({ status: ["Attended"] })).toEqual([0])
    expect(await by({ status: ["Cancelled", "Registered"], course: "log" })).toEqual([3, 1])
    expect(await by({ started_on: "2026-01-05" })).toEqual([2, 0])
    for (const value of ["Jan 05, 2026", "jan 5, 2026 03:04 PM", "Jan 04, 2026, Jan 05, 2026", ["Jan 05, 2026"]])
      expect(await by({ started_on: value }), JSON.stringify(value)).toEqual([2, 0])
    expect(await by({ started_on: "Jan 06, 2026" })).toEqual([])
    expect(await by({ started_on: ["2026-01-01", "2026-01-31"], completed_on: "2026-01-05" })).toEqual([2, 0])
    expect(await by({ started_on: "2026-01-06" })).toEqual([])
    expect(await by({ status: ["No Show"], completed_on: "2026-01-05" })).toEqual([2])
    expect(await by({}, { order_by: "id" })).toEqual([0, 1, 2, 3])
    for (const colName of Object.keys(userClassColumns.sort))
      for (const direction of ["asc", "desc"])
        expect(await by({}, { order_by: { colName, direction } }), colName).toHaveLength(4)
    expect(await by({}, { order_by: "courseName" })).toEqual([0, 2, 1, 3])
    expect(await by({ status: ["No Show", "Attended"] }, { order_by: "start_time" })).toEqual([0, 2])
    expect((await ofUsers({ search_param: { started_on: "soon" } })).body.errors).toHaveProperty(
      "search_param.started_on",
    )
  })

  it("shows supervisors their users, groups and portals their members, and learners themselves", async () => {
    const { ada, bob } = await people()
    const supervisor = await signedIn("group_admin")
    const { id: group_id } = await group({ admins: [supervisor.id], members: [ada.id] })
    const { id: portalId } = await portal({ members: [bob.id] })
    expect((await ofUsers({}, supervisor)).body).toMatchObject({ recordsTotal: 2, totalAttended: 1, totalNoshow: 0 })
    expect((await ofUsers({ search_param: { course: "logic" } }, supervisor)).body.recordsFiltered).toBe(1)
    expect((await ofUsers({ group_id }, supervisor)).body.recordsTotal).toBe(2)
    expect((await ofUsers({ portalId })).body).toMatchObject({ recordsTotal: 2, totalNoshow: 1, totalCancelled: 1 })
    for (const outside of [{ user_id: bob.id }, { portalId }, { group_id: 99 }])
      expect((await ofUsers(outside, supervisor)).status).toBe(404)
    const learner = await signedIn("general")
    await classEnrollment(learner, await classOf())
    expect((await ofUsers({}, learner)).body.recordsTotal).toBe(1)
    expect((await ofUsers({ user_id: ada.id }, learner)).status).toBe(404)
  })

  it("lists the learners of one class", async () => {
    const { ada, bob, first } = await people()
    const class_id = first.id
    const response = await detailed({ class_id })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toMatchObject({
      courseName: "Algebra",
      recordsTotal: 2,
      recordsFiltered: 2,
      totalRegistered: 0,
      totalAttended: 1,
      totalNoShow: 1,
      totalCancelled: 0,
    })
    expect(response.body.records[1]).toMatchObject({
      user_id: ada.id,
      first_name: "Ada",
      last_name: "Byron",
      avatar: "AB",
      status: "Attended",
      started_on: "Jan 05, 2026 03:04 PM",
      completed_on: "Jan 05, 2026 04:04 PM",
      notes: "",
      certificate_issued: true,
    })
    const found = async (search_param: object) => {
      const { body } = await detailed({ class_id, search_param })
      expect(body.recordsFiltered).toBe(body.records.length)
      return body.records.map((row: { user_id: number }) => row.user_id)
    }
    expect(await found({ nameOrEmail: "yro" })).toEqual([ada.id])
    expect(await found({ status: "No Show" })).toEqual([bob.id])
    expect(await found({ userIdActual: bob.id })).toEqual([bob.id])
    expect(await found({ userIdActual: bob.id, status: ["Attended"] })).toEqual([])
    expect(await found({ started_on: "2026-01-05" })).toEqual([bob.id, ada.id])
    expect(await found({ started_on: "Jan 05, 2026" })).toEqual([bob.id, ada.id])
    expect(await found({ completed_on: "2026-01-06" })).toEqual([])
    for (const colName of Object.keys(classDetailedColumns.sort))
      expect(ids(await detailed({ class_id, order_by: { colName, direction: "desc" } }))).toHaveLength(2)
    const supervisor = await signedIn("portal_admin")
    await portal({ admins: [supervisor.id], members: [bob.id] })
    expect((await detailed({ class_id }, supervisor)).body).toMatchObject({
      recordsTotal: 1,
      totalAttended: 0,
      totalNoShow: 1,
      records: [{ user_id: bob.id }],
    })
    expect((await detailed({ class_id: 99 })).status).toBe(404)
    expect((await detailed({ class_id, group_id: 99 })).status).toBe(404)
    expect((await detailed({ class_id }, await signedIn("general"))).status).toBe(403)
    expect((await detailed()).body.errors).toHaveProperty("class_id")
  })

  it("has every class of a month, with aligned arrays and equal sums", async () => {
    const { ada } = await people()
    const response = await overview({ selectedMonth: "January 2026" })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toEqual({
      labels: ["Algebra"],
      totalRegistered: [0],
      totalAttended: [1],
      totalNoShow: [1],
      totalCancelled: [0],
      startDate: ["Jan 05, 2026 03:04 PM"],
      endDate: ["Jan 05, 2026 04:04 PM"],
      timeZone: ["UTC"],
      sumRegistered: 0,
      sumAttended: 1,
      sumNoShow: 1,
      sumCancelled: 0,
    })
    await classOf()
    expect((await overview()).body).toMatchObject({ labels: ["Algebra", "Logic", expect.any(String)], sumCancelled: 1 })
    const supervisor = await signedIn("group_admin")
    const { id: group_id } = await group({ admins: [supervisor.id], members: [ada.id] })
    expect((await overview({}, supervisor)).body).toMatchObject({
      labels: ["Algebra", "Logic"],
      totalAttended: [1, 0],
      totalRegistered: [0, 1],
      sumNoShow: 0,
    })
    expect((await overview({ group_id, selectedMonth: "2026-01" }, supervisor)).body).toMatchObject({
      labels: ["Algebra"],
      sumAttended: 1,
    })
    expect((await overview({ group_id: 99 })).status).toBe(404)
    expect((await overview({ selectedMonth: "2026-13" })).body.errors).toHaveProperty("selectedMonth")
    expect((await overview({}, await signedIn("general"))).status).toBe(403)
  })

  it("costs the same for any number of classes and enrollments", async () => {
    const learner = await user()
    await user()
    const [small, large] = [
      await classOf(undefined, { startAt: JANUARY }),
      await classOf(await algebra(), { startAt: JANUARY }),
    ]
    for (const of of [small, large]) await classEnrollment(learner, of, { registeredAt: 1 })
    await db.run(sql`
      insert into users (id, first_name, last_name, email, user_type, created_at, search_text)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
      select 10000 + i, 'Many', 'Number ' || i, 'many' || i || '@example.com', 'general', 1, '' from n`)
    await db.run(sql`
      insert into class_enrollments (id, class_id, user_id, status, registered_at, first_name, last_name, email)
      select 10000 + id, ${large.id}, id, iif(id % 100, 'Attended', 'No Show'), id, first_name, last_name, email
      from users
      where id > 10000`)
    await db.run(sql`
      insert into classes (id, course_id, type, disabled, allow_download, instructor_id, start_at, end_at,
        session_count, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
      select 10000 + i, ${small.courseId}, 'onetime', 0, 0, ${small.instructorId}, ${JANUARY} + (40 + i) * 86400000,
        ${JANUARY} + (41 + i) * 86400000, 1, 1
      from n`)
    const most = 200 + 20 * 10
    const calls: [string, () => Promise<Answer>][] = [
      ["enrolled", () => enrolled({ user_id: learner.id })],
      ["everyone", () => ofUsers()],
      ["no shows", () => ofUsers({ search_param: { status: ["No Show"] } })],
      ["one user", () => ofUsers({ user_id: learner.id, search_param: { course: "algebra" } })],
      ["detailed", () => detailed({ class_id: large.id })],
      ["detailed, one user", () => detailed({ class_id: large.id, search_param: { userIdActual: 10_007 } })],
      ...Object.keys(classDetailedColumns.sort)
        .filter((column) => INDEXED.has(column))
        .map((colName): [string, () => Promise<Answer>] => [
          `detailed by ${colName}`,
          () => detailed({ class_id: large.id, order_by: { colName, direction: "desc" } }),
        ]),
      ["a month", () => overview({ selectedMonth: "2026-01" })],
    ]
    for (const [name, call] of calls) {
      const response = await call()
      expect(response.status, name).toBe(200)
      expect(cost(response).roundTrips).toBe(1)
      expect(cost(response).read, name).toBeLessThanOrEqual(most)
    }
    expect((await ofUsers({ search_param: { status: ["No Show"] } })).body.recordsFiltered).toBe(15)
    // A class's learners are read until the page is full.
    const absent = await detailed({ class_id: large.id, search_param: { status: ["No Show"] } })
    expect(absent.body.recordsFiltered).toBe(15)
    expect(cost(absent).read).toBeLessThanOrEqual(most + 2 * 1500)
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [learner.id] })
    expect(cost(await overview({}, supervisor)).read).toBeLessThanOrEqual(most)
  })
})
