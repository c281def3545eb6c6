import { z } from "@hono/zod-openapi"
import { type SQLWrapper, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { MODULE_TYPES, type ModuleType, modules } from "../../../drizzle/schema/modules.ts"
import { SUBMISSION_STATUSES, submissions } from "../../../drizzle/schema/submissions.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { subquery } from "../../db/sql.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateTimeColumn } from "../../lib/spreadsheet/date-columns.ts"
import { selectCourseName } from "../courses/course-columns.ts"
import { selectModuleName } from "../courses/modules.queries.ts"

const selectFromUser = <T>(column: SQLWrapper) =>
  subquery(sql<T>`(
    select ${column}
    from ${users}
    where ${users.id} = ${submissions.userId}
  )`)
const selectFromModule = <T>(column: SQLWrapper) =>
  subquery(sql<T>`(
    select ${column}
    from ${modules}
    where ${modules.id} = ${submissions.moduleId}
  )`)

const firstName = selectFromUser<string>(users.firstName)
const lastName = selectFromUser<string>(users.lastName)

/** Only submitted_on has an index, by status, within a course and over all courses. */
const columns = {
  status_row_id: sortedIntegerColumn(submissions.statusRowId),
  module_id: sortedIntegerColumn(submissions.moduleId),
  module_name: column(selectModuleName(submissions.moduleId), z.string(), {
    sort: { sorted: selectFromModule(sql`${modules.name} collate nocase`) },
  }),
  module_type: column(selectFromModule<ModuleType>(modules.type), z.enum(MODULE_TYPES), {
    sort: { sorted: selectFromModule(modules.type) },
  }),
  first_name: column(firstName, z.string(), { sort: { sorted: selectFromUser(users.firstNameKey) } }),
  last_name: column(lastName, z.string(), { sort: { sorted: selectFromUser(users.lastNameKey) } }),
  email: column(selectFromUser<string>(users.email), z.string(), {
    sort: { sorted: selectFromUser(sql`${users.email} collate nocase`) },
  }),
  avatar: column({ firstName, lastName, avatar: selectFromUser<string | null>(users.avatar) }, z.string(), {
    show: avatarOf,
  }),
  submission_id: sortedIntegerColumn(submissions.id),
  submitted_on: dateTimeColumn(submissions.submittedAt),
  attempt: sortedIntegerColumn(submissions.number),
  status: column(
    submissions.status,
    z.enum(SUBMISSION_STATUSES).openapi({ description: "Submitted: awaits evaluation" }),
    { sort: { sorted: submissions.status } },
  ),
}

const COURSE_NAME_SORT = {
  sorted: sql`(
    select ${courses.name} collate nocase
    from ${courses}
    where ${courses.id} = ${submissions.courseId}
  )`,
}

/** The columns of the list of a course's submissions. */
export const courseSubmissionColumns = listColumns(columns, { course_name: COURSE_NAME_SORT })

/** The columns of the list of all submissions. */
export const submissionColumns = listColumns({
  ...columns,
  course_name: column(selectCourseName(submissions.courseId), z.string(), { sort: COURSE_NAME_SORT }),
})
