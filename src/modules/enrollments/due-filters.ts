import { type SQL, sql } from "drizzle-orm"
import {
  DUE_STATUSES,
  dueCounts,
  enrollmentCounts,
  enrollments,
  NEEDS_ATTENTION,
} from "../../../drizzle/schema/enrollments.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import { filterFirstOrScan } from "../../db/list/filter-first.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { literal, textList } from "../../db/sql.ts"

// Due statuses of enrollments: filters by their indexes, and the maintained counts.

/** The statuses of enrollments with a due date. */
export type SetDueStatus = Exclude<DueStatus, "no_due_date">
export const SET_DUE_STATUSES = DUE_STATUSES.filter(
  (status): status is SetDueStatus => status !== DueStatus.NoDueDate,
) as [SetDueStatus, ...SetDueStatus[]]

/** The column of the counts for each status. */
const DUE_COUNTS = {
  [DueStatus.OnTrack]: "onTrack",
  [DueStatus.DueSoon]: "dueSoon",
  [DueStatus.Overdue]: "overdue",
  [DueStatus.Completed]: "completedOnTime",
  [DueStatus.CompletedLate]: "completedLate",
  [DueStatus.Exempt]: "exempt",
} as const

/**
 * The number of enrollments of an audience in these due statuses, from one row of the stored counts.
 * @param courseId 0 counts all courses
 */
export function storedDueCount(
  audience: string,
  courseId: number,
  statuses: readonly SetDueStatus[] = SET_DUE_STATUSES,
): SQL<number> {
  const isTotal = courseId === 0 && audience !== "all"
  const table = isTotal ? dueCounts : enrollmentCounts
  const counts = statuses.map((status) => sql`${table[DUE_COUNTS[status]]}`)
  return sql<number>`coalesce((
    select ${sql.join(counts, sql` + `)}
    from ${table}
    where ${table.audience} = ${audience} and ${isTotal ? sql`1` : sql`${enrollmentCounts.courseId} = ${courseId}`}
  ), 0)`
}

/** The condition of the partial indexes. */
const HAS_DUE_DATE = sql`${enrollments.dueStatus} <> ${literal(DueStatus.NoDueDate)}`

/** The enrollments in one due status, by the indexes of due dates. */
export const inDueStatus = (status: SetDueStatus, courseId?: number): SQL =>
  sql`${enrollments.dueStatus} = ${literal(status)} and ${HAS_DUE_DATE}${
    courseId === undefined ? sql`` : sql` and ${enrollments.courseId} = ${courseId}`
  }`

/** The unary plus keeps the indexes of due dates free for branches. */
export const hasDueStatus = (statuses: readonly SetDueStatus[]): SQL =>
  sql`+${enrollments.dueStatus} in ${textList(statuses)}`

/**
 * A query of the ids of enrollments in these due statuses.
 * @param tests further conditions on `due`, an alias of `enrollments`
 */
export const idsInDueStatus = (statuses: readonly SetDueStatus[], courseId?: number, tests: SQL[] = []): SQL => sql`
  select due.id as id
  from ${enrollments} as due
  where due.due_status in (${sql.join(statuses.map(literal), sql`, `)})
    and due.due_status <> ${literal(DueStatus.NoDueDate)}
    and ${courseId === undefined ? sql`1` : sql`due.course_id = ${courseId}`}
    and ${sql.join([sql`1`, ...tests], sql` and `)}`

/**
 * A filter by due status of a list in another order: few matches are found by the indexes of due dates, many by a scan.
 * @param total the number of enrollments that a scan reads
 * @param branches of the scan, if the indexes of its order are per branch
 */
export const dueStatusFilter = (
  statuses: readonly SetDueStatus[],
  { courseId, total }: { courseId?: number | undefined; total: SQL<number> },
  query: PageQuery,
  branches?: Filter[],
): Filter =>
  filterFirstOrScan(
    {
      test: hasDueStatus(statuses),
      ids: idsInDueStatus(statuses, courseId),
      count: storedDueCount("all", courseId ?? 0, statuses),
      total,
    },
    query,
    branches,
  )

const ATTENTION: readonly SetDueStatus[] = [DueStatus.DueSoon, DueStatus.Overdue]

/** Whether the index by user has the enrollments in these statuses. */
export const hasUserIndex = (statuses: readonly SetDueStatus[]) =>
  statuses.every((status) => ATTENTION.includes(status))

/**
 * The condition of `own`, an alias of `enrollments`, that it is in one of these statuses. For those that need attention
 * the index by user has them.
 */
export function ownDueStatus(statuses: readonly SetDueStatus[]): SQL {
  // With literals, the index has one range for each status and person.
  const test = sql`own.due_status in (${sql.join(statuses.map(literal), sql`, `)})`
  return hasUserIndex(statuses) ? sql`own.${NEEDS_ATTENTION} and ${test}` : test
}
