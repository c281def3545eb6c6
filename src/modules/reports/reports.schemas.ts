import { z } from "@hono/zod-openapi"
import { ACTIVITY_VERBS } from "../../../drizzle/schema/enrollments.ts"
import { MODULE_TYPES } from "../../../drizzle/schema/modules.ts"
import { ActivityVerb } from "../../../drizzle/statuses.ts"
import { DAY } from "../../lib/clock.ts"
import { id, ids, integer, list, optional, text } from "../../lib/input/input.ts"
import { exportBody, listQuery, listResponse, period, searchPortalIds } from "../../lib/input/list-query.ts"
import { enrollmentStatus } from "../enrollments/enrollments.schemas.ts"
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

/** What narrows the user-detailed report, its export and the gradebook. */
const enrollmentFilters = {
  search: {
    course: optional(text(100)).openapi({ description: "A part of the course's name" }),
    courseId: optional(id()).openapi({ type: "integer", minimum: 1, description: "One course" }),
    status: optional(list(enrollmentStatus())),
    nameOrEmail: optional(text(254)),
    portalId: optional(id()),
    searchPortalIds: optional(ids()),
  },
  beside: {
    user_id: optionalId("One user's registrations; else those of everyone whom the caller may see"),
    searchPortalIds: searchPortalIds(),
  },
}

export const userDetailedQuery = listQuery(USER_DETAILED_COLUMNS, enrollmentFilters.search).extend(
  enrollmentFilters.beside,
)

/** The initiate body of the user report's and of the gradebook's export. */
export const enrollmentExport = exportBody(enrollmentFilters)
export type EnrollmentFilters = z.output<typeof enrollmentExport>

export const userDetailed = listResponse(userDetailedColumns.row.openapi("UserDetailedRow")).extend(totals)

export const COURSE_DETAILED_COLUMNS = Object.keys(courseDetailedColumns.sort)

export const courseDetailedQuery = z.object({
  ...listQuery(
    COURSE_DETAILED_COLUMNS,
    { nameOrEmail: optional(text(254)), status: optional(list(enrollmentStatus())) },
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

const BY_STATUS = new Map<unknown, ActivityVerb>([
  ["not started", ActivityVerb.Enrolled],
  ["in progress", ActivityVerb.Started],
])

const verb = () =>
  z.preprocess((value) => {
    if (typeof value !== "string") return value
    return BY_STATUS.get(value.trim().toLowerCase().replace(/[_-]/g, " ")) ?? value.trim().toUpperCase()
  }, z.enum(ACTIVITY_VERBS))

export const ACTIVITY_COLUMNS = Object.keys(activityColumns.sort)
export const activitiesQuery = listQuery(ACTIVITY_COLUMNS, {
  courseCategoryIds: optional(ids()),
  courseName: optional(text(100)),
  status: optional(list(verb())).openapi({
    description: `Verbs (${ACTIVITY_VERBS.join(", ")}), or the progress status that one leads to`,
  }),
  context: optional(context()),
  portalId: optional(id()),
})
  .extend({
    user_id: optionalId("The caller unless given; under context admin, everyone whom the caller may see"),
    context: optional(context()).openapi({
      type: "string",
      example: "admin",
      description:
        "user (or learner, student): the caller's own; else of everyone whom the caller may see. search_param may " +
        "hold it instead",
      param: { required: true },
    }),
  })
  .superRefine((query, issues) => {
    if (!query.context && !query.search_param.context)
      issues.addIssue({ code: "custom", path: ["context"], message: "is required, here or in search_param" })
  })

export const activities = listResponse(activityColumns.row.openapi("Activity")).extend({
  name: z.string().openapi({ description: "Of the user named, or else of the caller; empty without either" }),
  email: z.string(),
  avatar: z.string(),
})

export const usersReportQuery = z.object({
  ...listQuery(Object.keys(usersReportColumns.sort), {}).shape,
  registered_between: optional(period({ open: false })).openapi({
    type: "array",
    items: { type: "string" },
    example: ["2026-01-01", "2026-01-31"],
    description: "The first and the last day, or two times: an array, a JSON array or a comma list",
    param: { required: false },
  }),
})

export const usersReport = listResponse(usersReportColumns.row.openapi("UsersReportRow")).extend({
  totals: z.object({
    users: count().openapi({ description: "Whom the caller may see" }),
    registered: count().openapi({ description: "Of them, those made between the given times" }),
  }),
})

/** How many days a chart has at most. */
const MOST_DAYS = 366

export const courseDaysQuery = z.object({
  course_id: optionalId("One course; else all of them together"),
  between: optional(
    period({ alone: "day", days: true, open: false }).refine(
      (period) => !period || period.until - period.from <= MOST_DAYS * DAY,
      `must be ${MOST_DAYS} days at most: ask for a year at a time`,
    ),
  ).openapi({
    type: "array",
    items: { type: "string" },
    example: ["2026-01-01", "2026-01-31"],
    description: [
      `The first and the last day, in UTC, ${MOST_DAYS} days at most: an array, a JSON array or a comma list; one day`,
      `alone is that day. Else the ${DEFAULT_DAYS} days that end with lastDay`,
    ].join(" "),
    param: { required: false },
  }),
})

const aDay = () => z.string().openapi({ format: "date", example: "2026-01-31" })
const byDay = (what: string) => z.array(count()).openapi({ description: `${what}, for each of days` })

export const courseDaysReport = z
  .object({
    courseId: count().nullable().openapi({ description: "null: all courses" }),
    firstDay: aDay().nullable().openapi({ description: "The first day on which anything ever happened; null: none" }),
    lastDay: aDay().nullable().openapi({ description: "The last one; null: none" }),
    days: z.array(aDay()).openapi({
      description: "Every day of the period, in UTC; none where none is asked for and nothing ever happened",
    }),
    enrolled: byDay("Registrations made"),
    started: byDay("Registrations begun"),
    completed: byDay("Registrations completed"),
    sumEnrolled: count().openapi({ description: "Of these days" }),
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
    learners: count().openapi({ description: "How many are registered in the course" }),
    modules: z
      .array(
        z.object({
          moduleId: count(),
          name: z.string(),
          type: z.enum(MODULE_TYPES),
          required: z.boolean(),
          notStarted: count().openapi({ description: "The learners who are in none of the other states" }),
          inProgress: count(),
          submitted: count().openapi({ description: "They await the evaluation of an assignment" }),
          completed: count(),
        }),
      )
      .openapi({ description: "In the course's order" }),
  })
  .openapi("CourseModulesReport")
