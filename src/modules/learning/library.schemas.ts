import { z } from "@hono/zod-openapi"
import { ENROLMENT_STATUSES } from "../../../drizzle/enrolments.ts"
import { PATH_TYPES } from "../../../drizzle/learning-paths.ts"
import { choice, id, ids, list, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"
import { enrolmentStatus } from "./enrolments.schemas.ts"

const count = () => z.number().int()
const estimate = () => z.string().openapi({ example: "3 hours 30 minutes" })
const rating = () => z.number().openapi({ description: "The mean of the ratings given; 0 without any" })

export const LIBRARY_PATH_COLUMNS = [
  "id",
  "learningPathId",
  "learningPathName",
  "type",
  "totalLPCourses",
  "totalEstimatedTime",
  "rating",
] as const

const pathSearch = {
  name: optional(text(100)),
  status: optional(list(enrolmentStatus())).openapi({
    description: "The caller's; Not Started where they are not enrolled",
  }),
}
export const portalPathsQuery = listQuery(LIBRARY_PATH_COLUMNS, pathSearch)
export const libraryPathsQuery = listQuery(LIBRARY_PATH_COLUMNS, pathSearch, { paging: "optional" })

const offeredPath = {
  id: count().openapi({ description: "The path's id, as learningPathId" }),
  learningPathId: count(),
  type: z.enum(PATH_TYPES),
  learningPathName: z.string(),
  display_status: z.string().openapi({ description: "The caller's; Not Started where they are not enrolled" }),
  percentComplete: count(),
  isEnrolled: z.boolean(),
  certificateCount: count(),
  launchSlug: z.string().openapi({ description: "The path's URL" }),
  totalLPCourses: count(),
  completedLpCourses: count(),
  rating: rating(),
  totalEstimatedTime: estimate(),
}

export const portalPaths = z.object({
  learningPaths: z.array(
    z.object({ ...offeredPath, featureImage: z.string().nullable() }).openapi("PortalLearningPath"),
  ),
  totalRecords: count(),
  recordsFiltered: count(),
})

export const libraryPaths = envelope(
  z
    .object({ ...offeredPath, featuredImageUrl: z.string().nullable(), status: z.enum(ENROLMENT_STATUSES) })
    .openapi("LibraryLearningPath"),
)

export const LIBRARY_COURSE_COLUMNS = [
  "id",
  "courseName",
  "courseSlug",
  "created_at",
  "totalModules",
  "estimatedCompletionTime",
  "enableCourseRating",
  "featuredImageUrl",
  "rating",
] as const
export const libraryCoursesQuery = listQuery(
  LIBRARY_COURSE_COLUMNS,
  { courseName: optional(text(100)), courseCategoryIds: optional(ids()) },
  { paging: "optional" },
)

export const libraryCourses = envelope(
  z
    .object({
      id: count(),
      courseName: z.string(),
      courseSlug: z.string().openapi({ description: "The course's URL" }),
      featuredImageUrl: z.string().nullable(),
      categories: z.string().openapi({ description: "Names, separated by commas" }),
      author: z.string(),
      totalModules: count(),
      estimatedCompletionTime: estimate(),
      enableCourseRating: z.boolean(),
      rating: rating(),
      isEnrolled: z.boolean(),
      registrationId: count().nullable().openapi({ description: "The caller's registration" }),
      status: z.enum(ENROLMENT_STATUSES).nullable().openapi({ description: "Of the registration; null without one" }),
      percentComplete: count(),
      created_at: z.string(),
    })
    .openapi("LibraryCourse"),
)

const CONTENT_TYPES = ["course", "modules"] as const
const CONTENT_COLUMNS = ["id", "name", "slug", "created_at", "type", "description", "featuredImageUrl"] as const
export const contentsQuery = listQuery(CONTENT_COLUMNS, {
  type: optional(choice(CONTENT_TYPES)).openapi({ description: "course unless given" }),
  nameOrDescription: optional(text(254)),
}).extend({
  user_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "The caller unless given" }),
})

export const contents = envelope(
  z
    .object({
      id: count(),
      name: z.string(),
      slug: z.string(),
      type: z.string().openapi({ description: "course, or the module's type" }),
      description: z.string().openapi({ description: "Sanitised HTML" }),
      featuredImageUrl: z.string().nullable(),
      created_at: z.string(),
    })
    .openapi("MembershipContent"),
)
