import { z } from "@hono/zod-openapi"
import { COURSE_STATUSES, courses } from "../../../drizzle/schema/courses.ts"
import {
  boolean,
  choice,
  clearable,
  id,
  integer,
  keepIfNone,
  keepIfNull,
  name,
  optional,
  text,
} from "../../lib/input/input.ts"
import { column } from "../../lib/spreadsheet/columns.ts"
import { nameColumn, sortedTextColumn } from "../../lib/spreadsheet/common-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { html } from "../../lib/text/sanitize.ts"

const slug = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .max(100)
    .regex(/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u, {
      error: "must consist of letters and digits, separated by single hyphens",
    })
    .openapi({
      type: "string",
      example: "linear-algebra",
      description: "Unique. Generated from the name by default",
    })

export const imageUrl = () =>
  text(2000)
    .pipe(z.string().regex(/^(https?:\/\/|\/)\S+$/i, { error: "must be an http(s) URL or a path" }))
    .openapi({ type: "string" })

const credit = z.preprocess(
  (value) => (typeof value === "string" && value.trim() ? Number(value) : value),
  z.number().min(0).max(10_000),
)

const integerAnswer = () => z.number().int()

export const courseFields = recordFields(courses, {
  name: { create: name(), change: keepIfNull(name()), answer: nameColumn(courses.name), listed: true, searched: true },
  slug: { create: optional(slug()), answer: sortedTextColumn(courses.slug), listed: true },
  status: {
    create: optional(choice(COURSE_STATUSES)).openapi({ description: "Defaults to draft" }),
    answer: column(courses.status, z.enum(COURSE_STATUSES), { sort: courses.status }),
    listed: true,
  },
  content: { create: clearable(html(200_000), ""), answer: column(courses.content, z.string()) },
  instructions: { create: clearable(html(200_000), ""), answer: column(courses.instructions, z.string()) },
  featuredImageUrl: { create: clearable(imageUrl()), answer: column(courses.featuredImageUrl, z.string().nullable()) },
  authorId: {
    create: optional(id()).openapi({ type: "integer", description: "Defaults to the caller" }),
    answer: column(courses.authorId, integerAnswer().nullable()),
  },
  certificateTemplateId: {
    create: clearable(id()),
    answer: column(courses.certificateTemplateId, integerAnswer().nullable()),
  },
  estimatedMinutes: {
    create: clearable(integer(0, 1_000_000), 0),
    answer: column(courses.estimatedMinutes, integerAnswer()),
  },
  expiresAfterDays: {
    create: clearable(integer(0, 36_500), 0).openapi({
      description: "Days of access after enrollment; 0 means unlimited",
    }),
    answer: column(courses.expiresAfterDays, integerAnswer()),
  },
  totalSeats: {
    create: clearable(integer(0, 10_000_000), 0).openapi({ description: "0 means unlimited" }),
    answer: column(courses.totalSeats, integerAnswer()),
  },
  selfEnroll: {
    create: keepIfNone(boolean()).openapi({ description: "Whether learners can enroll themselves; defaults to false" }),
    answer: column(courses.selfEnroll, z.boolean().openapi({ description: "Whether learners can enroll themselves" })),
  },
  // Stored encrypted and returned only to staff: see courses.queries.ts.
  enrollmentKey: {
    create: clearable(text(100)).openapi({
      description: "The key required for self-enrollment, regardless of selfEnroll; null for none",
    }),
  },
  enableCourseRating: { create: keepIfNone(boolean()), answer: column(courses.enableCourseRating, z.boolean()) },
  courseCredit: {
    create: clearable(credit, 0).openapi({
      type: "number",
      minimum: 0,
      maximum: 10_000,
      description: "The credits shown on certificates; 0 for none",
    }),
    answer: column(courses.courseCredit, z.number()),
  },
})
