import { z } from "@hono/zod-openapi"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import type { Database } from "../../db/client.ts"
import type { Caller } from "../../lib/caller.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { type Sheet, sheet } from "../../lib/spreadsheet/sheet.ts"
import { reportColumns, reportFields } from "../users/custom-field-columns.ts"
import { userDetailedColumns } from "./detailed-columns.ts"
import { enrollmentIterator } from "./enrollment-filters.ts"
import type { EnrollmentFilters } from "./reports.schemas.ts"

const { id, user_id, name, email, courseName, status, percent_complete, ...columns } = userDetailedColumns.columns
const { registered_on, started_on, completed_on, expire_on, last_accessed_on, updatedAt, dueAt, dueStatus, cycle } =
  columns

/** The columns of the file. */
const userReportColumns = listColumns({
  id,
  user_id,
  course_id: integerColumn(enrollments.courseId),
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
  updatedAt,
  dueAt,
  dueStatus,
  cycle,
  time_spent_seconds: column(enrollments.timeSpent, z.number().int()),
})

/** Opens the user-detailed report: its enrollments in the order of their ids, with the custom fields of the report. */
export async function openUserReportSheet(db: Database, caller: Caller, filters: EnrollmentFilters): Promise<Sheet> {
  const [fields] = await db.batch([reportFields(db, "course-insight")])
  const custom = reportColumns(fields, enrollments.userId)
  return sheet(db, {
    headers: [...userReportColumns.names, ...custom.headers],
    keys: [...userReportColumns.names, ...custom.keys],
    iterator: {
      ...enrollmentIterator(caller, filters),
      fields: { ...userReportColumns.fields, customValues: custom.values },
    },
    toCells: (row) => [...userReportColumns.toCells(row), ...custom.cells(row.customValues)],
  })
}
