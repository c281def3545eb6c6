import { eq } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { classEnrollments, classes, classSessions } from "../../drizzle/schema/classes.ts"
import { groupCourseSeats } from "../../drizzle/schema/groups.ts"
import { locations } from "../../drizzle/schema/locations.ts"
import { searchText } from "../../src/db/search.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, group, nextId, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"
import { anyIsoTime } from "../helpers/times.ts"

async function location(name: string, capacity = 0) {
  const id = await nextId("locations")
  await db.insert(locations).values({ id, name, capacity, searchText: searchText(name), createdAt: Date.now() })
  return { id, name }
}

async function setup() {
  const staff = await signedIn("staff", { firstName: "Grace", lastName: "Hopper" })
  return { staff, algebra: await course({ name: "Algebra" }), hall: await location("Great hall") }
}

type Scene = Awaited<ReturnType<typeof setup>>
const once = ({ staff, algebra, hall }: Scene) => ({
  courseId: algebra.id,
  instructor: staff.id,
  location: hall.id,
  allowDownload: true,
  disabled: false,
  type: "onetime",
  starttime: "2027-03-01 09:30",
  endTime: "2027-03-01 11:00",
})
const weekly = {
  classDays: ["MO", "WE"],
  startDate: "2027-03-01",
  startTime: "09:30",
  endTime: "11:00",
  interval: 1,
  frequency: "weekly",
  end: { count: 5 },
}

