import { z } from "@hono/zod-openapi"
import { COURSE_STATUSES } from "../../../drizzle/schema/courses.ts"
import { MODULE_TYPES } from "../../../drizzle/schema/modules.ts"
import { changedExternalId, externalIdAnswer, externalIdFilter, newExternalId } from "../../lib/input/external-id.ts"
import {
  boolean,
  choice,
  id,
  ids,
  integer,
  keepIfNone,
  list,
  optional,
  text,
  time,
  withDefault,
} from "../../lib/input/input.ts"
import { listQuery, listResponse, optionalPaging, updatedSince } from "../../lib/input/list-query.ts"
import { isoSchemaOrNull } from "../../lib/spreadsheet/columns.ts"
import { courseColumns, courseDetailColumns } from "./course-columns.ts"
import { courseFields } from "./course-fields.ts"

const courseModule = z.object({
  module_id: id(),
  required: withDefault(boolean(), true).openapi({ description: "Must be completed to complete the course" }),
  isLocked: withDefault(boolean(), false).openapi({
    description: "Opens after all required modules before it are completed",
  }),
  dripDays: withDefault(integer(0, 36_500), 0).openapi({ description: "Days after enrollment when the module opens" }),
  minTimeSpent: withDefault(integer(0, 1_000_000), 0).openapi({
    description: "Minimum seconds before it can be completed",
  }),
  opensAt: optional(time())
    .transform((at) => at ?? 0)
    .openapi({
      type: ["string", "null"],
      format: "date-time",
      description: "When the module opens; with dripDays, at the later of both",
    }),
})
export type CourseModule = z.output<typeof courseModule>

const MAX_PREREQUISITES = 50

const links = {
  prerequisites: keepIfNone(ids(MAX_PREREQUISITES)).openapi({
    description: "The courses that must be completed before modules of this course open",
  }),
  categoryIds: keepIfNone(ids()).openapi({ description: "Course categories" }),
  modules: keepIfNone(
    list(courseModule, 1000).refine((rows) => new Set(rows.map((row) => row.module_id)).size === rows.length, {
      error: "must not contain the same module twice",
    }),
  ).openapi({ description: "In display order. PUT replaces them" }),
}

export const newCourse = z.object({ ...courseFields.create, ...newExternalId(), ...links }).openapi("NewCourse")
export type NewCourse = z.output<typeof newCourse>

export const courseChanges = z
  .object({ ...courseFields.change, ...changedExternalId(), ...links })
  .openapi("CourseChanges")
export type CourseChanges = z.output<typeof courseChanges>

export const course = courseDetailColumns.row
  .extend({
    ...externalIdAnswer(),
    enrollmentKeyRequired: z.boolean().openapi({ description: "Whether self-enrollment requires a key" }),
    enrollmentKey: z.string().nullable().openapi({ description: "The key, visible to staff only; null for others" }),
    categoryIds: z.array(z.number().int()),
    prerequisites: z.array(z.number().int()).openapi({ description: "The courses that must be completed first" }),
    modules: z.array(
      z.object({
        module_id: z.number().int(),
        name: z.string(),
        slug: z.string(),
        type: z.enum(MODULE_TYPES),
        required: z.boolean(),
        isLocked: z.boolean(),
        dripDays: z.number().int(),
        minTimeSpent: z.number().int(),
        opensAt: isoSchemaOrNull(),
      }),
    ),
  })
  .openapi("Course")

export const courseListQuery = listQuery(Object.keys(courseColumns.sort), {
  courseCategoryIds: optional(ids()),
  courseName: optional(text(100)),
  status: optional(choice(COURSE_STATUSES)),
  updatedSince: updatedSince(),
}).extend(externalIdFilter())

export const courseList = listResponse(courseColumns.row.openapi("CourseRow"))

export const dropdownQuery = z.object({
  ...optionalPaging,
  group_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
})

export const dropdown = z.array(
  z.object({
    id: z.number().int(),
    name: z.string(),
    used_seats: z.number().int(),
    total_seats: z.number().int(),
  }),
)

export const courseOverviewQuery = z.object({ group_id: optional(id()).openapi({ type: "integer", minimum: 1 }) })

const numbers = z.array(z.number().int())
export const courseOverview = z.object({
  labels: z.array(z.string()).openapi({ description: "The course names" }),
  totalNotStarted: numbers,
  totalInProgress: numbers,
  totalCompleted: numbers,
  sumNotStarted: z.number().int(),
  sumInProgress: z.number().int(),
  sumCompleted: z.number().int(),
})
