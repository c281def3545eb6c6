import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { ENROLLMENT_STATUSES, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import { personSummary } from "../../access/accounts.ts"
import { subquery } from "../../db/sql.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { column, isoSchemaOrNull, listColumns, unindexed } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, type NotNull } from "../../lib/spreadsheet/common-columns.ts"
import { dateOrNeverColumn, durationAnswer, updatedAtColumn } from "../../lib/spreadsheet/date-columns.ts"
import { duration, isoTimeOrNull } from "../../lib/text/dates.ts"
import { selectCourseName } from "../courses/course-columns.ts"
import { SET_DUE_STATUSES } from "./due-filters.ts"
import { ACCESS_STATUSES, accessStatus } from "./expiry.ts"

// Columns shared by lists of enrollments and reports.

/** The name of the enrollment's course. */
export const enrolledCourseName = selectCourseName(enrollments.courseId)

const count = () => z.number().int()

const isoTimeColumn = (at: NotNull<number>) => column(at, isoSchemaOrNull(), { show: isoTimeOrNull })

/** The due date of the enrollment. */
export const dueColumns = {
  dueAt: column(
    enrollments.dueAt,
    isoSchemaOrNull().openapi({ description: "The end of the due day; null without one" }),
    {
      show: isoTimeOrNull,
      sort: { sorted: enrollments.dueAt },
    },
  ),
  dueStatus: column(
    enrollments.dueStatus,
    z.enum(SET_DUE_STATUSES).nullable().openapi({ description: "null without a due date" }),
    { show: (status) => (status === DueStatus.NoDueDate ? null : status), sort: { sorted: enrollments.dueStatus } },
  ),
  cycle: column(
    enrollments.cycle,
    count().openapi({ description: "The number of the current cycle of a recurring training" }),
    { sort: { sorted: enrollments.cycle } },
  ),
}

/** Whether the learner can still open the course. */
export const accessColumn = column({ expiresAt: enrollments.expiresAt }, z.enum(ACCESS_STATUSES), {
  show: accessStatus,
})

export const percentColumn = unindexed(integerColumn(enrollments.percent))

/** Columns of every list of enrollments. Within a course or a user, changes are sorted without an index. */
export const registrationColumns = {
  id: unindexed(integerColumn(enrollments.id)),
  status: column(enrollments.status, z.enum(ENROLLMENT_STATUSES), { sort: { sorted: enrollments.status } }),
  registered_on: dateOrNeverColumn(enrollments.registeredAt),
  started_on: unindexed(dateOrNeverColumn(enrollments.startedAt)),
  completed_on: unindexed(dateOrNeverColumn(enrollments.completedAt)),
  expire_on: unindexed(dateOrNeverColumn(enrollments.expiresAt)),
  updatedAt: unindexed(updatedAtColumn(enrollments.updatedAt)),
  ...dueColumns,
}

/** Whether the learner has a valid certificate of the course, earned in the course or in a class. */
const HAS_CERTIFICATE = subquery(sql<number>`exists (
  select 1
  from ${certificates}
  where ${certificates.courseId} = ${enrollments.courseId}
    and ${certificates.userId} = ${enrollments.userId}
    and ${certificates.revokedAt} = 0
)`)

/** The enrollment columns of both course reports. */
export const enrollmentReportColumns = {
  ...registrationColumns,
  percent_complete: percentColumn,
  access_status: accessColumn,
  last_accessed_on: unindexed(dateOrNeverColumn(enrollments.lastAccessedAt)),
  percent_achieved: column(
    { awarded: enrollments.pointsAwarded, possible: enrollments.pointsPossible },
    count()
      .nullable()
      .openapi({ description: "Percentage of the points of graded modules; null if nothing was graded" }),
    {
      show: ({ awarded, possible }) => (possible > 0 ? Math.floor((100 * awarded) / possible) : null),
      // -1 if nothing was graded.
      sort: {
        sorted: sql`iif(
          ${enrollments.pointsPossible} > 0,
          ${enrollments.pointsAwarded} * 100 / ${enrollments.pointsPossible},
          -1
        )`,
      },
    },
  ),
  total_time_spent: column(enrollments.timeSpent, durationAnswer, {
    show: duration,
    sort: { sorted: enrollments.timeSpent },
  }),
  certifcate_issued: column(
    HAS_CERTIFICATE,
    z.boolean().openapi({ description: "The field name is misspelled for compatibility" }),
    {
      show: (has) => has === 1,
      sort: { sorted: HAS_CERTIFICATE },
    },
  ),
}

/** The learner of the enrollment. */
export const LEARNER = personSummary(enrollments.userId)

const EMAIL = subquery(sql`(
  select ${users.email} collate nocase
  from ${users}
  where ${users.id} = ${enrollments.userId}
)`)

/** The learner's columns. Sorting by name uses an index within the course. */
export const learnerColumns = {
  user_id: unindexed(integerColumn(enrollments.userId)),
  first_name: column(LEARNER, z.string(), { show: ({ firstName }) => firstName, sort: enrollments.firstNameKey }),
  last_name: column(LEARNER, z.string(), { show: ({ lastName }) => lastName, sort: enrollments.lastNameKey }),
  email: column(LEARNER, z.string(), { show: ({ email }) => email, sort: { sorted: EMAIL } }),
  avatar: column(LEARNER, z.string(), { show: avatarOf }),
}

/** The columns of the list of all enrollments. */
export const allEnrollmentColumns = listColumns({
  id: integerColumn(enrollments.id),
  userId: column(enrollments.userId, count()),
  courseId: column(enrollments.courseId, count()),
  groupId: column(
    enrollments.groupId,
    count().nullable().openapi({ description: "The group whose seat it uses; null without one" }),
  ),
  status: column(enrollments.status, z.enum(ENROLLMENT_STATUSES)),
  percentComplete: column(enrollments.percent, count()),
  certificateCount: column(enrollments.certificateCount, count()),
  registeredAt: isoTimeColumn(enrollments.registeredAt),
  startedAt: isoTimeColumn(enrollments.startedAt),
  completedAt: isoTimeColumn(enrollments.completedAt),
  expiresAt: isoTimeColumn(enrollments.expiresAt),
  lastAccessedAt: isoTimeColumn(enrollments.lastAccessedAt),
  updatedAt: updatedAtColumn(enrollments.updatedAt),
  dueAt: column(enrollments.dueAt, dueColumns.dueAt.schema, { show: isoTimeOrNull }),
  dueStatus: column(enrollments.dueStatus, dueColumns.dueStatus.schema, {
    show: (status) => (status === DueStatus.NoDueDate ? null : status),
  }),
  cycle: column(enrollments.cycle, dueColumns.cycle.schema),
})

export const studentColumns = listColumns({
  ...registrationColumns,
  ...learnerColumns,
  percentComplete: percentColumn,
  access_status: accessColumn,
  last_accessed_on: enrollmentReportColumns.last_accessed_on,
})
