import { sql } from "drizzle-orm"
import { readXlsx } from "hucre/xlsx"
import { describe, expect, it } from "vitest"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { deliver, exportJob, jobOf, manyUsers } from "../factories/exports.ts"
import { db, group, portal, rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, download, get, post, put } from "../helpers/client.ts"
import { ended, openQueue } from "../helpers/queues.ts"

const PATH = "/api/user/gradebook/export"
type SignedIn = Awaited<ReturnType<typeof signedIn>>

/** Ada has an essay of 20 and a quiz of 10 graded in Algebra; Bob nothing there, and the quiz in Botany. */
async function setup() {
  const essay = await module({ type: "assignment", name: "Essay", totalPoints: 20 })
  const quiz = await module({ type: "quiz", name: "Quiz", totalPoints: 10 })
  const pages = await module({ name: "Pages" })
  const unmarked = await module({ type: "assignment", name: "Unmarked" })
  const algebra = await course(
    { name: "Algebra" },
    [quiz, pages, unmarked, essay].map(({ id }) => ({ moduleId: id })),
  )
  const botany = await course({ name: "Botany" }, [{ moduleId: quiz.id }])
  const ada = await signedIn("general", { firstName: "Ada", lastName: "Byron" })
  const bob = await signedIn("general", { firstName: "=Bob", lastName: "Stone" })
  const registeredAt = Date.UTC(2026, 0, 5)
  const first = await enrollment(ada, algebra, { registeredAt })
  await enrollment(bob, algebra, { registeredAt })
  const third = await enrollment(bob, botany, { registeredAt })
  const time = Date.UTC(2026, 0, 6)
  await moduleStatus(first.id, essay.id, { status: "Completed", pointsAwarded: 15, startedAt: time, completedAt: time })
  await moduleStatus(first.id, quiz.id, { pointsAwarded: 0, startedAt: time })
  await moduleStatus(third.id, quiz.id, { status: "Completed", pointsAwarded: 9, startedAt: time, completedAt: time })
  return { essay, quiz, algebra, botany, ada, bob }
}

/** The rows of a gradebook, read back. */
async function sheetOf(caller: SignedIn, filter: object = {}) {
  const id = await exportJob(caller, {
    kind: "gradebook",
    filter: JSON.stringify({ search_param: {}, ...filter }),
    filename: "gradebook.xlsx",
  })
  await deliver(id)
  expect(await jobOf(id)).toMatchObject({ status: "completed", progress: 100 })
  const file = await download(`${PATH}/download/${id}`, { token: caller.token })
  return (await readXlsx(file.body)).sheets[0]?.rows ?? []
}

