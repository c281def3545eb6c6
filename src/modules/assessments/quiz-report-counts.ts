import { and, eq, type SQL, Subquery, sql } from "drizzle-orm"
import { statusRowIdIn } from "../../../drizzle/rules.ts"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { enrollmentCounts, enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { quizAttempts, quizCounts } from "../../../drizzle/schema/quizzes.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { canSeeUser, inGroup, inPortal } from "../../access/scope.ts"
import { type Filter, MAX_SORTED_ROWS } from "../../db/list/listing.ts"
import { literal, rowCount, rowExists, textList } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { totalEnrollments } from "../courses/seats.ts"

// The rows and counts of quiz reports: attempts, and quizzes without an attempt.

export interface Counts {
  notStarted: SQL<number>
  inProgress: SQL<number>
  completed: SQL<number>
}

/** Selects a row for each quiz without an attempt of these enrollments, with number 0 and a negative id. */
const selectUntriedQuizzes = (condition: SQL) => sql`
  select -${sql.raw(statusRowIdIn("enrollments.id", "modules.id"))},
    enrollments.id, enrollments.user_id, enrollments.course_id, modules.id,
    coalesce(module_statuses.id, -1), 0, ${literal(EnrollmentStatus.NotStarted)}, '',
    0, modules.total_points, 0, 0, 0, 0
  from ${enrollments}
  join ${courseModules} on ${courseModules.courseId} = ${enrollments.courseId}
  join ${modules} on ${modules.id} = ${courseModules.moduleId} and ${modules.type} = 'quiz'
  left join ${moduleStatuses}
    on ${moduleStatuses.enrollmentId} = ${enrollments.id} and ${moduleStatuses.moduleId} = ${modules.id}
  where ${condition} and not exists (
    select 1
    from quiz_attempts as tried
    where tried.enrollment_id = ${enrollments.id} and tried.module_id = ${modules.id}
  )`

/** A derived table of attempts and quizzes without an attempt. It is built per request, so it must be small. */
const attemptsAndUntried = (attempts: SQL, registrations: SQL) =>
  new Subquery(
    sql`
      select id, enrollment_id, user_id, course_id, module_id, status_row_id, number, status, result, score, out_of,
        percent, started_at, completed_at, time_taken
      from quiz_attempts
      where ${attempts}
      union all ${selectUntriedQuizzes(registrations)}`,
    {},
    "quiz_attempts",
  )

/** The stored counts of an audience. Only the audience `all` stores totals; for others the quizzes are summed. */
export function storedQuizCounts(audience: string): Counts {
  const sumOfCounts = (column: typeof quizCounts.inProgress | typeof quizCounts.completed) => sql<number>`coalesce((
    select sum(${column})
    from ${quizCounts}
    where ${quizCounts.audience} = ${audience} and ${audience === "all" ? eq(quizCounts.courseId, 0) : sql`1`}
  ), 0)`
  const triedCount = sql`coalesce((
    select ${quizCounts.started}
    from ${quizCounts}
    where ${quizCounts.audience} = ${audience}
      and ${quizCounts.courseId} = ${courseModules.courseId}
      and ${quizCounts.moduleId} = ${modules.id}
  ), 0)`
  return {
    // For each quiz of each course: the course's enrollments minus those with an attempt.
    notStarted: sql<number>`(
      select coalesce(sum(${totalEnrollments} - ${triedCount}), 0)
      from ${modules}
      cross join ${courseModules} on ${courseModules.moduleId} = ${modules.id}
      cross join ${enrollmentCounts}
        on ${enrollmentCounts.audience} = ${audience} and ${enrollmentCounts.courseId} = ${courseModules.courseId}
      where ${modules.type} = 'quiz'
    )`,
    inProgress: sumOfCounts(quizCounts.inProgress),
    completed: sumOfCounts(quizCounts.completed),
  }
}

/** Counts rows for combinations of audiences, which have no counter. */
export function countsFromRows(filters: Filter[], usersQuery: SQL): Counts {
  const tests = and(...filters.map((filter) => filter.test)) ?? sql`1`
  const tried = sql`${quizAttempts.enrollmentId} = ${enrollments.id} and ${quizAttempts.moduleId} = ${modules.id}`
  const count = (status: EnrollmentStatus) =>
    rowCount(quizAttempts, sql`+${quizAttempts.status} = ${status} and ${tests}`)
  return {
    notStarted: sql<number>`(
      select count(*)
      from (${usersQuery}) as people
      cross join ${enrollments} on ${enrollments.userId} = people.id
      join ${courseModules} on ${courseModules.courseId} = ${enrollments.courseId}
      join ${modules} on ${modules.id} = ${courseModules.moduleId} and ${modules.type} = 'quiz'
      where not ${rowExists(quizAttempts, tried)}
    )`,
    inProgress: count(EnrollmentStatus.InProgress),
    completed: count(EnrollmentStatus.Completed),
  }
}

/** Selects the ids of the users of a report without `user_id`. */
export function selectUsers(caller: Caller, portals: number[], group: number | undefined): SQL {
  const within = [
    canSeeUser(caller, users.id),
    ...portals.map((id) => inPortal(users.id, id)),
    ...(group ? [inGroup(users.id, group)] : []),
  ]
  return sql`
    select ${users.id} as id
    from ${users}
    where ${and(...within)}`
}

/** A user's attempts and quizzes without an attempt. */
export const userQuizzes = (userId: number) =>
  attemptsAndUntried(sql`user_id = ${userId}`, eq(enrollments.userId, userId))

/**
 * The quizzes of several users in these statuses.
 * @param usersQuery selects their ids; undefined means all users
 * @param count the number of rows; nothing is read if it is too large
 */
export function quizzesOfUsers(statuses: EnrollmentStatus[], usersQuery: SQL | undefined, count: SQL<number>) {
  const isSmall = sql`${count} <= ${MAX_SORTED_ROWS}`
  const attempts = sql`
    ${isSmall} and status in ${textList(statuses)}
    ${usersQuery ? sql`and user_id in (${usersQuery})` : sql``}`
  return attemptsAndUntried(
    attempts,
    usersQuery ? sql`${isSmall} and ${enrollments.userId} in (${usersQuery})` : isSmall,
  )
}
