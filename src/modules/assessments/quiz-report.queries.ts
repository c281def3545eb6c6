import { and, asc, eq, gt, type SQL, Subquery, sql } from "drizzle-orm"
import type { BatchResponse } from "drizzle-orm/batch"
import { statusRowIdIn } from "../../../drizzle/rules.ts"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { ENROLLMENT_STATUSES, enrollments, moduleStatuses, tallies } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { ATTEMPT_STATUSES, quizAttempts, quizTallies, quizVersions } from "../../../drizzle/schema/quizzes.ts"
import { quizScores } from "../../../drizzle/schema/reports.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { canSeeUser, inGroup, inPortal, selectVisibleUser } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { iteratePages } from "../../db/keyset.ts"
import { type Filter, MAX_SORTED_ROWS, type PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { literal, rowCount, rowExists, SINGLE_ROW, subquery, textList } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { totalEnrollments } from "../courses/seats.ts"
import { resolveModule } from "../enrollments/module-progress.queries.ts"
import { type ModuleReportParams, selectReportedModule } from "../enrollments/reported-module.queries.ts"
import { quizAttemptColumns } from "./quiz-attempt-columns.ts"
import { attemptFilters, attemptsInStatus, quizTallyAudience, toQuizSelection } from "./quiz-filters.ts"
import type { QuizFilters } from "./quiz-reports.schemas.ts"

/** Which attempt it was, when, and what came of it. */
const OUTCOME = {
  number: quizAttempts.number,
  status: quizAttempts.status,
  result: quizAttempts.result,
  score: quizAttempts.score,
  outOf: quizAttempts.outOf,
  percent: quizAttempts.percent,
  startedAt: quizAttempts.startedAt,
  completedAt: quizAttempts.completedAt,
  timeTaken: quizAttempts.timeTaken,
}

/** All attempts, for the list that is read by status: one not tried has none. */
const inAnyStatus: Filter = { ...attemptsInStatus(ATTEMPT_STATUSES), test: sql`1` }

interface Counts {
  notStarted: SQL<number>
  inProgress: SQL<number>
  completed: SQL<number>
}

/** A row for each quiz of some registrations that was not tried: number 0, and an id below 0. */
const untried = (which: SQL) => sql`
  select -${sql.raw(statusRowIdIn("enrollments.id", "modules.id"))},
    enrollments.id, enrollments.user_id, enrollments.course_id, modules.id,
    coalesce(module_statuses.id, -1), 0, ${literal(EnrollmentStatus.NotStarted)}, '',
    0, modules.total_points, 0, 0, 0, 0
  from ${enrollments}
  join ${courseModules} on ${courseModules.courseId} = ${enrollments.courseId}
  join ${modules} on ${modules.id} = ${courseModules.moduleId} and ${modules.type} = 'quiz'
  left join ${moduleStatuses}
    on ${moduleStatuses.enrollmentId} = ${enrollments.id} and ${moduleStatuses.moduleId} = ${modules.id}
  where ${which} and not exists (
    select 1
    from quiz_attempts as tried
    where tried.enrollment_id = ${enrollments.id} and tried.module_id = ${modules.id}
  )`

/** Attempts and what was not tried, few enough to be put together for each call. */
const together = (attempts: SQL, registrations: SQL) =>
  new Subquery(
    sql`
      select id, enrollment_id, user_id, course_id, module_id, status_row_id, number, status, result, score, out_of,
        percent, started_at, completed_at, time_taken
      from quiz_attempts
      where ${attempts}
      union all ${untried(registrations)}`,
    {},
    "quiz_attempts",
  )

/** The kept counts of an audience: everyone has them as a whole; of others they are the sum over their quizzes. */
function keptCounts(audience: string): Counts {
  const kept = (column: typeof quizTallies.inProgress | typeof quizTallies.completed) => sql<number>`coalesce((
    select sum(${column})
    from ${quizTallies}
    where ${quizTallies.audience} = ${audience} and ${audience === "all" ? eq(quizTallies.courseId, 0) : sql`1`}
  ), 0)`
  const begun = sql`coalesce((
    select ${quizTallies.begun}
    from ${quizTallies}
    where ${quizTallies.audience} = ${audience}
      and ${quizTallies.courseId} = ${courseModules.courseId}
      and ${quizTallies.moduleId} = ${modules.id}
  ), 0)`
  return {
    // Each quiz of each course: the course's registrations, without those that have tried it.
    notStarted: sql<number>`(
      select coalesce(sum(${totalEnrollments} - ${begun}), 0)
      from ${modules}
      cross join ${courseModules} on ${courseModules.moduleId} = ${modules.id}
      cross join ${tallies} on ${tallies.audience} = ${audience} and ${tallies.courseId} = ${courseModules.courseId}
      where ${modules.type} = 'quiz'
    )`,
    inProgress: kept(quizTallies.inProgress),
    completed: kept(quizTallies.completed),
  }
}

/** Counts of what no tally keeps: people of a portal within a supervisor's reach, or of a portal and a group. */
function countedOf(filters: Filter[], people: SQL): Counts {
  const tests = and(...filters.map((filter) => filter.test)) ?? sql`1`
  const tried = sql`${quizAttempts.enrollmentId} = ${enrollments.id} and ${quizAttempts.moduleId} = ${modules.id}`
  const count = (status: EnrollmentStatus) =>
    rowCount(quizAttempts, sql`+${quizAttempts.status} = ${status} and ${tests}`)
  return {
    notStarted: sql<number>`(
      select count(*)
      from (${people}) as people
      cross join ${enrollments} on ${enrollments.userId} = people.id
      join ${courseModules} on ${courseModules.courseId} = ${enrollments.courseId}
      join ${modules} on ${modules.id} = ${courseModules.moduleId} and ${modules.type} = 'quiz'
      where not ${rowExists(quizAttempts, tried)}
    )`,
    inProgress: count(EnrollmentStatus.InProgress),
    completed: count(EnrollmentStatus.Completed),
  }
}

/** The users that a report without `user_id` is about: a query of `id`. */
function peopleIn(caller: Caller, portals: number[], group: number | undefined): SQL {
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

const sum = (counts: SQL<number>[]) => subquery(sql<number>`(${sql.join(counts.map(subquery), sql` + `)})`)

/**
 * One page of attempts that the caller may see, and their counts by status. Of one user (a learner's own always) with
 * the quizzes not tried; of several with those where their status is asked for.
 * @throws 404 for a user outside the caller's reach; 422 for more quizzes not tried than are put together
 */
export async function reportQuizzes(db: Database, caller: Caller, query: PageQuery & QuizFilters) {
  const asked = toQuizSelection(caller, query)
  const { userId, statuses } = asked
  const key = quizTallyAudience(caller, asked)
  const withUntried = userId === undefined && statuses.includes(EnrollmentStatus.NotStarted)
  // What is put together has no list of the attempts' ids that leads to it.
  const isTable = userId === undefined && !withUntried
  const led = (filter: Filter): Filter => (isTable ? filter : { test: filter.test })
  const { scope, search } = attemptFilters(asked)
  const filters = scope.map(led)
  const everyone = isTable && scope.length === 0
  const people = peopleIn(caller, asked.portals, asked.group)
  const ofOne = userId === undefined ? undefined : ofUser(userId)
  const tests = and(...filters.map((filter) => filter.test))
  // The plus keeps the status index out: the user's own leads to few.
  const countOfUser = (status: EnrollmentStatus) =>
    sql<number>`(select count(*) from ${ofOne} where +${quizAttempts.status} = ${status} and ${tests})`
  const counts: Counts = ofOne
    ? {
        notStarted: countOfUser(EnrollmentStatus.NotStarted),
        inProgress: countOfUser(EnrollmentStatus.InProgress),
        completed: countOfUser(EnrollmentStatus.Completed),
      }
    : key
      ? keptCounts(key)
      : countedOf(filters, people)
  const byStatus = {
    [EnrollmentStatus.NotStarted]: counts.notStarted,
    [EnrollmentStatus.InProgress]: counts.inProgress,
    Completed: counts.completed,
  }
  const sumOf = (of: readonly EnrollmentStatus[]) => sum(of.map((status) => byStatus[status]))
  // Several learners' quizzes not tried are counted always, and listed where their status is asked for.
  const wanted = sumOf(statuses.length > 0 ? statuses : ATTEMPT_STATUSES)
  const table = ofOne ?? (withUntried ? ofSeveral(statuses, key === "all" ? undefined : people, wanted) : quizAttempts)
  const byStatusOnly = asked.searched.length === 0 && !asked.courseId
  const found = preparePage(
    db,
    {
      table,
      key: quizAttempts.id,
      fields: quizAttemptColumns.fields,
      sort: quizAttemptColumns.sort,
      narrowedBy: "user_id, group_id, portalId or a search_param",
      defaultSort: { colName: "started_on", direction: "desc" },
      scope: [...filters, ...(everyone ? [inAnyStatus] : [])],
      search: search.map(led),
      ...(userId === undefined && { total: sumOf(ENROLLMENT_STATUSES) }),
      ...(userId === undefined && byStatusOnly && { filtered: wanted }),
    },
    query,
  )
  const [rows, totals, summary, users] = await db.batch([
    ...found.statements,
    db
      .select({
        notStarted: subquery(counts.notStarted).as("not_started_count"),
        inProgress: subquery(counts.inProgress).as("in_progress_count"),
        completed: subquery(counts.completed).as("completed_count"),
      })
      .from(SINGLE_ROW),
    selectVisibleUser(db, caller, userId ?? 0),
  ])
  const [user] = users
  if (userId !== undefined && !user) throw notFound("user")
  const counted = firstRow(summary)
  const put = {
    [EnrollmentStatus.NotStarted]: counted.notStarted,
    [EnrollmentStatus.InProgress]: counted.inProgress,
    Completed: counted.completed,
  }
  if (withUntried && statuses.reduce((all, status) => all + put[status], 0) > MAX_SORTED_ROWS)
    throw invalid(
      "search_param",
      `search_param.status may be Not Started where no more than ${MAX_SORTED_ROWS} rows are asked for; ` +
        "name a user_id, group_id or portalId.",
    )
  return { user, counts: counted, page: found.read(rows, totals) }
}

/** One user's attempts with the quizzes that they have not tried. */
const ofUser = (userId: number) => together(sql`user_id = ${userId}`, eq(enrollments.userId, userId))

/**
 * Several users' quizzes in some statuses.
 * @param people a query of their ids; everyone without
 * @param count how many rows these are: none is read where they are too many
 */
function ofSeveral(statuses: EnrollmentStatus[], people: SQL | undefined, count: SQL<number>) {
  const few = sql`${count} <= ${MAX_SORTED_ROWS}`
  const attempts = sql`
    ${few} and status in ${textList(statuses)}
    ${people ? sql`and user_id in (${people})` : sql``}`
  return together(attempts, people ? sql`${few} and ${enrollments.userId} in (${people})` : few)
}

/** How many attempts a trip reads: each has up to as many answers as the quiz has questions. */
const ATTEMPTS = 100

/** The attempts of a registration at a quiz, with their questions and responses, read as they are taken. @throws 404 */
export async function getQuizReport(db: Database, caller: Caller, of: ModuleReportParams) {
  const { enrollmentId, moduleId } = resolveModule({ statusRowId: of.statusRowId })
  const attemptsAfter = (number: number) =>
    sql`${quizAttempts.enrollmentId} = ${enrollmentId}
      and ${quizAttempts.moduleId} = ${moduleId}
      and ${quizAttempts.number} > ${number}`
  // Attempts at one version of a quiz share its questions, which are read once a page.
  const page = (after: number) =>
    [
      db
        .select({
          ...OUTCOME,
          responses: quizAttempts.responses,
          moduleVersion: quizAttempts.moduleVersion,
        })
        .from(quizAttempts)
        .where(attemptsAfter(after))
        .orderBy(asc(quizAttempts.number))
        .limit(ATTEMPTS),
      db
        .select({ moduleVersion: quizVersions.moduleVersion, questions: quizVersions.questions })
        .from(quizVersions)
        .where(
          sql`${quizVersions.moduleId} = ${moduleId} and ${quizVersions.moduleVersion} in (
            select module_version from (
              select ${quizAttempts.moduleVersion} as module_version
              from ${quizAttempts}
              where ${attemptsAfter(after)}
              order by ${quizAttempts.number}
              limit ${ATTEMPTS}
            )
          )`,
        ),
    ] as const
  type Found = BatchResponse<ReturnType<typeof page>>
  const toAttempts = ([attempts, papers]: Found) => {
    const asked = new Map(papers.map(({ moduleVersion, questions }) => [moduleVersion, questions]))
    return attempts.map((attempt) => ({ ...attempt, questions: asked.get(attempt.moduleVersion) ?? [] }))
  }
  const [[reported], ...first] = await db.batch([selectReportedModule(db, caller, "quiz", of), ...page(0)])
  if (!reported) throw notFound("quiz")
  const next = async ({ number }: { number: number }) => toAttempts(await db.batch(page(number)))
  return { ...reported, attempts: iteratePages(toAttempts(first), ATTEMPTS, next), own: reported.userId === caller.id }
}

/**
 * How many Completed attempts at a quiz, in a course, earned which percent. A quiz that was taken out of the course is
 * reported as long as attempts at it remain.
 * @throws 404 for the course, and for a quiz that was never in it
 */
export async function reportScores(db: Database, courseId: number, moduleId: number) {
  const here = and(eq(quizScores.courseId, courseId), eq(quizScores.moduleId, moduleId), gt(quizScores.attempts, 0))
  const linked = and(eq(courseModules.courseId, courseId), eq(courseModules.moduleId, moduleId))
  const [courseRows, quizzes, scores] = await db.batch([
    db.select({ id: courses.id }).from(courses).where(eq(courses.id, courseId)),
    db
      .select({ name: modules.name })
      .from(modules)
      .where(
        and(
          eq(modules.id, moduleId),
          eq(modules.type, "quiz"),
          sql`(${rowExists(courseModules, linked)} or ${rowExists(quizScores, here)})`,
        ),
      ),
    db
      .select({ percent: quizScores.percent, attempts: quizScores.attempts, passed: quizScores.passed })
      .from(quizScores)
      .where(here)
      .orderBy(asc(quizScores.percent)),
  ])
  if (courseRows.length === 0) throw notFound("course")
  const [quiz] = quizzes
  if (!quiz) throw notFound("quiz")
  return { name: quiz.name, scores }
}
