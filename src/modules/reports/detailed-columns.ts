import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { fullName } from "../../lib/text/words.ts"
import {
  enrolledCourseName,
  enrollmentReportColumns,
  LEARNER,
  learnerColumns,
} from "../enrollments/registration-columns.ts"

/** The columns of the course-detailed report. */
export const courseDetailedColumns = listColumns({ ...enrollmentReportColumns, ...learnerColumns })

/** The columns of the user-detailed report. */
export const userDetailedColumns = listColumns({
  ...enrollmentReportColumns,
  courseName: column(enrolledCourseName, z.string(), { sort: { sorted: sql`${enrolledCourseName} collate nocase` } }),
  user_id: learnerColumns.user_id,
  name: column(LEARNER, z.string(), {
    show: fullName,
    sort: { sorted: sql`${enrollments.firstNameKey} || ' ' || ${enrollments.lastNameKey}` },
  }),
  email: learnerColumns.email,
})
