import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { classes } from "../../drizzle/schema/classes.ts"
import { REPORT_COLUMNS } from "../../src/modules/assessments/quiz-reports.schemas.ts"
import { ENROLLED_COURSE_COLUMNS, STUDENT_COLUMNS } from "../../src/modules/enrollments/enrollments.schemas.ts"
import { ENROLLED_PATH_COLUMNS } from "../../src/modules/enrollments/learning-paths.schemas.ts"
import { LIBRARY_COURSE_COLUMNS, LIBRARY_PATH_COLUMNS } from "../../src/modules/enrollments/library.schemas.ts"
import {
  ACTIVITY_COLUMNS,
  COURSE_DETAILED_COLUMNS,
  USER_DETAILED_COLUMNS,
} from "../../src/modules/reports/reports.schemas.ts"
import { classEnrollment } from "../factories/classes.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { type Answer, cost, get, query } from "../helpers/client.ts"
import { openApiDocument } from "./inputs.ts"
import { sampled } from "./matrix.ts"

// Every list of learning, in every order and with every filter that selects many rows: the rows that a page reads are
// bounded by the rows that it returns, for tables of any size.

const USERS = 1_500
const HOUR = 3_600_000
/** One in fifty is completed, one in five in progress. */
const STATUS = "case when n % 50 = 0 then 'Completed' when n % 5 = 1 then 'In Progress' else 'Not Started' end"

interface List {
  path: string
  columns: readonly string[]
  /** The columns without an index: all rows that match the filters are read and sorted. */
  sorted?: string[]
  /** Its filters. */
  filters: object[]
  given?: object
  as?: "general" | "group_admin"
  page_size?: number
}

const withStatus = (...statuses: (string | string[])[]) => statuses.map((status) => ({ search_param: { status } }))
const PROGRESS = withStatus("Not Started", "In Progress", "Completed", ["Completed", "Not Started"])

/** Three thousand registrations of 1,500 learners in 31 courses, 1,500 of them in course 1. */
async function academy() {
  const day = 1_767_225_600_000
  await db.run(
    sql.raw(`insert into users (id, first_name, last_name, email, user_type, last_login_at, search_text, created_at)
      with recursive n(n) as (select 101 union all select n + 1 from n where n < 100 + ${USERS})
      select n, 'Learner ' || (n % 400), 'Number ' || (n % 70), 'learner' || n || '@example.com', 'general',
        n % 7 * ${HOUR}, '', ${day} + n * ${HOUR} from n`),
  )
  await db.run(
    sql.raw(`insert into courses (id, name, slug, status, content, instructions, search_text, created_at)
      with recursive n(n) as (select 1 union all select n + 1 from n where n < 31)
      select n, 'Course ' || (n % 10), 'course-' || n, 'publish', '', '', 'course ' || (n % 10), ${day} + n from n`),
  )
  const register = (course: string, offset: number) =>
    db.run(
      sql.raw(`insert into enrollments (id, user_id, course_id, status, percent, time_spent, registered_at,
        started_at, completed_at,
          expires_at, last_accessed_at, first_name_key, last_name_key)
        select id + ${offset}, id, ${course}, status, status = 'Completed', n % 9, ${day} + n * 7919 % 1000,
          iif(status = 'Not Started', 0, n % 90 + 1),
          iif(status = 'Completed', n % 80 + 1, 0), n % 3, n % 70, first_name_key, last_name_key
        from (select *, id + ${offset} as n, ${STATUS.replaceAll("n %", `(id + ${offset}) %`)} as status from users
          where id >= 100)`),
    )
  await register("1", 0)
  await register("2 + id % 30", 5_000)
}

async function paths() {
  await db.run(
    sql.raw(`insert into learning_paths (id, name, slug, type, search_text, created_at)
      with recursive n(n) as (select 1 union all select n + 1 from n where n < 400)
      select n, 'Path ' || (n % 100), 'path-' || n, iif(n % 40 = 0, 'private', 'public'), 'path', n from n`),
  )
  await db.run(
    sql.raw(`insert into learning_path_enrollments (id, user_id, learning_path_id, status, percent,
      completed_courses, certificate_count, registered_at, started_at, completed_at)
      select users.id * 1000 + n, users.id, n,
        case n % 3 when 0 then 'Completed' when 1 then 'In Progress' else 'Not Started' end, 0, 0, 0, n, 0, 0
      from users cross join (select value as n from json_each('[1,2,3,40,80]')) where users.id < 400`),
  )
}

