import { createApp, operation } from "../../http/operation.ts"
import { endExemptions, exempt, extendDueDates, remind, setDueDates } from "./due-dates.queries.ts"
import * as schemas from "./due-dates.schemas.ts"

export const dueDates = createApp()

dueDates.openapi(
  operation({
    operationId: "setDueDates",
    method: "post",
    path: "/api/enrollment/due-date",
    summary: "Set or clear due dates",
    description: [
      "A date set by hand replaces that of the assignment rules. Learners are reminded 7 days and 1 day before it, on",
      "the day, and weekly when they are overdue.",
    ].join(" "),
    tag: "Due dates",
    access: "staff",
    extension: true,
    body: schemas.dueDate,
    response: schemas.changeResponse,
    errors: [409],
  }),
  async (c) => c.json(await setDueDates(c.var.work, c.req.valid("json")), 200),
)

dueDates.openapi(
  operation({
    operationId: "extendDueDates",
    method: "post",
    path: "/api/enrollment/extend",
    summary: "Extend due dates",
    description: [
      "Moves the due date of this cycle to a later day. The extension remains in the learner's history. Supervisors",
      "can extend the due dates of their people, but not their own.",
    ].join(" "),
    tag: "Due dates",
    access: "group_admin",
    extension: true,
    body: schemas.extension,
    response: schemas.changeResponse,
    errors: [409],
  }),
  async (c) => c.json(await extendDueDates(c.var.work, c.req.valid("json")), 200),
)

dueDates.openapi(
  operation({
    operationId: "exemptEnrollments",
    method: "post",
    path: "/api/enrollment/exempt",
    summary: "Exempt learners from a cycle",
    description: [
      "Exempt learners need not complete this cycle and get no reminders. When the exemption ends, the due date",
      "applies again. The exemption remains in the learner's history.",
    ].join(" "),
    tag: "Due dates",
    access: "staff",
    extension: true,
    body: schemas.exemption,
    response: schemas.changeResponse,
    errors: [409],
  }),
  async (c) => c.json(await exempt(c.var.work, c.req.valid("json")), 200),
)

dueDates.openapi(
  operation({
    operationId: "endExemptions",
    method: "post",
    path: "/api/enrollment/end-exemption",
    summary: "End exemptions",
    description: "The due dates apply again at once.",
    tag: "Due dates",
    access: "staff",
    extension: true,
    body: schemas.endOfExemption,
    response: schemas.changeResponse,
    errors: [409],
  }),
  async (c) => c.json(await endExemptions(c.var.work, c.req.valid("json").registrationIds), 200),
)

dueDates.openapi(
  operation({
    operationId: "remindLearners",
    method: "post",
    path: "/api/enrollment/remind",
    summary: "Remind learners of due dates",
    description: "Each learner gets at most one reminder of an enrollment a day. Supervisors can remind their people.",
    tag: "Due dates",
    access: "group_admin",
    extension: true,
    body: schemas.reminder,
    response: schemas.reminderResponse,
    errors: [409],
  }),
  async (c) => c.json(await remind(c.var.work, c.req.valid("json").registrationIds), 200),
)
