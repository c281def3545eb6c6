import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { manyUsers } from "../factories/exports.ts"
import { db, group, rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, get, query } from "../helpers/client.ts"

const read = (course_id: number, { token }: { token: string }, parameters: object = {}) =>
  get(`/api/reports/gradebook${query({ course_id, page_size: 50, page_number: 1, ...parameters })}`, { token })

/** Ada and Bob in Algebra, which has a quiz, a text, an assignment and a SCORM package. */
async function algebra() {
  const quiz = await module({ type: "quiz", name: "Quiz", totalPoints: 10 })
  const essay = await module({ type: "assignment", name: "Essay", totalPoints: 20 })
  const scorm = await module({ type: "scorm", name: "Lab", totalPoints: 100 })
  const ungraded = await module({ type: "assignment", name: "Draft" })
  const parts = [quiz, await module(), essay, scorm, ungraded]
  const row = await course(
    { name: "Algebra" },
    parts.map(({ id }) => ({ moduleId: id })),
  )
  const ada = await signedIn("general", { firstName: "Ada", lastName: "Byron" })
  const bob = await signedIn("general", { firstName: "Bob", lastName: "Carter" })
  const ofAda = await enrollment(ada, row)
  const ofBob = await enrollment(bob, row)
  await moduleStatus(ofAda.id, quiz.id, { status: "Completed", pointsAwarded: 8, startedAt: 1, completedAt: 1 })
  await moduleStatus(ofAda.id, essay.id, { status: "Submitted", startedAt: 1 })
  await moduleStatus(ofBob.id, quiz.id, { status: "In Progress", pointsAwarded: 2, startedAt: 1 })
  return { row, quiz, essay, scorm, ada, bob, ofAda, ofBob }
}

describe("the gradebook of a course", () => {
  it("has a grade for each learner and graded module, by last name, in one round trip", async () => {
    const staff = await signedIn("staff")
    const { row, quiz, essay, scorm, ada, ofAda, ofBob } = await algebra()
    const response = await read(row.id, staff)
    expect(response.body).toEqual({
      ...{ recordsTotal: 2, recordsFiltered: 2, courseName: "Algebra", modulesOmitted: 0 },
      modules: [
        { id: quiz.id, name: "Quiz", type: "quiz", totalPoints: 10 },
        { id: essay.id, name: "Essay", type: "assignment", totalPoints: 20 },
        { id: scorm.id, name: "Lab", type: "scorm", totalPoints: 100 },
      ],
      records: [
        {
          ...{ id: ofAda.id, user_id: ada.id, first_name: "Ada", last_name: "Byron", email: ada.email },
          ...{ status: "In Progress", percent_complete: 20, percent_achieved: 80 },
          ...{ pointsAwarded: 8, pointsPossible: 10 },
          grades: [
            { moduleId: quiz.id, statusRowId: expect.any(Number), status: "Completed", points: 8 },
            { moduleId: essay.id, statusRowId: expect.any(Number), status: "Submitted", points: null },
            null,
          ],
        },
        expect.objectContaining({
          id: ofBob.id,
          percent_achieved: 20,
          grades: [expect.objectContaining({ status: "In Progress", points: 2 }), null, null],
        }),
      ],
    })
    expect(cost(response).roundTrips).toBe(1)
  })

  it("is filtered by name, status and group, and sorted by the total", async () => {
    const staff = await signedIn("staff")
    const { row, bob } = await algebra()
    const names = async (parameters: object, caller = staff) =>
      (await read(row.id, caller, parameters)).body.records.map(({ first_name }: { first_name: string }) => first_name)
    expect(await names({ search_param: { nameOrEmail: "cart" } })).toEqual(["Bob"])
    expect(await names({ search_param: { status: ["Completed"] } })).toEqual([])
    expect(await names({ search_param: { status: ["In Progress"] } })).toEqual(["Ada", "Bob"])
    expect(await names({ order_by: { colName: "percent_achieved", direction: "asc" } })).toEqual(["Bob", "Ada"])
    const team = await group({ members: [bob.id] })
    expect(await names({ group_id: team.id })).toEqual(["Bob"])
    const boss = await signedIn("group_admin")
    await group({ admins: [boss.id], members: [bob.id] })
    expect(await names({}, boss)).toEqual(["Bob"])
    expect((await read(row.id, boss, { group_id: team.id })).status).toBe(404)
    expect((await read(999_999, staff)).status).toBe(404)
    expect((await read(row.id, bob)).status).toBe(403)
  })

  it("reads about 20 rows for each row of a page, whatever the size of the course", async () => {
    const staff = await signedIn("staff")
    const graded = await Promise.all(
      Array.from({ length: 6 }, (_, index) => module({ type: "quiz", name: `Quiz ${index}`, totalPoints: 10 })),
    )
    const row = await course(
      {},
      graded.map(({ id }) => ({ moduleId: id })),
    )
    await manyUsers(2000)
    await db.run(sql`
      insert into enrollments (id, user_id, course_id, registered_at, first_name_key, last_name_key)
      select id, id, ${row.id}, 1, first_name_key, last_name_key from users where id > 1000`)
    await db.run(sql`
      insert into module_statuses (enrollment_id, module_id, status, points_awarded, last_accessed_at)
      select ${enrollments.id}, value, 'Completed', 7, 1 from enrollments
      join json_each(${JSON.stringify(graded.map(({ id }) => id))})`)
    expect((await rowsOf(enrollments)).length).toBe(2000)
    for (const page_number of [1, 30]) {
      const response = await read(row.id, staff, { page_number })
      expect(response.body.records).toHaveLength(50)
      expect(response.body.records[0].grades.every(({ points }: { points: number }) => points === 7)).toBe(true)
      if (page_number === 1) expect(cost(response).read).toBeLessThanOrEqual(50 * 20 + 200)
    }
  })
})