async function attempts() {
  await db.run(
    sql.raw(
      `insert into modules (id, type, name, slug, content, icon, search_text, created_at)
        values (1, 'quiz', 'Quiz', 'quiz', '', 'quiz', 'quiz', 1)`,
    ),
  )
  await db.run(
    sql.raw(`insert into quiz_attempts (id, enrollment_id, module_id, status_row_id, user_id, course_id, number,
      status, result, score, out_of, percent, pass_percent, module_version, started_at, completed_at, time_taken)
      select id, id, 1, 1, user_id, course_id, 1, iif(id % 50 = 0, 'In Progress', 'Completed'),
        iif(id % 50 = 0, '', 'passed'), id % 11, 10, id % 101, 50, 1, id * 7, iif(id % 50 = 0, 0, id * 9), id % 60
        from enrollments`),
  )
}

async function purchases() {
  await db.run(
    sql.raw(`insert into orders (id, user_id, items, total, currency, status, created_at)
      select id, id, '[]', id % 97, iif(id % 3, 'USD', 'EUR'),
        case when id % 50 = 0 then 'failed' when id % 7 = 0 then 'pending' else 'completed' end, id * 7919 % 1000
        from users where id >= 100`),
  )
  await db.run(
    sql.raw(`insert into subscriptions (id, user_id, subscription_name, total, currency, status, start_at, end_at,
      created_at)
      select id, id, 'Plan ' || (id % 5), id % 97, 'USD',
        case when id % 50 = 0 then 'Cancelled' when id % 7 = 0 then 'Expired' else 'Active' end, id % 300,
        iif(id % 500 = 1, 5, 0), id * 7919 % 1000 from users where id >= 100`),
  )
}

const allBut = (columns: readonly string[], ...indexed: string[]) => columns.filter((name) => !indexed.includes(name))

