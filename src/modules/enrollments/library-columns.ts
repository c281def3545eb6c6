import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { ENROLLMENT_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { learningPaths, PATH_TYPES } from "../../../drizzle/schema/learning-paths.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { sortPrefix } from "../../db/list/listing.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { durationText } from "../../lib/text/dates.ts"
import { categoryAndAuthorColumns } from "../courses/course-columns.ts"
import { ratingColumn } from "../courses/ratings.ts"

const count = () => z.number().int()
const estimate = () => z.string().openapi({ example: "3 hours 30 minutes" })
const RATING = "The mean of the ratings given; 0 without any"

/** What is read of the caller's own registration, null without one, and the service's address. */
interface Beside<Own> {
  own: Own | null
  base: string
}

export interface CallerPathEnrollment {
  status: EnrollmentStatus
  percent: number
  completedCourses: number
  certificateCount: number
}

/** Makes columns of the caller's own registration. */
const ofOwn =
  <Own>() =>
  <Schema extends z.ZodType>(schema: Schema, show: (own: Own | null) => z.output<Schema>) =>
    column({}, schema, { show: (_: object, { own }: Beside<Own>) => show(own) })

const ofOwnPath = ofOwn<CallerPathEnrollment>()

const offeredPath = {
  id: column(learningPaths.id, count().openapi({ description: "The path's id, as learningPathId" }), {
    sort: learningPaths.id,
  }),
  learningPathId: integerColumn(learningPaths.id),
  type: column(learningPaths.type, z.enum(PATH_TYPES), { sort: learningPaths.type }),
  learningPathName: nameColumn(learningPaths.name),
  display_status: ofOwnPath(
    z.string().openapi({ description: "The caller's; Not Started where they are not enrolled" }),
    (own) => own?.status ?? EnrollmentStatus.NotStarted,
  ),
  percentComplete: ofOwnPath(count(), (own) => own?.percent ?? 0),
  isEnrolled: ofOwnPath(z.boolean(), (own) => own !== null),
  certificateCount: ofOwnPath(count(), (own) => own?.certificateCount ?? 0),
  launchSlug: column(learningPaths.slug, z.string().openapi({ description: "The path's URL" }), {
    show: (slug, { base }: Beside<CallerPathEnrollment>) => `${base}/learningpath/${slug}`,
  }),
  totalLPCourses: integerColumn(learningPaths.courseCount),
  completedLpCourses: ofOwnPath(count(), (own) => own?.completedCourses ?? 0),
  rating: ratingColumn(learningPaths, RATING),
  totalEstimatedTime: column(learningPaths.estimatedMinutes, estimate(), {
    show: durationText,
    sort: learningPaths.estimatedMinutes,
  }),
}

/** The columns of the list of paths on offer. */
export const portalPathColumns = listColumns({
  ...offeredPath,
  featureImage: column(learningPaths.featuredImageUrl, z.string().nullable()),
})

/** The columns of the list of the library's paths. */
export const libraryPathColumns = listColumns({
  ...offeredPath,
  featuredImageUrl: column(learningPaths.featuredImageUrl, z.string().nullable()),
  status: ofOwnPath(z.enum(ENROLLMENT_STATUSES), (own) => own?.status ?? EnrollmentStatus.NotStarted),
})

export interface CallerEnrollment {
  id: number
  status: EnrollmentStatus
  percent: number
}

const ofOwnCourse = ofOwn<CallerEnrollment>()

/** The columns of the list of the library's courses. */
export const libraryCourseColumns = listColumns({
  id: integerColumn(courses.id),
  courseName: nameColumn(courses.name),
  courseSlug: column(courses.slug, z.string().openapi({ description: "The course's URL" }), {
    show: (slug, { base }: Beside<CallerEnrollment>) => `${base}/course/${slug}`,
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
    z.boolean().openapi({ description: "The caller may enroll themselves" }),
    { show: Boolean },
  ),
  enrollmentKeyRequired: column(
    sql<number>`(${courses.enrollmentKey} is not null)`,
    z.boolean().openapi({ description: "Whoever enrolls themselves must know a key" }),
    { show: Boolean },
  ),
  enableCourseRating: column(courses.enableCourseRating, z.boolean(), {
    sort: { sorted: courses.enableCourseRating },
  }),
  rating: ratingColumn(courses, RATING),
  isEnrolled: ofOwnCourse(z.boolean(), (own) => own !== null),
  registrationId: ofOwnCourse(
    count().nullable().openapi({ description: "The caller's registration" }),
    (own) => own?.id ?? null,
  ),
  status: ofOwnCourse(
    z.enum(ENROLLMENT_STATUSES).nullable().openapi({ description: "Of the registration; null without one" }),
    (own) => own?.status ?? null,
  ),
  percentComplete: ofOwnCourse(count(), (own) => own?.percent ?? 0),
  created_at: dateColumn(courses.createdAt),
})

/** The columns that lists of courses and of modules share. */
const contentColumns = (of: typeof courses | typeof modules) => ({
  id: integerColumn(of.id),
  name: nameColumn(of.name),
  slug: textColumn(of.slug),
  description: column(of.content, z.string().openapi({ description: "Sanitized HTML" }), {
    sort: { sorted: sortPrefix(of.content) },
  }),
  created_at: dateColumn(of.createdAt),
})

const contentType = z.string().openapi({ description: "course, or the module's type" })

/** The columns of the list of the courses that a membership gives. */
export const membershipCourseColumns = listColumns({
  ...contentColumns(courses),
  type: column(sql<string>`'course'`, contentType, { sort: { sorted: sql`'course'` } }),
  featuredImageUrl: column(courses.featuredImageUrl, z.string().nullable(), {
    sort: { sorted: sortPrefix(courses.featuredImageUrl) },
  }),
})

/** The columns of the list of what those courses are made of. */
export const membershipModuleColumns = listColumns({
  ...contentColumns(modules),
  type: column(modules.type, contentType, { sort: { sorted: modules.type } }),
  featuredImageUrl: column(sql<null>`null`, z.string().nullable(), { sort: { sorted: sql`''` } }),
})
