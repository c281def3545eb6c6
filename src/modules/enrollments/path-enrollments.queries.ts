import { eq, type SQL, sql } from "drizzle-orm"
import { learningPathCourses, learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { belongs, type ScopeParams, selectVisibleUser } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { idsMatching } from "../../db/search.ts"
import { idList, insertedAfter, rowCount, rowExists, subquery, textList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { pluralize, summarizeEnded, summarizeOutcome } from "../../lib/text/words.ts"
import { disownPathEnrollments } from "../progress/disowned-claims.ts"
import { onPathsProgressed } from "../progress/path-progress.ts"
import { userMatches } from "./enrolled-courses.queries.ts"
import { MAX_PAIRS, planEnrollment } from "./enrollments.queries.ts"
import { enrolledPathColumns, PATH_ENROLLMENT_JOIN } from "./learning-path-columns.ts"
import type { PathEnrollment } from "./learning-paths.schemas.ts"

/** Selects the courses of paths, for `planEnrollment`. */
export const selectPathCourseIds = (pathIds: number[]): SQL => sql`
  select ${learningPathCourses.courseId}
  from ${learningPathCourses}
  where ${learningPathCourses.learningPathId} in ${idList(pathIds)}`

/** The condition that the row's user is enrolled in the row's path. */
export const IS_IN_PATH = sql`${learningPathEnrollments.userId} = ${users.id} and ${PATH_ENROLLMENT_JOIN}`

/** Writes an audit row for each path of these enrollments. */
export const auditPathEnrollments = (work: UnitOfWork, action: "created" | "deleted", condition: SQL) =>
  work.auditMany(
    action,
    "learning path enrollment",
    sql`
      select ${learningPaths.id} as id, ${learningPaths.name} as name,
        json_object('user_ids', json_group_array(${learningPathEnrollments.userId})) as details
      from ${learningPathEnrollments}
      join ${learningPaths} on ${PATH_ENROLLMENT_JOIN}
      where ${condition}
      group by ${learningPaths.id}`,
  )

/**
 * Plans the path enrollments only. The statements of `planEnrollment` for the courses must run first.
 * @param eligible an additional condition on `users`
 */
export function planPathEnrollment(
  work: UnitOfWork,
  { userIds, pathIds, eligible = sql`1` }: { userIds: number[]; pathIds: number[]; eligible?: SQL },
) {
  const { db } = work
  const eligibleUsers = sql`${users.id} in ${idList(userIds)} and ${eligible}`
  const pairs = userIds.length * pathIds.length
  const reads = [
    work.nextIds("learning_path_enrollments", pairs),
    db
      .select({
        id: learningPaths.id,
        eligibleUsers: rowCount(users, eligibleUsers).as("eligible_users"),
        already: subquery(sql<number>`(
          select count(*)
          from ${users}
          join ${learningPathEnrollments} on ${IS_IN_PATH}
          where ${eligibleUsers}
        )`).as("already"),
      })
      .from(learningPaths)
      .where(sql`${learningPaths.id} in ${idList(pathIds)}`),
  ] as const
  const settle = (ids: { last: number }[], paths: { id: number; eligibleUsers: number; already: number }[]) => {
    const afterId = firstRow(ids).last - pairs
    const alreadyEnrolled = paths.reduce((sum, path) => sum + path.already, 0)
    const eligiblePairs = paths.reduce((sum, path) => sum + path.eligibleUsers, 0)
    const enrolled = eligiblePairs - alreadyEnrolled
    const inserted = insertedAfter(learningPathEnrollments.id, afterId, pairs)
    const statements: Statement[] =
      enrolled === 0
        ? []
        : [
            insertFrom(
              db,
              learningPathEnrollments,
              {
                id: sql`${afterId} + row_number() over (order by ${learningPaths.id}, ${users.id})`,
                userId: users.id,
                learningPathId: learningPaths.id,
                status: EnrollmentStatus.NotStarted,
                percent: 0,
                completedCourses: 0,
                certificateCount: 0,
                registeredAt: now(),
                startedAt: 0,
                completedAt: 0,
              },
              sql`
                from ${learningPaths}
                cross join ${users}
                where ${learningPaths.id} in ${idList(pathIds)}
                  and ${eligibleUsers}
                  and not ${rowExists(learningPathEnrollments, IS_IN_PATH)}`,
            ),
            ...onPathsProgressed(db, inserted),
            auditPathEnrollments(work, "created", inserted),
            work.guard(sql`${rowCount(learningPathEnrollments, inserted)} = ${enrolled}`),
          ]
    return { statements, enrolled, alreadyEnrolled, skipped: pairs - eligiblePairs }
  }
  return { reads, settle }
}

/**
 * Enrolls users in paths and in the courses of these paths.
 * @throws 409 too few seats in a course; 422 more than 20,000 pairs
 */
export async function enrollInPaths(
  work: UnitOfWork,
  { learning_path_ids: pathIds, user_ids: userIds }: PathEnrollment,
) {
  if (userIds.length * pathIds.length > MAX_PAIRS)
    throw invalid("user_ids", `user_ids times learning_path_ids must be ${MAX_PAIRS} or less. Split the request.`)
  const pathPlan = planPathEnrollment(work, { userIds, pathIds })
  const coursePlan = planEnrollment(work, {
    userIds,
    courseIds: selectPathCourseIds(pathIds),
  })
  const [pathEnrollmentIds, pathsFound, ids, usersFound, found] = await work.read([
    ...pathPlan.reads,
    ...coursePlan.reads,
  ])
  if (userIds.length * found.length > MAX_PAIRS)
    throw invalid(
      "user_ids",
      `user_ids times the paths' ${found.length} courses must be ${MAX_PAIRS} or less. Split the request.`,
    )
  const { statements, enrolled, alreadyEnrolled, skipped } = pathPlan.settle(pathEnrollmentIds, pathsFound)
  const courseEnrollments = coursePlan.settle(ids, usersFound, found)
  const message = summarizeOutcome({
    done:
      `${pluralize(enrolled, "path enrollment")} and ` +
      `${pluralize(courseEnrollments.enrolled, "course enrollment")} created.`,
    already: alreadyEnrolled,
    skipped,
    because: "the user or learning path doesn't exist.",
  })
  const answer = { message, enrolled, alreadyEnrolled, skipped, coursesEnrolled: courseEnrollments.enrolled }
  return work.commit([...courseEnrollments.statements, ...statements], answer)
}

/** Deletes path enrollments; course enrollments remain. @param condition a condition on the path enrollments */
export const unenrollFromPathsStatements = (work: UnitOfWork, condition: SQL): Statement[] => [
  auditPathEnrollments(work, "deleted", condition),
  work.db.delete(learningPathEnrollments).where(condition),
]

/** Deletes path enrollments; course enrollments remain. Pairs that are not enrolled are counted. */
export async function unenrollFromPaths(work: UnitOfWork, input: PathEnrollment) {
  const { db } = work
  const { learning_path_ids: pathIds, user_ids: userIds } = input
  const condition = sql`${learningPathEnrollments.userId} in ${idList(userIds)}
    and ${learningPathEnrollments.learningPathId} in ${idList(pathIds)}`
  const [found] = await work.read([
    db
      .select({ count: sql<number>`count(*)`.as("count") })
      .from(learningPathEnrollments)
      .where(condition),
  ])
  const unenrolled = firstRow(found).count
  const notEnrolled = userIds.length * pathIds.length - unenrolled
  const answer = { message: summarizeEnded(unenrolled, "path enrollment", notEnrolled), unenrolled, notEnrolled }
  if (unenrolled === 0) return work.commit([], answer)
  return work.commit(
    [
      work.guard(sql`${rowCount(learningPathEnrollments, condition)} = ${unenrolled}`),
      ...unenrollFromPathsStatements(work, condition),
      disownPathEnrollments(work, userIds, pathIds),
    ],
    answer,
  )
}

type PathsQuery = PageQuery &
  ScopeParams & { search_param: { nameOrEmail?: string | undefined; status?: EnrollmentStatus[] | undefined } }

/** The condition that the path's name or the user's name or email contains the term. */
const matchesTerm = (userId: number, term: string): SQL =>
  sql`(
    ${learningPathEnrollments.learningPathId} in ${idsMatching("learning_paths_search", term)}
    or ${userMatches(userId, term)}
  )`

/** Returns one page of a user's learning paths, and the user. @throws 404 if the caller may not see the user */
export async function listEnrolledPaths(db: Database, caller: Caller, userId: number, query: PathsQuery) {
  const { nameOrEmail: term, status } = query.search_param
  const scopeCondition = belongs(userId, query)
  const found = preparePage(
    db,
    {
      table: learningPathEnrollments,
      key: learningPathEnrollments.id,
      fields: enrolledPathColumns.fields,
      sort: enrolledPathColumns.sort,
      defaultSort: { colName: "registered_on", direction: "desc" },
      scope: [
        { test: eq(learningPathEnrollments.userId, userId) },
        ...(scopeCondition ? [{ test: scopeCondition }] : []),
      ],
      search: [
        ...(term ? [{ test: matchesTerm(userId, term) }] : []),
        ...(status && status.length > 0
          ? [{ test: sql`${learningPathEnrollments.status} in ${textList(status)}` }]
          : []),
      ],
    },
    query,
  )
  const [rows, totals, userRows] = await db.batch([...found.statements, selectVisibleUser(db, caller, userId)])
  const [user] = userRows
  if (!user) throw notFound("user")
  return { user, page: found.read(rows, totals) }
}
