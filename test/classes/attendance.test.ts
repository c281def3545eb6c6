import { eq } from "drizzle-orm"
import { beforeEach, describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { gamificationAwards } from "../../drizzle/schema/badges.ts"
import { classEnrollments, classes, classSessions } from "../../drizzle/schema/classes.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, group, nextId, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post, query } from "../helpers/client.ts"

const DAY = 86_400_000
const STARTS = [5, 12, 19].map((day) => Date.UTC(2026, 0, day, 9))

type Staff = { token: string }

/** A class with three weekly sessions. */
async function weeklyClass() {
  const row = await classOf(await course({ name: "Algebra" }), { startAt: STARTS[0] ?? 0, sessionCount: 3 })
  for (const startAt of STARTS.slice(1))
    await db.insert(classSessions).values({
      ...{ id: await nextId("class_sessions"), classId: row.id, courseId: row.courseId },
      ...{ startAt, endAt: startAt + 3_600_000 },
    })
  return row
}

const list = (classId: number, { token }: Staff, parameters: object = {}) =>
  get(`/api/class/attendance${query({ class_id: classId, page_size: 50, page_number: 1, ...parameters })}`, { token })

const mark = (sessionId: number, marks: [registrationId: number, attendance: string | null][], { token }: Staff) =>
  post(
    "/api/class/attendance",
    { sessionId, marks: marks.map(([registrationId, attendance]) => ({ registrationId, attendance })) },
    { token },
  )

describe("the attendance in the sessions of a class", () => {
  let staff: Awaited<ReturnType<typeof signedIn>>
  let trainingClass: Awaited<ReturnType<typeof weeklyClass>>
  let sessionIds: number[]

  beforeEach(async () => {
    staff = await signedIn("staff")
    trainingClass = await weeklyClass()
    sessionIds = (await rowsOf(classSessions)).filter(({ classId }) => classId === trainingClass.id).map(({ id }) => id)
  })

  const registrationOf = async (person: Parameters<typeof classEnrollment>[0], values: object = {}) =>
    classEnrollment(person, trainingClass, values)
  const statusOf = async (id: number) =>
    (await db.select().from(classEnrollments).where(eq(classEnrollments.id, id)))[0]?.status

  it("is recorded for one session at once and listed by session in one round trip", async () => {
    const ada = await registrationOf(await user({ firstName: "Ada", lastName: "Byron" }))
    const bob = await registrationOf(await user({ firstName: "Bob", lastName: "Carter" }))
    const [first = 0, second = 0] = sessionIds
    const saved = await mark(
      first,
      [
        [ada.id, "present"],
        [bob.id, "absent"],
        [999_999, "late"],
      ],
      staff,
    )
    expect(saved.body).toEqual({
      message: "Attendance of 2 learners changed. 1 id skipped.",
      changed: 2,
      skipped: 1,
      records: [
        { registrationId: ada.id, status: "Registered" },
        { registrationId: bob.id, status: "Registered" },
      ],
    })
    expect(cost(saved).roundTrips).toBe(2)
    await mark(second, [[ada.id, "excused"]], staff)
    const listed = await list(trainingClass.id, staff)
    expect(listed.body).toMatchObject({
      recordsTotal: 2,
      courseName: "Algebra",
      timeZone: "UTC",
      sessions: [
        { id: first, day: "2026-01-05", startsAt: "2026-01-05T09:00:00.000Z" },
        { id: second, day: "2026-01-12" },
        { day: "2026-01-19" },
      ],
      records: [
        { id: ada.id, first_name: "Ada", status: "Registered", attendance: ["present", "excused", null] },
        { id: bob.id, attendance: ["absent", null, null] },
      ],
    })
    expect(cost(listed).roundTrips).toBe(1)
    expect((await rowsOf(auditLogs)).at(0)).toMatchObject({
      subject: "class attendance",
      subjectId: trainingClass.id,
      details: {
        session: "2026-01-05T09:00:00.000Z",
        attendance: [
          { user_id: ada.userId, attendance: "present", status: "Registered" },
          { user_id: bob.userId, attendance: "absent", status: "Registered" },
        ],
      },
    })
  })

  it.each([
    [["present", "late", "absent"], "Attended"],
    [["present", "absent", "absent"], "No Show"],
    [["present", "absent", "excused"], "Attended"],
    [["excused", "excused", "excused"], "Registered"],
    [["absent", "absent", null], "Registered"],
  ])("%j makes the status %s", async (marks, status) => {
    const { id } = await registrationOf(await user())
    for (const [index, attendance] of marks.entries())
      await mark(sessionIds[index] ?? 0, [[id, attendance as string | null]], staff)
    expect(await statusOf(id)).toBe(status)
  })

  it("follows from a status that is set for the whole class, which later marks change", async () => {
    const { id } = await registrationOf(await user())
    await mark(sessionIds[0] ?? 0, [[id, "absent"]], staff)
    await get(`/api/class/update-class-status${query({ id, status: "Attended" })}`, { token: staff.token })
    const attended = await list(trainingClass.id, staff)
    expect(attended.body.records).toMatchObject([{ status: "Attended", attendance: ["present", "present", "present"] }])
    for (const sessionId of sessionIds.slice(1)) await mark(sessionId, [[id, "absent"]], staff)
    const after = await list(trainingClass.id, staff)
    expect(after.body.records).toMatchObject([{ status: "No Show", attendance: ["present", "absent", "absent"] }])
    await mark(sessionIds[2] ?? 0, [[id, null]], staff)
    expect(await statusOf(id)).toBe("Registered")
  })

  it("is kept when the registration is canceled and restored", async () => {
    const { id } = await registrationOf(await user())
    await mark(sessionIds[0] ?? 0, [[id, "late"]], staff)
    for (const status of ["Cancelled", "Registered"]) {
      const set = await get(`/api/class/update-class-status${query({ id, status })}`, { token: staff.token })
      expect(set.status).toBe(200)
    }
    expect((await list(trainingClass.id, staff)).body.records).toMatchObject([
      { status: "Registered", attendance: ["late", null, null] },
    ])
    const webinar = `/api/users/update-webinar-status${query({ ids: [id], status: "No Show" })}`
    expect((await get(webinar, { token: staff.token })).status).toBe(200)
    expect((await list(trainingClass.id, staff)).body.records).toMatchObject([
      { status: "No Show", attendance: ["absent", "absent", "absent"] },
    ])
  })

  it("awards points once the class is attended", async () => {
    const { id, userId } = await registrationOf(await user())
    const event = { name: "Attended", type: "class_attended", points: 5, targetId: trainingClass.id }
    expect((await post("/api/gamification-event/create", event)).status).toBe(200)
    const awards = async () => (await rowsOf(gamificationAwards)).map((award) => [award.userId, award.points])
    const [last = 0, ...others] = sessionIds.toReversed()
    for (const sessionId of others) await mark(sessionId, [[id, "present"]], staff)
    expect(await awards()).toEqual([])
    for (const attendance of ["present", "late", null, "present"]) await mark(last, [[id, attendance]], staff)
    expect(await awards()).toEqual([[userId, 5]])
  })

  it("stays with its day when the times of the class change", async () => {
    const recurrence = {
      startDate: "2030-01-07",
      startTime: "09:00",
      endTime: "10:00",
      frequency: "weekly",
      interval: 1,
    }
    const created = await post(
      "/api/class/create",
      {
        ...{
          courseId: trainingClass.courseId,
          type: "recurring",
          instructor: staff.id,
          allowDownload: true,
          disabled: false,
        },
        recurrence: { ...recurrence, end: { count: 2 } },
      },
      { token: staff.token },
    )
    expect(created.body).toMatchObject({ id: expect.any(Number) })
    const classId = created.body.id as number
    const [row] = await db.select().from(classes).where(eq(classes.id, classId))
    if (!row) throw new Error("No class")
    const registration = await classEnrollment(await user(), row)
    const before = await list(classId, staff)
    const [session] = before.body.sessions as { id: number }[]
    await mark(session?.id ?? 0, [[registration.id, "late"]], staff)
    const moved = await post(
      "/api/class/update",
      { id: classId, recurrence: { ...recurrence, startTime: "11:00", endTime: "12:00", end: { count: 3 } } },
      { token: staff.token },
    )
    expect(moved.status).toBe(200)
    const after = await list(classId, staff)
    expect(after.body.records).toMatchObject([{ attendance: ["late", null, null] }])
    expect(after.body.sessions[0].startsAt).toBe("2030-01-07T11:00:00.000Z")
  })

  it("skips canceled registrations, those of other classes, and people that a supervisor does not manage", async () => {
    const boss = await signedIn("group_admin")
    const member = await user()
    await group({ admins: [boss.id], members: [member.id] })
    const own = await registrationOf(boss)
    const managed = await registrationOf(member)
    const stranger = await registrationOf(await user())
    const canceled = await registrationOf(await user(), { status: "Cancelled" })
    const elsewhere = await classEnrollment(member, await classOf())
    const [sessionId = 0] = sessionIds
    const ids = [own, managed, stranger, canceled, elsewhere].map(({ id }): [number, string] => [id, "present"])
    const saved = await mark(sessionId, ids, boss)
    expect(saved.body).toMatchObject({ changed: 1, skipped: 4, records: [{ registrationId: managed.id }] })
    const listed = await list(trainingClass.id, boss)
    expect(listed.body.records.map(({ id }: { id: number }) => id)).toEqual([managed.id])
    const learner = await signedIn("general")
    expect((await mark(sessionId, ids, learner)).status).toBe(403)
    expect((await mark(999_999, ids, staff)).status).toBe(404)
    expect((await list(999_999, staff)).status).toBe(404)
  })

  it("refuses the same registration twice and more than 500", async () => {
    const { id } = await registrationOf(await user())
    const [sessionId = 0] = sessionIds
    expect(
      (
        await mark(
          sessionId,
          [
            [id, "present"],
            [id, "absent"],
          ],
          staff,
        )
      ).status,
    ).toBe(422)
    const many = Array.from({ length: 501 }, (_, index): [number, string] => [index + 1, "present"])
    expect((await mark(sessionId, many, staff)).status).toBe(422)
  })

  it("writes two rows per learner while the status stays, and nothing that is recorded already", async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => user()))
    const ids: number[] = []
    for (const person of people) ids.push((await registrationOf(person)).id)
    const [sessionId = 0] = sessionIds
    const marks = ids.map((id): [number, string] => [id, "present"])
    const saved = await mark(sessionId, marks, staff)
    expect(saved.body.changed).toBe(20)
    expect(cost(saved).written).toBeLessThanOrEqual(20 * 2 + 10)
    const again = await mark(sessionId, marks, staff)
    expect(again.body.changed).toBe(0)
    expect(cost(again).written).toBe(0)
  })

  it("has the day of the session in the time zone of the class", async () => {
    await db.update(classes).set({ timeZone: "Asia/Tokyo" }).where(eq(classes.id, trainingClass.id))
    await db
      .update(classSessions)
      .set({ startAt: (STARTS[0] ?? 0) + DAY / 2 })
      .where(eq(classSessions.id, sessionIds[0] ?? 0))
    expect((await list(trainingClass.id, staff)).body.sessions[0].day).toBe("2026-01-06")
  })
})
