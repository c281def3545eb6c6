import { type SQL, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { learningPathCourses, learningPathEnrollments } from "../../../drizzle/schema/learning-paths.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { onAchievement } from "../gamification/awards.ts"

const pathEnrollments = learningPathEnrollments
const completed = literal(EnrollmentStatus.Completed)
const inProgress = literal(EnrollmentStatus.InProgress)
const notStarted = literal(EnrollmentStatus.NotStarted)

/** Changes to course enrollments later in the same batch. */
interface Pending {
  /** The enrollments that it completes, and when. */
  completing: SQL
  completedAt: number
  /** The enrollments that it resets or deletes. */
  leaving: SQL
  /** True for a reset, false for a deletion. */
  keepsCertificates: boolean
}

const NO_PENDING_CHANGES: Pending = {
  completing: sql`false`,
  completedAt: 0,
  leaving: sql`false`,
  keepsCertificates: true,
}

/**
 * Aggregates the course enrollments of path enrollments: a row of `progress` for each.
 * @param condition a condition on the path enrollments
 */
function progressOf(condition: SQL, { completing, completedAt, leaving, keepsCertificates }: Pending): SQL {
  const remains = sql`not (${leaving})`
  const certificates = keepsCertificates ? sql`true` : remains
  return sql`(
    select ${pathEnrollments.id} as id,
      count(*) as goal,
      count(*) filter (where ${enrollments.status} = ${completed} and ${remains} or ${completing}) as done,
      count(*) filter (where ${enrollments.status} <> ${notStarted} and ${remains}) as started,
      count(*) filter (where ${enrollments.status} = ${completed} and ${leaving}) as lost_completed,
      count(*) filter (where ${enrollments.status} <> ${notStarted} and ${leaving}) as lost,
      coalesce(min(nullif(${enrollments.startedAt}, 0)) filter (where ${remains}), 0) as first_start,
      coalesce(
        max(iif(${completing}, ${completedAt}, ${enrollments.completedAt})) filter (where ${remains}),
        0
      ) as last_end,
      coalesce(sum(${enrollments.certificateCount}) filter (where ${certificates}), 0) as certificates
    from ${pathEnrollments}
    join ${learningPathCourses} on ${learningPathCourses.learningPathId} = ${pathEnrollments.learningPathId}
    left join ${enrollments} on ${enrollments.courseId} = ${learningPathCourses.courseId}
      and ${enrollments.userId} = ${pathEnrollments.userId}
    where ${condition}
    group by ${pathEnrollments.id}
  ) as progress`
}

/** A path stays completed unless a completed course is removed from the enrollment. */
const isComplete = sql`(
  progress.done = progress.goal
  or (learning_path_enrollments.status = ${completed} and progress.lost_completed = 0)
)`
/** No course of the path is started any more. */
const startsOver = sql`(progress.started = 0 and progress.lost > 0 and not ${isComplete})`
const percent = sql`progress.done * 100 / progress.goal`
const completedAt = sql`iif(
  learning_path_enrollments.completed_at > 0,
  learning_path_enrollments.completed_at,
  max(learning_path_enrollments.registered_at, progress.last_end)
)`

const NEW_VALUES = {
  completedCourses: sql`progress.done`,
  certificateCount: sql`progress.certificates`,
  percent: sql`iif(
    progress.lost_completed > 0 or ${startsOver},
    ${percent},
    max(learning_path_enrollments.percent, ${percent})
  )`,
  status: sql`iif(${isComplete}, ${completed}, iif(
    progress.started > 0 or (learning_path_enrollments.status <> ${notStarted} and progress.lost = 0),
    ${inProgress},
    ${notStarted}
  ))`,
  startedAt: sql`iif(${startsOver}, 0, iif(
    learning_path_enrollments.started_at > 0 or progress.started = 0,
    learning_path_enrollments.started_at,
    max(learning_path_enrollments.registered_at, progress.first_start)
  ))`,
  completedAt: sql`iif(${isComplete}, ${completedAt}, 0)`,
}

/** Updates only the path enrollments that change. */
const update = (db: Database, condition: SQL, pending: Pending): Statement =>
  db
    .update(pathEnrollments)
    .set(NEW_VALUES)
    .from(progressOf(condition, pending))
    .where(
      sql`learning_path_enrollments.id = progress.id
        and (completed_courses, certificate_count, percent, status, learning_path_enrollments.started_at,
          learning_path_enrollments.completed_at) <> (${sql.join(Object.values(NEW_VALUES), sql`, `)})`,
    )

/**
 * Updates path enrollments from their course enrollments, and grants awards for completed paths. No percentage
 * decreases, and completed paths stay completed.
 * @param condition a condition on the path enrollments
 */
export const onPathsProgressed = (db: Database, condition: SQL, pending = NO_PENDING_CHANGES): Statement[] => [
  onAchievement(
    db,
    "learning_path_completed",
    { userId: pathEnrollments.userId, targetId: pathEnrollments.learningPathId, at: completedAt },
    {
      from: sql`${progressOf(sql`${condition} and ${pathEnrollments.status} <> ${completed}`, pending)}
        cross join ${pathEnrollments} on ${pathEnrollments.id} = progress.id`,
      where: sql`progress.done = progress.goal`,
    },
  ),
  update(db, condition, pending),
]

/** The path enrollments of the same users whose paths contain the courses of these enrollments. */
const pathsOf = (condition: SQL) => sql`${pathEnrollments.id} in (
  select path.id
  from ${enrollments}
  cross join ${learningPathCourses} as part on part.course_id = ${enrollments.courseId}
  cross join ${pathEnrollments} as path
    on path.user_id = ${enrollments.userId} and path.learning_path_id = part.learning_path_id
  where ${condition}
)`

/** Runs after course enrollments were started or completed. @param condition a condition on them */
export const onCoursesProgressed = (db: Database, condition: SQL): Statement[] =>
  // A course in progress only changes paths that are not started.
  onPathsProgressed(
    db,
    pathsOf(sql`${condition} and (${enrollments.status} = ${completed} or path.status = ${notStarted})`),
  )

/** Must run before course enrollments are completed. @param completing a condition on them */
export const onCoursesCompleting = (db: Database, completing: SQL, completedAt: number): Statement[] =>
  onPathsProgressed(db, pathsOf(completing), { ...NO_PENDING_CHANGES, completing, completedAt })

/** Must run before course enrollments are reset. @param condition a condition on them */
export const onCoursesReset = (db: Database, condition: SQL): Statement =>
  update(db, pathsOf(condition), { ...NO_PENDING_CHANGES, leaving: condition })

/** Must run before course enrollments are deleted. @param condition a condition on them */
export const onCoursesUnenrolled = (db: Database, condition: SQL): Statement =>
  update(db, pathsOf(condition), { ...NO_PENDING_CHANGES, leaving: condition, keepsCertificates: false })
