import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { courses } from "../../drizzle/schema/courses.ts"
import { quizAttempts } from "../../drizzle/schema/quizzes.ts"
import { submissions } from "../../drizzle/schema/submissions.ts"
import { classOf } from "../factories/classes.ts"
import { manyUsers } from "../factories/exports.ts"
import { db, group, nextId, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, get, query } from "../helpers/client.ts"

const DAY = 86_400_000
const ago = (days: number) => Date.now() - days * DAY

const list = ({ token }: { token: string }, parameters: object = {}) =>
  get(`/api/reports/at-risk${query({ page_size: 50, page_number: 1, ...parameters })}`, { token })
const reasonsOf = (response: { body: { records: { first_name: string; reasons: string[] }[] } }) =>
  response.body.records.map(({ first_name, reasons }) => [first_name, reasons])

/** Learners of a course that a teacher wrote, one for each reason. */
async function algebra() {
  const teacher = await signedIn("staff")
  const quiz = await module({ type: "quiz", totalPoints: 10 })
  const row = await course({ name: "Algebra", authorId: teacher.id }, [{ moduleId: quiz.id }])
  const learner = async (firstName: string, values: Parameters<typeof enrollment>[2] = {}) => {
    const person = await user({ firstName, lastName: "Byron" })
    return { person, enrolled: await enrollment(person, row, values) }
  }
  const started = { status: "In Progress", startedAt: ago(30), registeredAt: ago(30) } as const
  const late = await learner("Late", {
    ...{ ...started, lastAccessedAt: ago(20) },
    ...{ dueAt: ago(3), overdueAt: ago(3), dueStatus: "overdue" },
  })
  await learner("Idle", { ...started, lastAccessedAt: ago(15) })
  const failing = await learner("Failing", { ...started, lastAccessedAt: ago(1) })
  await learner("New", { registeredAt: ago(2) })
  await learner("Waiting", { registeredAt: ago(40) })
  await learner("Busy", { ...started, lastAccessedAt: ago(2) })
  await learner("Done", { ...started, status: "Completed", completedAt: ago(20), lastAccessedAt: ago(20) })
  const status = await moduleStatus(failing.enrolled.id, quiz.id, { status: "In Progress", startedAt: ago(1) })
  for (const number of [1, 2])
    await db.insert(quizAttempts).values({
      ...{ id: await nextId("quiz_attempts"), enrollmentId: failing.enrolled.id, moduleId: quiz.id },
      ...{ statusRowId: status.id, userId: failing.person.id, courseId: row.id, number, status: "Completed" },
      ...{ result: "failed", outOf: 10, passPercent: 50, moduleVersion: 0, startedAt: ago(1), completedAt: ago(1) },
    })
  return { teacher, row, quiz, late, failing }
}

