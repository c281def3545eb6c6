import { env } from "cloudflare:workers"
import { afterEach, describe, expect, it } from "vitest"
import { classes, classSessions } from "../../drizzle/schema/classes.ts"
import { classEnrollment } from "../factories/classes.ts"
import { rowsOf, signedIn } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { get, post, query } from "../helpers/client.ts"

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

const TIMES = ["startDate", "endDate", "startTime", "endTime", "start_time", "end_time", "start", "end"]

/** Every object of every answer and of every named schema, as the OpenAPI document has it. */
async function answeredObjects(): Promise<Schema[]> {
  const { paths, components } = (await get("/openapi.json")).body
  const within = (schema: Schema): Schema[] => {
    const { properties = {}, items, anyOf = [] } = schema
    const parts = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
    return [...(schema.properties ? [schema] : []), ...parts.flatMap(within)]
  }
  const answers: Schema[] = Object.values<Record<string, { responses?: Record<string, Json> }>>(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses = {} }) => Object.values(responses))
    .flatMap((answer) => answer.content?.["application/json"]?.schema ?? [])
  return [...answers, ...Object.values<Schema>(components.schemas)].flatMap(within)
}

// biome-ignore lint/suspicious/noExplicitAny: any member of the OpenAPI document is read
type Json = any

afterEach(() => {
  env.TIME_ZONE = "UTC"
})

const MONDAYS = {
  ...{ classDays: ["MO"], startDate: "2027-03-15", startTime: "10:00", endTime: "11:30", interval: 1 },
  ...{ frequency: "weekly", end: { count: 3 } },
}

async function setup() {
  const staff = await signedIn("staff")
  const { id: courseId } = await course({ name: "Algebra" })
  const common = { courseId, instructor: staff.id, allowDownload: true, disabled: false }
  const create = async (overrides: object) => (await post("/api/class/create", { ...common, ...overrides }, staff)).body
  const edit = async (id: number) => (await get(`/api/class/edit?classId=${id}`, staff)).body.classDetails
  const change = async (id: number, overrides: object) => post("/api/class/update", { id, ...overrides }, staff)
  return { staff, courseId, create, edit, change }
}

const instants = async () => (await rowsOf(classSessions)).map(({ startAt }) => new Date(startAt).toISOString())

