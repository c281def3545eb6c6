import { z } from "@hono/zod-openapi"
import { type SQLWrapper, sql } from "drizzle-orm"
import { COURSE_STATUSES, courses } from "../../../drizzle/schema/courses.ts"
import { ENROLLMENT_STATUSES, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { type CourseStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { column, isoSchemaOrNull, listColumns, timeColumn } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { durationText, relativeTime } from "../../lib/text/dates.ts"
import { averageRatingSql } from "../courses/ratings.ts"
import { hasExpired } from "./expiry.ts"
import { accessColumn, percentColumn, registrationColumns } from "./registration-columns.ts"

/** The course columns of an enrollment row. */
interface CourseBrief {
  name: string
  slug: string
  status: CourseStatus
  featuredImageUrl: string | null
  estimatedMinutes: number
  expiresAfterDays: number
  enableCourseRating: 0 | 1
  rating: number
}

/** The enrollment's course, read with one lookup per row. */
const COURSE = sql`(
  select json_object(
    'name', ${courses.name},
    'slug', ${courses.slug},
    'status', ${courses.status},
    'featuredImageUrl', ${courses.featuredImageUrl},
    'estimatedMinutes', ${courses.estimatedMinutes},
    'expiresAfterDays', ${courses.expiresAfterDays},
    'enableCourseRating', ${courses.enableCourseRating},
    'rating', ${averageRatingSql(courses.ratingSum, courses.ratingCount)}
  )
  from ${courses}
  where ${courses.id} = ${enrollments.courseId}
)`.mapWith((json: string): CourseBrief => JSON.parse(json))

/** A user has few enrollments, so sorting needs no index. */
const selectFromCourse = (column: SQLWrapper) => sql`(
  select ${column}
  from ${courses}
  where ${courses.id} = ${enrollments.courseId}
)`

/** The status of the enrollment's course. */
export const ENROLLED_COURSE_STATUS = selectFromCourse(courses.status)

export const enrolledCourseColumns = listColumns({
  ...registrationColumns,
  courseId: integerColumn(enrollments.courseId),
  featuredImageUrl: column(COURSE, z.string().nullable(), { show: (course) => course.featuredImageUrl }),
  courseSlug: column(COURSE, z.string().openapi({ description: "The course's URL" }), {
    show: ({ slug }, { base }: { base: string }) => `${base}/course/${slug}`,
    sort: selectFromCourse(courses.slug),
  }),
  courseName: column(COURSE, z.string(), {
    show: ({ name }) => name,
    sort: selectFromCourse(sql`${courses.name} collate nocase`),
  }),
  courseStatus: column(COURSE, z.enum(COURSE_STATUSES), {
    show: ({ status }) => status,
    sort: ENROLLED_COURSE_STATUS,
  }),
  lastAccessed: timeColumn(
    enrollments.lastAccessedAt,
    z.string().openapi({ example: "3 days ago" }),
    isoSchemaOrNull(),
    {
      show: relativeTime,
      sort: enrollments.lastAccessedAt,
    },
  ),
  display_status: column(enrollments.status, z.enum(ENROLLMENT_STATUSES), { sort: enrollments.status }),
  accessStatus: accessColumn,
  percentComplete: percentColumn,
  isExpired: column({ expiresAt: enrollments.expiresAt }, z.boolean(), { show: hasExpired }),
  canRecertify: column(
    { status: enrollments.status, expiresAt: enrollments.expiresAt, course: COURSE },
    z.boolean().openapi({ description: "Completed and expired, and the course sets an access duration" }),
    { show: (row) => hasExpired(row) && row.status === EnrollmentStatus.Completed && row.course.expiresAfterDays > 0 },
  ),
  estimatedCompletionTime: column(COURSE, z.string().openapi({ example: "1 hour 30 minutes" }), {
    show: ({ estimatedMinutes }) => durationText(estimatedMinutes),
    sort: selectFromCourse(courses.estimatedMinutes),
  }),
  certificate_count: integerColumn(enrollments.certificateCount),
  enableCourseRating: column(COURSE, z.boolean(), { show: ({ enableCourseRating }) => enableCourseRating === 1 }),
  rating: column(COURSE, z.number().openapi({ description: "The course's average rating; 0 if it has none" }), {
    show: (course) => course.rating,
  }),
})
