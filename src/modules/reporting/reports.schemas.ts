import { z } from "@hono/zod-openapi"
import { ACTIVITY_VERBS, type ActivityVerb } from "../../../drizzle/enrolments.ts"
import { id, ids, integer, jsonObject, list, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery, period } from "../../lib/input/list-query.ts"
import { enrolmentStatus } from "../learning/enrolments.schemas.ts"
import { activityColumns } from "./activity-columns.ts"
import { courseDetailedColumns, userDetailedColumns } from "./detailed-columns.ts"
import { usersReportColumns } from "./users-report-columns.ts"

const count = () => z.number().int()
const required = { param: { required: true } } as const
const optionalId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

const totals = { totalNotStarted: count(), totalInProgress: count(), totalCompleted: count() }

export const USER_DETAILED_COLUMNS = Object.keys(userDetailedColumns.sort)

export const userDetailedQuery = listQuery(USER_DETAILED_COLUMNS, {
  course: optional(text(100)).openapi({ description: "A part of the course's name" }),
  status: optional(list(enrolmentStatus())),
  nameOrEmail: optional(text(254)),
  portalId: optional(id()),
  searchPortalIds: optional(ids()),
}).extend({
  user_id: optionalId("One user's registrations; else those of everyone whom the caller may see"),
  searchPortalIds: optional(ids()).openapi({
    type: "array",
    items: { type: "integer", minimum: 1 },
    description: "Of members of any of these portals, as in search_param",
  }),
})

export const userDetailed = envelope(userDetailedColumns.row.openapi("UserDetailedRow")).extend(totals)

export const COURSE_DETAILED_COLUMNS = Object.keys(courseDetailedColumns.sort)

export const courseDetailedQuery = z.object({
  ...listQuery(
    COURSE_DETAILED_COLUMNS,
    { nameOrEmail: optional(text(254)), status: optional(list(enrolmentStatus())) },
    { paging: "optional" },
  ).shape,
  page_size: integer(1, 500).openapi({ type: "integer", minimum: 1, maximum: 500, ...required }),
  course_id: id().openapi({ type: "integer", minimum: 1, ...required }),
})

export const courseDetailed = envelope(courseDetailedColumns.row.openapi("CourseDetailedRow")).extend({
  courseName: z.string(),
  featuredImage: z.string().nullable(),
  ...totals,
})

const BY_STATUS = new Map<unknown, ActivityVerb>([
  ["not started", "ENROLLED"],
  ["in progress", "STARTED"],
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
  context: optional(text(50)),
  portalId: optional(id()),
})
  .extend({
    user_id: optionalId("The caller unless given; under context admin, everyone whom the caller may see"),
    context: optional(text(50)).openapi({
      type: "string",
      example: "admin",
      description: "admin: everyone whom the caller may see. search_param may hold it instead",
      param: { required: true },
    }),
  })
  .superRefine((query, context) => {
    if (!query.context && !query.search_param.context)
      context.addIssue({ code: "custom", path: ["context"], message: "is required, here or in search_param" })
  })

export const activities = envelope(activityColumns.row.openapi("Activity")).extend({
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

export const usersReport = envelope(usersReportColumns.row.openapi("UsersReportRow")).extend({
  totals: z.object({
    users: count().openapi({ description: "Whom the caller may see" }),
    registered: count().openapi({ description: "Of them, those made between the given times" }),
  }),
})

export const userReportExport = z.object({
  searchPortalIds: optional(ids()).openapi({
    type: "array",
    items: { type: "integer", minimum: 1 },
    description: "Only members of any of these portals",
  }),
  search_param: jsonObject(z.object({ nameOrEmail: optional(text(254)), status: optional(list(enrolmentStatus())) })),
})
export type UserReportExport = z.output<typeof userReportExport>