describe("a class", () => {
  it("is created once, read for editing, updated and deleted, each with an audit row", async () => {
    const records = await setup()
    const { token } = records.staff
    const created = await post("/api/class/create", { ...once(records), webinar_host_pwd: "s3cret" }, { token })
    expect(created.body).toEqual({ id: 1, message: "Class created." })
    expect(cost(created).roundTrips).toBe(2)
    const edited = await get("/api/class/edit?classId=1", { token })
    expect(cost(edited).roundTrips).toBe(1)
    expect(edited.body.classDetails).toEqual({
      id: 1,
      courseId: records.algebra.id,
      startTime: "2027-03-01 09:30:00",
      endTime: "2027-03-01 11:00:00",
      timeZone: "UTC",
      location: records.hall.id,
      instructor: records.staff.id,
      disabled: false,
      allowDownload: true,
      webinarProvider: "",
      webinar_meeting_id: "",
      webinar_host_pwd: "s3cret",
      studyMaterial: [],
      type: "onetime",
      recurrence: null,
      startsAt: "2027-03-01T09:30:00.000Z",
      endsAt: "2027-03-01T11:00:00.000Z",
      createdAt: anyIsoTime,
      updatedAt: anyIsoTime,
      externalId: null,
      externalIds: [],
    })
    expect(JSON.stringify([await rowsOf(classes), await rowsOf(auditLogs)])).not.toContain("s3cret")

    const moved = { id: 1, startTime: "2027-03-02T09:30:00+01:00", endTime: "2027-03-02 10:00", location: null }
    expect((await post("/api/class/update", moved, { token })).body).toEqual({ message: "Class updated." })
    expect((await get("/api/class/edit?classId=1", { token })).body.classDetails).toMatchObject({
      startTime: "2027-03-02 08:30:00",
      endTime: "2027-03-02 10:00:00",
      location: null,
      webinar_host_pwd: "s3cret",
    })
    expect(await rowsOf(classSessions)).toMatchObject([{ classId: 1, startAt: Date.parse("2027-03-02T08:30Z") }])

    const ada = await user()
    const [row] = await rowsOf(classes)
    if (!row) throw new Error("No class")
    await classEnrollment(ada, row)
    expect((await post("/api/class/delete", { classId: 1 }, { token })).body).toEqual({
      message: "Class deleted, with 1 enrollment.",
    })
    expect(await rowsOf(classes)).toEqual([])
    expect(await rowsOf(classSessions)).toEqual([])
    expect(await rowsOf(classEnrollments)).toEqual([])
    expect((await post("/api/class/delete", { classId: 1 }, { token })).status).toBe(404)
    expect((await rowsOf(auditLogs)).map(({ action, subject, effectOn }) => [action, subject, effectOn])).toEqual([
      ["created", "class", "Algebra"],
      ["updated", "class", "Algebra"],
      ["deleted", "class", "Algebra"],
    ])
  })

  it("recurs by an RFC 5545 rule, with a session for each date", async () => {
    const records = await setup()
    const { token } = records.staff
    const created = await post(
      "/api/class/create",
      { ...once(records), type: "recurring", recurrence: weekly },
      { token },
    )
    expect(created.body.message).toBe("Class with 5 sessions created.")
    const { classes: sessions } = (
      await get(`/api/class/get-class-schedules?courseId=${records.algebra.id}`, { token })
    ).body
    expect(sessions.map((row: { start_time: string }) => row.start_time)).toEqual([
      "2027-03-01T09:30:00.000Z",
      "2027-03-03T09:30:00.000Z",
      "2027-03-08T09:30:00.000Z",
      "2027-03-10T09:30:00.000Z",
      "2027-03-15T09:30:00.000Z",
    ])
    expect(sessions[0]).toEqual({
      id: created.body.id,
      startDate: "Mar 01, 2027",
      endDate: "Mar 01, 2027",
      startTime: "09:30 AM",
      endTime: "11:00 AM",
      timeZone: "UTC",
      location_id: records.hall.id,
      location: "Great hall",
      instructor_id: records.staff.id,
      instructor: "Grace Hopper",
      start_time: "2027-03-01T09:30:00.000Z",
      end_time: "2027-03-01T11:00:00.000Z",
      course_id: records.algebra.id,
      course_name: "Algebra",
      startsAt: "2027-03-01T09:30:00.000Z",
      endsAt: "2027-03-01T11:00:00.000Z",
    })
    const between = async (...dates: string[]) =>
      (await get(`/api/class/get-class-schedules${query({ search_param: { dates } })}`, { token })).body.classes.map(
        (row: { start_time: string }) => row.start_time,
      )
    expect(await between("2027-03-03", "2027-03-08")).toEqual(["2027-03-03T09:30:00.000Z", "2027-03-08T09:30:00.000Z"])
    expect(await between("2027-03-08T09:30:00.001Z", "2027-03-15T09:29:59.999Z")).toEqual(["2027-03-10T09:30:00.000Z"])
    const ofClass = async (classId: number) =>
      (await get(`/api/class/get-class-schedules?classId=${classId}`, { token })).body.classes
    expect(await ofClass(created.body.id)).toEqual(sessions)
    expect(await ofClass(created.body.id + 1)).toEqual([])
    const monthly = {
      ...weekly,
      classDays: [],
      frequency: "monthly",
      interval: 2,
      end: { date: "2027-07-01" },
      endTime: "01:00",
    }
    await post("/api/class/update", { id: created.body.id, recurrence: JSON.stringify(monthly) }, { token })
    expect(
      (await rowsOf(classSessions)).map(({ startAt, endAt }) =>
        [startAt, endAt].map((at) => new Date(at).toISOString().slice(0, 16)),
      ),
    ).toEqual([
      ["2027-03-01T09:30", "2027-03-02T01:00"],
      ["2027-05-01T09:30", "2027-05-02T01:00"],
      ["2027-07-01T09:30", "2027-07-02T01:00"],
    ])
    const { classDetails } = (await get(`/api/class/edit?classId=${created.body.id}`, { token })).body
    expect(classDetails).toMatchObject({ type: "recurring", recurrence: monthly, endTime: "2027-07-02 01:00:00" })
    const times = await post("/api/class/update", { id: created.body.id, endTime: "2028-01-01" }, { token })
    expect(times.body.errors.startTime[0]).toContain("recurrence")
  })

  it("is one-time or recurring by its type, or by its recurrence without a type", async () => {
    const records = await setup()
    const { type: _, ...untyped } = once(records)
    const bodies = [
      { ...untyped, recurrence: { ...weekly, startDate: "Mar 01, 2027" } },
      { ...untyped, recurrence: JSON.stringify({ ...weekly, end: { date: "", count: "5" } }) },
      { ...untyped, recurrence: {} },
      { ...untyped, type: "onetime", recurrence: { ...weekly, startDate: "" } },
    ]
    for (const body of bodies)
      expect((await post("/api/class/create", body, { token: records.staff.token })).status).toBe(200)
    expect((await rowsOf(classes)).map((row) => [row.type, row.sessionCount])).toEqual([
      ["recurring", 5],
      ["recurring", 5],
      ["onetime", 1],
      ["onetime", 1],
    ])
  })

  it("returns 422 for missing dates and unknown records, and records nothing", async () => {
    const records = await setup()
    const { token } = records.staff
    const { starttime: _s, ...without } = once(records)
    const recurring = (recurrence: object) => ({
      ...once(records),
      type: "recurring",
      recurrence: { ...weekly, ...recurrence },
    })
    const wrong: [object, string][] = [
      [without, "starttime"],
      [{ ...once(records), endTime: "2027-03-01 09:00" }, "endTime"],
      [{ ...once(records), endTime: "2027-05-01 09:00" }, "endTime"],
      [{ ...once(records), courseId: 999 }, "courseId"],
      [{ ...once(records), instructor: 999 }, "instructor"],
      [{ ...once(records), instructor: (await user({ disabled: true })).id }, "instructor"],
      [{ ...once(records), location: 999 }, "location"],
      [{ ...once(records), studyMaterial: [{ media_id: 999 }] }, "studyMaterial"],
      [{ ...once(records), type: "recurring" }, "recurrence"],
      [recurring({ classDays: ["XX"] }), "recurrence.classDays.0"],
      [recurring({ end: { date: "2027-02-01" } }), "recurrence"],
      [recurring({ end: { date: "2036-03-01" }, frequency: "daily" }), "recurrence"],
      [recurring({ frequency: "daily", interval: 7, classDays: ["TU"], end: { count: 2 } }), "recurrence"],
      [recurring({ startDate: "2027-02-30" }), "recurrence.startDate"],
      [recurring({ startTime: "25:00" }), "recurrence.startTime"],
      [recurring({ end: {} }), "recurrence.end"],
      [recurring({ end: { date: "2027-04-01", count: 2 } }), "recurrence.end"],
    ]
    for (const [body, field] of wrong) {
      const response = await post("/api/class/create", body, { token })
      expect(response.status, JSON.stringify(response.body)).toBe(422)
      expect(Object.keys(response.body.errors), JSON.stringify(response.body)).toContain(field)
    }
    expect(await rowsOf(classes)).toEqual([])
    expect(await rowsOf(auditLogs)).toEqual([])
    const learner = await signedIn("general")
    expect((await post("/api/class/create", once(records), { token: learner.token })).status).toBe(403)
  })

  it("accepts what its edit form read, unchanged, and records nothing", async () => {
    const records = await setup()
    const { token } = records.staff
    const more = { webinarProvider: "Meet", webinar_host_pwd: "s3cret", timeZone: "Europe/Berlin" }
    const bodies = [
      // 02:30 of the later offset: that night it comes twice.
      { ...once(records), ...more, starttime: "2027-10-31T02:30:00.250+01:00", endTime: "2027-10-31 04:00" },
      { ...once(records), ...more, type: "recurring", recurrence: weekly },
    ]
    for (const [index, body] of bodies.entries()) {
      const { id } = (await post("/api/class/create", body, { token })).body
      const read = await get(`/api/class/edit?classId=${id}`, { token })
      const before = [await rowsOf(classes), await rowsOf(classSessions)]
      const response = await post("/api/class/update", read.body.classDetails, { token })
      expect(response.body).toEqual({ message: "Class updated." })
      expect([await rowsOf(classes), await rowsOf(classSessions)]).toEqual(before)
      const again = await get(`/api/class/edit?classId=${id}`, {
        token,
        headers: { "if-none-match": read.headers.get("etag") ?? "" },
      })
      expect(again.status).toBe(304)
      expect(await rowsOf(auditLogs)).toHaveLength(index + 1)
    }
    expect((await rowsOf(classes))[0]?.startAt).toBe(Date.parse("2027-10-31T01:30:00.250Z"))
  })

  it("becomes one-time and recurring again when its type changes", async () => {
    const records = await setup()
    const { token } = records.staff
    const { id } = (
      await post("/api/class/create", { ...once(records), type: "recurring", recurrence: weekly }, { token })
    ).body
    const before = (await rowsOf(classSessions)).map(({ startAt, endAt }) => ({ startAt, endAt }))
    expect(before.length).toBeGreaterThan(1)
    const form = (await get(`/api/class/edit?classId=${id}`, { token })).body.classDetails
    const change = async (body: object) => {
      const response = await post("/api/class/update", { id, ...body }, { token })
      const { classDetails } = (await get(`/api/class/edit?classId=${id}`, { token })).body
      const sessions = (await rowsOf(classSessions)).map(({ startAt, endAt }) => ({ startAt, endAt }))
      return { ...response, classDetails, sessions }
    }
    // The times of the form are those of the whole series.
    for (const body of [{ type: "onetime" }, { ...form, type: "One time" }]) {
      const single = await change(body)
      expect(single).toMatchObject({ status: 200, classDetails: { type: "onetime", recurrence: null } })
      expect(single.sessions).toEqual(before.slice(0, 1))
      const again = await change({ recurrence: weekly })
      expect(again).toMatchObject({ status: 200, classDetails: { ...form, updatedAt: anyIsoTime } })
      expect(again.sessions).toEqual(before)
    }
    const times = { startTime: "2027-05-01 09:00:00", endTime: "2027-05-01 10:00:00" }
    expect(await change({ type: "onetime", ...times })).toMatchObject({ classDetails: { type: "onetime", ...times } })
    expect(await change({ type: "recurring" })).toMatchObject({
      status: 422,
      body: { errors: { recurrence: ["recurrence is required for a recurring class."] } },
      classDetails: { type: "onetime", ...times },
    })
  })

  it("returns 412 when If-Match has another version", async () => {
    const records = await setup()
    const { token } = records.staff
    const { id } = (await post("/api/class/create", once(records), { token })).body
    const etag = (await get(`/api/class/edit?classId=${id}`, { token })).headers.get("etag") ?? ""
    const change = (disabled: boolean) =>
      post("/api/class/update", { id, disabled }, { token, headers: { "if-match": etag } })
    expect((await change(true)).status).toBe(200)
    expect((await change(false)).status).toBe(412)
    expect(await rowsOf(classes)).toMatchObject([{ disabled: true }])
  })

  it("accepts id or classId in the body or the query, and returns 422 for none or two", async () => {
    const records = await setup()
    const { token } = records.staff
    const { id } = (await post("/api/class/create", once(records), { token })).body
    const change = (path: string, body: object) => post(`/api/class/update${path}`, body, { token })
    expect((await change("", { classId: id, webinar_meeting_id: "a" })).status).toBe(200)
    expect((await change(`?classId=${id}`, { webinar_meeting_id: "b" })).status).toBe(200)
    expect((await change(`?id=${id}`, { id: "", webinar_meeting_id: "c" })).status).toBe(200)
    expect((await rowsOf(auditLogs)).map((row) => row.details.webinar_meeting_id)).toEqual([undefined, "a", "b", "c"])
    const nameless = await change("", { courseId: records.algebra.id, webinar_meeting_id: "d" })
    expect([nameless.status, nameless.body.errors]).toEqual([422, { id: [expect.stringContaining("id is required")] }])
    for (const [path, body] of [
      ["", { id, classId: id + 1 }],
      [`?id=${id}`, { id: id + 1 }],
      [`?id=${id}&classId=${id + 1}`, {}],
    ] as const)
      expect(await change(path, { ...body, webinar_meeting_id: "e" })).toMatchObject({
        status: 422,
        body: { errors: { id: [expect.stringContaining("must refer to the same class")] } },
      })
    expect((await change(`?id=${id}`, { id, classId: id })).status).toBe(200)
    expect(await rowsOf(classes)).toMatchObject([{ webinarMeetingId: "c" }])
    expect((await change("", { id: 999, timeZone: "Asia/Tokyo" })).status).toBe(404)
  })

  it("keeps omitted fields, and clears optional ones", async () => {
    const records = await setup()
    const { token } = records.staff
    const online = { webinarProvider: "Meet", webinar_meeting_id: "room", webinar_host_pwd: "s3cret" }
    const { id } = (await post("/api/class/create", { ...once(records), ...online }, { token })).body
    const none = {
      ...{ courseId: 0, instructor: "", allowDownload: null, startTime: null, endTime: "", timeZone: "" },
      ...{ location: "", webinarProvider: null, webinar_meeting_id: "", webinar_host_pwd: null, recurrence: null },
    }
    expect((await post("/api/class/update", { id, ...none }, { token })).status).toBe(200)
    const { classDetails } = (await get(`/api/class/edit?classId=${id}`, { token })).body
    expect(classDetails).toMatchObject({
      ...{ courseId: records.algebra.id, instructor: records.staff.id, allowDownload: true, timeZone: "UTC" },
      ...{ startTime: "2027-03-01 09:30:00", endTime: "2027-03-01 11:00:00", type: "onetime" },
      ...{ location: null, webinarProvider: "", webinar_meeting_id: "", webinar_host_pwd: "" },
    })
  })

  it("returns 409 when a new location has too few seats", async () => {
    const records = await setup()
    const { token } = records.staff
    const small = await location("Cell", 1)
    const trainingClass = await classOf(records.algebra, { locationId: records.hall.id })
    for (const status of ["Registered", "Attended", "Cancelled"] as const)
      await classEnrollment(await user(), trainingClass, { status })
    const move = (to: number) => post("/api/class/update", { id: trainingClass.id, location: to }, { token })
    const refused = await move(small.id)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      "The location has 1 seat, and 2 people are enrolled in the class.",
    ])
    expect((await rowsOf(classes))[0]).toMatchObject({ locationId: records.hall.id, version: 1 })
    await db.update(locations).set({ capacity: 2 }).where(eq(locations.id, small.id))
    expect((await move(small.id)).status).toBe(200)
    const owner = await signedIn("owner")
    const shrink = (capacity: number) =>
      put(`/api/location/${small.id}`, { name: "Cell", capacity }, { token: owner.token })
    const narrowed = await shrink(1)
    expect([narrowed.status, narrowed.body.message]).toEqual([
      409,
      "2 people hold places in a class there: capacity cannot be 1.",
    ])
    expect((await shrink(3)).status).toBe(200)
    await db.update(classes).set({ startAt: 1, endAt: 2 })
    expect((await shrink(1)).status).toBe(200)
  })

  it("prevents the deletion of its course, location, instructor and learners", async () => {
    const records = await setup()
    const owner = await signedIn("owner")
    const ada = await user({ firstName: "Ada", lastName: "L" })
    const trainingClass = await classOf(records.algebra, {
      locationId: records.hall.id,
      instructorId: records.staff.id,
    })
    await classEnrollment(ada, trainingClass)
    const remove = async (path: string, delete_ids: number[]) =>
      (await post(path, { delete_ids }, { token: owner.token })).body
    expect((await remove("/api/course/delete", [records.algebra.id])).message).toContain("1 not deleted")
    expect((await remove("/api/location/delete", [records.hall.id])).message).toContain("they are used by classes")
    expect(await remove("/api/user/delete", [ada.id, records.staff.id])).toMatchObject({
      deletedStudents: [],
      usedInCourses: { "Ada L": [{ id: records.algebra.id, name: "Algebra" }] },
      usedAsInstructors: { "Grace Hopper": [{ id: trainingClass.id, name: "Algebra" }] },
    })
    const all = await post("/api/class/delete-course-classes", { courseId: records.algebra.id }, { token: owner.token })
    expect(all.body).toEqual({ message: "1 class deleted and 1 enrollment removed." })
    expect((await remove("/api/location/delete", [records.hall.id])).message).toBe("1 location deleted.")
  })
})

