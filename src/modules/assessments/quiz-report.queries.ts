import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm"
import type { BatchResponse } from "drizzle-orm/batch"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { ENROLLMENT_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { ATTEMPT_STATUSES, quizAttempts, quizVersions } from "../../../drizzle/schema/quizzes.ts"
import { quizScores } from "../../../drizzle/schema/reports.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { selectVisibleUser } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { iteratePages } from "../../db/keyset.ts"
import { type Filter, MAX_SORTED_ROWS, type PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { rowExists, SINGLE_ROW, subquery } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { resolveModule } from "../enrollments/module-progress.queries.ts"
import { type ModuleReportParams, selectReportedModule } from "../enrollments/reported-module.queries.ts"
import { ATTEMPT_QUESTIONS, toAttemptQuestions } from "./attempt-questions.ts"
import { quizAttemptColumns } from "./quiz-attempt-columns.ts"
import { attemptFilters, attemptsInStatus, quizCounterAudience, toQuizSelection } from "./quiz-filters.ts"
import {
  type Counts,
  countsFromRows,
  quizzesOfUsers,
  selectUsers,
  storedQuizCounts,
  userQuizzes,
} from "./quiz-report-counts.ts"
import type { QuizFilters } from "./quiz-reports.schemas.ts"
import { ownReviewDetail, selectReviewState } from "./quiz-review.queries.ts"

/** The attempt's number, times and result. */
const ATTEMPT_COLUMNS = {
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

/** All attempts, for lists that are read one status at a time. */
const inAnyStatus: Filter = { ...attemptsInStatus(ATTEMPT_STATUSES), test: sql`1` }

const sum = (counts: SQL<number>[]) => subquery(sql<number>`(${sql.join(counts.map(subquery), sql` + `)})`)

/**
 * Returns one page of attempts that the caller may see, and the counts by status. Quizzes without an attempt are
 * included for one user, and for several users if the status Not Started is requested.
 * @throws 404 if the caller may not see the user; 422 if there are too many quizzes without an attempt
 */
export async function reportQuizzes(db: Database, caller: Caller, query: PageQuery & QuizFilters) {
  const selection = toQuizSelection(caller, query)
  const { userId, statuses } = selection
  const key = quizCounterAudience(caller, selection)
  const withUntried = userId === undefined && statuses.includes(EnrollmentStatus.NotStarted)
  // A derived table can't be filtered by attempt ids.
  const isTable = userId === undefined && !withUntried
  const withoutIds = (filter: Filter): Filter => (isTable ? filter : { test: filter.test })
  const { scope, search } = attemptFilters(selection)
  const filters = scope.map(withoutIds)
  const isUnfiltered = isTable && scope.length === 0
  const usersQuery = selectUsers(caller, selection.portals, selection.group)
  const userTable = userId === undefined ? undefined : userQuizzes(userId)
  const tests = and(...filters.map((filter) => filter.test))
  // The unary plus disables the status index: the user index selects fewer rows.
  const countOfUser = (status: EnrollmentStatus) =>
    sql<number>`(select count(*) from ${userTable} where +${quizAttempts.status} = ${status} and ${tests})`
  const counts: Counts = userTable
    ? {
        notStarted: countOfUser(EnrollmentStatus.NotStarted),
        inProgress: countOfUser(EnrollmentStatus.InProgress),
        completed: countOfUser(EnrollmentStatus.Completed),
      }
    : key
      ? storedQuizCounts(key)
      : countsFromRows(filters, usersQuery)
  const byStatus = {
    [EnrollmentStatus.NotStarted]: counts.notStarted,
    [EnrollmentStatus.InProgress]: counts.inProgress,
    Completed: counts.completed,
  }
  const sumOf = (included: readonly EnrollmentStatus[]) => sum(included.map((status) => byStatus[status]))
  // Quizzes without an attempt are always counted, but only listed if their status is requested.
  const wantedCount = sumOf(statuses.length > 0 ? statuses : ATTEMPT_STATUSES)
  const table =
    userTable ??
    (withUntried ? quizzesOfUsers(statuses, key === "all" ? undefined : usersQuery, wantedCount) : quizAttempts)
  const byStatusOnly = selection.searched.length === 0 && !selection.courseId
  const found = preparePage(
    db,
    {
      table,
      key: quizAttempts.id,
      fields: quizAttemptColumns.fields,
      sort: quizAttemptColumns.sort,
      narrowedBy: "user_id, group_id, portalId or a search_param",
      defaultSort: { colName: "started_on", direction: "desc" },
      scope: [...filters, ...(isUnfiltered ? [inAnyStatus] : [])],
      search: search.map(withoutIds),
      ...(userId === undefined && { total: sumOf(ENROLLMENT_STATUSES) }),
      ...(userId === undefined && byStatusOnly && { filtered: wantedCount }),
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
  const countByStatus = {
    [EnrollmentStatus.NotStarted]: counted.notStarted,
    [EnrollmentStatus.InProgress]: counted.inProgress,
    Completed: counted.completed,
  }
  if (withUntried && statuses.reduce((all, status) => all + countByStatus[status], 0) > MAX_SORTED_ROWS)
    throw invalid(
      "search_param",
      `search_param.status can only include Not Started for up to ${MAX_SORTED_ROWS} rows; ` +
        "filter by user_id, group_id or portalId.",
    )
  return { user, counts: counted, page: found.read(rows, totals) }
}

/** Attempts per round trip. Each has as many responses as the quiz has questions. */
const PAGE_SIZE = 100

/** Streams the attempts of an enrollment at a quiz, with their questions and responses. @throws 404 */
export async function getQuizReport(db: Database, caller: Caller, params: ModuleReportParams) {
  const { enrollmentId, moduleId } = resolveModule({ statusRowId: params.statusRowId })
  const attemptsAfter = (number: number) =>
    sql`${quizAttempts.enrollmentId} = ${enrollmentId}
      and ${quizAttempts.moduleId} = ${moduleId}
      and ${quizAttempts.number} > ${number}`
  // Attempts at the same version of a quiz share its questions, which are read once per page.
  const page = (after: number) =>
    [
      db
        .select({
          ...ATTEMPT_COLUMNS,
          responses: quizAttempts.responses,
          moduleVersion: quizAttempts.moduleVersion,
          layout: quizAttempts.layout,
          drawnQuestions: ATTEMPT_QUESTIONS.drawnQuestions,
        })
        .from(quizAttempts)
        .where(attemptsAfter(after))
        .orderBy(asc(quizAttempts.number))
        .limit(PAGE_SIZE),
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
              limit ${PAGE_SIZE}
            )
          )`,
        ),
    ] as const
  type Found = BatchResponse<ReturnType<typeof page>>
  const toAttempts = ([attempts, versions]: Found) => {
    const questionsByVersion = new Map(versions.map(({ moduleVersion, questions }) => [moduleVersion, questions]))
    return attempts.map((attempt) => ({
      ...attempt,
      questions: toAttemptQuestions({
        ...attempt,
        ownQuestions: questionsByVersion.get(attempt.moduleVersion) ?? [],
      }),
    }))
  }
  const [[reported], [review], ...first] = await db.batch([
    selectReportedModule(db, caller, "quiz", params),
    selectReviewState(db, enrollmentId, moduleId),
    ...page(0),
  ])
  if (!reported) throw notFound("quiz")
  const next = async ({ number }: { number: number }) => toAttempts(await db.batch(page(number)))
  return {
    ...reported,
    attempts: iteratePages(toAttempts(first), PAGE_SIZE, next),
    detail: {
      marks: reported.userId !== caller.id || review?.reviewDetail !== "score",
      answers: reported.userId !== caller.id || (review && ownReviewDetail(review) === "explanations"),
    },
  }
}

/**
 * Counts the Completed attempts at a quiz of a course by percentage. A quiz that was removed from the course is still
 * reported while attempts at it exist.
 * @throws 404 for an unknown course, or a quiz that was never part of it
 */
export async function reportScores(db: Database, courseId: number, moduleId: number) {
  const scoresCondition = and(
    eq(quizScores.courseId, courseId),
    eq(quizScores.moduleId, moduleId),
    gt(quizScores.attempts, 0),
  )
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
          sql`(${rowExists(courseModules, linked)} or ${rowExists(quizScores, scoresCondition)})`,
        ),
      ),
    db
      .select({ percent: quizScores.percent, attempts: quizScores.attempts, passed: quizScores.passed })
      .from(quizScores)
      .where(scoresCondition)
      .orderBy(asc(quizScores.percent)),
  ])
  if (courseRows.length === 0) throw notFound("course")
  const [quiz] = quizzes
  if (!quiz) throw notFound("quiz")
  return { name: quiz.name, scores }
}
