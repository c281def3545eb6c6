import { z } from "@hono/zod-openapi"
import { CLASS_STATUSES, SESSION_ATTENDANCE } from "../../../drizzle/schema/classes.ts"
import { choice, id, list, nonEmpty, nullable, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { isoSchema } from "../../lib/spreadsheet/columns.ts"
import { timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { attendanceColumns } from "./class-enrollment-columns.ts"
import { classStatus } from "./class-enrollments.schemas.ts"

/** The number of learners whose attendance one call sets. */
const MAX_MARKED = 500

const count = () => z.number().int()

export const attendanceQuery = listQuery(Object.keys(attendanceColumns.sort), {
  nameOrEmail: optional(text(254)),
  status: optional(list(classStatus())),
}).extend({ class_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }) })
export type AttendanceQuery = z.output<typeof attendanceQuery>

export const classAttendance = listResponse(
  attendanceColumns.row
    .extend({
      attendance: z
        .array(z.enum(SESSION_ATTENDANCE).nullable())
        .openapi({ description: "In the order of sessions. null: not recorded" }),
    })
    .openapi("ClassAttendee"),
)
  .extend({
    courseName: z.string(),
    timeZone: timeZoneAnswer(),
    sessions: z.array(
      z
        .object({
          id: count(),
          day: z.string().openapi({ format: "date" }),
          startsAt: isoSchema(),
          endsAt: isoSchema(),
        })
        .openapi("ClassSession", { description: "day is the day of the session in the time zone of the class" }),
    ),
  })
  .openapi("ClassAttendance")

export const attendanceChange = z
  .object({
    sessionId: id().openapi({
      ...{ type: "integer", minimum: 1 },
      description: "A session of the class, as in the list. A change of the times of the class replaces its sessions",
    }),
    marks: nonEmpty(
      list(
        z.object({
          registrationId: id().openapi({ description: "Id of the class enrollment" }),
          attendance: nullable(choice(SESSION_ATTENDANCE)).openapi({ description: "null: not recorded" }),
        }),
        MAX_MARKED,
      ),
    ).refine((marks) => new Set(marks.map(({ registrationId }) => registrationId)).size === marks.length, {
      error: "must not contain the same registrationId twice",
    }),
  })
  .openapi("AttendanceChange")
export type AttendanceChange = z.output<typeof attendanceChange>

export const attendanceResponse = z.object({
  message: z.string(),
  changed: count(),
  skipped: count().openapi({
    description: "Unknown or canceled enrollments, and those that the caller may not change",
  }),
  records: z
    .array(z.object({ registrationId: count(), status: z.enum(CLASS_STATUSES) }))
    .openapi({ description: "The class enrollments that were found, with the resulting status" }),
})
