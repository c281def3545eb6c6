import { ENROLMENT_STATUSES, enrolments } from "../../../drizzle/enrolments.ts"
import { ofMembers, ofNamed, subjectOf } from "../../gate/audience.ts"
import type { Caller } from "../../lib/access.ts"
import { type Sheet, sheet } from "../../lib/sheet/sheet.ts"
import type { Database } from "../../lib/sql/db.ts"
import { dateOrNever } from "../../lib/text/dates.ts"
import { fullName } from "../../lib/text/words.ts"
import { enrolmentsInStatus, enrolmentTally } from "../learning/enrolment-lists.queries.ts"
import { enrolledCourseName } from "../learning/enrolments.queries.ts"
import { reportColumns, reportFields } from "../people/custom-field-columns.ts"
import type { UserReportExport } from "./reports.schemas.ts"

const COLUMNS = [
  "name",
  "email",
  "course",
  "status",
  "percent",
  "registered_on",
  "started_on",
  "completed_on",
  "expire_on",
  "last_accessed_on",
  "time_spent_seconds",
] as const

/**
 * The registrations of those whom the caller may see, in the order of their ids, with the custom fields that include
 * the report.
 */
export async function openUserReportSheet(db: Database, caller: Caller, filter: UserReportExport): Promise<Sheet> {
  const { nameOrEmail, status: statuses = [] } = filter.search_param
  const { key, scope } = subjectOf(caller, {})
  const people = [
    ...(nameOrEmail ? [ofNamed(nameOrEmail)] : []),
    ...(filter.searchPortalIds ? [ofMembers(filter.searchPortalIds)] : []),
  ]
  // Of everyone the walk passes only what has the status; of some people, all that they have.
  const passed = scope.length === 0 && statuses.length > 0 ? [...new Set(statuses)] : ENROLMENT_STATUSES
  const [fields] = await db.batch([reportFields(db, "course-insight")])
  const custom = reportColumns(fields, enrolments.userId)
  return sheet(db, {
    headers: [...COLUMNS, ...custom.headers],
    walk: {
      table: enrolments,
      key: enrolments.id,
      fields: {
        firstName: enrolments.firstName,
        lastName: enrolments.lastName,
        email: enrolments.email,
        course: enrolledCourseName.as("course_name"),
        status: enrolments.status,
        percent: enrolments.percent,
        registeredAt: enrolments.registeredAt,
        startedAt: enrolments.startedAt,
        completedAt: enrolments.completedAt,
        expiresAt: enrolments.expiresAt,
        lastAccessedAt: enrolments.lastAccessedAt,
        timeSpent: enrolments.timeSpent,
        customValues: custom.values,
      },
      filters: [...people, ...scope, ...(statuses.length > 0 ? [enrolmentsInStatus(statuses)] : [])],
      ...(people.length === 0 && { total: enrolmentTally(key, 0, passed) }),
    },
    toCells: (row) => [
      fullName(row),
      row.email,
      row.course,
      row.status,
      row.percent,
      dateOrNever(row.registeredAt),
      dateOrNever(row.startedAt),
      dateOrNever(row.completedAt),
      dateOrNever(row.expiresAt),
      dateOrNever(row.lastAccessedAt),
      row.timeSpent,
      ...custom.cells(row.customValues),
    ],
  })
}
