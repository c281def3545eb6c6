import { z } from "@hono/zod-openapi"
import { ENROLLMENT_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { now } from "../../lib/clock.ts"
import {
  boolean,
  choice,
  id,
  ids,
  list,
  nonEmpty,
  nullable,
  optional,
  requiredIds,
  text,
  time,
} from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { durationAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { enrolledCourseColumns } from "./enrolled-course-columns.ts"
import { studentColumns } from "./registration-columns.ts"

/** How far a registration is. */
export const enrollmentStatus = () => choice(ENROLLMENT_STATUSES)

const when = () => optional(time()).openapi({ type: "string", format: "date-time" })

interface Dates {
  registered_on?: number | undefined
  started_on?: number | undefined
  completed_on?: number | undefined
  expire_on?: number | undefined
}

/** Dates of a registration follow one another; it does not expire before it was made. */
function inOrder({ registered_on, started_on, completed_on, expire_on }: Dates, context: z.RefinementCtx) {
  const before = (field: string, earlier: string) =>
    context.addIssue({ code: "custom", path: [field], message: `must not be before ${earlier}` })
  if (started_on !== undefined && registered_on !== undefined && started_on < registered_on)
    before("started_on", "registered_on")
  if (completed_on !== undefined && completed_on < (started_on ?? registered_on ?? completed_on))
    before("completed_on", started_on === undefined ? "registered_on" : "started_on")
  if (expire_on !== undefined && expire_on < (registered_on ?? started_on ?? completed_on ?? now()))
    context.addIssue({
      code: "custom",
      path: ["expire_on"],
      message: "must not be before the registration, which is made now unless registered_on says when",
    })
}

export const enrollment = z
  .object({
    course_ids: nonEmpty(ids()),
    user_ids: nonEmpty(ids()),
    group_id: optional(id()).openapi({
      type: "integer",
      description: "Takes the group's seats, for its members; a group administrator must give it",
    }),
    expire_on: when().describe("Instead of the course's own expiry"),
    registered_on: when().describe("Staff alone: of records from another system"),
    started_on: when().describe("Staff alone: makes it In Progress"),
    completed_on: when().describe("Staff alone: makes it Completed, at 100 percent"),
  })
  .superRefine(inOrder)
  .openapi("Enrollment")
export type Enrollment = z.output<typeof enrollment>

export const selfEnrollment = z
  .object({
    course_id: id(),
    enrollment_key: optional(text(100)).openapi({ type: "string", description: "Where the course asks for one" }),
  })
  .openapi("SelfEnrollment")

export const selfEnrollmentAnswer = z.object({
  message: z.string(),
  registrationId: z.number().int(),
  alreadyEnrolled: z.boolean(),
})

export const enrollmentAnswer = z.object({
  message: z.string(),
  enrolled: z.number().int().openapi({ description: "Pairs of a user and a course" }),
  alreadyEnrolled: z.number().int(),
  skipped: z.number().int().openapi({ description: "Unknown users and courses, and those outside the caller's reach" }),
})

/** Bytes of a body with the most records, all dates in full. */
export const ENROLLMENT_RECORDS_BYTES = 2_000_000

const record = z
  .object({
    user_id: id(),
    course_id: id(),
    registered_on: when().describe("The first of its other dates, else now, unless given"),
    started_on: when().describe("Makes it In Progress"),
    completed_on: when().describe("Makes it Completed, at 100 percent"),
    expire_on: when().describe("Instead of the course's own expiry"),
  })
  .superRefine(inOrder)
  .openapi("EnrollmentRecord")
export type EnrollmentRecord = z.output<typeof record>

export const enrollmentRecords = z
  .object({
    registrations: nonEmpty(list(record)).refine(
      (all) => new Set(all.map((row) => `${row.user_id}:${row.course_id}`)).size === all.length,
      {
        error: "names a user and a course twice",
      },
    ),
  })
  .openapi("EnrollmentRecords")
export type EnrollmentRecords = z.output<typeof enrollmentRecords>

export const unenrollment = z.object({ course_ids: requiredIds(), user_ids: requiredIds() }).openapi("Unenrollment")
export type Unenrollment = z.output<typeof unenrollment>

export const unenrollmentAnswer = z.object({
  message: z.string(),
  unenrolled: z.number().int(),
  notEnrolled: z.number().int(),
})

export const STUDENT_COLUMNS = Object.keys(studentColumns.sort)

const required = { param: { required: true } } as const

export const enrolledStudentsQuery = listQuery(STUDENT_COLUMNS, {
  nameOrEmail: optional(text(254)),
  status: optional(list(enrollmentStatus())),
}).extend({
  course_id: id().openapi({ type: "integer", minimum: 1, ...required }),
  group_id: nullable(id()).openapi({
    type: ["integer", "string"],
    description: "Only the members of this group; empty: everyone whom the caller may see",
    ...required,
  }),
})

export const enrolledStudents = listResponse(studentColumns.row.openapi("EnrolledStudent")).extend({
  courseName: z.string(),
  featuredImage: z.string().nullable(),
  totalNotStarted: z.number().int(),
  totalInProgress: z.number().int(),
  totalCompleted: z.number().int(),
})

export const ENROLLED_COURSE_COLUMNS = Object.keys(enrolledCourseColumns.sort)

export const enrolledCoursesQuery = listQuery(ENROLLED_COURSE_COLUMNS, {
  status: optional(list(enrollmentStatus())),
  nameOrEmail: optional(text(254)).openapi({ description: "A part of the course's name, or of the user's own" }),
  courseId: optional(id()),
  portalId: optional(id()),
  manage_course: optional(boolean()),
}).extend({
  user_id: id().openapi({ type: "integer", minimum: 1, ...required }),
  manage_course: optional(boolean()).openapi({
    type: "boolean",
    description:
      "false: published courses alone, as the learner's own page shows them; else drafts too. Also in search_param",
  }),
})

export const enrolledCourses = listResponse(enrolledCourseColumns.row.openapi("EnrolledCourse")).extend({
  name: z.string(),
  email: z.string(),
  userType: z.string(),
  avatar: z.string(),
  isLearner: z.boolean(),
})

export const statisticsQuery = z.object({
  user_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "The caller unless given" }),
  portalId: optional(id()).openapi({ type: "integer", minimum: 1, description: "The user must belong to it" }),
})

const count = () => z.number().int()
export const statistics = z.object({
  totalCourses: count(),
  completedCourses: count(),
  inProgressCourses: count(),
  notStartedCourses: count(),
  total: count(),
  completed: count(),
  inProgress: count(),
  notStarted: count(),
  studentName: z.string(),
  timeSpent: durationAnswer,
})
