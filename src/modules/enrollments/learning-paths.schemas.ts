import { z } from "@hono/zod-openapi"
import { PATH_TYPES } from "../../../drizzle/schema/learning-paths.ts"
import { choice, id, ids, keepIfNone, list, nonEmpty, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { enrollmentStatus } from "./enrollments.schemas.ts"
import { enrolledPathColumns, pathColumns } from "./learning-path-columns.ts"
import { pathFields } from "./learning-path-fields.ts"

const courseIds = () => nonEmpty(ids(200)).openapi({ description: "In display order, 1 to 200" })

export const newPath = z.object({ ...pathFields.create, course_ids: courseIds() }).openapi("NewLearningPath")
export type NewPath = z.output<typeof newPath>

export const pathChanges = z
  .object({ ...pathFields.change, course_ids: keepIfNone(courseIds()) })
  .openapi("LearningPathChanges")
export type PathChanges = z.output<typeof pathChanges>

const count = () => z.number().int()

export const path = pathColumns.row
  .extend({
    course_ids: z.array(count()).openapi({ description: "In order" }),
    courses: z.array(z.object({ id: count(), name: z.string() })),
  })
  .openapi("LearningPath")

export const pathListQuery = listQuery(Object.keys(pathColumns.sort), {
  name: optional(text(100)),
  type: optional(choice(PATH_TYPES)),
})
export const pathList = listResponse(pathColumns.row.openapi("LearningPathRow"))

export const pathEnrollment = z
  .object({ learning_path_ids: nonEmpty(ids()), user_ids: nonEmpty(ids()) })
  .openapi("LearningPathEnrollment")
export type PathEnrollment = z.output<typeof pathEnrollment>

export const pathEnrollmentAnswer = z.object({
  message: z.string(),
  enrolled: count().openapi({ description: "Pairs of a user and a path" }),
  alreadyEnrolled: count(),
  skipped: count().openapi({ description: "Pairs whose user or path doesn't exist" }),
  coursesEnrolled: count().openapi({ description: "Enrollments created in the paths' courses" }),
})

export const pathUnenrollmentAnswer = z.object({ message: z.string(), unenrolled: count(), notEnrolled: count() })

export const ENROLLED_PATH_COLUMNS = Object.keys(enrolledPathColumns.sort)

export const enrolledPathsQuery = listQuery(ENROLLED_PATH_COLUMNS, {
  status: optional(list(enrollmentStatus())),
  nameOrEmail: optional(text(254)).openapi({ description: "Part of the path's name, or of the user's name or email" }),
}).extend({
  user_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "Defaults to the caller" }),
})

export const enrolledPaths = listResponse(enrolledPathColumns.row.openapi("EnrolledLearningPath")).extend({
  name: z.string(),
  email: z.string(),
  userType: z.string(),
  avatar: z.string(),
})
