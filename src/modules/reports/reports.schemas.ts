import { z } from "@hono/zod-openapi"
import { ACTIVITY_VERBS } from "../../../drizzle/schema/enrollments.ts"
import { MODULE_TYPES } from "../../../drizzle/schema/modules.ts"
import { ActivityVerb } from "../../../drizzle/statuses.ts"
import { DAY } from "../../lib/clock.ts"
import { id, ids, integer, list, optional, text } from "../../lib/input/input.ts"
import { exportBody, listQuery, listResponse, period, searchPortalIds } from "../../lib/input/list-query.ts"
import { dueStatuses, enrollmentStatus } from "../enrollments/enrollments.schemas.ts"
import { context } from "../users/contexts.ts"
import { activityColumns } from "./activity-columns.ts"
import { DEFAULT_DAYS } from "./course-statistics.queries.ts"
import { courseDetailedColumns, userDetailedColumns } from "./detailed-columns.ts"
import { usersReportColumns } from "./users-report-columns.ts"

const count = () => z.number().int()
const required = { param: { required: true } } as const
const optionalId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

const totals = { totalNotStarted: count(), totalInProgress: count(), totalCompleted: count() }

export const USER_DETAILED_COLUMNS = Object.keys(userDetailedColumns.sort)

/** The filters of the user-detailed report, its export and the gradebook. */
const enrollmentFilters = {
  search: {
    course: optional(text(100)).openapi({ description: "Part of the course name" }),
    courseId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Only this course" }),
    status: optional(list(enrollmentStatus())),
    dueStatus: dueStatuses(),
    nameOrEmail: optional(text(254)),
    portalId: optional(id()),
    searchPortalIds: optional(ids()),
  },
  beside: {
    user_id: optionalId("Enrollments of this user. Defaults to everyone the caller can see"),
    searchPortalIds: searchPortalIds(),
  },
}

export const userDetailedQuery = listQuery(USER_DETAILED_COLUMNS, enrollmentFilters.search).extend(
  enrollmentFilters.beside,
)

/** The request body of the user report and gradebook exports. */
export const enrollmentExport = exportBody(enrollmentFilters)
export type EnrollmentFilters = z.output<typeof enrollmentExport>

export const userDetailed = listResponse(userDetailedColumns.row.openapi("UserDetailedRow")).extend(totals)

export const COURSE_DETAILED_COLUMNS = Object.keys(courseDetailedColumns.sort)

export const courseDetailedQuery = z.object({
  ...listQuery(
    COURSE_DETAILED_COLUMNS,
    { nameOrEmail: optional(text(254)), status: optional(list(enrollmentStatus())), dueStatus: dueStatuses() },
    { paging: "optional" },
  ).shape,
  page_size: integer(1, 500).openapi({ type: "integer", minimum: 1, maximum: 500, ...required }),
  course_id: id().openapi({ type: "integer", minimum: 1, ...required }),
})

export const courseDetailed = listResponse(courseDetailedColumns.row.openapi("CourseDetailedRow")).extend({
  courseName: z.string(),
  featuredImage: z.string().nullable(),
  ...totals,
})

const VERB_BY_STATUS = new Map<unknown, ActivityVerb>([
  ["not started", ActivityVerb.Enrolled],
  ["in progress", ActivityVerb.Started],
])

const verb = () =>
  z.preprocess((value) => {
    if (typeof value !== "string") return value
    return VERB_BY_STATUS.get(value.trim().toLowerCase().replace(/[_-]/g, " ")) ?? value.trim().toUpperCase()
  }, z.enum(ACTIVITY_VERBS))

