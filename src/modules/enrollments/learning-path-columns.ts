import { z } from "@hono/zod-openapi"
import { type SQLWrapper, sql } from "drizzle-orm"
import { ENROLLMENT_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, sortedIntegerColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn, dateOrNeverColumn } from "../../lib/spreadsheet/date-columns.ts"
import { durationText } from "../../lib/text/dates.ts"
import { averageRating, ratingColumn } from "../courses/ratings.ts"
import { pathFields } from "./learning-path-fields.ts"

const count = () => z.number().int()
const RATING = "The average rating of its courses; 0 if there are none"

/** The columns of a learning path, in lists and on its own. */
export const pathColumns = listColumns({
  id: integerColumn(learningPaths.id),
  ...pathFields.answers,
  totalLPCourses: sortedIntegerColumn(learningPaths.courseCount),
  estimatedMinutes: column(
    learningPaths.estimatedMinutes,
    count().openapi({ description: "The sum over its courses" }),
    { sort: { sorted: learningPaths.estimatedMinutes } },
  ),
  rating: ratingColumn(learningPaths, RATING),
  created_at: dateColumn(learningPaths.createdAt),
})

/** Joins path enrollments with the row's path. */
export const PATH_ENROLLMENT_JOIN = sql`${learningPathEnrollments.learningPathId} = ${learningPaths.id}`

/** The path columns of a path enrollment row. */
interface PathBrief {
  name: string
  slug: string
  featuredImageUrl: string | null
  courseCount: number
  estimatedMinutes: number
  ratingSum: number
  ratingCount: number
}

/** The enrollment's path, read with one lookup per row. */
const PATH = sql`(
  select json_object(
    'name', ${learningPaths.name},
    'slug', ${learningPaths.slug},
    'featuredImageUrl', ${learningPaths.featuredImageUrl},
    'courseCount', ${learningPaths.courseCount},
    'estimatedMinutes', ${learningPaths.estimatedMinutes},
    'ratingSum', ${learningPaths.ratingSum},
    'ratingCount', ${learningPaths.ratingCount}
  )
  from ${learningPaths}
  where ${PATH_ENROLLMENT_JOIN}
)`.mapWith((json: string): PathBrief => JSON.parse(json))

/** A user has few paths, so sorting needs no index. */
const selectFromPath = (column: SQLWrapper) => sql`(
  select ${column}
  from ${learningPaths}
  where ${PATH_ENROLLMENT_JOIN}
)`

const pathEnrollments = learningPathEnrollments

export const enrolledPathColumns = listColumns({
  id: integerColumn(pathEnrollments.id),
  learningPathId: integerColumn(pathEnrollments.learningPathId),
  featuredImageUrl: column(PATH, z.string().nullable(), { show: (path) => path.featuredImageUrl }),
  launchSlug: column(PATH, z.string().openapi({ description: "The path's URL" }), {
    show: ({ slug }, { base }: { base: string }) => `${base}/learningpath/${slug}`,
  }),
  learningPathName: column(PATH, z.string(), {
    show: ({ name }) => name,
    sort: selectFromPath(sql`${learningPaths.name} collate nocase`),
  }),
  status: column(pathEnrollments.status, z.enum(ENROLLMENT_STATUSES), { sort: pathEnrollments.status }),
  display_status: textColumn(pathEnrollments.status),
  percentComplete: integerColumn(pathEnrollments.percent),
  registered_on: dateOrNeverColumn(pathEnrollments.registeredAt),
  started_on: dateOrNeverColumn(pathEnrollments.startedAt),
  completed_on: dateOrNeverColumn(pathEnrollments.completedAt),
  certificateCount: integerColumn(pathEnrollments.certificateCount),
  totalLPCourses: column(PATH, count(), {
    show: ({ courseCount }) => courseCount,
    sort: selectFromPath(learningPaths.courseCount),
  }),
  completedLpCourses: integerColumn(pathEnrollments.completedCourses),
  rating: column(PATH, z.number().openapi({ description: RATING }), { show: averageRating }),
  totalEstimatedTime: column(
    PATH,
    z.string().openapi({ example: "3 hours 30 minutes", description: "The sum over its courses" }),
    {
      show: ({ estimatedMinutes }) => durationText(estimatedMinutes),
      sort: selectFromPath(learningPaths.estimatedMinutes),
    },
  ),
})