describe("lists of classes", () => {
  it("are found by course, location, instructor and dates in one round trip", async () => {
    const { staff, algebra, hall } = await setup()
    const botany = await course({ name: "Botany" })
    const lab = await location("Lab")
    const at = (day: string) => Date.parse(`${day}T09:00Z`)
    const first = await classOf(algebra, { startAt: at("2027-01-05"), locationId: hall.id, instructorId: staff.id })
    const second = await classOf(algebra, { startAt: at("2027-02-05"), locationId: lab.id })
    const third = await classOf(botany, { startAt: at("2027-03-05"), locationId: lab.id, instructorId: staff.id })
    const { token } = staff
    const list = async (search_param: object, more: object = {}) => {
      const response = await get(
        `/api/class/tabularlist${query({ page_size: 10, page_number: 1, search_param, ...more })}`,
        { token },
      )
      expect(cost(response).roundTrips).toBe(1)
      return response.body
    }
    expect(await list({})).toMatchObject({ recordsTotal: 3, recordsFiltered: 3 })
    expect((await list({})).records[0]).toEqual({
      id: third.id,
      course_name: "Botany",
      start_time: "Mar 05, 2027 09:00 AM",
      end_time: "Mar 05, 2027 10:00 AM",
      timeZone: "UTC",
      location: "Lab",
      instructor: "Grace Hopper",
      disabled: false,
      courseEdit: `https://lectern.test/api/course/${botany.id}`,
      isAbleToEdit: true,
      startsAt: "2027-03-05T09:00:00.000Z",
      endsAt: "2027-03-05T10:00:00.000Z",
      ...{ courseId: botany.id, instructorId: staff.id, locationId: lab.id, classSize: 0 },
      ...{ createdAt: anyIsoTime, updatedAt: anyIsoTime },
      externalId: null,
    })
    const ids = async (search: object, more: object = {}) =>
      (await list(search, more)).records.map((row: { id: number }) => row.id)
    expect(await ids({ location: "lab" })).toEqual([third.id, second.id])
    expect(await ids({ courseName: "ALG" })).toEqual([second.id, first.id])
    expect(await ids({ dates: ["2027-01-05", "2027-02-05"] })).toEqual([second.id, first.id])
    expect(await ids({ dates: ["", "2027-01-05"] })).toEqual(await ids({ dates: ["1970-01-01", "2027-01-05"] }))
    expect(await ids({ dates: ["", "2026-12-31"] })).toEqual([])
    expect(await ids({ dates: ["2027-01-05", ""] })).toEqual(await ids({ dates: ["2027-01-05"] }))
    const reversed = { page_size: 10, page_number: 1, search_param: { dates: ["2027-02-05", "2027-01-05"] } }
    const turned = await get(`/api/class/tabularlist${query(reversed)}`, { token })
    expect(turned).toMatchObject({ status: 422, body: { errors: { "search_param.dates": [/two dates in order/] } } })
    expect(await ids({ dates: ["2027-02-01"] }, { order_by: "end_time" })).toEqual([second.id, third.id])

    expect(await ids({ instructor: "hopper" }, { order_by: "id" })).toEqual([first.id, third.id])
    expect(await ids({ instructor: "hopper", courseName: "bot" })).toEqual([third.id])

    const seated = await group()
    expect(await ids({}, { group_id: seated.id })).toEqual([])
    expect(
      (await get(`/api/class/tabularlist${query({ page_size: 1, page_number: 1, group_id: 999 })}`, { token })).status,
    ).toBe(404)

    const ofCourse = async (search_param: object) =>
      (await get(`/api/class/get-course-classes${query({ course_id: algebra.id, search_param })}`, { token })).body
    await classEnrollment(await user(), second)
    await classEnrollment(await user(), second, { status: "Cancelled" })
    expect(await ofCourse({ instructor: "hopper" })).toMatchObject({
      courseName: "Algebra",
      recordsTotal: 2,
      recordsFiltered: 1,
    })
    expect((await ofCourse({ location: "lab" })).records).toEqual([
      {
        id: second.id,
        startDate: "Feb 05, 2027",
        endDate: "Feb 05, 2027",
        startTime: "09:00 AM",
        endTime: "10:00 AM",
        timeZone: "UTC",
        location: "Lab",
        instructor: expect.any(String),
        classSize: 1,
        startsAt: "2027-02-05T09:00:00.000Z",
        endsAt: "2027-02-05T10:00:00.000Z",
      },
    ])
    const lookup = await get(`/api/courses/locations/lookup?course_id=${algebra.id}`, { token })
    expect(lookup.body).toEqual({
      0: { id: hall.id, name: "Great hall", courseId: algebra.id, classId: first.id },
      1: { id: lab.id, name: "Lab", courseId: algebra.id, classId: second.id },
    })
    expect((await get("/api/courses/locations/lookup?course_id=999", { token })).status).toBe(404)
    for (const path of ["/api/courses/locations/lookup", "/api/courses/locations/lookup?course_id="])
      expect((await get(path, { token })).body).toEqual({
        ...lookup.body,
        2: { id: lab.id, name: "Lab", courseId: botany.id, classId: third.id },
      })

    // Members of a group see the locations of courses in which the group has seats.
    const member = await signedIn("general")
    const { id: groupId } = await group({ members: [member.id] })
    await db.insert(groupCourseSeats).values({ groupId, courseId: botany.id, totalSeats: 1 })
    const inGroup = `/api/courses/locations/lookup?group_id=${groupId}`
    expect((await get(inGroup, { token: member.token })).body).toEqual({
      0: { id: lab.id, name: "Lab", courseId: botany.id, classId: third.id },
    })
    const { token: stranger } = await signedIn("general")
    expect((await get(inGroup, { token: stranger })).status).toBe(404)

    // By an id as a number, or as digits; digits are looked for in names too.
    for (const id of [lab.id, String(lab.id)]) {
      expect(await ids({ location: id })).toEqual([third.id, second.id])
      expect((await ofCourse({ location: id })).records).toMatchObject([{ id: second.id }])
      const sessions = await get(`/api/class/get-class-schedules${query({ search_param: { location: id } })}`, {
        token,
      })
      expect(sessions.body.classes).toMatchObject([{ location_id: lab.id }, { location_id: lab.id }])
    }
    expect(await ids({ instructor: staff.id })).toEqual([third.id, first.id])
    expect((await ofCourse({ instructor: staff.id })).records).toMatchObject([{ id: first.id }])
    for (const none of [0, "", null]) expect(await ids({ location: none, instructor: none })).toHaveLength(3)
    await db
      .update(locations)
      .set({ name: "Room 999", searchText: searchText("Room 999") })
      .where(eq(locations.id, hall.id))
    expect(await ids({ location: "999" })).toEqual([first.id])
    expect(await ids({ location: 999 })).toEqual([])
    expect((await get("/api/class/get-course-classes?course_id=999", { token })).status).toBe(404)
  })

  it("are limited to the courses of a group or portal, and say who may edit them", async () => {
    const { staff, algebra } = await setup()
    const [admin, stranger] = [await signedIn("group_admin"), await signedIn("group_admin")]
    const ada = await user()
    const ours = await group({ admins: [admin.id], members: [ada.id] })
    const { id: portalId } = await portal({ admins: [admin.id], members: [ada.id] })
    const botany = await course()
    await db.insert(groupCourseSeats).values({ groupId: ours.id, courseId: algebra.id, totalSeats: 5 })
    await post("/api/course/enroll", { course_ids: [botany.id], user_ids: [ada.id] }, { token: staff.token })
    const [first, second] = [await classOf(algebra), await classOf(botany)]
    await classOf()
    const list = (path: string, token: string, more: object) =>
      get(`${path}${query({ page_size: 10, page_number: 1, ...more })}`, { token })
    for (const [bounds, held] of [
      [{ group_id: ours.id }, first],
      [{ portalId }, second],
    ] as const) {
      const { body } = await list("/api/class/tabularlist", admin.token, bounds)
      expect(body).toMatchObject({ recordsTotal: 1, records: [{ id: held.id, isAbleToEdit: false }] })
      const sessions = await list("/api/class/get-class-schedules", admin.token, bounds)
      expect(sessions.body.classes).toMatchObject([{ id: held.id }])
      const ofCourse = { ...bounds, course_id: held.courseId }
      expect((await list("/api/class/get-course-classes", admin.token, ofCourse)).body.recordsTotal).toBe(1)
      for (const path of ["/api/class/tabularlist", "/api/class/get-class-schedules"])
        expect((await list(path, stranger.token, bounds)).status).toBe(404)
      expect((await list("/api/class/get-course-classes", stranger.token, ofCourse)).status).toBe(404)
    }
    const { records } = (await list("/api/class/tabularlist", staff.token, {})).body
    expect(records.map((row: { isAbleToEdit: boolean }) => row.isAbleToEdit)).toEqual([true, true, true])
    expect((await list("/api/class/tabularlist", staff.token, { group_id: ours.id, portalId })).status).toBe(422)
  })

  it("exclude classes of drafts that a supervisor cannot see", async () => {
    const [draft, seatedIn, open] = [
      await course({ name: "Algebra draft", status: "draft" }),
      await course({ name: "Seated draft", status: "draft" }),
      await course({ name: "Open" }),
    ]
    const [hidden, seated, visible] = [await classOf(draft), await classOf(seatedIn), await classOf(open)]
    const [lead, staff] = [await signedIn("group_admin"), await signedIn("staff")]
    const ada = await user()
    const team = await group({ admins: [lead.id], members: [ada.id] })
    await db.insert(groupCourseSeats).values({ groupId: team.id, courseId: seatedIn.id, totalSeats: 5 })
    const list = async (path: string, { token }: { token: string }, more: object = {}) => {
      const response = await get(`${path}${query({ page_size: 10, page_number: 1, ...more })}`, { token })
      const { recordsTotal, recordsFiltered, records, classes: sessions } = response.body
      return [
        response.status,
        recordsTotal,
        recordsFiltered,
        (records ?? sessions)?.map((row: { id: number }) => row.id),
      ]
    }
    const all = { order_by: "id" }
    expect(await list("/api/class/tabularlist", staff, all)).toEqual([200, 3, 3, [hidden.id, seated.id, visible.id]])
    expect(await list("/api/class/tabularlist", lead, all)).toEqual([200, 2, 2, [seated.id, visible.id]])
    expect(await list("/api/class/tabularlist", lead, { search_param: { courseName: "draft" } })).toEqual([
      200,
      2,
      1,
      [seated.id],
    ])
    expect(await list("/api/class/tabularlist", lead, { group_id: team.id })).toEqual([200, 1, 1, [seated.id]])
    const sessions = (by: { token: string }, more = {}) => list("/api/class/get-class-schedules", by, more)
    expect((await sessions(lead))[3]).toEqual([seated.id, visible.id])
    expect((await sessions(lead, { courseId: draft.id }))[3]).toEqual([])
    expect((await sessions(lead, { classId: hidden.id }))[3]).toEqual([])
    expect((await sessions(staff, { courseId: draft.id }))[3]).toEqual([hidden.id])
    expect((await list("/api/class/get-course-classes", lead, { course_id: draft.id }))[0]).toBe(404)
    expect((await list("/api/class/get-course-classes", lead, { course_id: seatedIn.id }))[0]).toBe(200)
    expect((await list("/api/class/get-course-classes", staff, { course_id: draft.id }))[0]).toBe(200)

    const enroll = { studentIds: [ada.id] }
    const students = { class_id: hidden.id }
    expect((await post(`/api/class/enroll/${hidden.id}`, enroll, { token: lead.token })).status).toBe(404)
    expect((await list("/api/class/enrolled-students", lead, students))[0]).toBe(404)
    expect((await list("/api/class/reports/class-detailed", lead, students))[0]).toBe(404)
    expect((await post(`/api/class/remove/${hidden.id}`, { enrollmentIds: [1] }, { token: lead.token })).status).toBe(
      404,
    )
    const enrolled = await classEnrollment(ada, hidden)
    expect(await list("/api/class/enrolled-students", lead, students)).toEqual([200, 1, 1, [enrolled.id]])
  })

  it("cost the same for any number of classes", async () => {
    const { staff, algebra } = await setup()
    await classOf(algebra)
    await db.run(
      `
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
        insert into classes (id, course_id, type, disabled, allow_download, instructor_id, start_at, end_at,
          session_count, created_at)
        select 1000 + i, ${algebra.id}, 'onetime', 0, 1, ${staff.id}, 1000 * i, 1000 * i + 500, 1, 1
        from n`,
    )
    await db.run(
      `
        insert into class_sessions (id, class_id, course_id, start_at, end_at)
        select id, id, course_id, start_at, end_at
        from classes
        where id > 1000`,
    )
    const ours = await group()
    await db.insert(groupCourseSeats).values({ groupId: ours.id, courseId: algebra.id, totalSeats: 5 })
    const secondsOf1970 = ["1970-01-01T00:00:01Z", "1970-01-01T00:00:20Z"]
    const paths = [
      ...["id", "start_time", "end_time"].map(
        (order_by) => `/api/class/tabularlist${query({ page_size: 20, page_number: 1, order_by })}`,
      ),
      ...["id", "startDate", "endDate", "classSize"].map(
        (order_by) => `/api/class/get-course-classes${query({ course_id: algebra.id, page_size: 20, order_by })}`,
      ),
      ...["id", "start_time", "end_time"].flatMap((order_by) =>
        [{ group_id: ours.id }, { search_param: { courseName: "alg" } }].map(
          (more) => `/api/class/tabularlist${query({ page_size: 20, page_number: 1, order_by, ...more })}`,
        ),
      ),
      `/api/class/get-class-schedules${query({ page_size: 20, group_id: ours.id })}`,
      `/api/class/get-class-schedules${query({ page_size: 20 })}`,
      `/api/class/get-class-schedules${query({ page_size: 20, search_param: { dates: secondsOf1970 } })}`,
      `/api/class/get-class-schedules${query({ courseId: algebra.id, page_size: 20 })}`,
      `/api/class/get-class-schedules${query({ classId: 1001, page_size: 20 })}`,
    ]
    const sorts = /order_by=(end|classSize)|course_id.*order_by=id/
    for (const path of paths) {
      const response = await get(path, { token: staff.token })
      expect(response.status, path).toBe(200)
      expect(response.body.recordsTotal ?? 3001, path).toBe(3001)
      expect(response.body.recordsFiltered ?? 3001, path).toBe(3001)
      expect(cost(response).read, path).toBeLessThan(20 * 20 + 200 + (sorts.test(path) ? 4 * 3001 : 0))
    }
    const [botany, theirs] = [await course({ name: "Botany" }), await group()]
    const { id } = await classOf(botany)
    await db.insert(groupCourseSeats).values({ groupId: theirs.id, courseId: botany.id, totalSeats: 5 })
    for (const more of [{ group_id: theirs.id }, { search_param: { courseName: "bot" } }]) {
      const few = await get(`/api/class/tabularlist${query({ page_size: 20, page_number: 1, ...more })}`, {
        token: staff.token,
      })
      expect(few.body).toMatchObject({ recordsFiltered: 1, records: [{ id }] })
      expect(cost(few).read).toBeLessThan(100)
    }
  })
})