export const ACTIVITY_COLUMNS = Object.keys(activityColumns.sort)
export const activitiesQuery = listQuery(ACTIVITY_COLUMNS, {
  courseCategoryIds: optional(ids()),
  courseName: optional(text(100)),
  status: optional(list(verb())).openapi({
    description: `Verbs (${ACTIVITY_VERBS.join(", ")}), or the progress statuses Not Started and In Progress`,
  }),
  context: optional(context()),
  portalId: optional(id()),
})
  .extend({
    user_id: optionalId("Defaults to the caller; under the context admin, to everyone the caller can see"),
    context: optional(context()).openapi({
      type: "string",
      example: "admin",
      description:
        "user (or learner, student): activity of the caller. admin: activity of everyone the caller can see. Can be " +
        "sent in search_param instead",
      param: { required: true },
    }),
  })
  .superRefine((query, issues) => {
    if (!query.context && !query.search_param.context)
      issues.addIssue({ code: "custom", path: ["context"], message: "is required, here or in search_param" })
  })

export const activities = listResponse(activityColumns.row.openapi("Activity")).extend({
  name: z.string().openapi({ description: "Name of the requested user or of the caller; empty without either" }),
  email: z.string(),
  avatar: z.string(),
})

export const usersReportQuery = z.object({
  ...listQuery(Object.keys(usersReportColumns.sort), {}).shape,
  registered_between: optional(period({ open: false })).openapi({
    type: "array",
    items: { type: "string" },
    example: ["2026-01-01", "2026-01-31"],
    description: "The first and the last day, or two times, as an array, a JSON array or a comma-separated list",
    param: { required: false },
  }),
})

export const usersReport = listResponse(usersReportColumns.row.openapi("UsersReportRow")).extend({
  totals: z.object({
    users: count().openapi({ description: "Users that the caller can see" }),
    registered: count().openapi({ description: "Of these, users created in the period" }),
  }),
})

const MAX_DAYS = 366

export const courseDaysQuery = z.object({
  course_id: optionalId("Only this course. Defaults to all courses together"),
  between: optional(
    period({ alone: "day", days: true, open: false }).refine(
      (period) => !period || period.until - period.from <= MAX_DAYS * DAY,
      `must be ${MAX_DAYS} days or less`,
    ),
  ).openapi({
    type: "array",
    items: { type: "string" },
    example: ["2026-01-01", "2026-01-31"],
    description: [
      `The first and the last day in UTC, up to ${MAX_DAYS} days, as an array, a JSON array or a comma-separated list.`,
      `A single day is a period of one day. Defaults to the ${DEFAULT_DAYS} days up to lastDay`,
    ].join(" "),
    param: { required: false },
  }),
})

const dateAnswer = () => z.string().openapi({ format: "date", example: "2026-01-31" })
const countsByDay = (what: string) => z.array(count()).openapi({ description: `${what}, for each day in days` })

export const courseDaysReport = z
  .object({
    courseId: count().nullable().openapi({ description: "null: all courses" }),
    firstDay: dateAnswer().nullable().openapi({ description: "The first day with activity; null without any" }),
    lastDay: dateAnswer().nullable().openapi({ description: "The last day with activity; null without any" }),
    days: z.array(dateAnswer()).openapi({
      description: "Every day of the period in UTC; empty without a period or activity",
    }),
    enrolled: countsByDay("Enrollments created"),
    started: countsByDay("Enrollments started"),
    completed: countsByDay("Enrollments completed"),
    sumEnrolled: count().openapi({ description: "Sum of these days" }),
    sumStarted: count(),
    sumCompleted: count(),
  })
  .openapi("CourseDays")

export const courseModulesQuery = z.object({
  course_id: id().openapi({ type: "integer", minimum: 1, ...required }),
})

export const courseModulesReport = z
  .object({
    courseId: count(),
    courseName: z.string(),
    learners: count().openapi({ description: "Number of enrollments in the course" }),
    modules: z
      .array(
        z.object({
          moduleId: count(),
          name: z.string(),
          type: z.enum(MODULE_TYPES),
          required: z.boolean(),
          notStarted: count().openapi({ description: "Learners without any of the other statuses" }),
          inProgress: count(),
          submitted: count().openapi({ description: "Learners with an assignment that waits for grading" }),
          completed: count(),
        }),
      )
      .openapi({ description: "In the order of the course" }),
  })
  .openapi("CourseModulesReport")
