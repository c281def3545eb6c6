import { z } from "@hono/zod-openapi"
import { type SQLWrapper, sql } from "drizzle-orm"
import { ENROLLMENT_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn, dateOrNeverColumn } from "../../lib/spreadsheet/date-columns.ts"
import { durationText } from "../../lib/text/dates.ts"
import { averageRating, ratingColumn } from "../courses/ratings.ts"
import { pathFields } from "./learning-path-fields.ts"

const count = () => z.number().int()
const RATING = "The mean of its courses' ratings; 0 without any"

/** The columns of the list of learning paths; a path by itself is answered alike. */
export const pathColumns = listColumns({
  id: integerColumn(learningPaths.id),
  ...pathFields.answers,
  totalLPCourses: integerColumn(learningPaths.courseCount),
  estimatedMinutes: column(
    learningPaths.estimatedMinutes,
    count().openapi({ description: "Of its courses together" }),
    { sort: learningPaths.estimatedMinutes },
  ),
  rating: ratingColumn(learningPaths, RATING),
  created_at: dateColumn(learningPaths.createdAt),
})

/** The path registrations in the path of the row. */
export const PATH_ENROLLMENT_JOIN = sql`${learningPathEnrollments.learningPathId} = ${learningPaths.id}`

/** What a path registration's row shows of its path. */
interface PathBrief {
  name: string
  slug: string
  featuredImageUrl: string | null
  courseCount: number
  estimatedMinutes: number
  ratingSum: number
  ratingCount: number
}

/** A path registration's path, read with the row: one lookup for all of it. */
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

/** One user's paths are few: they are sorted, not read from an index. */
const by = (column: SQLWrapper) => sql`(
  select ${column}
  from ${learningPaths}
  where ${PATH_ENROLLMENT_JOIN}
)`

const own = learningPathEnrollments

/** The columns of the list of a user's learning paths. */
export const enrolledPathColumns = listColumns({
  id: integerColumn(own.id),
  featuredImageUrl: column(PATH, z.string().nullable(), { show: (path) => path.featuredImageUrl }),
  launchSlug: column(PATH, z.string().openapi({ description: "The path's URL" }), {
    show: ({ slug }, { base }: { base: string }) => `${base}/learningpath/${slug}`,
  }),
  learningPathName: column(PATH, z.string(), {
    show: ({ name }) => name,
    sort: by(sql`${learningPaths.name} collate nocase`),
  }),
  status: column(own.status, z.enum(ENROLLMENT_STATUSES), { sort: own.status }),
  display_status: textColumn(own.status),
  percentComplete: integerColumn(own.percent),
  registered_on: dateOrNeverColumn(own.registeredAt),
  started_on: dateOrNeverColumn(own.startedAt),
  completed_on: dateOrNeverColumn(own.completedAt),
  certificateCount: integerColumn(own.certificateCount),
  totalLPCourses: column(PATH, count(), {
    show: ({ courseCount }) => courseCount,
    sort: by(learningPaths.courseCount),
  }),
  completedLpCourses: integerColumn(own.completedCourses),
  rating: column(PATH, z.number().openapi({ description: RATING }), { show: averageRating }),
  totalEstimatedTime: column(
    PATH,
    z.string().openapi({ example: "3 hours 30 minutes", description: "Of its courses together" }),
    { show: ({ estimatedMinutes }) => durationText(estimatedMinutes), sort: by(learningPaths.estimatedMinutes) },
  ),
})
