import { z } from "@hono/zod-openapi"
import { id, optional, text } from "../../lib/input/input.ts"
import { exportBody, listQuery, listResponse, storedPeriod } from "../../lib/input/list-query.ts"
import { dueStatuses } from "../enrollments/enrollments.schemas.ts"
import { dueListColumns, teamColumns } from "./due-columns.ts"

const count = () => z.number().int()
const optionalId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

const SUPERVISOR = "Only the people in this supervisor's scope. Supervisors name themselves; staff name anyone"

/** The filters of the list of due training and of its export. */
const dueFilters = {
  search: {
    dueStatus: dueStatuses(),
    courseId: optionalId("Only this course"),
    ruleId: optionalId("Only due dates that this assignment rule sets"),
    due_between: optional(storedPeriod()).openapi({
      type: "array",
      items: { type: "string" },
      description: "The first and the last due date",
    }),
    nameOrEmail: optional(text(254)),
  },
  beside: {
    user_id: optionalId("Only this user. Defaults to everyone the caller can see"),
    supervisor_id: optionalId(SUPERVISOR),
  },
}

export const DUE_COLUMNS = Object.keys(dueListColumns.sort)
export const dueListQuery = listQuery(DUE_COLUMNS, dueFilters.search).extend(dueFilters.beside)
export const dueListExport = exportBody(dueFilters)
export type DueFilters = z.output<typeof dueListExport>

export const dueList = listResponse(dueListColumns.row.openapi("DueRow"))

export const dueSummaryQuery = z.object({
  course_id: optionalId("Only this course. Defaults to all courses"),
  user_id: optionalId("Only this user. Learners see their own"),
  group_id: optionalId("Only the members of this group"),
  portalId: optionalId("Only the members of this portal"),
  supervisor_id: optionalId(SUPERVISOR),
})
export type DueSummaryQuery = z.output<typeof dueSummaryQuery>

export const dueSummary = z
  .object({
    total: count().openapi({ description: "Enrollments with a due date" }),
    onTrack: count(),
    dueSoon: count(),
    overdue: count(),
    completed: count(),
    completedLate: count(),
    exempt: count(),
  })
  .openapi("DueSummary")

const teamFilters = {
  search: {},
  beside: {
    supervisor_id: optionalId("The people of this supervisor. Supervisors default to themselves"),
  },
}
export const teamQuery = listQuery(Object.keys(teamColumns.sort), teamFilters.search).extend(teamFilters.beside)
export const dueTeamExport = exportBody(teamFilters)
export type TeamFilters = z.output<typeof dueTeamExport>
export type TeamQuery = z.output<typeof teamQuery>

export const team = listResponse(teamColumns.row.openapi("DueOfPerson"))
