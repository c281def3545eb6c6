import { z } from "@hono/zod-openapi"
import { ENROLMENT_STATUSES } from "../../../drizzle/enrolments.ts"
import { PATH_TYPES } from "../../../drizzle/learning-paths.ts"
import { choice, clearable, id, ids, kept, keptText, list, name, optional, some, text } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"
import { enrolmentStatus } from "./enrolments.schemas.ts"

const imageUrl = () =>
  text(2000)
    .pipe(z.string().regex(/^(https?:\/\/|\/)\S+$/i, { error: "must be an image's http(s) URL or a path" }))
    .openapi({ type: "string" })

const courseIds = () => some(ids(200)).openapi({ description: "In order; 1 to 200" })

const fields = {
  name: name(),
  course_ids: courseIds(),
  type: optional(choice(PATH_TYPES)).openapi({ description: "public unless given; private: for those enrolled alone" }),
  featuredImageUrl: clearable(imageUrl()),
}

export const newPath = z.object(fields).openapi("NewLearningPath")
export type NewPath = z.output<typeof newPath>

export const pathChanges = z
  .object({ ...fields, name: keptText(name()), course_ids: kept(courseIds()) })
  .openapi("LearningPathChanges")
export type PathChanges = z.output<typeof pathChanges>

const count = () => z.number().int()

const rowFields = {
  id: count(),
  name: z.string(),
  slug: z.string(),
  type: z.enum(PATH_TYPES),
  featuredImageUrl: z.string().nullable(),
  totalLPCourses: count(),
  estimatedMinutes: count().openapi({ description: "Of its courses together" }),
  rating: z.number().openapi({ description: "The mean of its courses' ratings; 0 without any" }),
  created_at: z.string(),
}

export const path = z
  .object({
    ...rowFields,
    course_ids: z.array(count()).openapi({ description: "In order" }),
    courses: z.array(z.object({ id: count(), name: z.string() })),
  })
  .openapi("LearningPath")

const PATH_COLUMNS = [
  "id",
  "name",
  "slug",
  "type",
  "totalLPCourses",
  "estimatedMinutes",
  "created_at",
  "rating",
  "featuredImageUrl",
] as const
export const pathListQuery = listQuery(PATH_COLUMNS, {
  name: optional(text(100)),
  type: optional(choice(PATH_TYPES)),
})
export const pathList = envelope(z.object(rowFields).openapi("LearningPathRow"))

export const pathEnrolment = z
  .object({ learning_path_ids: some(ids()), user_ids: some(ids()) })
  .openapi("LearningPathEnrolment")
export type PathEnrolment = z.output<typeof pathEnrolment>

export const pathEnrolmentAnswer = z.object({
  message: z.string(),
  enrolled: count().openapi({ description: "Pairs of a user and a path" }),
  alreadyEnrolled: count(),
  skipped: count().openapi({ description: "Pairs whose user or path is unknown" }),
  coursesEnrolled: count().openapi({ description: "Registrations made in the paths' courses" }),
})

export const pathUnenrolmentAnswer = z.object({ message: z.string(), unenrolled: count(), notEnrolled: count() })

const dateText = () => z.string().openapi({ example: "Jan 05, 2026", description: "A date, or Never" })
const estimate = () => z.string().openapi({ example: "3 hours 30 minutes", description: "Of its courses together" })
const rating = () => z.number().openapi({ description: "The mean of its courses' ratings; 0 without any" })

export const ENROLLED_PATH_COLUMNS = [
  "id",
  "learningPathName",
  "status",
  "display_status",
  "percentComplete",
  "registered_on",
  "started_on",
  "completed_on",
  "certificateCount",
  "totalLPCourses",
  "completedLpCourses",
  "totalEstimatedTime",
] as const

export const enrolledPathsQuery = listQuery(ENROLLED_PATH_COLUMNS, {
  status: optional(list(enrolmentStatus())),
  nameOrEmail: optional(text(254)).openapi({ description: "A part of the path's name, or of the user's own" }),
}).extend({
  user_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "The caller unless given" }),
})

export const enrolledPaths = envelope(
  z
    .object({
      id: count(),
      featuredImageUrl: z.string().nullable(),
      launchSlug: z.string().openapi({ description: "The path's URL" }),
      learningPathName: z.string(),
      status: z.enum(ENROLMENT_STATUSES),
      display_status: z.string(),
      percentComplete: count(),
      registered_on: dateText(),
      started_on: dateText(),
      completed_on: dateText(),
      certificateCount: count(),
      totalLPCourses: count(),
      completedLpCourses: count(),
      rating: rating(),
      totalEstimatedTime: estimate(),
    })
    .openapi("EnrolledLearningPath"),
).extend({ name: z.string(), email: z.string(), userType: z.string(), avatar: z.string() })
