import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { recertify, resetProgress } from "./resets.queries.ts"
import * as schemas from "./resets.schemas.ts"

// Resets are part of this module because they also end open quiz attempts.

export const resets = createApp()

resets.openapi(
  operation({
    operationId: "resetEnrollments",
    method: "post",
    path: "/api/course/reset",
    summary: "Reset enrollments to Not Started",
    description:
      "The time spent is retained. Expired enrollments are renewed for the course's access duration, " +
      "or until expire_on.",
    tag: "Courses",
    access: "staff",
    extension: true,
    body: schemas.reset,
    response: schemas.resetAnswer,
    errors: [409],
  }),
  async (c) => c.json(await resetProgress(c.var.work, c.req.valid("json")), 200),
)

resets.openapi(
  operation({
    operationId: "recertifyEnrollment",
    method: "post",
    path: "/api/course/recertify",
    summary: "Renew an expired enrollment",
    description: [
      "Resets a completed and expired enrollment to Not Started for a new term. Requires a course with an access",
      "duration (canRecertify).",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    extension: true,
    body: schemas.recertification,
    response: messageResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await recertify(c.var.work, c.req.valid("json").registrationId), 200),
)