const LISTS: Record<string, List & { also?: () => Promise<void> }> = {
  "the user-detailed report": {
    path: "/api/user/reports/user-detailed",
    columns: USER_DETAILED_COLUMNS,
    sorted: allBut(USER_DETAILED_COLUMNS, "registered_on"),
    filters: [...PROGRESS, { search_param: { course: "Course 7", status: "Completed" } }],
  },
  "the user-detailed report of one": {
    path: "/api/user/reports/user-detailed",
    columns: USER_DETAILED_COLUMNS,
    sorted: allBut(USER_DETAILED_COLUMNS, "registered_on"),
    filters: PROGRESS,
    given: { user_id: 150 },
  },
  "a user's quizzes": {
    path: "/api/user/reports/student-quizzes",
    columns: REPORT_COLUMNS,
    sorted: allBut(REPORT_COLUMNS, "started_on"),
    filters: withStatus("In Progress", "Completed"),
    given: { user_id: 150 },
    also: attempts,
  },
  "what one user did": {
    path: "/api/user-activities",
    columns: ACTIVITY_COLUMNS,
    sorted: allBut(ACTIVITY_COLUMNS, "created_at"),
    filters: withStatus("ENROLLED", ["STARTED", "COMPLETED"]),
    given: { context: "admin", user_id: 150 },
  },
  "a user's orders": {
    path: "/api/user-orders",
    columns: ["id", "total", "currency", "status", "created_at"],
    sorted: ["id", "total", "currency", "status"],
    filters: withStatus("pending", "completed"),
    given: { context: "admin", user_id: 150 },
    also: purchases,
  },
  "a user's subscriptions": {
    path: "/api/user-subscriptions",
    columns: ["id", "item", "total", "created_at"],
    sorted: ["id", "total"],
    filters: withStatus("Active", "Expired"),
    given: { user_id: 150 },
    also: purchases,
  },
  "a course's learners": {
    path: "/api/course/enrolled-students",
    columns: STUDENT_COLUMNS,
    sorted: allBut(STUDENT_COLUMNS, "registered_on", "first_name", "last_name"),
    filters: PROGRESS,
    given: { course_id: 1, group_id: "" },
  },
  "the course-detailed report": {
    path: "/api/course/reports/course-detailed",
    columns: COURSE_DETAILED_COLUMNS,
    sorted: allBut(COURSE_DETAILED_COLUMNS, "registered_on", "first_name", "last_name"),
    filters: PROGRESS,
    given: { course_id: 1 },
  },
  "a user's courses": {
    path: "/api/users/enrolled-courses",
    columns: ENROLLED_COURSE_COLUMNS,
    filters: PROGRESS,
    given: { user_id: 150 },
  },
  "the users' report": {
    path: "/api/users/report",
    columns: ["created_at", "id", "first_name", "last_name", "email", "user_type", "last_login"],
    sorted: ["last_login"],
    filters: [
      { registered_between: "2026-01-05,2026-01-06" },
      { registered_between: "2026-01-06,2026-03-20" },
      { registered_between: "2020-01-01,2030-01-01" },
    ],
  },
  "the quizzes' report": {
    path: "/api/user/reports/student-quizzes",
    columns: REPORT_COLUMNS,
    sorted: allBut(REPORT_COLUMNS, "started_on"),
    filters: withStatus("In Progress", "Completed", ["In Progress", "Completed"]),
    also: attempts,
  },
  "what users did": {
    path: "/api/user-activities",
    columns: ACTIVITY_COLUMNS,
    sorted: allBut(ACTIVITY_COLUMNS, "created_at"),
    filters: withStatus(
      "ENROLLED",
      "COMPLETED",
      ["STARTED", "COMPLETED"],
      ["ENROLLED", "STARTED", "COMPLETED", "RESET", "UNENROLLED"],
    ),
    given: { context: "admin" },
  },
  orders: {
    path: "/api/user-orders",
    columns: ["id", "total", "currency", "status", "created_at"],
    sorted: ["id", "total", "currency", "status"],
    filters: withStatus("pending", "completed", "failed", "refunded"),
    given: { context: "admin" },
    also: purchases,
  },
  subscriptions: {
    path: "/api/user-subscriptions",
    columns: ["id", "item", "subscription_name", "total", "created_at", "start_date", "end_date"],
    sorted: ["id", "total", "start_date"],
    filters: withStatus("Active", "Cancelled", "Expired"),
    also: purchases,
  },
  "the paths that there are": {
    path: "/api/users/portalLearningPaths",
    columns: LIBRARY_PATH_COLUMNS,
    sorted: ["totalLPCourses", "rating", "totalEstimatedTime"],
    filters: [...PROGRESS, { search_param: { name: "path 7" } }],
    as: "general",
    also: paths,
  },
  "a user's paths": {
    path: "/api/users/enrolled-learningpaths",
    columns: ENROLLED_PATH_COLUMNS,
    filters: PROGRESS,
    given: { user_id: 150 },
    also: paths,
  },
  courses: {
    path: "/api/courses/tabularlist",
    columns: ["id", "name", "slug", "status", "created_at"],
    sorted: ["slug"],
    filters: withStatus("publish", "draft"),
    also: manyCourses,
  },
  "an administrator's courses": {
    path: "/api/courses/tabularlist",
    columns: ["id", "name", "slug", "status", "created_at"],
    sorted: ["slug"],
    filters: withStatus("publish", "draft"),
    as: "group_admin",
    also: manyCourses,
  },
  "the library": {
    path: "/api/users/library-courses",
    columns: LIBRARY_COURSE_COLUMNS,
    sorted: ["totalModules", "estimatedCompletionTime", "enableCourseRating", "featuredImageUrl", "rating"],
    filters: [],
    as: "general",
    also: manyCourses,
  },
}

async function manyCourses() {
  await db.run(
    sql.raw(`insert into courses (id, name, slug, status, content, instructions, search_text, created_at)
      with recursive n(n) as (select 100 union all select n + 1 from n where n < 1300)
      select n, 'Course ' || (n % 100), 'course-' || n, iif(n % 50 = 0, 'draft', 'publish'), '', '', 'course',
        n % 500 from n`),
  )
}

