import { sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { counter, rowCount, SINGLE_ROW } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { type SetDueStatus, storedDueCount } from "../enrollments/due-filters.ts"
import type { DueFilters, DueSummaryQuery, TeamQuery } from "./due.schemas.ts"
import { dueListColumns, teamColumns } from "./due-columns.ts"
import { countDue, type DueSubject, dueSubject, selectDue } from "./due-selection.ts"

/** Whether the caller may see a subject. */
const selectAllowed = (db: Database, { allowed }: DueSubject) =>
  db.select({ allowed: sql<number>`${allowed}`.as("allowed") }).from(SINGLE_ROW)

/**
 * Returns one page of the enrollments with a due date that the caller can see.
 * @throws 404 for the user, group, portal or supervisor
 */
export async function listDue(db: Database, caller: Caller, query: PageQuery & DueFilters) {
  const { subject, filters, filtered } = selectDue(caller, query, query)
  const found = preparePage(
    db,
    {
      table: enrollments,
      key: enrollments.id,
      fields: dueListColumns.fields,
      sort: dueListColumns.sort,
      narrowedBy: "user_id, group_id, portalId, supervisor_id or a search_param",
      defaultSort: { colName: "dueAt", direction: "asc" },
      scope: [],
      search: filters,
      total: countDue(subject),
      filtered,
    },
    query,
  )
  const [rows, totals, allowed] = await db.batch([...found.statements, selectAllowed(db, subject)])
  if (!firstRow(allowed).allowed) throw notFound(subject.unknown)
  return found.read(rows, totals)
}

const NAMES = {
  onTrack: DueStatus.OnTrack,
  dueSoon: DueStatus.DueSoon,
  overdue: DueStatus.Overdue,
  completed: DueStatus.Completed,
  completedLate: DueStatus.CompletedLate,
  exempt: DueStatus.Exempt,
} as const

/** Selects the number of enrollments by due status, and whether the caller may see the subject. */
export function selectDueSummary(db: Database, caller: Caller, { course_id: courseId, ...within }: DueSummaryQuery) {
  const subject = dueSubject(caller, within)
  const ofUser = (status: SetDueStatus) =>
    rowCount(
      enrollments,
      sql`${enrollments.userId} = ${subject.userId} and ${enrollments.dueStatus} = ${status}
        and ${courseId === undefined ? sql`1` : sql`${enrollments.courseId} = ${courseId}`}`,
    )
  const count = (status: SetDueStatus) =>
    subject.userId === undefined ? storedDueCount(subject.key, courseId ?? 0, [status]) : ofUser(status)
  return db
    .select({
      allowed: sql<number>`${subject.allowed}`.as("allowed"),
      onTrack: count(NAMES.onTrack).as("on_track"),
      dueSoon: count(NAMES.dueSoon).as("due_soon"),
      overdue: count(NAMES.overdue).as("overdue"),
      completed: count(NAMES.completed).as("completed"),
      completedLate: count(NAMES.completedLate).as("completed_late"),
      exempt: count(NAMES.exempt).as("exempt"),
    })
    .from(SINGLE_ROW)
}

/** Counts the enrollments with a due date by due status. @throws 404 for the user, group, portal or supervisor */
export async function summarizeDue(db: Database, caller: Caller, query: DueSummaryQuery) {
  const [rows] = await db.batch([selectDueSummary(db, caller, query)])
  const { allowed, ...counts } = firstRow(rows)
  if (!allowed) throw notFound(dueSubject(caller, query).unknown)
  return { total: Object.values(counts).reduce((sum, one) => sum + one, 0), ...counts }
}

/**
 * Returns one page of the people of a team, group or portal, or of everyone, with their counts, most overdue first.
 * @throws 404 for the group, portal or supervisor
 */
export async function listTeam(db: Database, caller: Caller, query: PageQuery & TeamQuery) {
  const { group_id, portalId, supervisor_id } = query
  const subject = dueSubject(caller, { user_id: undefined, group_id, portalId, supervisor_id })
  const { members } = subject
  const ids = members && sql`select ${members.set.userId} as id from ${members.set.from} where ${members.set.condition}`
  const found = preparePage(
    db,
    {
      table: users,
      key: users.id,
      fields: teamColumns.fields,
      sort: teamColumns.sort,
      narrowedBy: "group_id, portalId or supervisor_id",
      defaultSort: { colName: "overdue", direction: "desc" },
      scope: ids ? [{ test: sql`1`, ids }] : [],
      search: [],
      total: members?.count ?? counter("users"),
    },
    query,
  )
  const [rows, totals, allowed] = await db.batch([...found.statements, selectAllowed(db, subject)])
  if (!firstRow(allowed).allowed) throw notFound(subject.unknown)
  return found.read(rows, totals)
}
