// npm run bench -- learning-lists: the cost in D1 of the lists and reports of learning over a large table
// (bench/seed-enrollments.ts),
// in every order and with every filter by status: one trip, and at most 20 rows read for each row answered plus 200. An
// order without an index reads what its filter leaves, or is refused and reads nothing.
// Reads the round trips and rows from Server-Timing.

import { flags } from "../scripts/lib/cli.ts"
import { call, connect, json, PASSWORD } from "../scripts/lib/client.ts"
import { query } from "../scripts/lib/request.ts"
import { ENROLLED_COURSE_COLUMNS, STUDENT_COLUMNS } from "../src/modules/enrollments/enrollments.schemas.ts"
import { DUE_COLUMNS } from "../src/modules/reports/due.schemas.ts"
import { teamColumns } from "../src/modules/reports/due-columns.ts"
import {
  ACTIVITY_COLUMNS,
  COURSE_DETAILED_COLUMNS,
  USER_DETAILED_COLUMNS,
} from "../src/modules/reports/reports.schemas.ts"

const values = flags(
  "npm run bench -- learning-lists",
  "Compares the D1 cost of learning lists over a large table with their limits.",
  {
    url: { type: "string", value: "address", default: "http://localhost:8787", about: "where the service is" },
    email: { type: "string", value: "address", default: "owner@example.com", about: "who calls it" },
    password: { type: "string", default: PASSWORD, about: "their password" },
    supervisor: {
      type: "string",
      multiple: true,
      value: "id",
      default: [],
      about: "a team whose due training is read",
    },
    group: { type: "string", multiple: true, value: "id", default: [], about: "a group whose due training is read" },
    rule: { type: "string", multiple: true, value: "id", default: [], about: "a rule whose due training is read" },
    only: { type: "string", value: "text", default: "", about: "only the lists whose name begins with it" },
    all: { type: "boolean", default: false, about: "shows every list, not only those over a limit" },
  },
)
const TEAM_COLUMNS = Object.keys(teamColumns.sort)
/** The rows that a page may read per returned row, and in addition. */
const PER_ROW = 20
const PER_PAGE = 200
/** What an order without an index may read for each row that it sorts: it is counted, read and looked up. */
const PER_SORTED = 10
/** The overview of all courses has no pages. */
const OVERVIEW = 2_000
const PAGE_SIZE = 50

const connection = await connect(values.url, values.email, values.password)

interface Body {
  records?: Record<string, unknown>[]
  labels?: string[]
  recordsTotal?: number
  recordsFiltered?: number
}

interface Cost {
  what: string
  trips: number
  read: number
  limit: number
  milliseconds: number
  next: string | undefined
  body: Body
  refused: boolean
}

/**
 * @param path includes its query string if `parameters` are omitted
 * @param options.sorts the order has no index: a 422 says that more is left than it sorts
 */
async function ask(
  what: string,
  path: string,
  {
    parameters,
    sorts = false,
    perRow = PER_ROW,
  }: { parameters?: Record<string, unknown>; sorts?: boolean; perRow?: number } = {},
): Promise<Cost> {
  const began = performance.now()
  const answer = await call(connection, "GET", parameters ? `${path}${query(parameters)}` : path)
  const refused = sorts && answer.status === 422
  const body = refused ? {} : await json<Body>(answer)
  const cost = /trips=(\d+) read=(\d+)/.exec(answer.headers.get("server-timing") ?? "")
  if (!cost) throw new Error("The answer has no Server-Timing: measure a development server.")
  const limit =
    (body.labels ? OVERVIEW : perRow * (body.records?.length ?? 1) + PER_PAGE) +
    (sorts ? PER_SORTED * (body.recordsFiltered ?? 0) : 0)
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]
  const milliseconds = performance.now() - began
  return { what, trips: Number(cost[1]), read: Number(cost[2]), limit, milliseconds, next, body, refused }
}

const over = ({ trips, read, limit }: Cost) => trips > 1 || read > limit
const line = (cost: Cost) =>
  [
    cost.what.padEnd(76),
    String(cost.trips).padStart(5),
    String(cost.read).padStart(9),
    String(cost.limit).padStart(8),
    String(cost.body.recordsFiltered ?? cost.body.labels?.length ?? "").padStart(9),
    cost.milliseconds.toFixed(0).padStart(7),
    `  ${over(cost) ? "EXCEEDED" : cost.refused ? "422" : ""}`,
  ].join("")

let exceeded = 0
let asked = 0
let refused = 0
/**
 * Prints the most expensive order of each list with and without an index, and all orders above the limit.
 * @param indexed the columns in whose order the list has an index
 */
async function measure(
  name: string,
  path: string,
  columns: readonly string[],
  indexed: readonly string[],
  filters: Record<string, unknown>[],
  given: Record<string, unknown> = {},
  perRow = PER_ROW,
) {
  if (!name.startsWith(values.only)) return
  for (const filter of [{}, ...filters]) {
    const costs: Cost[] = []
    const sorted: Cost[] = []
    for (const colName of columns)
      for (const direction of ["asc", "desc"]) {
        const order_by = { colName, direction }
        const sorts = !indexed.includes(colName)
        const which = Object.keys(filter).length > 0 ? JSON.stringify(Object.values(filter)[0]) : "all"
        const said = `${which} by ${colName} ${direction}`
        const parameters = { page_size: PAGE_SIZE, page_number: 1, ...given, ...filter, order_by }
        const first = await ask(`${name}: ${said}`, path, { parameters, sorts, perRow })
        const kind = sorts ? sorted : costs
        kind.push(first)
        if (first.next) kind.push(await ask(`${name}: ${said}, next`, first.next, { sorts, perRow }))
      }
    for (const kind of [costs, sorted]) {
      asked += kind.length
      exceeded += kind.filter(over).length
      refused += kind.filter((cost) => cost.refused).length
      const worst = kind.toSorted((a, b) => b.read / b.limit - a.read / a.limit)
      const printed = values.all ? kind : worst.filter((cost, at) => at === 0 || over(cost))
      for (const cost of printed) console.info(line(cost))
    }
  }
}

