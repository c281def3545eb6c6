import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { ENROLLMENT_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { learningPaths, PATH_TYPES } from "../../../drizzle/schema/learning-paths.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { sortPrefix } from "../../db/list/listing.ts"
import { subquery } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, sortedIntegerColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { durationText } from "../../lib/text/dates.ts"
import { categoryAndAuthorColumns } from "../courses/course-columns.ts"
import { ratingColumn } from "../courses/ratings.ts"

const count = () => z.number().int()
const estimate = () => z.string().openapi({ example: "3 hours 30 minutes" })
const RATING = "The average rating; 0 if there are none"

/** The caller's enrollment, null if there is none, and the base URL. */
interface RowContext<Enrollment> {
  enrollment: Enrollment | null
  base: string
}

export interface CallerPathEnrollment {
  status: EnrollmentStatus
  percent: number
  completedCourses: number
  certificateCount: number
}

/** Builds a column from the caller's enrollment. */
const enrollmentColumn =
  <Enrollment>() =>
  <Schema extends z.ZodType>(schema: Schema, show: (enrollment: Enrollment | null) => z.output<Schema>) =>
    column({}, schema, { show: (_: object, { enrollment }: RowContext<Enrollment>) => show(enrollment) })

const pathEnrollmentColumn = enrollmentColumn<CallerPathEnrollment>()

const pathListColumns = {
  id: column(learningPaths.id, count().openapi({ description: "The path's id, as learningPathId" }), {
    sort: learningPaths.id,
  }),
  learningPathId: integerColumn(learningPaths.id),
  type: column(learningPaths.type, z.enum(PATH_TYPES), { sort: learningPaths.type }),
  learningPathName: nameColumn(learningPaths.name),
  display_status: pathEnrollmentColumn(
    z.string().openapi({ description: "The caller's status; Not Started if not enrolled" }),
    (enrollment) => enrollment?.status ?? EnrollmentStatus.NotStarted,
  ),
  percentComplete: pathEnrollmentColumn(count(), (enrollment) => enrollment?.percent ?? 0),
  isEnrolled: pathEnrollmentColumn(z.boolean(), (enrollment) => enrollment !== null),
  certificateCount: pathEnrollmentColumn(count(), (enrollment) => enrollment?.certificateCount ?? 0),
  launchSlug: column(learningPaths.slug, z.string().openapi({ description: "The path's URL" }), {
    show: (slug, { base }: RowContext<CallerPathEnrollment>) => `${base}/learningpath/${slug}`,
  }),
  totalLPCourses: sortedIntegerColumn(learningPaths.courseCount),
  completedLpCourses: pathEnrollmentColumn(count(), (enrollment) => enrollment?.completedCourses ?? 0),
  rating: ratingColumn(learningPaths, RATING),
  totalEstimatedTime: column(learningPaths.estimatedMinutes, estimate(), {
    show: durationText,
    sort: { sorted: learningPaths.estimatedMinutes },
  }),
}

/** The columns of the portal's list of paths. */
export const portalPathColumns = listColumns({
  ...pathListColumns,
  featureImage: column(learningPaths.featuredImageUrl, z.string().nullable()),
})

/** The columns of the list of the library's paths. */
export const libraryPathColumns = listColumns({
  ...pathListColumns,
  featuredImageUrl: column(learningPaths.featuredImageUrl, z.string().nullable()),
  status: pathEnrollmentColumn(
    z.enum(ENROLLMENT_STATUSES),
    (enrollment) => enrollment?.status ?? EnrollmentStatus.NotStarted,
  ),
})

export interface CallerEnrollment {
  id: number
  status: EnrollmentStatus
  percent: number
}

const courseEnrollmentColumn = enrollmentColumn<CallerEnrollment>()

const PREREQUISITES = subquery(sql`(
  select json_group_array(json_object('id', id, 'name', name))
  from (
    select needed.id, needed.name
    from course_prerequisites as needs
    cross join courses as needed on needed.id = needs.prerequisite_id
    where needs.course_id = ${courses.id}
    order by needs.position
  )
)`).mapWith((json: string): { id: number; name: string }[] => JSON.parse(json))

/** The columns of the list of the library's courses. */
export const libraryCourseColumns = listColumns({
  id: integerColumn(courses.id),
  courseName: nameColumn(courses.name),
  courseSlug: column(courses.slug, z.string().openapi({ description: "The course's URL" }), {
    show: (slug, { base }: RowContext<CallerEnrollment>) => `${base}/course/${slug}`,
    sort: courses.slug,
  }),
  featuredImageUrl: column(courses.featuredImageUrl, z.string().nullable(), {
    sort: { sorted: sortPrefix(courses.featuredImageUrl) },
  }),
  ...categoryAndAuthorColumns,
  totalModules: column(courses.moduleCount, count(), { sort: { sorted: courses.moduleCount } }),
  estimatedCompletionTime: column(courses.estimatedMinutes, estimate(), {
    show: durationText,
    sort: { sorted: courses.estimatedMinutes },
  }),
  selfEnroll: column(
    sql<number>`(${courses.selfEnroll} or ${courses.enrollmentKey} is not null)`,
    z.boolean().openapi({ description: "Whether learners can enroll themselves" }),
    { show: Boolean },
  ),
  enrollmentKeyRequired: column(
    sql<number>`(${courses.enrollmentKey} is not null)`,
    z.boolean().openapi({ description: "Whether self-enrollment requires a key" }),
    { show: Boolean },
  ),
  enableCourseRating: column(courses.enableCourseRating, z.boolean(), {
    sort: { sorted: courses.enableCourseRating },
  }),
  rating: ratingColumn(courses, RATING),
  prerequisites: column(
    PREREQUISITES,
    z
      .array(z.object({ id: count(), name: z.string() }))
      .openapi({ description: "The courses that must be completed before modules of this course open" }),
  ),
  isEnrolled: courseEnrollmentColumn(z.boolean(), (enrollment) => enrollment !== null),
  registrationId: courseEnrollmentColumn(
    count().nullable().openapi({ description: "The caller's enrollment" }),
    (enrollment) => enrollment?.id ?? null,
  ),
  status: courseEnrollmentColumn(
    z.enum(ENROLLMENT_STATUSES).nullable().openapi({ description: "The caller's status; null if not enrolled" }),
    (enrollment) => enrollment?.status ?? null,
  ),
  percentComplete: courseEnrollmentColumn(count(), (enrollment) => enrollment?.percent ?? 0),
  created_at: dateColumn(courses.createdAt),
})

/** The columns that lists of courses and of modules share. */
const contentColumns = (table: typeof courses | typeof modules) => ({
  id: integerColumn(table.id),
  name: nameColumn(table.name),
  slug: textColumn(table.slug),
  description: column(table.content, z.string().openapi({ description: "Sanitized HTML" }), {
    sort: { sorted: sortPrefix(table.content) },
  }),
  created_at: dateColumn(table.createdAt),
})

const contentType = z.string().openapi({ description: "course, or the module's type" })

/** The columns of the list of a membership's courses. */
export const membershipCourseColumns = listColumns({
  ...contentColumns(courses),
  type: column(sql<string>`'course'`, contentType, { sort: { sorted: sql`'course'` } }),
  featuredImageUrl: column(courses.featuredImageUrl, z.string().nullable(), {
    sort: { sorted: sortPrefix(courses.featuredImageUrl) },
  }),
})

/** The columns of the list of the modules of a membership's courses. */
export const membershipModuleColumns = listColumns({
  ...contentColumns(modules),
  type: column(modules.type, contentType, { sort: { sorted: modules.type } }),
  featuredImageUrl: column(sql<null>`null`, z.string().nullable(), { sort: { sorted: sql`''` } }),
})
