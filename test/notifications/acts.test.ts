import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { classSessions } from "../../drizzle/schema/classes.ts"
import { notifications } from "../../drizzle/schema/notifications.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { ClassStatus } from "../../drizzle/statuses.ts"
import { DAY, HOUR } from "../../src/lib/clock.ts"
import { sendClassReminders } from "../../src/modules/classes/class-notices.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { cost, post, put } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"

const NOON = Date.UTC(2026, 10, 25, 12)
const atNoon = () => vi.useFakeTimers({ toFake: ["Date"], now: NOON })

describe("users who are enrolled by someone else", () => {
  it("are notified, with a link to the course", async () => {
    const staff = await signedIn("staff")
    const [ada, bob] = [await user({ firstName: "Ada" }), await user({ disabled: true })]
    const { id } = await course({ name: "Algebra" })
    const enrolled = await post("/api/course/enroll", { course_ids: [id], user_ids: [ada.id, bob.id, staff.id] }, staff)
    expect(enrolled).toMatchObject({ status: 200, body: { enrolled: 3 } })
    expect(cost(enrolled).roundTrips).toBe(2)
    expect(await rowsOf(notifications)).toMatchObject([
      { userId: ada.id, kind: "enrolled", variables: { course: "Algebra" }, path: `/console/learning/${id}/2` },
    ])
    expect(await delivered()).toMatchObject([{ to: ada.email, subject: "You are enrolled in Algebra" }])
  })

  it("are not notified of records, of a repetition, or if the call says so", async () => {
    const staff = await signedIn("staff")
    const [ada, bob] = [await user(), await user()]
    const [one, two] = [await course(), await course()]
    const enroll = (input: object) => post("/api/course/enroll", { course_ids: [one.id], ...input }, staff)
    expect((await enroll({ user_ids: [ada.id], completed_on: "2024-05-06" })).body.enrolled).toBe(1)
    expect((await enroll({ user_ids: [bob.id], notify: false })).body.enrolled).toBe(1)
    expect(await rowsOf(notifications)).toEqual([])
    expect((await enroll({ course_ids: [one.id, two.id], user_ids: [ada.id] })).body.enrolled).toBe(1)
    expect(await rowsOf(notifications)).toHaveLength(1)
  })
})

describe("the evaluation of a submission", () => {
  it("is notified as returned or graded", async () => {
    const staff = await signedIn("staff")
    const ada = await signedIn("general")
    const { id: moduleId } = await module({
      type: "assignment",
      name: "Essay",
      totalPoints: 20,
      submissionType: "text",
    })
    const inCourse = await course({ name: "Algebra" }, [{ moduleId }, {}])
    const { id: registrationId } = await enrollment(ada, inCourse)
    const place = { registrationId, moduleId }
    const submit = () => post("/api/module/assignment/submit", { ...place, submission: "<p>Work</p>" }, ada)
    const evaluate = (evaluation: object) => post("/api/module/assignment/evaluate", { ...place, evaluation }, staff)
    await submit()
    expect((await evaluate({ isAccepted: false })).status).toBe(200)
    await submit()
    expect((await evaluate({ isAccepted: true, pointsAwarded: 18 })).status).toBe(200)
    const path = `/console/learning/${inCourse.id}/${registrationId}`
    expect(await rowsOf(notifications)).toMatchObject([
      { userId: ada.id, kind: "submission_returned", path, variables: { assignment: "Essay", course: "Algebra" } },
      { userId: ada.id, kind: "submission_graded", path, variables: { grade: "18 / 20" } },
    ])
    const sent = await delivered()
    expect(sent.map(({ subject }) => subject)).toEqual(["Essay needs changes", "Essay was graded"])
    expect(sent[1]?.text).toContain("Grade: 18 / 20")
  })
})