describe("the gradebook export", () => {
  it("has a column for each graded module, a row of possible points, and blanks for ungraded modules", async () => {
    const { algebra, ada, bob } = await setup()
    const admin = await signedIn("admin")
    const field = { type: "text", displayType: "Text", label: "Class", userMetaKey: "class", isRequired: false }
    await put("/api/users/customUserFields", { fields: [{ ...field, includeInReportExports: ["course-insight"] }] })
    await put(`/api/user/${ada.id}`, { customUserMetas: { class: { submitted_value: "7b" } } })
    const rows = await sheetOf(admin, { search_param: { courseId: algebra.id } })
    expect(rows[0]).toEqual([
      ...["id", "user_id", "course_id", "name", "email", "course", "Class", "Quiz (2)", "Essay (1)"],
      ...["points", "possible", "percent", "status", "registered_on", "registeredAt", "started_on", "startedAt"],
      ...["completed_on", "completedAt"],
    ])
    const none = [null, null, null]
    expect(rows[1]?.slice(0, 11)).toEqual([...none, "Points possible", ...none, 10, 20, null, 30])
    expect(rows[2]).toEqual([
      ...[expect.any(Number), ada.id, algebra.id, "Ada Byron", ada.email, "Algebra", "7b", 0, 15],
      ...[15, 30, 50, "In Progress", "Jan 05, 2026", "2026-01-05T00:00:00.000Z"],
      ...["Jan 06, 2026", "2026-01-06T00:00:00.000Z", "Never", null],
    ])
    expect(rows[3]?.slice(1, 13)).toEqual([
      ...[bob.id, algebra.id, "=Bob Stone", bob.email, "Algebra", "", null, null],
      ...[null, null, null, "Not Started"],
    ])
    expect(rows).toHaveLength(4)
  })

  it("has each module of all courses once, and is filtered by name, status and portal", async () => {
    const { ada, bob } = await setup()
    const admin = await signedIn("admin")
    const rows = await sheetOf(admin)
    expect(rows[0]?.slice(3, 8)).toEqual(["name", "email", "course", "Quiz (2)", "Essay (1)"])
    expect(rows[1]?.slice(6, 10)).toEqual([10, 20, null, null])
    expect(rows.slice(2).map((row) => [row[5], row[6], row[10]])).toEqual([
      ["Algebra", 0, 50],
      ["Algebra", null, null],
      ["Botany", 9, 90],
    ])
    const courses = async (caller: SignedIn, filter: object) =>
      (await sheetOf(caller, filter)).slice(2).map((row) => row[5])
    expect(await courses(admin, { search_param: { nameOrEmail: "STONE" } })).toEqual(["Algebra", "Botany"])
    expect(await courses(admin, { search_param: { status: ["Completed"] } })).toEqual(["Botany"])
    const { id } = await portal({ members: [ada.id] })
    expect(await courses(admin, { searchPortalIds: [id] })).toEqual(["Algebra"])
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [bob.id] })
    expect(await courses(supervisor, {})).toEqual(["Algebra", "Botany"])
    expect(await courses(supervisor, { search_param: { nameOrEmail: "ada" } })).toEqual([])
    const outside = await course({ name: "Secret" }, [
      { moduleId: (await module({ type: "quiz", name: "Secret", totalPoints: 5 })).id },
    ])
    await enrollment(ada, outside)
    expect(JSON.stringify(await sheetOf(supervisor, { search_param: { courseId: outside.id } }))).not.toContain(
      "Secret",
    )
    expect(JSON.stringify(await sheetOf(admin, { search_param: { courseId: outside.id } }))).toContain("Secret (")
  })

  it("is started, tracked, downloaded and canceled by its own operations", async () => {
    const { algebra, ada } = await setup()
    const staff = await signedIn("staff")
    const options = { token: staff.token }
    expect((await post(PATH, {})).status).toBe(302)
    expect((await post(PATH, {}, { token: ada.token })).status).toBe(403)
    const body = { searchPortalIds: "[]", search_param: { courseId: String(algebra.id), nameOrEmail: "" } }
    openQueue("EXPORTS")
    const started = await post(PATH, body, options)
    expect(started.body).toMatchObject({ status: "success", message: "Export of the gradebook started." })
    expect(cost(started).roundTrips).toBe(2)
    const id = started.body.export_id
    const done = await ended(`${PATH}/progress/${id}`, staff.token)
    expect(done).toMatchObject({ status: "completed", progress: 100, message: "Completed: 2 rows." })
    expect(done.filename).toMatch(/^gradebook-.*\.xlsx$/)
    expect((await download(done.download_url, options)).status).toBe(200)
    expect((await post(`${PATH}/cancel/${id}`, {}, options)).status).toBe(409)
    const waiting = await exportJob(staff, { kind: "gradebook" })
    expect((await post(`${PATH}/cancel/${waiting}`, {}, options)).status).toBe(200)
    expect((await get(`${PATH}/download/${waiting}`, options)).status).toBe(410)
    expect((await get(`${PATH}/progress/${waiting}`, { token: (await signedIn("staff")).token })).status).toBe(404)
    expect((await post(PATH, { search_param: { status: "Submitted" } }, options)).status).toBe(422)
  })

  it("returns 422 without a courseId when the courses have more than 1,000 graded modules", async () => {
    const staff = await signedIn("staff")
    const inside = await course()
    await enrollment(staff, inside)
    await db.run(
      sql`
        insert into modules (id, type, name, slug, content, icon, total_points, search_text, created_at)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 1001)
        select 5000 + i, 'quiz', 'Quiz ' || i, 'quiz-' || i, '', '', 5, '', 0
        from n`,
    )
    await db.run(
      sql`
        insert into course_modules (course_id, module_id, position, required, counts, is_locked, drip_days,
          min_time_spent)
        select ${inside.id}, id, id, 1, 1, 0, 0, 0
        from modules`,
    )
    const refused = await post(PATH, {}, { token: staff.token })
    expect(refused.body.errors).toEqual({ search_param: [expect.stringMatching(/courseId is required/)] })
    expect(await rowsOf(exportJobs)).toEqual([])
    await db.run(sql`delete from course_modules where module_id = 6001`)
    const started = await post(PATH, {}, { token: staff.token })
    await deliver(started.body.export_id)
    expect(await jobOf(started.body.export_id)).toMatchObject({ status: "completed" })
    const [headers] = await sheetOf(staff, { search_param: { courseId: inside.id } })
    expect(headers).toHaveLength(1016)
  })

  it("exports thousands of enrollments", async () => {
    const admin = await signedIn("admin")
    const quiz = await module({ type: "quiz", name: "Quiz", totalPoints: 10 })
    const inside = await course({}, [{ moduleId: quiz.id }])
    await manyUsers(8000)
    await db.run(
      sql`
        insert into enrollments (id, user_id, course_id, registered_at)
        select id, id, ${inside.id}, 1
        from users
        where id > 1000`,
    )
    await db.run(
      sql`
        insert into module_statuses (enrollment_id, module_id, status, points_awarded, last_accessed_at)
        select id, ${quiz.id}, 'In Progress', id % 11, 1
        from enrollments`,
    )
    const rows = await sheetOf(admin, { search_param: { courseId: inside.id } })
    expect(rows).toHaveLength(8002)
    expect(rows.slice(2).every((row) => row[6] === Number(row[1]) % 11 && row[9] === Number(row[6]) * 10)).toBe(true)
  })
})