const newest = async (path: string, given: Record<string, unknown>) =>
  (await ask("", path, { parameters: given })).body.records?.[0]
const status = (...all: (string | string[])[]) => all.map((one) => ({ search_param: { status: one } }))
const PROGRESS = status("Not Started", "In Progress", "Completed", ["Not Started", "Completed"])
const paging = { page_size: 1, page_number: 1 }
const registration = await newest("/api/user/reports/user-detailed", {
  ...paging,
  order_by: { colName: "id", direction: "desc" },
})
const course = await newest("/api/courses/tabularlist", paging)
const total = await ask("", "/api/user/reports/user-detailed", { parameters: paging })
const people = await ask("", "/api/users/tabularlist", { parameters: paging })
const ofUser = { user_id: registration?.user_id }
const ofCourse = { course_id: course?.id, group_id: "" }

console.info(
  `${total.body.recordsTotal} registrations; of each filter the order that reads most, and all beyond the limit\n`,
)
console.info(`${"list".padEnd(76)}trips     read   limit    found     ms`)
const BY_COURSE = ["registered_on", "first_name", "last_name"]
await measure(
  "enrolled-courses",
  "/api/users/enrolled-courses",
  ENROLLED_COURSE_COLUMNS,
  ENROLLED_COURSE_COLUMNS,
  PROGRESS,
  ofUser,
)
await measure("enrolled-students", "/api/course/enrolled-students", STUDENT_COLUMNS, BY_COURSE, PROGRESS, ofCourse)
await measure(
  "course-detailed",
  "/api/course/reports/course-detailed",
  COURSE_DETAILED_COLUMNS,
  BY_COURSE,
  PROGRESS,
  ofCourse,
)
const DETAILED = "/api/user/reports/user-detailed"
await measure("user-detailed", DETAILED, USER_DETAILED_COLUMNS, ["registered_on"], PROGRESS)
await measure("user-detailed of one", DETAILED, USER_DETAILED_COLUMNS, USER_DETAILED_COLUMNS, PROGRESS, ofUser)
const DUE = "/api/due/tabularlist"
const dayRange = (...days: number[]) =>
  days.map((day) => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10)).join(",")
const DUE_STATUSES = [
  { search_param: { dueStatus: "overdue" } },
  { search_param: { dueStatus: ["due_soon", "completed_late"] } },
]
const DUE_FILTERS = [
  ...DUE_STATUSES,
  { search_param: { due_between: dayRange(-30, 0) } },
  { search_param: { dueStatus: "overdue", due_between: dayRange(-10, 10) } },
]
const overdueIn = (courseId: unknown) => [{ search_param: { dueStatus: "overdue", courseId } }]
const measureDue = (name: string, filters: Record<string, unknown>[], given: Record<string, unknown> = {}) =>
  measure(name, DUE, DUE_COLUMNS, ["dueAt"], filters, given)
await measureDue("due", [...DUE_FILTERS, { search_param: { nameOrEmail: "quillfeather", dueStatus: "overdue" } }])
const overdue = await newest(DUE, { ...paging, search_param: { dueStatus: "overdue" } })
const courseId = overdue?.courseId ?? course?.id
await measureDue("due of a course", [
  ...overdueIn(courseId),
  { search_param: { courseId } },
  { search_param: { courseId, due_between: dayRange(-30, 0) } },
])
for (const ruleId of values.rule)
  await measureDue(`due of rule ${ruleId}`, [
    { search_param: { ruleId, dueStatus: "overdue" } },
    { search_param: { ruleId } },
  ])
/** The enrollments of each person are counted. */
const PER_PERSON = PER_ROW + Math.ceil(Number(total.body.recordsTotal) / Number(people.body.recordsTotal))
const measureTeam = (name: string, given: Record<string, unknown> = {}) =>
  measure(name, "/api/due/team", TEAM_COLUMNS, [], [], given, PER_PERSON)
const TEAMS = [
  ...values.supervisor.map((supervisor_id) => ({ supervisor_id })),
  ...values.group.map((group_id) => ({ group_id })),
]
for (const team of TEAMS) {
  const name = Object.entries(team).flat().join(" ")
  await measureDue(`due of ${name}`, [...DUE_FILTERS, ...overdueIn(courseId)], team)
  await measureTeam(`team of ${name}`, team)
}
await measureTeam("team of everyone")
const USERS = ["created_at", "id", "first_name", "last_name", "email"]
await measure("users/report", "/api/users/report", [...USERS, "user_type", "last_login"], USERS, [
  { registered_between: "2026-01-05,2026-01-05" },
  { registered_between: "2020-01-01,2030-01-01" },
])
await measure(
  "user-activities",
  "/api/user-activities",
  ACTIVITY_COLUMNS,
  ["created_at"],
  status("ENROLLED", "COMPLETED", ["STARTED", "COMPLETED"]),
  { context: "admin" },
)
for (const [what, path, parameters] of [
  ["dashboard statistics", "/api/user/dashboard/statistics", ofUser],
  ["overview", "/api/course/reports/overview", { group_id: "" }],
] as const) {
  const cost = await ask(what, path, { parameters })
  asked++
  if (over(cost)) exceeded++
  console.info(line(cost))
}
console.info(`\n${asked} pages asked for, ${refused} refused, ${exceeded} beyond the limit.`)
if (exceeded > 0) process.exit(1)