describe("a class", () => {
  const inTwoDays = { startAt: NOON + 2 * DAY, endAt: NOON + 2 * DAY + HOUR }

  it("that moves is notified to its registered users with the new time", async () => {
    atNoon()
    const staff = await signedIn("staff")
    const [ada, eve] = [await user({ timeZone: "Europe/Madrid" }), await user()]
    const inClass = await classOf(undefined, inTwoDays)
    const { id } = inClass
    await classEnrollment(ada, inClass)
    await classEnrollment(eve, inClass, { status: ClassStatus.Cancelled })
    const moved = { id, startTime: "2026-11-28 10:00", endTime: "2026-11-28 11:00" }
    const answer = await post("/api/class/update", moved, staff)
    expect(answer).toMatchObject({ status: 200, body: { message: "Class updated." } })
    expect(cost(answer).roundTrips).toBe(2)
    const [mail, ...others] = await delivered()
    expect(others).toEqual([])
    expect(mail?.to).toBe(ada.email)
    expect(mail?.text).toMatch(/It now starts on November 28, 2026 at 11:00\sAM GMT\+1\./)
    expect(mail?.text).toContain(`Add to calendar:\nhttps://lectern.test/api/class/calendar/${id}`)
    // A change of its material is no news.
    await post("/api/class/update", { id, allowDownload: true }, staff)
    expect(await rowsOf(notifications)).toHaveLength(1)
  })

  it("that is deleted is notified as canceled, unless it has ended", async () => {
    atNoon()
    const staff = await signedIn("staff")
    const ada = await user()
    const upcoming = await classOf(undefined, inTwoDays)
    const ended = await classOf(undefined, { startAt: NOON - DAY, endAt: NOON - DAY + HOUR })
    for (const inClass of [upcoming, ended]) {
      await classEnrollment(ada, inClass)
      expect((await post("/api/class/delete", { classId: inClass.id }, staff)).status).toBe(200)
    }
    expect(await rowsOf(notifications)).toMatchObject([{ userId: ada.id, kind: "class_canceled" }])
    expect(await delivered()).toHaveLength(1)
  })

  it("that starts within a day is reminded of, once, after a kill too", async () => {
    atNoon()
    const people = [await user(), await user(), await user({ disabled: true })]
    const inClass = await classOf(undefined, inTwoDays)
    const { id } = inClass
    for (const person of people) await classEnrollment(person, inClass)
    await sendClassReminders(env)
    expect(await rowsOf(notifications)).toEqual([])
    vi.setSystemTime(NOON + DAY)
    await Promise.all([sendClassReminders(env), sendClassReminders(env)])
    await sendClassReminders(env)
    // A run that was killed before it stored its position.
    await db.update(classSessions).set({ remindedTo: 0 }).where(sql`${classSessions.classId} = ${id}`)
    await sendClassReminders(env)
    expect((await rowsOf(notifications)).map(({ userId, kind }) => [userId, kind])).toEqual([
      [people[0]?.id, "class_reminder"],
      [people[1]?.id, "class_reminder"],
    ])
    expect(await rowsOf(outbox)).toHaveLength(2)
    expect(await rowsOf(classSessions)).toMatchObject([{ remindedTo: -1 }])
  })
})

describe("a recurring class", () => {
  const weekly = { classDays: [], startDate: "2026-11-19", startTime: "09:00", endTime: "10:00", frequency: "weekly" }

  /** A class on three Thursdays, with the first one in the past. */
  async function recurringClass() {
    atNoon()
    const staff = await signedIn("staff")
    const ada = await user()
    const { id: courseId } = await course({ name: "Algebra" })
    const input = { courseId, instructor: staff.id, allowDownload: true, disabled: false, type: "recurring" }
    const { body } = await post("/api/class/create", { ...input, recurrence: { ...weekly, end: { count: 3 } } }, staff)
    await post(`/api/class/enroll/${body.id}`, { studentIds: [ada.id] }, staff)
    return { id: body.id as number, staff }
  }

  it("that gets more sessions is reminded of each session once", async () => {
    const { id, staff } = await recurringClass()
    await sendClassReminders(env)
    const recurrence = { ...weekly, end: { count: 4 } }
    expect((await post("/api/class/update", { id, recurrence }, staff)).status).toBe(200)
    await sendClassReminders(env)
    expect((await rowsOf(notifications)).map(({ kind }) => kind)).toEqual(["class_reminder", "class_changed"])
  })

  it("that moves or is canceled is notified with its next session", async () => {
    const { id, staff } = await recurringClass()
    const recurrence = { ...weekly, startTime: "10:00", endTime: "11:00", end: { count: 3 } }
    expect((await post("/api/class/update", { id, recurrence }, staff)).status).toBe(200)
    expect((await post("/api/class/delete", { classId: id }, staff)).status).toBe(200)
    const startsAt = Date.UTC(2026, 10, 26, 10)
    expect(await rowsOf(notifications)).toMatchObject([
      { kind: "class_changed", variables: { starts_at: startsAt } },
      { kind: "class_canceled", variables: { starts_at: startsAt } },
    ])
  })
})

describe("an announcement", () => {
  it("is mailed with its content, a link to unsubscribe, and only to people who want it at once", async () => {
    const staff = await signedIn("staff", { firstName: "Sam" })
    const [off, daily] = [await signedIn("general"), await signedIn("general")]
    for (const [person, mail] of [
      [off, "never"],
      [daily, "daily"],
    ] as const)
      await put("/api/notification-preferences", { records: [{ kind: "announcement", mail }] }, person)
    const body = { heading: "News", content: "<p>Doors <b>open</b></p>", sending_rules: "all" }
    expect((await post("/api/announcement", body, staff)).status).toBe(200)
    const [mail, ...others] = await delivered()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: staff.email, subject: "News" })
    expect(mail?.text).toMatch(/^Hello Sam,\n\nDoors open\n\nLectern\n\n/)
    expect(mail?.html).toContain("<p>Doors <b>open</b></p>")
    expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click")
    expect(await rowsOf(notifications)).toMatchObject([{ userId: daily.id, isListed: false, inDigest: true }])
  })
})

describe("notifications of acts", () => {
  it("follow the preferences of each person", async () => {
    const staff = await signedIn("staff")
    const ada = await signedIn("general")
    const { id } = await course()
    const choice = { kind: "enrolled", mail: "never", inApp: false }
    expect((await put("/api/notification-preferences", { records: [choice] }, ada)).status).toBe(200)
    await post("/api/course/enroll", { course_ids: [id], user_ids: [ada.id] }, staff)
    expect(await rowsOf(notifications)).toEqual([])
    expect(await rowsOf(outbox)).toEqual([])
  })
})
