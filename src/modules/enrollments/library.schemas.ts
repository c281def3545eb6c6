import { z } from "@hono/zod-openapi"
import { choice, id, ids, list, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { enrollmentStatus } from "./enrollments.schemas.ts"
import {
  libraryCourseColumns,
  libraryPathColumns,
  membershipCourseColumns,
  portalPathColumns,
} from "./library-columns.ts"

const count = () => z.number().int()
export const LIBRARY_PATH_COLUMNS = Object.keys(libraryPathColumns.sort)

const pathSearch = {
  name: optional(text(100)),
  status: optional(list(enrollmentStatus())).openapi({
    description: "The caller's status; Not Started if not enrolled",
  }),
}
export const portalPathsQuery = listQuery(LIBRARY_PATH_COLUMNS, pathSearch)
export const libraryPathsQuery = listQuery(LIBRARY_PATH_COLUMNS, pathSearch, { paging: "optional" })

export const portalPaths = z.object({
  learningPaths: z.array(portalPathColumns.row.openapi("PortalLearningPath")),
  totalRecords: count(),
  recordsFiltered: count(),
})

export const libraryPaths = listResponse(libraryPathColumns.row.openapi("LibraryLearningPath"))

export const LIBRARY_COURSE_COLUMNS = Object.keys(libraryCourseColumns.sort)
export const libraryCoursesQuery = listQuery(
  LIBRARY_COURSE_COLUMNS,
  { courseName: optional(text(100)), courseCategoryIds: optional(ids()) },
  { paging: "optional" },
)

export const libraryCourses = listResponse(libraryCourseColumns.row.openapi("LibraryCourse"))

const CONTENT_TYPES = ["course", "modules"] as const
export const contentsQuery = listQuery(Object.keys(membershipCourseColumns.sort), {
  type: optional(choice(CONTENT_TYPES)).openapi({ description: "Defaults to course" }),
  nameOrDescription: optional(text(254)),
}).extend({
  user_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "Defaults to the caller" }),
})

export const contents = listResponse(membershipCourseColumns.row.openapi("MembershipContent"))
