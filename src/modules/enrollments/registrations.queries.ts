import { and, eq, type SQL, sql } from "drizzle-orm"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { activities, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ActivityVerb, DueStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { canSeeUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { selectFrom } from "../../db/select.ts"
import { idList, literal, rowCount, rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { forbidden } from "../../lib/errors.ts"
import { recordCycles } from "../progress/cycles.ts"
import { dueColumnsOfReset } from "../progress/due-status.ts"
import { onCoursesReset } from "../progress/path-progress.ts"
import { type EnrollmentState, resetModules } from "./module-statuses.queries.ts"

// Enrollments as other modules use them: access checks, guards and resets.

const ENROLLMENT_WITH_COURSE = {
  id: enrollments.id,
  userId: enrollments.userId,
  courseId: enrollments.courseId,
  status: enrollments.status,
  registeredAt: enrollments.registeredAt,
  expiresAt: enrollments.expiresAt,
  courseName: courses.name,
  courseSlug: courses.slug,
  expiresAfterDays: courses.expiresAfterDays,
}

/** Selects an enrollment that the caller may see. @param enrollmentId an id, or a query of one */
export const selectRegistration = (db: Database, caller: Caller, enrollmentId: SQL | number) =>
  selectFrom(
    db,
    ENROLLMENT_WITH_COURSE,
    sql`
      from ${enrollments}
      join ${courses} on ${courses.id} = ${enrollments.courseId}
      join ${users} on ${users.id} = ${enrollments.userId}
      where ${enrollments.id} = ${enrollmentId} and ${canSeeUser(caller, users.id)}`,
  )

/** Only the learner and staff may change progress. @throws 403 */
export function requireProgressAccess(caller: Caller, registration: { userId: number }) {
  if (registration.userId !== caller.id && !canSeeAllUsers(caller))
    throw forbidden("Only the learner or staff can change this progress.", "self_only")
}

/** Guards that the enrollment still exists, and is still started if it was. */
export function guardEnrollmentExists(work: UnitOfWork, { id, status }: EnrollmentState): Statement {
  const isStarted = sql`${enrollments.status} <> ${literal(EnrollmentStatus.NotStarted)}`
  const isSame = status === EnrollmentStatus.NotStarted ? undefined : isStarted
  return work.guard(rowExists(enrollments, and(eq(enrollments.id, id), isSame)))
}

/** Guards that all enrollments still exist. */
export const guardEnrollmentsExist = (work: UnitOfWork, ids: number[]): Statement =>
  work.guard(sql`${rowCount(enrollments, sql`${enrollments.id} in ${idList(ids)}`)} = ${ids.length}`)

/**
 * Records the activity of enrollments that are reset or deleted.
 * @param source the `from` clause: enrollments with their courses
 */
export const recordEnrollmentActivity = (
  work: UnitOfWork,
  verb: typeof ActivityVerb.Reset | typeof ActivityVerb.Unenrolled,
  source: SQL,
) =>
  insertFrom(
    work.db,
    activities,
    {
      userId: enrollments.userId,
      verb,
      courseId: courses.id,
      actorId: sql`nullif(${work.caller.id}, ${enrollments.userId})`,
      createdAt: now(),
    },
    source,
  )

/** The `from` clause of enrollments with their courses. */
export const fromEnrollmentsWithCourses = (which: SQL): SQL => sql`
  from ${enrollments}
  join ${courses} on ${courses.id} = ${enrollments.courseId}
  where ${which}`

interface ResetOptions {
  /** The new expiry of all; by default, expired enrollments get the course's access duration from now on. */
  expireOn?: number | undefined
  /** Whether the next cycle begins, without a due date yet: the current one is kept in the history. */
  startsCycle?: boolean
}

/** The due date of the next cycle is not known yet. */
const NO_DUE_DATE = {
  cycle: sql`${enrollments.cycle} + 1`,
  dueAt: 0,
  dueSoonAt: 0,
  overdueAt: 0,
  dueStatus: DueStatus.NoDueDate,
  dueRuleId: null,
  dueCheckAt: 0,
}

/** Resets enrollments to Not Started. Time spent and access counts are retained. */
export function resetEnrollments(
  work: UnitOfWork,
  ids: number[],
  { expireOn, startsCycle = false }: ResetOptions = {},
): Statement[] {
  const { db } = work
  const term = sql`coalesce((
    select ${now()} + ${courses.expiresAfterDays} * ${DAY}
    from ${courses}
    where ${courses.id} = ${enrollments.courseId} and ${courses.expiresAfterDays} > 0
  ), 0)`
  // A cycle that begins has the whole access duration.
  const isRenewed = startsCycle ? sql`${enrollments.expiresAt} > 0 and ${term} > ${enrollments.expiresAt}` : sql`0`
  const expiresAt =
    expireOn ??
    sql`iif(
      (${enrollments.expiresAt} between 1 and ${now()}) or (${isRenewed}),
      ${term},
      ${enrollments.expiresAt}
    )`
  const inIds = sql`${enrollments.id} in ${idList(ids)}`
  return [
    guardEnrollmentsExist(work, ids),
    ...(startsCycle ? [recordCycles(work, inIds)] : []),
    ...resetModules(work, ids),
    onCoursesReset(db, inIds),
    db
      .update(enrollments)
      .set({
        status: EnrollmentStatus.NotStarted,
        percent: 0,
        done: 0,
        startedAt: 0,
        completedAt: 0,
        expiresAt,
        ...(startsCycle ? NO_DUE_DATE : dueColumnsOfReset()),
        expiredAt: sql`iif(${expiresAt} = ${enrollments.expiresAt}, ${enrollments.expiredAt}, 0)`,
        updatedAt: nextUpdatedAt,
      })
      .where(inIds),
    recordEnrollmentActivity(work, ActivityVerb.Reset, fromEnrollmentsWithCourses(inIds)),
    work.auditMany(
      "updated",
      "enrollment",
      sql`
        select ${enrollments.id} as id, ${courses.name} as name,
          json_object('userId', ${enrollments.userId}, 'progress', 'reset', 'cycle', ${enrollments.cycle}) as details
        ${fromEnrollmentsWithCourses(inIds)}`,
    ),
  ]
}
