import { z } from "@hono/zod-openapi"
import { id, list, month, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse, period } from "../../lib/input/list-query.ts"
import { timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { classDetailedColumns, enrolledClassColumns, userClassColumns } from "./class-enrollment-columns.ts"
import { classStatus } from "./class-enrollments.schemas.ts"

const required = { param: { required: true } } as const
const count = () => z.number().int()
const optionalId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })
const dateTime = () => z.string().openapi({ example: "Jan 05, 2026 03:04 PM" })

const dateFilters = {
  started_on: optional(period({ alone: "day", days: true })).openapi({
    description: "The day on which the class starts, or the first and the last day of a period",
  }),
  completed_on: optional(period({ alone: "day", days: true })).openapi({
    description: "The day on which the class ends, or the first and the last day of a period",
  }),
}

export const enrolledClassesQuery = listQuery(Object.keys(enrolledClassColumns.sort), {
  course_id: optional(id()),
  status: optional(list(classStatus())),
}).extend({ user_id: optionalId("Defaults to the caller") })

export const enrolledClasses = listResponse(enrolledClassColumns.row.openapi("UserClassEnrollment"))

const DAY = 86_400_000
/** Two months with the weeks around them. */
const MAX_DAYS = 92

export const userSessionsQuery = z.object({
  user_id: optionalId("Defaults to the caller"),
  dates: period({ open: false })
    .transform((dates, context) => {
      if (dates && dates.until - dates.from <= MAX_DAYS * DAY) return dates
      context.addIssue({ code: "custom", message: `must be two dates, at most ${MAX_DAYS} days apart` })
      return z.NEVER
    })
    .openapi({
      type: "array",
      items: { type: "string" },
      example: ["2026-01-01", "2026-01-31"],
      description: `Two dates, at most ${MAX_DAYS} days apart. Dates without an offset are in the academy's time zone.`,
      ...required,
    }),
})

const instant = () => z.string().openapi({ format: "date-time" })

export const userSessions = z.object({
  sessions: z.array(
    z
      .object({
        registrationId: count().openapi({ description: "Id of the class enrollment" }),
        classId: count(),
        title: z.string().openapi({ description: "Name of the course" }),
        status: classStatus(),
        start_time: instant(),
        end_time: instant(),
        timeZone: timeZoneAnswer(),
        location: z.string().openapi({ description: "Name of the location; empty without one" }),
        instructor: z.string(),
        isOnline: z.boolean(),
      })
      .openapi("UserClassSession"),
  ),
})

export const userReportQuery = listQuery(Object.keys(userClassColumns.sort), {
  course: optional(text(100)).openapi({ description: "Part of the course name" }),
  status: optional(list(classStatus())),
  ...dateFilters,
}).extend({ user_id: optionalId("Classes of this user. Defaults to everyone the caller can see") })

const totals = { totalAttended: count(), totalCancelled: count(), totalRegistered: count() }

export const userReport = listResponse(userClassColumns.row.openapi("UserClassReportRow")).extend({
  ...totals,
  totalNoshow: count().openapi({ description: "Spelled as in the API contract" }),
})

export const classDetailedQuery = listQuery(Object.keys(classDetailedColumns.sort), {
  nameOrEmail: optional(text(254)),
  status: optional(list(classStatus())),
  userIdActual: optional(id()).openapi({ description: "Only this user" }),
  ...dateFilters,
}).extend({ class_id: id().openapi({ type: "integer", minimum: 1, ...required }) })

export const classDetailed = listResponse(classDetailedColumns.row.openapi("ClassDetailedRow")).extend({
  courseName: z.string(),
  ...totals,
  totalNoShow: count(),
})

export const classesOverviewQuery = z.object({
  group_id: optionalId("Only this group's members"),
  selectedMonth: optional(month()).openapi({
    type: "string",
    example: "November 2026",
    description: "Only classes that start in this month: November 2026, Nov 2026 or 2026-11",
    param: { required: false },
  }),
})

const counts = () => z.array(count())
export const classesOverview = z.object({
  labels: z.array(z.string()).openapi({ description: "The course name of each class, in the order of their starts" }),
  totalRegistered: counts(),
  totalAttended: counts(),
  totalNoShow: counts(),
  totalCancelled: counts(),
  startDate: z.array(dateTime()),
  endDate: z.array(dateTime()),
  timeZone: z.array(timeZoneAnswer()),
  sumRegistered: count(),
  sumAttended: count(),
  sumNoShow: count(),
  sumCancelled: count(),
})
