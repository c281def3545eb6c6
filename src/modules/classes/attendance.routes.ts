import { createApp, operation } from "../../http/operation.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { listAttendance, setAttendance } from "./attendance.queries.ts"
import * as schemas from "./attendance.schemas.ts"

export const classAttendance = createApp()

classAttendance.openapi(
  operation({
    operationId: "listClassAttendance",
    method: "get",
    path: "/api/class/attendance",
    summary: "List the attendance in the sessions of a class",
    description: "The learners of the class, each with a value for each session. Supervisors see their people.",
    tag: "Classes",
    access: "group_admin",
    extension: true,
    query: schemas.attendanceQuery,
    response: schemas.classAttendance,
    errors: [404],
  }),
  async (c) => {
    const { page, toRow, class: found } = await listAttendance(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json({ ...listPage(c, page, toRow), ...found }, 200)
  },
)

classAttendance.openapi(
  operation({
    operationId: "setClassAttendance",
    method: "post",
    path: "/api/class/attendance",
    summary: "Record the attendance in a session",
    description: [
      "Sets the attendance of up to 500 learners in one session. The status of a learner is the summary of all",
      "sessions: Registered until each has a value, then Attended if at least half of the sessions that were not",
      "excused were attended, else No Show. Supervisors record the attendance of their people, but not their own.",
    ].join(" "),
    tag: "Classes",
    access: "group_admin",
    extension: true,
    body: schemas.attendanceChange,
    response: schemas.attendanceResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await setAttendance(c.var.work, c.req.valid("json")), 200),
)
