import { z } from "@hono/zod-openapi"
import { ENROLMENT_STATUSES, enrolments } from "../../../drizzle/enrolments.ts"
import { ofMembers, ofNamed, subjectOf } from "../../gate/audience.ts"
import type { Caller } from "../../lib/access.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { type Sheet, sheet } from "../../lib/sheet/sheet.ts"
import type { Database } from "../../lib/sql/db.ts"
import { enrolmentsInStatus, enrolmentTally } from "../learning/enrolment-lists.queries.ts"
import { reportColumns, reportFields } from "../people/custom-field-columns.ts"
import { userDetailedColumns } from "./detailed-columns.ts"
import type { UserReportExport } from "./reports.schemas.ts"

const { name, email, courseName, status, percent_complete, ...columns } = userDetailedColumns.columns
const { registered_on, started_on, completed_on, expire_on, last_accessed_on } = columns

/** The columns of the report as a file has it. */
const userReportColumns = listColumns({
  name,
  email,
  course: courseName,
  status,
  percent: percent_complete,
  registered_on,
  started_on,
  completed_on,
  expire_on,
  last_accessed_on,
  time_spent_seconds: column(enrolments.timeSpent, z.number().int()),
})

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
    headers: [...userReportColumns.names, ...custom.headers],
    walk: {
      table: enrolments,
      key: enrolments.id,
      fields: { ...userReportColumns.fields, customValues: custom.values },
      filters: [...people, ...scope, ...(statuses.length > 0 ? [enrolmentsInStatus(statuses)] : [])],
      ...(people.length === 0 && { total: enrolmentTally(key, 0, passed) }),
    },
    toCells: (row) => [...userReportColumns.toCells(row), ...custom.cells(row.customValues)],
  })
}
