import { z } from "@hono/zod-openapi"
import { type SQL, sql } from "drizzle-orm"
import { assignmentRules } from "../../../drizzle/schema/assignment-rules.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import { rowCount, subquery } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { isoTimeOrNull } from "../../lib/text/dates.ts"
import { fullName } from "../../lib/text/words.ts"
import { ownDueStatus, type SetDueStatus } from "../enrollments/due-filters.ts"
import { dueColumns, registrationColumns } from "../enrollments/registration-columns.ts"
import { userDetailedColumns } from "./detailed-columns.ts"

const RULE_NAME: SQL<string | null> = subquery(sql<string | null>`(
  select ${assignmentRules.name}
  from ${assignmentRules}
  where ${assignmentRules.id} = ${enrollments.dueRuleId}
)`)

const { id, user_id, name, email, courseName, percent_complete } = userDetailedColumns.columns

/** The columns of the list of due training and of its export. */
export const dueListColumns = listColumns({
  id,
  user_id,
  name,
  email,
  courseId: column(enrollments.courseId, z.number().int(), { sort: { sorted: enrollments.courseId } }),
  courseName,
  // The unary plus prevents a scan of the whole course in the order of its index by status.
  status: column(enrollments.status, registrationColumns.status.schema, {
    sort: { sorted: sql`+${enrollments.status}` },
  }),
  percent_complete,
  dueAt: column(enrollments.dueAt, dueColumns.dueAt.schema, { show: isoTimeOrNull, sort: enrollments.dueAt }),
  dueStatus: dueColumns.dueStatus,
  cycle: dueColumns.cycle,
  ruleId: column(
    enrollments.dueRuleId,
    z.number().int().nullable().openapi({ description: "The rule that sets the due date; null if it was set by hand" }),
  ),
  ruleName: column(RULE_NAME, z.string().nullable()),
})

/** The number of a user's enrollments in a due status. */
const countOf = (status: SetDueStatus) =>
  subquery(rowCount(sql`${enrollments} as own`, sql`own.user_id = ${users.id} and ${ownDueStatus([status])}`))
const OVERDUE = countOf(DueStatus.Overdue)
const DUE_SOON = countOf(DueStatus.DueSoon)
const count = () => z.number().int()

/** The columns of a team's summary: a row for each person. */
export const teamColumns = listColumns({
  user_id: sortedIntegerColumn(users.id),
  name: column({ firstName: users.firstName, lastName: users.lastName }, z.string(), {
    show: fullName,
    sort: { sorted: sql`${users.firstNameKey} || ' ' || ${users.lastNameKey}` },
  }),
  email: column(users.email, z.string(), { sort: { sorted: users.email } }),
  overdue: column(OVERDUE, count(), { sort: { sorted: OVERDUE } }),
  dueSoon: column(DUE_SOON, count(), { sort: { sorted: DUE_SOON } }),
  onTrack: column(countOf(DueStatus.OnTrack), count()),
})