describe("the learners at risk", () => {
  it("are listed with their reasons, most reasons first, in one round trip", async () => {
    const { teacher, row, late } = await algebra()
    const response = await list(teacher, { course_id: row.id })
    expect(reasonsOf(response)).toEqual([
      ["Late", ["overdue", "inactive"]],
      ...[
        ["Waiting", ["not_started"]],
        ["Failing", ["failed_attempts"]],
        ["Idle", ["inactive"]],
      ],
    ])
    expect(response.body.records[0]).toMatchObject({
      ...{ id: late.enrolled.id, user_id: late.person.id, course_id: row.id, courseName: "Algebra" },
      ...{ status: "In Progress", dueStatus: "overdue", failedAttempts: 0 },
      lastAccessedAt: new Date(late.enrolled.lastAccessedAt).toISOString(),
    })
    expect(cost(response).roundTrips).toBe(1)
  })

  it("are filtered by reason and days, and sorted by activity, progress and failed attempts", async () => {
    const { teacher, row } = await algebra()
    const names = async (parameters: object) =>
      (await list(teacher, { course_id: row.id, ...parameters })).body.records.map(
        ({ first_name }: { first_name: string }) => first_name,
      )
    expect(await names({ search_param: { reason: ["overdue"] } })).toEqual(["Late"])
    expect(await names({ search_param: { reason: ["failed_attempts", "not_started"] } })).toEqual([
      "Waiting",
      "Failing",
    ])
    expect(await names({ inactiveDays: 1, search_param: { reason: ["not_started"] } })).toEqual(["Waiting", "New"])
    expect(await names({ inactiveDays: 60 })).toEqual(["Failing", "Late"])
    expect(await names({ order_by: { colName: "last_accessed_on", direction: "asc" } })).toEqual([
      ...["Waiting", "Late", "Idle", "Failing"],
    ])
    expect((await names({ order_by: { colName: "failedAttempts", direction: "desc" } }))[0]).toBe("Failing")
    expect((await list(teacher, { course_id: row.id, inactiveDays: 366 })).status).toBe(422)
  })

  it("are those of the courses that the caller wrote or teaches a class of", async () => {
    const { row, teacher } = await algebra()
    const other = await signedIn("staff")
    expect((await list(other)).body.records).toEqual([])
    expect((await list(teacher)).body.recordsFiltered).toBe(4)
    await classOf(row, { instructorId: other.id })
    expect((await list(other)).body.recordsFiltered).toBe(4)
  })

  it("are the people of a supervisor, or of a group", async () => {
    const { row, late, teacher } = await algebra()
    const boss = await signedIn("group_admin")
    await group({ admins: [boss.id], members: [late.person.id] })
    expect(reasonsOf(await list(boss, { course_id: row.id }))).toEqual([["Late", ["overdue", "inactive"]]])
    const empty = await group()
    expect((await list(teacher, { course_id: row.id, group_id: empty.id })).body.records).toEqual([])
    expect((await list(boss, { course_id: row.id, group_id: empty.id })).status).toBe(404)
    expect((await list(teacher, { course_id: 999_999 })).status).toBe(404)
    expect((await list(await signedIn("general"), { course_id: row.id })).status).toBe(403)
  })

  it("costs a fixed number of rows in a large course", async () => {
    const teacher = await signedIn("staff")
    const row = await course({ authorId: teacher.id })
    await manyUsers(5000)
    await db.run(sql`
      insert into enrollments (id, user_id, course_id, status, started_at, registered_at, last_accessed_at)
      select id, id, ${row.id}, 'In Progress', 1, 1, iif(id % 2, ${ago(30)}, ${Date.now()}) from users where id > 1000`)
    const response = await list(teacher, { course_id: row.id })
    expect(response.body.recordsFiltered).toBe(500)
    expect(cost(response).read).toBeLessThan(15_000)
  })
})

describe("the courses that a person teaches", () => {
  it("have the numbers of learners, submissions to grade, overdue learners and learners at risk", async () => {
    const { teacher, row, failing } = await algebra()
    const essay = await module({ type: "assignment", totalPoints: 10 })
    const status = await moduleStatus(failing.enrolled.id, essay.id, { status: "Submitted", startedAt: 1 })
    await db.insert(submissions).values({
      ...{ id: await nextId("submissions"), enrollmentId: failing.enrolled.id, moduleId: essay.id },
      ...{ statusRowId: status.id, userId: failing.person.id, courseId: row.id, number: 1 },
      ...{ status: "Submitted", submittedAt: 1 },
    })
    const botany = await course({ name: "Botany" })
    await classOf(botany, { instructorId: teacher.id })
    await course({ name: "Chemistry" })
    await db.update(courses).set({ status: "draft" }).where(sql`${courses.id} = ${botany.id}`)
    const response = await get("/api/reports/taught-courses", { token: teacher.token })
    expect(response.body).toEqual({
      courses: [
        { id: row.id, name: "Algebra", status: "publish", learners: 7, toGrade: 1, overdue: 1, atRisk: 4 },
        { id: botany.id, name: "Botany", status: "draft", learners: 0, toGrade: 0, overdue: 0, atRisk: 0 },
      ],
    })
    expect(cost(response).roundTrips).toBe(1)
  })
})
