import { createApp, operation } from "../../http/operation.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { listDue, listTeam, summarizeDue } from "./due.queries.ts"
import * as schemas from "./due.schemas.ts"
import { dueListColumns, teamColumns } from "./due-columns.ts"

export const due = createApp()

const shared = { method: "get", tag: "Reports", access: "general", signedIn: true, extension: true } as const

due.openapi(
  operation({
    ...shared,
    operationId: "listDueTraining",
    path: "/api/due/tabularlist",
    summary: "List enrollments with a due date",
    description: [
      "The enrollments with a due date of everyone that the caller can see, by due date. Supervisors see their people,",
      "learners themselves. Completed and exempt enrollments are included unless dueStatus excludes them.",
    ].join(" "),
    query: schemas.dueListQuery,
    response: schemas.dueList,
    errors: [404],
  }),
  async (c) =>
    c.json(listPage(c, await listDue(c.var.db, c.var.caller, c.req.valid("query")), dueListColumns.toRow), 200),
)

due.openapi(
  operation({
    ...shared,
    operationId: "summarizeDueTraining",
    path: "/api/due/summary",
    summary: "Count enrollments by due status",
    description: "Counts for the academy, a course, a group, a portal, a supervisor's people or one user.",
    query: schemas.dueSummaryQuery,
    response: schemas.dueSummary,
    errors: [404],
  }),
  async (c) => c.json(await summarizeDue(c.var.db, c.var.caller, c.req.valid("query")), 200),
)

due.openapi(
  operation({
    ...shared,
    operationId: "listTeamDueTraining",
    path: "/api/due/team",
    summary: "List the people of a team with their due training",
    description: [
      "One row for each person with the number of their overdue, due soon and on track enrollments, most overdue",
      "first. Supervisors see their people; staff can name a group, a portal or a supervisor.",
    ].join(" "),
    access: "group_admin",
    query: schemas.teamQuery,
    response: schemas.team,
    errors: [404],
  }),
  async (c) =>
    c.json(listPage(c, await listTeam(c.var.db, c.var.caller, c.req.valid("query")), teamColumns.toRow), 200),
)