describe("the time zone of a class", () => {
  it("preserves wall times across daylight saving time", async () => {
    const { staff, courseId, create } = await setup()
    const { id } = await create({ recurrence: MONDAYS, timeZone: "Europe/Berlin" })
    expect(await instants()).toEqual([
      "2027-03-15T09:00:00.000Z",
      "2027-03-22T09:00:00.000Z",
      "2027-03-29T08:00:00.000Z",
    ])
    const schedule = await get(`/api/class/get-class-schedules?courseId=${courseId}`, staff)
    expect(schedule.body.classes[2]).toMatchObject({
      ...{ id, startDate: "Mar 29, 2027", startTime: "10:00 AM", endTime: "11:30 AM" },
      start_time: "2027-03-29T08:00:00.000Z",
    })
  })

  it("is in every response with times of the class", async () => {
    const { staff, courseId, create, edit } = await setup()
    const { id } = await create({
      ...{ starttime: "2027-07-01 23:30", endTime: "2027-07-02 01:00", timeZone: "America/New_York" },
      webinarProvider: "Meet",
    })
    const [trainingClass] = await rowsOf(classes)
    if (!trainingClass) throw new Error("No class")
    expect(new Date(trainingClass.startAt).toISOString()).toBe("2027-07-02T03:30:00.000Z")
    const ada = await signedIn("general")
    const { id: registrationId } = await classEnrollment(ada, trainingClass)
    const read = async (path: string, parameters: object = {}) =>
      (await get(`${path}${query({ page_size: 10, page_number: 1, ...parameters })}`, staff)).body
    const timeZone = "America/New_York"
    const clocks = { startTime: "11:30 PM", endTime: "01:00 AM", timeZone }
    const when = { startDate: "Jul 01, 2027", endDate: "Jul 02, 2027", ...clocks }
    const [start, end] = ["Jul 01, 2027 11:30 PM", "Jul 02, 2027 01:00 AM"]
    expect((await read("/api/class/tabularlist")).records).toMatchObject([
      { start_time: start, end_time: end, timeZone },
    ])
    expect((await read("/api/class/get-course-classes", { course_id: courseId })).records).toMatchObject([when])
    expect((await read("/api/class/get-class-schedules")).classes).toMatchObject([when])
    expect(await read("/api/class/enrolled-students", { class_id: id })).toMatchObject(when)
    expect(await read("/api/class/study-material", { registrationId })).toMatchObject({ ...when, start, end })
    expect((await read("/api/users/enrolled-classes", { user_id: ada.id })).records).toMatchObject([
      { ...when, start, end, class: `Algebra, ${start}` },
    ])
    expect((await read("/api/user/class/reports", { user_id: ada.id })).records).toMatchObject([
      { start_time: start, end_time: end, timeZone },
    ])
    expect((await read("/api/class/reports/class-detailed", { class_id: id })).records).toMatchObject([
      { started_on: start, completed_on: end, timeZone },
    ])
    expect(await read("/api/class/reports/overview")).toMatchObject({
      startDate: [start],
      endDate: [end],
      timeZone: [timeZone],
    })
    const plain = { startTime: "2027-07-01 23:30:00", endTime: "2027-07-02 01:00:00" }
    for (const recordedAt of ["2027-07-01 23:45", undefined])
      await post(
        "/api/class-recording/create",
        { classId: id, name: "One", url: "https://meet.example/1", recordedAt },
        staff,
      )
    expect(await read("/api/class/webinar/details", { registrationId })).toMatchObject({
      ...{ ...plain, timeZone, webinarTimezone: timeZone, duration: 90 },
      recordings: [{ recorded_on: "Jul 01, 2027" }, { recorded_on: "Jul 02, 2027" }],
      webinarDetails: {
        message: "The webinar opens 15 minutes before it starts, at Jul 01, 2027 11:15 PM America/New_York.",
      },
    })
    expect(await edit(id)).toMatchObject({ ...plain, timeZone: "America/New_York" })
  })

  it("defaults to the academy's, and then to UTC", async () => {
    const { create, edit } = await setup()
    for (const [academy, given, zone] of [
      ["Asia/Tokyo", {}, "Asia/Tokyo"],
      ["Asia/Tokyo", { timeZone: "europe/paris" }, "Europe/Paris"],
      ["Middle/Earth", { timeZone: null }, "UTC"],
    ] as const) {
      env.TIME_ZONE = academy
      const { id } = await create({ starttime: "2027-01-01 09:00", endTime: "2027-01-01 10:00", ...given })
      expect(await edit(id)).toMatchObject({ timeZone: zone, startTime: "2027-01-01 09:00:00" })
    }
    expect(await instants()).toEqual([
      "2027-01-01T00:00:00.000Z",
      "2027-01-01T08:00:00.000Z",
      "2027-01-01T09:00:00.000Z",
    ])
    for (const timeZone of ["Middle/Earth", "+02:00", 7])
      expect((await create({ starttime: "2027-01-01", endTime: "2027-01-02", timeZone })).errors).toHaveProperty(
        "timeZone",
      )
  })

  it("is the academy's for searches by days and months", async () => {
    env.TIME_ZONE = "Asia/Tokyo"
    const { staff, courseId, create } = await setup()
    // The first of June there, still May in UTC.
    const { id } = await create({ starttime: "2027-06-01 08:00", endTime: "2027-06-01 08:30" })
    const [trainingClass] = await rowsOf(classes)
    if (!trainingClass) throw new Error("No class")
    await classEnrollment(await signedIn("general"), trainingClass)
    const found = async (path: string, parameters: object) =>
      (await get(`${path}${query({ page_size: 10, page_number: 1, ...parameters })}`, staff)).body.recordsFiltered
    for (const [day, count] of [
      ["2027-05-31", 0],
      ["2027-06-01", 1],
      ["2027-06-02", 0],
    ] as const) {
      const search_param = { dates: [day, day] }
      expect(await found("/api/class/tabularlist", { search_param })).toBe(count)
      expect(await found("/api/class/get-course-classes", { course_id: courseId, search_param })).toBe(count)
      for (const key of ["started_on", "completed_on"]) {
        expect(await found("/api/class/reports/class-detailed", { class_id: id, search_param: { [key]: day } })).toBe(
          count,
        )
        expect(await found("/api/user/class/reports", { search_param: { [key]: day } })).toBe(count)
      }
    }
    const instants = { dates: ["2027-05-31T22:00:00Z", "2027-06-01T00:00:00Z"] }
    expect(await found("/api/class/tabularlist", { search_param: instants })).toBe(1)
    for (const [selectedMonth, labels] of [
      ["May 2027", []],
      ["2027-06", ["Algebra"]],
    ] as const)
      expect((await get(`/api/class/reports/overview${query({ selectedMonth })}`, staff)).body.labels).toEqual(labels)
  })

  it("reads times with an offset as instants", async () => {
    const { create, edit } = await setup()
    const times = { starttime: "2027-01-01T09:00:00Z", endTime: "2027-01-01T12:00:00+02:00" }
    const { id } = await create({ ...times, timeZone: "Asia/Tokyo" })
    expect(await edit(id)).toMatchObject({ startTime: "2027-01-01 18:00:00", endTime: "2027-01-01 19:00:00" })
  })

  it("preserves the wall times when only the zone changes", async () => {
    const { create, edit, change } = await setup()
    const once = await create({ starttime: "2027-07-01 09:00", endTime: "2027-07-01 10:00", timeZone: "Europe/Berlin" })
    expect((await change(once.id, { timeZone: "Asia/Tokyo" })).status).toBe(200)
    expect(await edit(once.id)).toMatchObject({ timeZone: "Asia/Tokyo", startTime: "2027-07-01 09:00:00" })
    expect(await instants()).toEqual(["2027-07-01T00:00:00.000Z"])
    await change(once.id, { timeZone: "UTC", startTime: "2027-07-01 08:00" })
    expect(await edit(once.id)).toMatchObject({ startTime: "2027-07-01 08:00:00", endTime: "2027-07-01 10:00:00" })

    const weekly = await create({ recurrence: MONDAYS })
    expect((await change(weekly.id, { timeZone: "Europe/Berlin" })).status).toBe(200)
    expect((await instants()).slice(1)).toEqual([
      "2027-03-15T09:00:00.000Z",
      "2027-03-22T09:00:00.000Z",
      "2027-03-29T08:00:00.000Z",
    ])
    expect(await edit(weekly.id)).toMatchObject({ timeZone: "Europe/Berlin", recurrence: MONDAYS })
  })

  it("moves a start that daylight saving time skips, with the session's duration", async () => {
    const { staff, create, edit, change } = await setup()
    const timeZone = "Europe/Berlin"
    const sessions = async () =>
      (await rowsOf(classSessions)).map(({ startAt, endAt }) =>
        [startAt, endAt].map((at) => new Date(at).toISOString()),
      )
    // On 2027-03-28 the clocks go from 02:00 to 03:00.
    const rule = { ...MONDAYS, classDays: ["SU"], startTime: "02:15", endTime: "03:10" }
    const weekly = await create({ recurrence: { ...rule, startDate: "2027-03-21" }, timeZone })
    expect(await sessions()).toEqual([
      ["2027-03-21T01:15:00.000Z", "2027-03-21T02:10:00.000Z"],
      ["2027-03-28T01:15:00.000Z", "2027-03-28T02:10:00.000Z"],
      ["2027-04-04T00:15:00.000Z", "2027-04-04T01:10:00.000Z"],
    ])
    await post("/api/class/delete", { classId: weekly.id }, staff)

    await create({ recurrence: { ...rule, startDate: "2027-03-28", startTime: "23:00", endTime: "05:00" }, timeZone })
    await create({
      recurrence: { ...rule, startDate: "2027-03-27", classDays: ["SA"], startTime: "23:00", endTime: "05:00" },
      timeZone,
    })
    const hours = (await rowsOf(classSessions)).map(({ startAt, endAt }) => (endAt - startAt) / 3_600_000)
    expect(hours).toEqual([6, 6, 6, 6, 6, 6])
    for (const { id } of await rowsOf(classes)) await post("/api/class/delete", { classId: id }, staff)

    const once = await create({ starttime: "2027-03-28 02:15", endTime: "2027-03-28 03:10", timeZone })
    expect(await edit(once.id)).toMatchObject({ startTime: "2027-03-28 03:15:00", endTime: "2027-03-28 04:10:00" })
    expect((await change(once.id, await edit(once.id))).status).toBe(200)
    expect(await sessions()).toEqual([["2027-03-28T01:15:00.000Z", "2027-03-28T02:10:00.000Z"]])
    await change(once.id, { timeZone: "UTC", startTime: "2027-03-28 02:15", endTime: "2027-03-28 03:10" })
    expect((await change(once.id, { timeZone })).status).toBe(200)
    expect(await sessions()).toEqual([["2027-03-28T01:15:00.000Z", "2027-03-28T02:10:00.000Z"]])
    const reversedTimes = { starttime: "2027-03-28 03:20", endTime: "2027-03-28 02:15", timeZone }
    expect((await create(reversedTimes)).errors).toEqual({ endTime: ["endTime must be after startTime."] })
  })

  it("gives the calendar rule the sessions of the schedule, also after a skipped start", async () => {
    const { courseId, create } = await setup()
    const ada = await signedIn("general")
    for (const startDate of ["2027-03-21", "2027-03-28"]) {
      const recurrence = { ...MONDAYS, classDays: ["SU"], startTime: "02:15", endTime: "03:10", startDate }
      const { id } = await create({ recurrence, timeZone: "Europe/Berlin" })
      const trainingClass = (await rowsOf(classes)).find((row) => row.id === id)
      if (!trainingClass) throw new Error("No class")
      await classEnrollment(ada, trainingClass)
    }
    const { records } = (await get(`/api/users/enrolled-classes${query({ page_size: 9, page_number: 1 })}`, ada)).body
    const calendars = []
    for (const { add_calendar_link: link } of records) calendars.push((await get(new URL(link).pathname, ada)).body)
    expect(courseId).toBe(1)
    expect(calendars.map((text: string) => text.match(/^DT(START|END);.*$/gm))).toEqual([
      ["DTSTART;TZID=Europe/Berlin:20270328T021500", "DTEND;TZID=Europe/Berlin:20270328T041000"],
      ["DTSTART;TZID=Europe/Berlin:20270321T021500", "DTEND;TZID=Europe/Berlin:20270321T031000"],
    ])
  })

  it("is next to the times of a class in every response", async () => {
    const objects = await answeredObjects()
    const timed = objects.filter(({ properties = {} }) => TIMES.some((name) => name in properties))
    expect(timed.length).toBeGreaterThan(10)
    // A rule is in the time zone of its class.
    const bare = timed.filter(({ properties = {} }) => !("timeZone" in properties) && !("frequency" in properties))
    expect(bare.map(({ properties }) => Object.keys(properties ?? {}))).toEqual([])
  })
})
