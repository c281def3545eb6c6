import { type SQL, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { learningPathCourses, learningPathEnrollments } from "../../../drizzle/schema/learning-paths.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { onAchievement } from "../gamification/awards.ts"

const own = learningPathEnrollments
const completed = literal(EnrollmentStatus.Completed)
const inProgress = literal(EnrollmentStatus.InProgress)
const notStarted = literal(EnrollmentStatus.NotStarted)

/** What the same batch still does to course enrollments, after the update of the path enrollments. */
interface Pending {
  /** Those that it completes, and when. */
  completing: SQL
  completedAt: number
  /** Those that it resets or deletes. */
  leaving: SQL
  /** A reset keeps the certificates. */
  keepsCertificates: boolean
}

const NOTHING: Pending = { completing: sql`false`, completedAt: 0, leaving: sql`false`, keepsCertificates: true }

/**
 * What path enrollments have reached in their courses: a row for each, named `progress`.
 * @param which a condition on the path enrollments
 */
function progressOf(which: SQL, { completing, completedAt, leaving, keepsCertificates }: Pending): SQL {
  const stays = sql`not (${leaving})`
  const certificates = keepsCertificates ? sql`true` : stays
  return sql`(
    select ${own.id} as id,
      count(*) as goal,
      count(*) filter (where ${enrollments.status} = ${completed} and ${stays} or ${completing}) as done,
      count(*) filter (where ${enrollments.status} <> ${notStarted} and ${stays}) as begun,
      count(*) filter (where ${enrollments.status} = ${completed} and ${leaving}) as lost_completed,
      count(*) filter (where ${enrollments.status} <> ${notStarted} and ${leaving}) as lost,
      coalesce(min(nullif(${enrollments.startedAt}, 0)) filter (where ${stays}), 0) as first_start,
      coalesce(
        max(iif(${completing}, ${completedAt}, ${enrollments.completedAt})) filter (where ${stays}),
        0
      ) as last_end,
      coalesce(sum(${enrollments.certificateCount}) filter (where ${certificates}), 0) as certificates
    from ${own}
    join ${learningPathCourses} on ${learningPathCourses.learningPathId} = ${own.learningPathId}
    left join ${enrollments} on ${enrollments.courseId} = ${learningPathCourses.courseId}
      and ${enrollments.userId} = ${own.userId}
    where ${which}
    group by ${own.id}
  ) as progress`
}

/** Completed stays, unless a completed course was lost. */
const isComplete = sql`(
  progress.done = progress.goal
  or (learning_path_enrollments.status = ${completed} and progress.lost_completed = 0)
)`
/** Nothing of the path is begun any more. */
const startsOver = sql`(progress.begun = 0 and progress.lost > 0 and not ${isComplete})`
const percent = sql`progress.done * 100 / progress.goal`
const completedAt = sql`iif(
  learning_path_enrollments.completed_at > 0,
  learning_path_enrollments.completed_at,
  max(learning_path_enrollments.registered_at, progress.last_end)
)`

const NEXT = {
  completedCourses: sql`progress.done`,
  certificateCount: sql`progress.certificates`,
  percent: sql`iif(
    progress.lost_completed > 0 or ${startsOver},
    ${percent},
    max(learning_path_enrollments.percent, ${percent})
  )`,
  status: sql`iif(${isComplete}, ${completed}, iif(
    progress.begun > 0 or (learning_path_enrollments.status <> ${notStarted} and progress.lost = 0),
    ${inProgress},
    ${notStarted}
  ))`,
  startedAt: sql`iif(${startsOver}, 0, iif(
    learning_path_enrollments.started_at > 0 or progress.begun = 0,
    learning_path_enrollments.started_at,
    max(learning_path_enrollments.registered_at, progress.first_start)
  ))`,
  completedAt: sql`iif(${isComplete}, ${completedAt}, 0)`,
}

/** Writes the path enrollments that change. */
const update = (db: Database, which: SQL, pending: Pending): Statement =>
  db
    .update(own)
    .set(NEXT)
    .from(progressOf(which, pending))
    .where(
      sql`learning_path_enrollments.id = progress.id
        and (completed_courses, certificate_count, percent, status, learning_path_enrollments.started_at,
          learning_path_enrollments.completed_at) <> (${sql.join(Object.values(NEXT), sql`, `)})`,
    )

/**
 * Brings path enrollments up to the course enrollments, and rewards the paths that are completed by it. No percent
 * falls, and Completed stays.
 * @param which a condition on the path enrollments
 */
export const onPathsProgressed = (db: Database, which: SQL, pending = NOTHING): Statement[] => [
  onAchievement(
    db,
    "learning_path_completed",
    { userId: own.userId, targetId: own.learningPathId, at: completedAt },
    {
      from: sql`${progressOf(sql`${which} and ${own.status} <> ${completed}`, pending)}
        cross join ${own} on ${own.id} = progress.id`,
      where: sql`progress.done = progress.goal`,
    },
  ),
  update(db, which, pending),
]

/** The path enrollments of the same users that contain the courses of enrollments. */
const pathsOf = (which: SQL) => sql`${own.id} in (
  select path.id
  from ${enrollments}
  cross join ${learningPathCourses} as part on part.course_id = ${enrollments.courseId}
  cross join ${own} as path
    on path.user_id = ${enrollments.userId} and path.learning_path_id = part.learning_path_id
  where ${which}
)`

/** Course enrollments were started or completed. @param which a condition on them */
export const onCoursesProgressed = (db: Database, which: SQL): Statement[] =>
  // A course in progress changes only paths that are not started.
  onPathsProgressed(
    db,
    pathsOf(sql`${which} and (${enrollments.status} = ${completed} or path.status = ${notStarted})`),
  )

/** Course enrollments are about to be completed. @param completing a condition on them */
export const onCoursesCompleting = (db: Database, completing: SQL, completedAt: number): Statement[] =>
  onPathsProgressed(db, pathsOf(completing), { ...NOTHING, completing, completedAt })

/** Course enrollments are about to be reset. @param which a condition on them */
export const onCoursesReset = (db: Database, which: SQL): Statement =>
  update(db, pathsOf(which), { ...NOTHING, leaving: which })

/** Course enrollments are about to be deleted. @param which a condition on them */
export const onCoursesUnenrolled = (db: Database, which: SQL): Statement =>
  update(db, pathsOf(which), { ...NOTHING, leaving: which, keepsCertificates: false })
