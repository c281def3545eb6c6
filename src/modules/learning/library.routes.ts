import { createApp, operation } from "../../http/operation.ts"
import { displayDate, lengthOf } from "../../lib/text/dates.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { listAnswer } from "../../lib/web/list-answer.ts"
import { listLibraryCourses, listOfferedPaths } from "./library.queries.ts"
import * as schemas from "./library.schemas.ts"
import { listGivenCourses, listGivenModules } from "./library-contents.queries.ts"
import { meanRating } from "./ratings.ts"

export const library = createApp()

type PathRow = Awaited<ReturnType<typeof listOfferedPaths>>["rows"][number]
type CourseRow = Awaited<ReturnType<typeof listLibraryCourses>>["rows"][number]

const toOfferedPath = (base: string, row: PathRow) => ({
  id: row.id,
  learningPathId: row.id,
  type: row.type,
  learningPathName: row.name,
  display_status: row.own?.status ?? "Not Started",
  percentComplete: row.own?.percent ?? 0,
  isEnrolled: row.own !== null,
  certificateCount: row.own?.certificateCount ?? 0,
  launchSlug: `${base}/learningpath/${row.slug}`,
  totalLPCourses: row.courseCount,
  completedLpCourses: row.own?.completedCourses ?? 0,
  rating: meanRating(row),
  totalEstimatedTime: lengthOf(row.estimatedMinutes),
})

const toLibraryCourse = (base: string) => (row: CourseRow) => ({
  id: row.id,
  courseName: row.name,
  courseSlug: `${base}/course/${row.slug}`,
  featuredImageUrl: row.featuredImageUrl,
  categories: row.categories,
  author: row.author,
  totalModules: row.moduleCount,
  estimatedCompletionTime: lengthOf(row.estimatedMinutes),
  enableCourseRating: row.enableCourseRating,
  rating: meanRating(row),
  isEnrolled: row.own !== null,
  registrationId: row.own?.id ?? null,
  status: row.own?.status ?? null,
  percentComplete: row.own?.percent ?? 0,
  created_at: displayDate(row.createdAt),
})

library.openapi(
  operation({
    method: "get",
    path: "/api/users/portalLearningPaths",
    summary: "List the learning paths on offer, with the caller's progress",
    description: "The public ones, and private ones that the caller takes; every one for staff and above.",
    tag: "Learning data",
    access: "general",
    query: schemas.portalPathsQuery,
    answer: schemas.portalPaths,
  }),
  async (c) => {
    const found = await listOfferedPaths(c.var.db, c.var.caller, c.req.valid("query"))
    const { records, recordsTotal, recordsFiltered } = listAnswer(c, found, (row) => ({
      ...toOfferedPath(baseUrl(c), row),
      featureImage: row.featuredImageUrl,
    }))
    return c.json({ learningPaths: records, totalRecords: recordsTotal, recordsFiltered }, 200)
  },
)

library.openapi(
  operation({
    method: "get",
    path: "/api/users/library-learningpaths",
    summary: "List the library's learning paths",
    description: "As portalLearningPaths, for a signed-in user.",
    tag: "Learning data",
    access: "general",
    signedIn: true,
    query: schemas.libraryPathsQuery,
    answer: schemas.libraryPaths,
  }),
  async (c) => {
    const found = await listOfferedPaths(c.var.db, c.var.caller, c.req.valid("query"))
    const answer = listAnswer(c, found, (row) => ({
      ...toOfferedPath(baseUrl(c), row),
      featuredImageUrl: row.featuredImageUrl,
      status: row.own?.status ?? ("Not Started" as const),
    }))
    return c.json(answer, 200)
  },
)

library.openapi(
  operation({
    method: "get",
    path: "/api/users/library-courses",
    summary: "List the library's courses",
    description: "The published ones, with the caller's registration in each.",
    tag: "Learning data",
    access: "general",
    signedIn: true,
    query: schemas.libraryCoursesQuery,
    answer: schemas.libraryCourses,
  }),
  async (c) => {
    const found = await listLibraryCourses(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json(listAnswer(c, found, toLibraryCourse(baseUrl(c))), 200)
  },
)

library.openapi(
  operation({
    method: "get",
    path: "/api/membership/user-contents",
    summary: "List what a user's membership gives",
    description: [
      "Its published courses, or with type modules what they are made of. Nothing once the membership has run",
      "out. An anonymous call without user_id lists what any membership gives.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    query: schemas.contentsQuery,
    answer: schemas.contents,
    errors: [404],
  }),
  async (c) => {
    const { user_id = c.var.caller.id, ...query } = c.req.valid("query")
    const list = query.search_param.type === "modules" ? listGivenModules : listGivenCourses
    const found = await list(c.var.db, c.var.caller, user_id, query)
    const answer = listAnswer(c, found, ({ createdAt, ...row }) => ({
      id: row.id,
      name: row.name,
      slug: row.slug,
      type: row.type,
      description: row.description,
      featuredImageUrl: row.featuredImageUrl,
      created_at: displayDate(createdAt),
    }))
    return c.json(answer, 200)
  },
)
