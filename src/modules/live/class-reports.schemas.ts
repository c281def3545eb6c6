import { z } from "@hono/zod-openapi"
import { CLASS_STATUSES } from "../../../drizzle/classes.ts"
import { id, list, month, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery, period } from "../../lib/input/list-query.ts"
import { classStatus } from "./class-enrolments.schemas.ts"

const required = { param: { required: true } } as const
const count = () => z.number().int()
const optionalId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })
const dateTime = () => z.string().openapi({ example: "Jan 05, 2026 03:04 PM" })
const date = () => z.string().openapi({ example: "Jan 05, 2026" })
const time = () => z.string().openapi({ example: "03:04 PM" })
const url = () => z.string().openapi({ format: "uri" })
const statusOf = { status: z.enum(CLASS_STATUSES), display_status: z.string() }
const since = { registered_on: date(), last_accessed_on: z.string().openapi({ description: "A date, or Never" }) }

const dated = {
  started_on: optional(period({ alone: "day", days: true })).openapi({
    description: "The day on which the class starts, or the first and the last",
  }),
  completed_on: optional(period({ alone: "day", days: true })).openapi({
    description: "The day on which the class ends, or the first and the last",
  }),
}

export const ENROLLED_CLASS_COLUMNS = [
  "start",
  "end",
  "startDate",
  "endDate",
  "id",
  "classId",
  "courseId",
  "title",
  "status",
  "display_status",
  "registered_on",
  "last_accessed_on",
  "startTime",
  "endTime",
] as const

export const enrolledClassesQuery = listQuery(ENROLLED_CLASS_COLUMNS, {
  course_id: optional(id()),
  status: optional(list(classStatus())),
}).extend({ user_id: optionalId("The caller unless given") })

export const enrolledClasses = envelope(
  z
    .object({
      id: count().openapi({ description: "The registration's" }),
      webinarId: count().nullable().openapi({ description: "The class's own id where it is held online, else null" }),
      classId: count(),
      title: z.string().openapi({ description: "The course's name" }),
      courseId: count(),
      studyMethod: z.literal("instructor_led"),
      featuredImageUrl: z.string().nullable(),
      launchUrl: z.string().openapi({ description: "The operation that launches the webinar; empty without one" }),
      classStudyMaterial: url(),
      ...statusOf,
      ...since,
      startDate: date(),
      startTime: time(),
      endDate: date(),
      endTime: time(),
      location: z.string().openapi({ description: "Its name; empty where there is none" }),
      start: dateTime(),
      end: dateTime(),
      instructor: z.string(),
      class: z.string().openapi({ example: "Algebra, Jan 05, 2026 03:04 PM" }),
      add_calendar_link: url(),
    })
    .openapi("UserClassEnrollment"),
)

export const USER_REPORT_COLUMNS = [
  "registered_on",
  "id",
  "courseName",
  "start_time",
  "end_time",
  "status",
  "last_accessed_on",
  "display_status",
  "user_id",
  "name",
  "email",
  "certificate_issued",
] as const

export const userReportQuery = listQuery(USER_REPORT_COLUMNS, {
  course: optional(text(100)).openapi({ description: "A part of the course's name" }),
  status: optional(list(classStatus())),
  ...dated,
}).extend({ user_id: optionalId("One user's classes; else those of everyone whom the caller may see") })

const totals = { totalAttended: count(), totalCancelled: count(), totalRegistered: count() }

export const userReport = envelope(
  z
    .object({
      id: count(),
      user_id: count(),
      name: z.string(),
      email: z.string(),
      courseName: z.string(),
      start_time: dateTime(),
      end_time: dateTime(),
      location: z.string(),
      ...statusOf,
      ...since,
      certificate_issued: z.boolean(),
    })
    .openapi("UserClassReportRow"),
).extend({ ...totals, totalNoshow: count().openapi({ description: "Spelled as the interface has it" }) })

export const CLASS_DETAILED_COLUMNS = [
  "registered_on",
  "id",
  "user_id",
  "first_name",
  "last_name",
  "email",
  "status",
  "last_accessed_on",
  "display_status",
  "started_on",
  "completed_on",
  "notes",
  "certificate_issued",
] as const

export const classDetailedQuery = listQuery(CLASS_DETAILED_COLUMNS, {
  nameOrEmail: optional(text(254)),
  status: optional(list(classStatus())),
  userIdActual: optional(id()).openapi({ description: "One user of the class" }),
  ...dated,
}).extend({ class_id: id().openapi({ type: "integer", minimum: 1, ...required }) })

export const classDetailed = envelope(
  z
    .object({
      id: count(),
      user_id: count(),
      first_name: z.string(),
      last_name: z.string(),
      email: z.string(),
      avatar: z.string(),
      ...statusOf,
      ...since,
      started_on: dateTime(),
      completed_on: dateTime(),
      notes: z.string().openapi({ description: "What was noted of the user's part in the webinar" }),
      certificate_issued: z.boolean(),
    })
    .openapi("ClassDetailedRow"),
).extend({ courseName: z.string(), ...totals, totalNoShow: count() })

export const classesOverviewQuery = z.object({
  group_id: optionalId("Only this group's members"),
  selectedMonth: optional(month()).openapi({
    type: "string",
    example: "November 2026",
    description: "Classes that start in this month: November 2026, Nov 2026 or 2026-11; else all of them",
    param: { required: false },
  }),
})

const counts = () => z.array(count())
export const classesOverview = z.object({
  labels: z
    .array(z.string())
    .openapi({ description: "The courses' names, a class each, in the order of their starts" }),
  totalRegistered: counts(),
  totalAttended: counts(),
  totalNoShow: counts(),
  totalCancelled: counts(),
  startDate: z.array(dateTime()),
  endDate: z.array(dateTime()),
  sumRegistered: count(),
  sumAttended: count(),
  sumNoShow: count(),
  sumCancelled: count(),
})
