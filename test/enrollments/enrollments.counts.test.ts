import { sql } from "drizzle-orm"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { db, group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { type Answer, get, post, put } from "../helpers/client.ts"
import { everyCombination } from "../matrix/matrix.ts"

// Runs random sequences of requests by staff and learners, some concurrently. After each step, all stored counts are
// compared with a recount of the rows.

const SEED = 20_261_121
const RUNS = everyCombination ? 4 : 2
const STEPS = 20

type Row = Record<string, string | number>

/** The audiences of a user, including the user. */
const WHOSE = sql`(select user_id, audience from audiences union all select id, 'all' from users)`

/** Each stored count and its recount: both queries must return the same rows. */
const COUNTS = {
  enrollmentCounts: [
    sql`select audience, course_id, not_started, in_progress, completed from enrollment_counts
      where not_started or in_progress or completed order by 1, 2`,
    sql`select audience, course_id, sum(status = 'Not Started') as not_started,
      sum(status = 'In Progress') as in_progress, sum(status = 'Completed') as completed
      from (select audience, course_id, status from enrollments join ${WHOSE} using (user_id)
        union all select 'all', 0, status from enrollments) group by 1, 2 order by 1, 2`,
  ],
  quizCounts: [
    sql`select audience, course_id, module_id, started, in_progress, completed from quiz_counts
      where started or in_progress or completed order by 1, 2, 3`,
    sql`select audience, course_id * one as course_id, module_id * one as module_id,
      count(distinct enrollment_id || ':' || module_id) as started,
        sum(status = 'In Progress') as in_progress, sum(status = 'Completed') as completed
      from (select audience, 1 as one, quiz_attempts.* from quiz_attempts join ${WHOSE} using (user_id)
        union all select 'all', 0, quiz_attempts.* from quiz_attempts) group by 1, 2, 3 order by 1, 2, 3`,
  ],
  days: [
    sql`select course_id, day, enrolled, started, completed from course_days order by 1, 2`,
    sql`select course_id, date(created_at / 1000, 'unixepoch') as day, sum(verb = 'ENROLLED') as enrolled,
      sum(verb = 'STARTED') as started, sum(verb = 'COMPLETED') as completed
      from activities where verb not in ('RESET', 'UNENROLLED') group by 1, 2 order by 1, 2`,
  ],
  modules: [
    sql`select course_id, module_id, in_progress, submitted, completed from module_counts
      where in_progress or submitted or completed order by 1, 2`,
    sql`select course_id, module_id, sum(state.status = 'In Progress') as in_progress,
      sum(state.status = 'Submitted') as submitted, sum(state.status = 'Completed') as completed
      from module_statuses as state join enrollments on enrollments.id = enrollment_id
      where state.status <> 'Not Started' group by 1, 2 order by 1, 2`,
  ],
  scores: [
    sql`select course_id, module_id, percent, attempts, passed from quiz_scores where attempts or passed
      order by 1, 2, 3`,
    sql`select course_id, module_id, percent, count(*) as attempts, sum(result = 'passed') as passed
      from quiz_attempts where status = 'Completed' group by 1, 2, 3 order by 1, 2, 3`,
  ],
  courses: [
    sql`select id, module_count, goal from courses order by id`,
    sql`select id, (select count(*) from course_modules where course_id = courses.id) as module_count,
      (select count(*) from course_modules where course_id = courses.id and counts) as goal from courses order by id`,
  ],
  registrations: [
    sql`select id, done, time_spent, points_awarded, points_possible from enrollments order by id`,
    sql`select id, (select count(*) from module_statuses as state join course_modules as link using (module_id)
          where enrollment_id = enrollments.id and link.course_id = enrollments.course_id
            and state.status = 'Completed' and counts) as done,
        (select coalesce(sum(time_spent), 0) from module_statuses where enrollment_id = enrollments.id) as time_spent,
        (select coalesce(sum(points_awarded), 0) from module_statuses as state
          join course_modules as link using (module_id)
          where enrollment_id = enrollments.id and link.course_id = enrollments.course_id) as points_awarded,
        (select coalesce(sum(total_points), 0) from module_statuses as state
          join course_modules as link using (module_id)
          join modules on modules.id = module_id where enrollment_id = enrollments.id
            and link.course_id = enrollments.course_id
          and state.points_awarded is not null) as points_possible
      from enrollments order by id`,
  ],
  seats: [
    sql`select group_id, course_id, used_seats from group_course_seats order by 1, 2`,
    sql`select group_id, course_id, (select count(*) from enrollments as own where own.group_id = seats.group_id
      and own.course_id = seats.course_id) as used_seats from group_course_seats as seats order by 1, 2`,
  ],
  paths: [
    sql`select own.id, completed_courses from learning_path_enrollments as own order by 1`,
    sql`select own.id, (select count(*) from learning_path_courses as part join enrollments as taken using (course_id)
      where part.learning_path_id = own.learning_path_id and taken.user_id = own.user_id
        and taken.status = 'Completed') as completed_courses
      from learning_path_enrollments as own order by 1`,
  ],
  activities: [
    sql`select key, value from counters where key glob 'activities*' and value <> 0 order by 1`,
    sql`select 'activities:verb:' || verb as key, count(*) as value from activities group by 1 order by 1`,
  ],
} as const

/** Invariants of enrollments, module statuses and paths: each query must return no rows. */
const NEVER = {
  "less than what is done, or more than all": sql`select own.id from enrollments as own
    join courses on courses.id = course_id
    where percent > 100 or percent < min(100, coalesce(done * 100 / nullif(goal, 0), 0))`,
  "all done and not Completed": sql`select own.id from enrollments as own join courses on courses.id = course_id
    where goal > 0 and done >= goal and own.status <> 'Completed'`,
  "a status and dates that differ": sql`select id from enrollments where (status = 'Completed') <> (completed_at > 0)
    or (status = 'Not Started') <> (started_at = 0) or (status = 'Completed' and percent < 100)
      or (status = 'Not Started' and percent > 0)`,
  "a module state and dates that differ": sql`select id from module_statuses
    where (status = 'Completed') <> (completed_at > 0)
    or (status = 'Not Started') <> (started_at = 0) or (status = 'Completed') <> (percent = 100)`,
  "a path that differs": sql`select own.id from learning_path_enrollments as own
    join learning_paths as path on path.id = learning_path_id
    where (own.status = 'Completed') <> (completed_at > 0) or (own.status = 'Not Started') <> (started_at = 0)
      or (own.status = 'Not Started' and percent > 0)
        or (completed_courses = course_count and own.status <> 'Completed')
      or percent > 100 or percent < completed_courses * 100 / course_count`,
  "an attempt of no module state": sql`select id from quiz_attempts as attempt
    where not exists (select 1 from module_statuses as state
    where state.id = status_row_id and state.enrollment_id = attempt.enrollment_id
      and state.module_id = attempt.module_id)`,
  "an open attempt at what was not begun": sql`select attempt.id from quiz_attempts as attempt
    join module_statuses as state on state.id = status_row_id
    where attempt.status = 'In Progress' and state.status = 'Not Started'`,
  "more points than there are": sql`select state.id from module_statuses as state join modules on modules.id = module_id
    where points_awarded > total_points`,
  "more learners than seats": sql`select id from courses where total_seats > 0
    and total_seats < (select count(*) from enrollments where course_id = courses.id)`,
  "Completed other than once": sql`select id from enrollments where status = 'Completed'
    and not exists (select 1 from activities
    where verb = 'COMPLETED' and user_id = enrollments.user_id and course_id = enrollments.course_id)`,
} as const

/** Percentages and statuses by enrollment; cleared by a reset. */
type Before = Map<number, { percent: number; status: string }>
const ORDER = ["Not Started", "In Progress", "Completed"]

async function expectTrue(before: Before): Promise<Before> {
  for (const [name, [kept, counted]] of Object.entries(COUNTS))
    expect({ [name]: await db.all<Row>(kept) }).toEqual({ [name]: await db.all<Row>(counted) })
  for (const [what, query] of Object.entries(NEVER)) expect({ [what]: await db.all(query) }).toEqual({ [what]: [] })
  const rows = await rowsOf(enrollments)
  for (const { id, percent, status } of rows) {
    const was = before.get(id)
    if (!was) continue
    expect(percent, `percent of ${id}`).toBeGreaterThanOrEqual(was.percent)
    expect(ORDER.indexOf(status), `status of ${id}`).toBeGreaterThanOrEqual(ORDER.indexOf(was.status))
  }
  return new Map(rows.map(({ id, percent, status }) => [id, { percent, status }]))
}

const QUESTION = { text: "2 + 2?", type: "single", options: [{ text: "4", correct: true }, { text: "5" }] }

/**
 * Creates five learners in a group and a portal, four courses of texts and quizzes, one with three seats, and two
 * paths.
 */
async function academy() {
  const staff = await signedIn("staff")
  const learners = []
  for (let i = 0; i < 5; i++) learners.push(await signedIn("general"))
  const ids = learners.map(({ id }) => id)
  const team = await group({ admins: [(await user({ userType: "group_admin" })).id], members: ids.slice(0, 3) })
  await portal({ admins: [(await user({ userType: "portal_admin" })).id], members: ids.slice(2) })
  const modules: number[] = []
  for (let i = 0; i < 8; i++) {
    const isQuiz = i % 3 === 0
    const { body } = await post(
      `/api/modules/${isQuiz ? "quiz" : "text"}`,
      { name: `Part ${i}`, content: "x", ...(isQuiz && { questions: [QUESTION], passPercent: 50 }) },
      staff,
    )
    modules.push(body.id)
  }
  const courses: number[] = []
  for (const totalSeats of [0, 0, 3, 0]) courses.push((await course({ totalSeats, expiresAfterDays: 30 })).id)
  for (const [index, id] of courses.entries())
    await put(
      `/api/course/${id}`,
      { modules: modules.slice(index, index + 3).map((module_id) => ({ module_id })) },
      staff,
    )
  for (const course_ids of [courses.slice(0, 2), courses.slice(1)])
    await post("/api/learningpath/create", { name: `Path ${course_ids}`, course_ids }, staff)
  await put(`/api/group/${team.id}`, { course_seats: [{ course_id: courses[0], total_seats: 2 }] }, staff)
  return { staff, learners, ids, modules, courses, team }
}
type Academy = Awaited<ReturnType<typeof academy>>

/** A random request; the numbers select its users and records. */
const ACTIONS = [
  "enroll",
  "enrollInGroup",
  "import",
  "enrollInPath",
  "open",
  "complete",
  "complete",
  "complete",
  "quiz",
  "quiz",
  "recordModule",
  "unenroll",
  "reset",
  "changeCourse",
  "changePath",
  "changeGroup",
  "changeQuiz",
] as const
const action = fc.record({ what: fc.constantFrom(...ACTIONS), a: fc.nat(99), b: fc.nat(99), c: fc.nat(99) })
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

const pick = <T>(from: T[], at: number): T | undefined => from[at % from.length]
/** A subset in a given order, selected by the bits of `which`. */
const some = <T>(from: T[], which: number): T[] => {
  const chosen = from.filter((_, at) => (which >> at) & 1)
  return which % 2 ? chosen : chosen.reverse()
}

async function act({ staff, learners, ids, modules, courses, team }: Academy, { what, a, b, c }: Action) {
  const registration = pick(await rowsOf(enrollments), a)
  const owner = learners.find(({ id }) => id === registration?.userId)
  const inside = registration ? ((await get(`/api/course/${registration.courseId}`, staff)).body.modules as Row[]) : []
  const ref = { registrationId: registration?.id ?? 0, moduleId: Number(pick(inside, b)?.module_id ?? 1) }
  switch (what) {
    case "enroll":
      return post("/api/course/enroll", { user_ids: some(ids, a), course_ids: [pick(courses, b)] }, staff)
    case "enrollInGroup":
      return post(
        "/api/course/enroll",
        { user_ids: [pick(ids, a)], course_ids: [courses[0]], group_id: team.id },
        staff,
      )
    case "import":
      return post(
        "/api/course/record",
        {
          registrations: [
            {
              user_id: pick(ids, a),
              course_id: pick(courses, b),
              started_on: "2020-01-02",
              ...(c % 2 && { completed_on: "2020-02-02" }),
            },
          ],
        },
        staff,
      )
    case "enrollInPath":
      return post("/api/learningpath/enroll", { user_ids: [pick(ids, a)], learning_path_ids: [1 + (b % 2)] }, staff)
    case "open":
      return post("/api/module/progress", { ...ref, timeSpent: c }, { token: owner?.token ?? staff.token })
    case "complete":
      return post("/api/module/progress", { ...ref, status: "Completed", timeSpent: c }, staff)
    case "quiz": {
      const started = await post("/api/quiz/attempt", ref, { token: owner?.token ?? staff.token })
      if (started.status !== 200 || c % 3 === 0) return started
      const { attemptId, questions } = started.body
      const [question] = questions
      const answers = [{ questionId: question.id, optionIds: [question.options[c % 2].id] }]
      return post("/api/quiz/submit", { attemptId, answers }, staff)
    }
    case "recordModule":
      return post("/api/module/record", { records: [{ ...ref, completed_on: "2021-03-04", timeSpent: c }] }, staff)
    case "unenroll":
      return post("/api/course/unenroll", { user_ids: [pick(ids, a)], course_ids: [pick(courses, b)] }, staff)
    case "reset":
      return post("/api/course/reset", { registration_ids: [ref.registrationId] }, staff)
    case "changeCourse": {
      const wanted = some(modules, b + c).slice(0, 4)
      const rows = wanted.map((module_id, at) => ({ module_id, required: ((a + c) >> at) % 2 === 0 }))
      return put(`/api/course/${pick(courses, a)}`, { modules: rows }, staff)
    }
    case "changePath": {
      const course_ids = some(courses, b)
      return put(`/api/learningpath/${1 + (a % 2)}`, course_ids.length > 0 ? { course_ids } : {}, staff)
    }
    case "changeGroup":
      return put(`/api/group/${team.id}`, { user_ids: some(ids, b) }, staff)
    case "changeQuiz":
      return put(`/api/modules/quiz/${modules[0]}`, { questions: [{ ...QUESTION, points: 1 + (a % 5) }] }, staff)
  }
}

describe("enrollment counters", () => {
  it("match a recount after sequential and concurrent changes by staff and learners", async () => {
    const records = await academy()
    let before = await expectTrue(new Map())
    let done = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: STEPS, maxLength: STEPS }),
        async (steps) => {
          for (const atOnce of steps) {
            const responses: Answer[] = await Promise.all(atOnce.map((one) => act(records, one)))
            done += responses.filter(({ status }) => status === 200).length
            expect(responses.filter(({ status }) => ![200, 404, 409, 422].includes(status))).toEqual([])
            if (atOnce.some(({ what }) => what === "reset")) before = new Map()
            before = await expectTrue(before)
          }
        },
      ),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    )
    // Most requests succeed.
    expect(done).toBeGreaterThan(RUNS * STEPS)
  })
})
