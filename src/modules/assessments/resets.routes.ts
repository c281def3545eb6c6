import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { recertify, resetProgress } from "./resets.queries.ts"
import * as schemas from "./resets.schemas.ts"

// What begins a registration anew: here, because it ends the quiz attempts that are open too.

export const resets = createApp()

resets.openapi(
  operation({
    operationId: "resetEnrollments",
    method: "post",
    path: "/api/course/reset",
    summary: "Take registrations back to Not Started",
    description: "The time spent stays. One that has expired begins a new term: the course's own, or until expire_on.",
    tag: "Courses",
    access: "staff",
    extension: true,
    body: schemas.reset,
    answer: schemas.resetAnswer,
    errors: [409],
  }),
  async (c) => c.json(await resetProgress(c.var.work, c.req.valid("json")), 200),
)

resets.openapi(
  operation({
    operationId: "recertifyEnrollment",
    method: "post",
    path: "/api/course/recertify",
    summary: "Begin an expired registration anew",
    description: [
      "Once it is Completed and has expired, in a course with a term of its own (canRecertify): back to Not",
      "Started, for a new term.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    extension: true,
    body: schemas.recertification,
    answer: messageResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await recertify(c.var.work, c.req.valid("json").registrationId), 200),
)
