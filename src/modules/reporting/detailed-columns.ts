import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { courses } from "../../../drizzle/courses.ts"
import { enrolments } from "../../../drizzle/enrolments.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { fullName } from "../../lib/text/words.ts"
import { enrolledCourseName } from "../learning/enrolments.queries.ts"
import { learnerColumns, reportedColumns } from "../learning/registration-columns.ts"

/** The columns of the course-detailed report. */
export const courseDetailedColumns = listColumns({ ...reportedColumns, ...learnerColumns })

/** The columns of the user-detailed report. */
export const userDetailedColumns = listColumns({
  ...reportedColumns,
  courseName: column(enrolledCourseName, z.string(), {
    sort: sql`(select ${courses.sortName} from ${courses} where ${courses.id} = ${enrolments.courseId})`,
  }),
  user_id: column(enrolments.userId, z.number().int(), { sort: { sorted: enrolments.userId } }),
  name: column({ firstName: enrolments.firstName, lastName: enrolments.lastName }, z.string(), {
    show: fullName,
    sort: { sorted: sql`${enrolments.firstNameKey} || ' ' || ${enrolments.lastNameKey}` },
  }),
  email: column(enrolments.email, z.string(), { sort: { sorted: sql`${enrolments.email} collate nocase` } }),
})
