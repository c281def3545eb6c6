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
import { listQuery, listResponse, updatedSince } from "../../lib/input/list-query.ts"
import { durationAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { SET_DUE_STATUSES } from "./due-filters.ts"
import { enrolledCourseColumns } from "./enrolled-course-columns.ts"
import { allEnrollmentColumns, studentColumns } from "./registration-columns.ts"

export const enrollmentStatus = () => choice(ENROLLMENT_STATUSES)

/** A filter by due status. */
export const dueStatuses = () =>
  optional(list(choice(SET_DUE_STATUSES)).transform((statuses) => [...new Set(statuses)])).openapi({
    type: "array",
    items: { type: "string", enum: SET_DUE_STATUSES },
    description: "Only enrollments in one of these due statuses",
  })

const dateTime = () => optional(time()).openapi({ type: "string", format: "date-time" })

interface Dates {
  registered_on?: number | undefined
  started_on?: number | undefined
  completed_on?: number | undefined
  expire_on?: number | undefined
}

/** The dates must be in chronological order. */
function requireDateOrder({ registered_on, started_on, completed_on, expire_on }: Dates, context: z.RefinementCtx) {
  const mustNotPrecede = (field: string, earlier: string) =>
    context.addIssue({ code: "custom", path: [field], message: `must not be before ${earlier}` })
  if (started_on !== undefined && registered_on !== undefined && started_on < registered_on)
    mustNotPrecede("started_on", "registered_on")
  if (completed_on !== undefined && completed_on < (started_on ?? registered_on ?? completed_on))
    mustNotPrecede("completed_on", started_on === undefined ? "registered_on" : "started_on")
  if (expire_on !== undefined && expire_on < (registered_on ?? started_on ?? completed_on ?? now()))
    context.addIssue({
      code: "custom",
      path: ["expire_on"],
      message: "must not be before registered_on, which defaults to now",
    })
}

export const enrollment = z
  .object({
    course_ids: nonEmpty(ids()),
    user_ids: nonEmpty(ids()),
    group_id: optional(id()).openapi({
      type: "integer",
      description: "Uses the group's seats and enrolls only its members. Required for group administrators",
    }),
    expire_on: dateTime().describe("Overrides the course's access duration"),
    registered_on: dateTime().describe("Staff only: for records from another system"),
    started_on: dateTime().describe("Staff only: sets the status In Progress"),
    completed_on: dateTime().describe("Staff only: sets the status Completed, at 100 percent"),
    notify: optional(boolean()).openapi({ type: "boolean", description: "false: the users are not notified" }),
  })
  .superRefine(requireDateOrder)
  .openapi("Enrollment")
export type Enrollment = z.output<typeof enrollment>

export const selfEnrollment = z
  .object({
    course_id: id(),
    enrollment_key: optional(text(100)).openapi({ type: "string", description: "Required if the course has a key" }),
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
  skipped: z
    .number()
    .int()
    .openapi({ description: "Pairs whose user or course doesn't exist or isn't accessible to the caller" }),
})

/** Enough for the maximum number of records with all dates. */
export const ENROLLMENT_RECORDS_BYTES = 2_000_000

const record = z
  .object({
    user_id: id(),
    course_id: id(),
    registered_on: dateTime().describe("Defaults to the earliest of the other dates, or to now"),
    started_on: dateTime().describe("Sets the status In Progress"),
    completed_on: dateTime().describe("Sets the status Completed, at 100 percent"),
    expire_on: dateTime().describe("Overrides the course's access duration"),
  })
  .superRefine(requireDateOrder)
  .openapi("EnrollmentRecord")
export type EnrollmentRecord = z.output<typeof record>

export const enrollmentRecords = z
  .object({
    registrations: nonEmpty(list(record)).refine(
      (all) => new Set(all.map((row) => `${row.user_id}:${row.course_id}`)).size === all.length,
      {
        error: "must not contain the same user and course twice",
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
  dueStatus: dueStatuses(),
}).extend({
  course_id: id().openapi({ type: "integer", minimum: 1, ...required }),
  group_id: nullable(id()).openapi({
    type: ["integer", "string"],
    description: "Only members of this group. Leave empty for all learners that the caller may see",
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
  nameOrEmail: optional(text(254)).openapi({
    description: "Part of the course's name, or of the user's name or email",
  }),
  courseId: optional(id()),
  dueStatus: dueStatuses(),
  portalId: optional(id()),
  manage_course: optional(boolean()),
}).extend({
  user_id: id().openapi({ type: "integer", minimum: 1, ...required }),
  manage_course: optional(boolean()).openapi({
    type: "boolean",
    description:
      "false returns only published courses, as on the learner's page; otherwise drafts too. Also " +
      "accepted in search_param",
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
  user_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "Defaults to the caller" }),
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

export const allEnrollmentsQuery = listQuery(Object.keys(allEnrollmentColumns.sort), {
  courseId: optional(id()),
  dueStatus: dueStatuses(),
  updatedSince: updatedSince(),
}).extend({ user_id: optional(id()).openapi({ type: "integer", description: "Defaults to everyone" }) })
export const allEnrollments = listResponse(allEnrollmentColumns.row.openapi("EnrollmentRow"))
