import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { certificatesOf, percentOf } from "../../../drizzle/rules.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
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
import { dueColumnsOfCompleted } from "./due-status.ts"
import { onCoursesProgressed } from "./path-progress.ts"

// The consequences of progress in a course. Each function returns statements for the batch of the change, in the
// order in which they must run. Consequences of a new status come before the update that writes it, because the old
// status shows which enrollments change.

const notStarted = literal(EnrollmentStatus.NotStarted)
const completed = literal(EnrollmentStatus.Completed)

/** Enrollments that complete their course. */
export interface CourseCompletion {
  /** `enrollments`, or a join with it. */
  from: SQLWrapper
  where: SQL
  completedAt: SQLWrapper
}

/** Aggregates the module statuses of enrollments: a row of `progress` for each enrollment with an opened module. */
const progressOf = (condition: SQL) => sql`(
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
  where ${condition}
  group by ${enrollments.id}
) as progress`

/** False if completing this many modules can't complete the course: its modules need not be read then. */
const canComplete = (maxModules: number | undefined) =>
  maxModules === undefined
    ? sql`true`
    : sql`(select goal from courses where courses.id = ${enrollments.courseId}) <= ${enrollments.done} + ${maxModules}`

const recordActivity = (db: Database, verb: ActivityVerb, at: SQLWrapper, from: SQLWrapper, where: SQL): Statement =>
  insertFrom(
    db,
    activities,
    { userId: enrollments.userId, verb, courseId: enrollments.courseId, createdAt: at },
    sql`from ${from} where ${where}`,
  )

/** Must run before the update that completes the enrollments. */
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
 * Starts and completes courses after module statuses changed.
 * @param condition a condition on the enrollments
 * @param maxModules the maximum number of modules completed per enrollment; undefined means any number
 */
export function onModulesRecorded(work: UnitOfWork, condition: SQL, maxModules?: number): Statement[] {
  const { db } = work
  const isCompleting = sql`(enrollments.status <> ${completed}
    and progress.goal > 0 and progress.done >= progress.goal and ${canComplete(maxModules)})`
  const percent = sql.raw(percentOf("enrollments.percent", "progress.done", "progress.goal"))
  const access = {
    timeSpent: sql`progress.time_spent`,
    lastAccessedAt: sql`max(enrollments.last_accessed_at, progress.last_accessed_at)`,
  }
  const progress = { ...access, done: sql`progress.done`, percent, updatedAt: nextUpdatedAt }
  const isUnchanged = sql`(enrollments.done = progress.done and enrollments.percent = ${percent})`
  const isNew = sql`${enrollments.status} = ${notStarted}`
  const isOpen = sql`${enrollments.status} <> ${completed} and ${canComplete(maxModules)}`
  const starts = sql`${isNew} and progress.started_at is not null`
  const due = dueColumnsOfCompleted(sql`progress.completed_at`)
  const withEnrollments = (which: SQL) =>
    sql`${progressOf(sql`${condition} and ${which}`)} cross join ${enrollments} on ${enrollments.id} = progress.id`
  return [
    // A module that was completed before changes only the time and the access.
    ...[
      { set: access, where: isUnchanged },
      { set: progress, where: sql`not ${isUnchanged}` },
    ].map(({ set, where }) =>
      db
        .update(enrollments)
        .set(set)
        .from(progressOf(sql`${condition} and ${enrollments.status} <> ${notStarted}`))
        .where(sql`enrollments.id = progress.id and not ${isCompleting} and ${where}`),
    ),
    recordActivity(db, ActivityVerb.Started, sql`progress.started_at`, withEnrollments(isNew), starts),
    ...onCourseCompleted(work, {
      from: withEnrollments(isOpen),
      where: isCompleting,
      completedAt: sql`progress.completed_at`,
    }),
    // The status is indexed, so it is only written if it changes.
    db
      .update(enrollments)
      .set({
        ...progress,
        status: sql`iif(${isCompleting}, ${completed}, ${literal(EnrollmentStatus.InProgress)})`,
        startedAt: sql`iif(enrollments.status = ${notStarted}, progress.started_at, enrollments.started_at)`,
        completedAt: sql`iif(${isCompleting}, progress.completed_at, enrollments.completed_at)`,
        dueStatus: sql`iif(${isCompleting}, ${due.dueStatus}, enrollments.due_status)`,
        dueCheckAt: sql`iif(${isCompleting}, ${due.dueCheckAt}, enrollments.due_check_at)`,
        certificateCount: sql.raw(certificatesOf("enrollments")),
      })
      .from(progressOf(sql`${condition} and (${isNew} or ${isOpen})`))
      .where(sql`enrollments.id = progress.id and (${isCompleting} or (${starts}))`),
    ...onCoursesProgressed(db, condition),
  ]
}

const oneEnrollment = (id: number) => sql`${enrollments.id} = ${id}`

/** Runs after a learner completed a module. */
export const onModuleCompleted = (work: UnitOfWork, enrollmentId: number): Statement[] =>
  onModulesRecorded(work, oneEnrollment(enrollmentId), 1)

/**
 * Runs after a learner opened a module or spent time in it.
 * @param enrollment as read in the first round trip; the batch must guard that it stays started
 */
export function onModuleOpened(
  work: UnitOfWork,
  enrollment: { id: number; status: EnrollmentStatus },
  { seconds, at }: { seconds: number; at: number },
): Statement[] {
  const { db } = work
  const condition = oneEnrollment(enrollment.id)
  const accessUpdate = {
    lastAccessedAt: sql`max(${enrollments.lastAccessedAt}, ${at})`,
    timeSpent: sql`${enrollments.timeSpent} + ${seconds}`,
  }
  const isStarted = sql`${condition} and ${enrollments.status} <> ${notStarted}`
  const accessed = db.update(enrollments).set(accessUpdate).where(isStarted)
  if (enrollment.status !== EnrollmentStatus.NotStarted) return [accessed]
  const isNew = sql`${condition} and ${enrollments.status} = ${notStarted}`
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
      .set({ ...accessUpdate, status: EnrollmentStatus.InProgress, startedAt, updatedAt: nextUpdatedAt })
      .where(isNew),
    ...onCoursesProgressed(db, condition),
  ]
}

/**
 * Runs after users were enrolled. Imported enrollments may be started or completed already.
 * @param inserted a condition on the new enrollments
 */
export function onEnrolled(
  work: UnitOfWork,
  inserted: SQL,
  imported: { started: boolean; completed: boolean },
): Statement[] {
  const { db } = work
  const isCompleted = sql`${inserted} and ${enrollments.status} = ${completed}`
  const isStarted = sql`${inserted} and ${enrollments.startedAt} > 0`
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
      sql`from ${enrollments} where ${inserted}`,
    ),
    ...(imported.started
      ? [recordActivity(db, ActivityVerb.Started, enrollments.startedAt, enrollments, isStarted)]
      : []),
    ...(imported.completed
      ? onCourseCompleted(work, { from: enrollments, where: isCompleted, completedAt: enrollments.completedAt })
      : []),
    ...(imported.started || imported.completed ? onCoursesProgressed(db, inserted) : []),
  ]
}
