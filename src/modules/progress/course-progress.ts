import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { percentOf } from "../../../drizzle/rules.ts"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { activities, enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { ActivityVerb, EnrollmentStatus, ModuleStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { onAchievement } from "../gamification/awards.ts"
import { issueEarnedCertificates } from "./certificates.ts"
import { onCoursesProgressed } from "./path-progress.ts"

// What follows when learners progress in a course. Each function returns statements for the batch of the change, in the
// order in which they run. Consequences of a new status come before the update that writes it: until then, the old
// status tells which enrollments change.

const notStarted = literal(EnrollmentStatus.NotStarted)
const completed = literal(EnrollmentStatus.Completed)

/** Enrollments that complete their course. */
export interface CourseCompletion {
  /** `enrollments`, or a join with it. */
  from: SQLWrapper
  where: SQL
  completedAt: SQLWrapper
}

/** What the modules of enrollments add up to: a row of `progress` for each that has opened one. */
const progressOf = (which: SQL) => sql`(
  select ${enrollments.id} as id,
    ${courses.goal} as goal,
    count(*) filter (where state.status = ${completed} and part.counts) as done,
    sum(state.time_spent) as time_spent,
    max(state.last_accessed_at) as last_accessed_at,
    min(iif(state.started_at > 0, state.started_at, state.last_accessed_at))
      filter (where state.status <> ${notStarted}) as started_at,
    max(iif(state.completed_at > 0, state.completed_at, state.last_accessed_at))
      filter (where state.status = ${completed} and part.counts) as completed_at
  from ${enrollments}
  join ${courses} on ${courses.id} = ${enrollments.courseId}
  join ${moduleStatuses} as state on state.enrollment_id = ${enrollments.id}
  left join ${courseModules} as part on part.course_id = ${enrollments.courseId} and part.module_id = state.module_id
  where ${which}
  group by ${enrollments.id}
) as progress`

/** Reads no modules where the last one that the course requires is still to come. */
const isNear = (modules: number | undefined) =>
  modules === undefined
    ? sql`true`
    : sql`(select goal from courses where courses.id = ${enrollments.courseId}) <= ${enrollments.done} + ${modules}`

const recordActivity = (db: Database, verb: ActivityVerb, at: SQLWrapper, from: SQLWrapper, where: SQL): Statement =>
  insertFrom(
    db,
    activities,
    { userId: enrollments.userId, verb, courseId: enrollments.courseId, createdAt: at },
    sql`from ${from} where ${where}`,
  )

/** Enrollments complete their course. The update of their status comes after these statements. */
export const onCourseCompleted = (work: UnitOfWork, { from, where, completedAt }: CourseCompletion): Statement[] => [
  recordActivity(work.db, ActivityVerb.Completed, completedAt, from, where),
  ...issueEarnedCertificates(work, { from, where, completedAt }),
  onAchievement(
    work.db,
    "course_completed",
    { userId: enrollments.userId, targetId: enrollments.courseId, at: completedAt },
    { from, where },
  ),
]

/**
 * Modules were completed, or recorded in any state. Starts and completes courses.
 * @param which a condition on the enrollments
 * @param modules how many modules of one enrollment were completed at most; undefined: any number
 */
export function onModulesRecorded(work: UnitOfWork, which: SQL, modules?: number): Statement[] {
  const { db } = work
  const isCompleting = sql`(enrollments.status <> ${completed}
    and progress.goal > 0 and progress.done >= progress.goal and ${isNear(modules)})`
  const progress = {
    done: sql`progress.done`,
    percent: sql.raw(percentOf("enrollments.percent", "progress.done", "progress.goal")),
    timeSpent: sql`progress.time_spent`,
    lastAccessedAt: sql`max(enrollments.last_accessed_at, progress.last_accessed_at)`,
  }
  const isNew = sql`${enrollments.status} = ${notStarted}`
  const isOpen = sql`${enrollments.status} <> ${completed} and ${isNear(modules)}`
  const starts = sql`${isNew} and progress.started_at is not null`
  const withEnrollments = (condition: SQL) =>
    sql`${progressOf(sql`${which} and ${condition}`)} cross join ${enrollments} on ${enrollments.id} = progress.id`
  return [
    db
      .update(enrollments)
      .set(progress)
      .from(progressOf(sql`${which} and ${enrollments.status} <> ${notStarted}`))
      .where(sql`enrollments.id = progress.id and not ${isCompleting}`),
    recordActivity(db, ActivityVerb.Started, sql`progress.started_at`, withEnrollments(isNew), starts),
    ...onCourseCompleted(work, {
      from: withEnrollments(isOpen),
      where: isCompleting,
      completedAt: sql`progress.completed_at`,
    }),
    // The status is indexed: it is written only where it changes.
    db
      .update(enrollments)
      .set({
        ...progress,
        status: sql`iif(${isCompleting}, ${completed}, ${literal(EnrollmentStatus.InProgress)})`,
        startedAt: sql`iif(enrollments.status = ${notStarted}, progress.started_at, enrollments.started_at)`,
        completedAt: sql`iif(${isCompleting}, progress.completed_at, enrollments.completed_at)`,
      })
      .from(progressOf(sql`${which} and (${isNew} or ${isOpen})`))
      .where(sql`enrollments.id = progress.id and (${isCompleting} or (${starts}))`),
    ...onCoursesProgressed(db, which),
  ]
}

const oneEnrollment = (id: number) => sql`${enrollments.id} = ${id}`

/** A learner completed a module of an enrollment. */
export const onModuleCompleted = (work: UnitOfWork, enrollmentId: number): Statement[] =>
  onModulesRecorded(work, oneEnrollment(enrollmentId), 1)

/**
 * A learner opened a module, or spent time in it.
 * @param enrollment as the first round trip read it; that it stays started is for the batch to guard
 */
export function onModuleOpened(
  work: UnitOfWork,
  enrollment: { id: number; status: EnrollmentStatus },
  { seconds, at }: { seconds: number; at: number },
): Statement[] {
  const { db } = work
  const which = oneEnrollment(enrollment.id)
  const access = {
    lastAccessedAt: sql`max(${enrollments.lastAccessedAt}, ${at})`,
    timeSpent: sql`${enrollments.timeSpent} + ${seconds}`,
  }
  const isStarted = sql`${which} and ${enrollments.status} <> ${notStarted}`
  const accessed = db.update(enrollments).set(access).where(isStarted)
  if (enrollment.status !== EnrollmentStatus.NotStarted) return [accessed]
  const isNew = sql`${which} and ${enrollments.status} = ${notStarted}`
  const startedAt = sql`(
    select min(iif(state.started_at > 0, state.started_at, state.last_accessed_at))
    from ${moduleStatuses} as state
    where state.enrollment_id = ${enrollments.id} and state.status <> ${literal(ModuleStatus.NotStarted)}
  )`
  return [
    accessed,
    recordActivity(db, ActivityVerb.Started, startedAt, enrollments, isNew),
    db
      .update(enrollments)
      .set({ ...access, status: EnrollmentStatus.InProgress, startedAt })
      .where(isNew),
    ...onCoursesProgressed(db, which),
  ]
}

/**
 * Users were enrolled, by the statements before. Records from other systems may be started or completed already.
 * @param made a condition on the new enrollments
 */
export function onEnrolled(work: UnitOfWork, made: SQL, as: { started: boolean; completed: boolean }): Statement[] {
  const { db } = work
  const isCompleted = sql`${made} and ${enrollments.status} = ${completed}`
  const isStarted = sql`${made} and ${enrollments.startedAt} > 0`
  return [
    insertFrom(
      db,
      activities,
      {
        userId: enrollments.userId,
        verb: ActivityVerb.Enrolled,
        courseId: enrollments.courseId,
        actorId: sql`nullif(${enrollments.enrolledBy}, ${enrollments.userId})`,
        createdAt: enrollments.registeredAt,
      },
      sql`from ${enrollments} where ${made}`,
    ),
    ...(as.started ? [recordActivity(db, ActivityVerb.Started, enrollments.startedAt, enrollments, isStarted)] : []),
    ...(as.completed
      ? onCourseCompleted(work, { from: enrollments, where: isCompleted, completedAt: enrollments.completedAt })
      : []),
    ...(as.started || as.completed ? onCoursesProgressed(db, made) : []),
  ]
}