const nextOf = (answer: Answer) =>
  /<https:\/\/lectern\.test([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]

describe.each(Object.entries(LISTS))("%s", (name, { path, columns, sorted = [], filters, given = {}, as, also }) => {
  it("reads only the rows that it returns, in every order and with every filter", { timeout: 120_000 }, async () => {
    await academy()
    await also?.()
    const token = (await signedIn(as ?? "owner")).token
    const page = (more: object) =>
      get(`${path}${query({ page_size: 10, page_number: 1, ...given, ...more })}`, { token })
    const rowsIn = ({ body }: Answer): Record<string, unknown>[] => body.records ?? body.learningPaths
    const over: string[] = []
    const held = (what: string, answer: Answer, isSorted: boolean) => {
      expect(answer.status, `${what} ${JSON.stringify(answer.body)}`).toBe(200)
      const { roundTrips, read } = cost(answer)
      // Sorted rows are counted, and read again for the page; after a cursor, by two branches.
      const most = 20 * rowsIn(answer).length + 200 + (isSorted ? 10 * answer.body.recordsFiltered : 0)
      if (roundTrips > 1 || read > most)
        over.push(`${what}: ${roundTrips} round trips, ${read} rows read, ${most} at most`)
      return rowsIn(answer)
    }
    const combinations = [{}, ...filters].flatMap((filter) =>
      columns.flatMap((colName) => ["asc", "desc"].map((direction) => ({ filter, colName, direction }))),
    )
    for (const { filter, colName, direction } of sampled(combinations, 29, Object.keys(LISTS).indexOf(name))) {
      const what = JSON.stringify({ ...filter, colName, direction })
      const order = { ...filter, order_by: { colName, direction } }
      const isSorted = sorted.includes(colName)
      const first = await page(order)
      const rows = held(what, first, isSorted)
      const next = nextOf(first)
      if (next) {
        const second = await get(next, { token })
        rows.push(...held(`${what}, the next`, second, isSorted))
        const third = nextOf(second)
        if (third) rows.push(...held(`${what}, the one after`, await get(third, { token }), isSorted))
      }
      // A page by number also reads the rows before it.
      const whole = await page({ ...order, page_size: 30 })
      expect(rowsIn(whole), what).toEqual(rows)
      held(`${what}, thirty`, whole, isSorted)
      if (first.body.recordsFiltered <= 10) expect(first.body.recordsFiltered, what).toBe(rows.length)
    }
    expect(over).toEqual([])
  })
})

const ORDERS: Record<string, string> = {
  id: "enrollments.id",
  registered_on: "registered_at",
  courseName: "lower(courses.name)",
  status: "enrollments.status",
  percent_complete: "percent",
  started_on: "started_at",
  completed_on: "completed_at",
  expire_on: "expires_at",
  last_accessed_on: "last_accessed_at",
  total_time_spent: "time_spent",
}

describe("the list of all enrollments", () => {
  it("is in the requested order, with ties by id", { timeout: 60_000 }, async () => {
    await academy()
    for (const [colName, column] of Object.entries(ORDERS))
      for (const direction of ["asc", "desc"])
        for (const status of [["Completed"], ["Not Started", "In Progress", "Completed"]]) {
          const order = `${column} ${direction}, enrollments.id ${direction}`
          const expected = await db.all<{ id: number }>(
            sql.raw(
              `select enrollments.id as id from enrollments join courses on courses.id = course_id
                where enrollments.status in (select value from json_each('${JSON.stringify(status)}'))
                order by ${order} limit 40`,
            ),
          )
          const given = { page_size: 40, page_number: 1, order_by: { colName, direction }, search_param: { status } }
          const { body } = await get(`/api/user/reports/user-detailed${query(given)}`)
          expect(
            body.records.map((row: { id: number }) => row.id),
            `${colName} ${direction} ${status}`,
          ).toEqual(expected.map((row) => row.id))
        }
  })
})

/** Users, each with an enrollment in one class with another status. */
async function classEnrollments(count: number) {
  const range = `with recursive n(n) as (select 1 union all select n + 1 from n where n < ${count})`
  for (const statement of [
    `insert into users (id, first_name, last_name, email, user_type, search_text, created_at)
      ${range} select n + 100, 'Learner', 'Number ' || n, 'learner' || n || '@example.com', 'general', '', n from n`,
    `insert into courses (id, name, slug, status, content, instructions, search_text, created_at)
      values (1, 'Course', 'course', 'publish', '', '', 'course', 1)`,
    `insert into classes (id, course_id, instructor_id, type, disabled, allow_download, start_at, end_at,
      session_count, created_at)
      values (1, 1, 101, 'onetime', 0, 0, 5, 9, 1, 1)`,
    `insert into class_enrollments (id, user_id, class_id, status, registered_at, last_accessed_at,
      first_name, last_name, email)
      ${range} select n, n + 100, 1, iif(n = 7, 'Attended', 'Registered'), n, n % 11, 'Learner', 'Number ' || n,
        'learner' || n || '@example.com' from n`,
  ])
    await db.run(sql.raw(statement))
}

describe("an order without an index", () => {
  const report = (given: object, token: string) =>
    get(`/api/user/class/reports${query({ page_size: 10, page_number: 1, ...given })}`, { token })

  it("sorts the filtered rows, by page and by cursor", async () => {
    await classEnrollments(35)
    const { token } = await signedIn("owner")
    for (const direction of ["asc", "desc"]) {
      const order_by = { colName: "last_accessed_on", direction }
      const seen: number[] = []
      let answer = await report({ order_by }, token)
      for (;;) {
        expect(cost(answer).roundTrips).toBe(1)
        seen.push(...answer.body.records.map((row: { id: number }) => row.id))
        const next = nextOf(answer)
        if (!next) break
        answer = await get(next, { token })
      }
      const expected = await db.all<{ id: number }>(
        sql.raw(`select id from class_enrollments order by last_accessed_at ${direction}, id ${direction}`),
      )
      expect(seen).toEqual(expected.map(({ id }) => id))
    }
  })

  it("sorts 200,000 rows, refuses one more with the filters to use, and sorts the filtered rows", {
    timeout: 120_000,
  }, async () => {
    await classEnrollments(200_000)
    const { token } = await signedIn("owner")
    const order_by = { colName: "last_accessed_on", direction: "desc" }
    const sorted = await report({ order_by }, token)
    expect(sorted).toMatchObject({ status: 200, body: { recordsFiltered: 200_000 } })
    expect(sorted.body.records.map(({ id }: { id: number }) => id % 11)).toEqual(Array(10).fill(10))
    expect(sorted.body.records[0].id).toBe(199_990)
    expect(cost(sorted).roundTrips).toBe(1)
    for (const held of await rowsOf(classes)) await classEnrollment(await user(), held, { id: 200_001 })
    const refused = await report({ order_by }, token)
    expect(refused).toMatchObject({ status: 422, body: { errors: { order_by: [/user_id.*registered_on/] } } })
    expect((await report({ order_by: "registered_on" }, token)).status).toBe(200)
    const found = await report({ order_by, search_param: { status: "Attended" } }, token)
    expect(found).toMatchObject({ status: 200, body: { recordsFiltered: 1, records: [{ id: 7 }] } })
  })
})

/** Operations that return an array without paging, and why it does not grow with the academy. */
const SMALL: Record<string, string> = {
  "/ready": "the backfills of one version",
  "/api/diagnostics": "the bindings and queues of a deployment",
  "/api/userType/lookup": "fixed",
  "/api/users/fieldtype/lookup": "fixed",
  "/api/users/customUserFieldsReports/lookup": "fixed",
  "/api/audit-activities/verb/lookup": "fixed",
  "/api/badges/defaultBadgeLookUp": "fixed",
  "/api/certificate_template/fontFamilyLookup": "fixed",
  "/api/certificate_template/keysLookup": "fixed, with the custom fields",
  "/api/users/customRegistrationFields": "the custom fields",
  "/api/users/customUserFields": "the custom fields",
  "/api/reports/taught-courses": "100 courses",
  "/api/me/home": "4 courses, 10 tasks, 5 sessions, 3 announcements",
  "/api/home": "8 courses, else counts",
  "/api/user/userAddress/{id}": "one user's",
  "/api/user/userShippingAddress/{id}": "one user's",
  "/api/user/saved-cards": "one user's",
  "/api/user/badges/{id}": "one user's",
  "/api/user/portals": "one user's",
  "/api/course/modules": "one registration's",
  "/api/module/assignment/submissions": "one registration's",
  "/api/class/study-material": "one class's",
  "/api/class/webinar/details": "one class's",
  "/api/credential/group/lookup": "the provider's",
  "/api/user/getBlockedEmailsAndDomains": "one record",
  "/api/user/getBulkUploadSampleFile": "one file",
  "/api/user/bulkUpload/progress/{uploadId}": "one upload's",
  "/api/course/reports/overview": "a chart",
  "/api/course/reports/by-day": "a chart",
  "/api/course/reports/modules": "one course's",
  "/api/quiz-report/scores": "a chart",
  "/api/quiz/attempts": "one registration's",
  "/api/quiz/statistics": "one quiz's questions",
  "/api/users/class-sessions": "a calendar",
  "/api/class/reports/overview": "a chart",
  "/api/users/can-delete-field": "one field's",
  "/api/module/assignment/details": "one registration's",
  "/.well-known/oauth-authorization-server": "fixed",
  "/api/transcript/user/{id}": "one user's",
  "/api/notification-preferences": "one per kind",
  "/api/notification-template/list": "one per kind",
  "/api/media/{id}": "one file's captions",
  "/api/me": "the caller's own groups and portals",
}

describe("a list that the API document does not page", () => {
  it("accepts page_size if it grows with the academy", async () => {
    const body: Json = await openApiDocument()
    type Schema = { $ref?: string; type?: string; properties?: Record<string, Schema> }
    const resolved = (schema: Schema | undefined): Schema | undefined =>
      schema?.$ref ? resolved(body.components.schemas[schema.$ref.split("/").at(-1) ?? ""]) : schema
    const paths = Object.entries<{ get?: { parameters?: ListParameter[]; responses: Json } }>(body.paths)
    const unpaged = paths.flatMap(([path, { get: operation }]) => {
      const answer = resolved(operation?.responses["200"]?.content?.["application/json"]?.schema)
      const isList =
        answer?.type === "array" || Object.values(answer?.properties ?? {}).some((of) => resolved(of)?.type === "array")
      const isRowId = /(\{id\}|\/by-external-id)$/.test(path) && !/user\//.test(path)
      return isList && !isRowId && !operation?.parameters?.some(({ name }) => name === "page_size") ? [path] : []
    })
    expect(unpaged.filter((path) => !(path in SMALL))).toEqual([])
  })

  it("can be a lookup", async () => {
    const staff = await signedIn("staff")
    await db.run(
      sql.raw(`insert into categories (id, type, name, name_key, search_text, created_at, updated_at)
        with recursive n(n) as (select 1 union all select n + 1 from n where n < 60)
        select n, 'course', 'Category ' || n, 'category ' || n, '', 1, 1 from n`),
    )
    await db.run(
      sql.raw(`insert into certificate_templates (id, name, bg_url, width, height, fields, search_text, created_at)
        select id, name, '', 9, 9, '[]', '', 1 from categories`),
    )
    for (const path of ["/api/categories/course/lookup", "/api/certificate_templates/lookup"]) {
      const all = await get(path, staff)
      expect([all.status, all.body.length, cost(all).roundTrips], path).toEqual([200, 60, 1])
      const second = await get(`${path}?page_size=50&page_number=2`, staff)
      expect(second.body).toEqual(all.body.slice(50))
    }
  })

  it("returns all rows, and requires page_size beyond 5,000 rows", { timeout: 60_000 }, async () => {
    const { token } = await signedIn("owner")
    await classEnrollments(4_999)
    for (const path of ["/api/users/getUsersByType", "/api/users/lookup"]) {
      const all = await get(path, { token })
      expect(cost(all).roundTrips).toBe(1)
      expect(all.body.records, path).toHaveLength(5_000)
      expect((await get(`${path}?page_size=2`, { token })).body.records).toHaveLength(2)
    }
    await signedIn("staff")
    for (const path of ["/api/users/getUsersByType", "/api/users/lookup"]) {
      expect(await get(path, { token })).toMatchObject({ status: 422, body: { errors: { page_size: [/5001 rows/] } } })
      expect((await get(`${path}?page_size=500&page_number=11`, { token })).body.records).toHaveLength(1)
    }
  })
})

/** Creates some rows for each kind of list. */
async function something() {
  await classEnrollments(60)
  const range = (count: number) => `with recursive n(n) as (select 1 union all select n + 1 from n where n < ${count})`
  for (const statement of [
    `insert into enrollments (id, user_id, course_id, status, percent, time_spent, registered_at, started_at,
      completed_at,
        expires_at, last_accessed_at, first_name_key, last_name_key)
      select id, id, 1, iif(id % 3, 'In Progress', 'Completed'), id % 50, id % 9, id, id % 7, iif(id % 3, 0, id), 0,
        id % 5, first_name_key, last_name_key
      from users where id > 100`,
    `insert into courses (id, name, slug, status, content, instructions, search_text, created_at)
      ${range(9)} select n + 1, 'Course ' || (n % 3), 'course-' || n, 'publish', '<p>' || (n % 4) || '</p>', '',
        'course', n % 4 from n`,
    `insert into modules (id, type, name, slug, content, icon, search_text, created_at, max_upload_size,
      estimation_completed_unit)
      ${range(20)} select n, iif(n % 2, 'quiz', 'assignment'), 'Module ' || (n % 3), 'module-' || n, '',
        'icon' || (n % 4), '', n % 5, n % 3, iif(n % 3, 'hour', 'minutes') from n`,
    `insert into course_modules (course_id, module_id, position, required, counts, is_locked, drip_days, min_time_spent)
      select 1, id, id, 1, 1, 0, 0, 0 from modules`,
    `insert into quiz_attempts (id, enrollment_id, module_id, status_row_id, user_id, course_id, number, status,
      result, score, out_of, percent, pass_percent, module_version, started_at, completed_at, time_taken)
      select id, id, 1, 1, user_id, course_id, 1, iif(id % 5, 'Completed', 'In Progress'),
        iif(id % 5, 'passed', ''), id % 11, 10 + id % 2, id % 101, 50, 1, id % 7, 1, id % 60 from enrollments`,
    `insert into orders (id, user_id, items, total, currency, status, created_at)
      select id, id, '[]', id % 9, iif(id % 3, 'USD', 'EUR'), iif(id % 7, 'pending', 'completed'), id % 10
        from users where id > 100`,
    `insert into subscriptions (id, user_id, subscription_name, total, currency, status, start_at, end_at, created_at)
      select id, id, 'Plan ' || (id % 5), id % 9, 'USD', iif(id % 4, 'Active', 'Cancelled'), id % 30,
        iif(id % 5 = 1, 5, 0), id % 11 from users where id > 100`,
    `insert into announcements (id, heading, content, sending_rules, limited_to_portals, state, search_text, created_at)
      ${range(20)} select n, 'Heading ' || (n % 4), '<p>' || (n % 5) || '</p>', 'all', 0, 'everyone', '', n % 3 from n`,
  ])
    await db.run(sql.raw(statement))
}

// biome-ignore lint/suspicious/noExplicitAny: reads any member of the OpenAPI document
type Json = any

interface ListParameter {
  name: string
  required?: boolean
  schema: { properties?: { colName?: { enum: string[] } } }
}

/** The parameters of a list, except its page. */
const ASKED: Record<string, unknown> = { course_id: 1, user_id: 150, group_id: "", class_id: 1, context: "admin" }

/** Every sortable list of the interface document, with its columns. */
async function orderedLists() {
  const { paths }: Json = await openApiDocument()
  return Object.entries<{ get?: { parameters?: ListParameter[] } }>(paths).flatMap(([path, { get: operation }]) => {
    const parameters = operation?.parameters ?? []
    const order = parameters.find(({ name }) => name === "order_by")
    if (!order) return []
    const columns = order.schema.properties?.colName?.enum ?? []
    const asked = parameters.filter(({ name, required }) => name in ASKED && (required || name === "context"))
    const given = Object.fromEntries(asked.map(({ name }) => [name, ASKED[name]]))
    return [{ path: path.replace("{id}", "150"), columns, given }]
  })
}

describe("every list of the API document", () => {
  it("is sorted by each column that it names, with the directions reversed", {
    timeout: 300_000,
  }, async () => {
    await something()
    const { token } = await signedIn("owner")
    const lists = await orderedLists()
    expect(lists.length).toBeGreaterThan(50)
    for (const { path, columns } of lists) expect(columns.length, path).toBeGreaterThan(0)
    const orders = lists.flatMap(({ columns, ...list }) => columns.map((colName) => ({ ...list, colName })))
    for (const { path, colName, given } of sampled(orders, 9)) {
      const [up, down] = await Promise.all(
        ["asc", "desc"].map((direction) =>
          get(`${path}${query({ page_size: 500, page_number: 1, ...given, order_by: { colName, direction } })}`, {
            token,
          }),
        ),
      )
      const what = `${path} by ${colName}`
      expect([up?.status, down?.status], `${what}: ${JSON.stringify(up?.body)}`).toEqual([200, 200])
      const rows = ({ body }: Answer) => body.records ?? body.learningPaths ?? body.classes ?? body.userConsents
      if (up && down) expect(rows(down), what).toEqual(rows(up).toReversed())
    }
  })
})
