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
import { nameColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { html } from "../../lib/text/sanitize.ts"

const slug = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .max(100)
    .regex(/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u, { error: "must be letters and digits with single hyphens between" })
    .openapi({
      type: "string",
      example: "linear-algebra",
      description: "Unique; made from the name where none is given",
    })

export const imageUrl = () =>
  text(2000)
    .pipe(z.string().regex(/^(https?:\/\/|\/)\S+$/i, { error: "must be an image's http(s) URL or a path" }))
    .openapi({ type: "string" })

const credit = z.preprocess(
  (value) => (typeof value === "string" && value.trim() ? Number(value) : value),
  z.number().min(0).max(10_000),
)

const whole = () => z.number().int()

export const courseFields = recordFields(courses, {
  name: { create: name(), change: keepIfNull(name()), answer: nameColumn(courses.name), listed: true, searched: true },
  slug: { create: optional(slug()), answer: textColumn(courses.slug), listed: true },
  status: {
    create: optional(choice(COURSE_STATUSES)).openapi({ description: "draft unless given" }),
    answer: column(courses.status, z.enum(COURSE_STATUSES), { sort: courses.status }),
    listed: true,
  },
  content: { create: clearable(html(200_000), ""), answer: column(courses.content, z.string()) },
  instructions: { create: clearable(html(200_000), ""), answer: column(courses.instructions, z.string()) },
  featuredImageUrl: { create: clearable(imageUrl()), answer: column(courses.featuredImageUrl, z.string().nullable()) },
  authorId: {
    create: optional(id()).openapi({ type: "integer", description: "The caller unless given" }),
    answer: column(courses.authorId, whole().nullable()),
  },
  certificateTemplateId: {
    create: clearable(id()),
    answer: column(courses.certificateTemplateId, whole().nullable()),
  },
  estimatedMinutes: {
    create: clearable(integer(0, 1_000_000), 0),
    answer: column(courses.estimatedMinutes, whole()),
  },
  expiresAfterDays: {
    create: clearable(integer(0, 36_500), 0).openapi({ description: "From the registration; 0: it does not expire" }),
    answer: column(courses.expiresAfterDays, whole()),
  },
  totalSeats: {
    create: clearable(integer(0, 10_000_000), 0).openapi({ description: "0: any number" }),
    answer: column(courses.totalSeats, whole()),
  },
  selfEnroll: {
    create: keepIfNone(boolean()).openapi({ description: "Learners may enroll themselves; false unless given" }),
    answer: column(courses.selfEnroll, z.boolean().openapi({ description: "Learners may enroll themselves" })),
  },
  // Stored encrypted, and answered to staff: see courses.queries.ts.
  enrollmentKey: {
    create: clearable(text(100)).openapi({
      description: "What those who enroll themselves must know, whatever selfEnroll says; none: nothing",
    }),
  },
  enableCourseRating: { create: keepIfNone(boolean()), answer: column(courses.enableCourseRating, z.boolean()) },
  courseCredit: {
    create: clearable(credit, 0).openapi({
      type: "number",
      minimum: 0,
      maximum: 10_000,
      description: "What its certificates say it is worth; 0: nothing",
    }),
    answer: column(courses.courseCredit, z.number()),
  },
})
