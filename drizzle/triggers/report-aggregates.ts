import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { activities, enrollments, moduleStatuses } from "../schema/enrollments.ts"
import { quizAttempts } from "../schema/quizzes.ts"
import { courseDays, moduleCounts, quizScores } from "../schema/reports.ts"
import { ActivityVerb, ModuleStatus, QuizResult } from "../statuses.ts"
import { changed, trigger } from "./declare.ts"

// The aggregates of reports: activity by day, module statuses by course, and scores of quiz attempts.

/** Adds counts to the row with the same key. @param source a query of key and counts, with a WHERE */
function addCounts(into: SQLiteTable, key: AnySQLiteColumn[], counts: AnySQLiteColumn[], source: string): string {
  const names = (columns: AnySQLiteColumn[]) => columns.map(({ name }) => name)
  const sums = names(counts).map((name) => `${name} = ${name} + excluded.${name}`)
  return `
    INSERT INTO ${getTableName(into)} (${names([...key, ...counts]).join(", ")})
    ${source.trim()}
    ON CONFLICT (${names(key).join(", ")}) DO UPDATE SET
      ${sums.join(",\n      ")}`
}

const DAY = [courseDays.courseId, courseDays.day]
const VERBS = [ActivityVerb.Enrolled, ActivityVerb.Started, ActivityVerb.Completed].map((verb) => `'${verb}'`)
const COUNTED_VERBS = `(${VERBS.join(", ")})`

const MODULE = [moduleCounts.courseId, moduleCounts.moduleId]
const STATES = [ModuleStatus.InProgress, ModuleStatus.Submitted, ModuleStatus.Completed].map((state) => `'${state}'`)
const STATE_COUNTS = [moduleCounts.inProgress, moduleCounts.submitted, moduleCounts.completed]
const isInState = (row: string) => STATES.map((state) => `(${row}.status = ${state})`)

/** Adds a module status to the counts of its module in the course of its enrollment. */
const addModuleStatus = (sums: string[]) =>
  addCounts(
    moduleCounts,
    MODULE,
    STATE_COUNTS,
    `
    SELECT course_id, new.module_id, ${sums.join(", ")}
    FROM enrollments
    WHERE id = new.enrollment_id`,
  )
/** Subtracts a module status from the counts of its module. */
const subtractModuleStatus = (row: string, where: string) => `
    UPDATE module_counts SET
      ${isInState(row)
        .map((state, at) => `${STATE_COUNTS[at]?.name} = ${STATE_COUNTS[at]?.name} - ${state}`)
        .join(",\n      ")}
    ${where.trim()}`

const SCORE = [quizScores.courseId, quizScores.moduleId, quizScores.percent]
const addScore = (row: "old" | "new", sign = "") =>
  addCounts(
    quizScores,
    SCORE,
    [quizScores.attempts, quizScores.passed],
    `
    SELECT ${row}.course_id, ${row}.module_id, ${row}.percent, ${sign}1, ${sign}(${row}.result = 'passed')
    WHERE ${row}.status = '${ModuleStatus.Completed}' AND ${row}.result <> '${QuizResult.Pending}'`,
  )

export const reportTriggers = [
  trigger(
    "course_days_counted",
    { on: activities, after: "insert", if: `new.verb IN ${COUNTED_VERBS} AND new.course_id IS NOT NULL` },
    addCounts(
      courseDays,
      DAY,
      [courseDays.enrolled, courseDays.started, courseDays.completed],
      `
    SELECT new.course_id, date(new.created_at / 1000, 'unixepoch'),
      ${VERBS.map((verb) => `new.verb = ${verb}`).join(", ")}
    WHERE true`,
    ),
  ),
  trigger(
    "module_statuses_counted",
    { on: moduleStatuses, after: "insert", if: `new.status <> '${ModuleStatus.NotStarted}'` },
    addModuleStatus(isInState("new")),
  ),
  // A module without started learners has no row yet, so this upserts.
  trigger(
    "module_statuses_recounted",
    { on: moduleStatuses, after: "update", of: [moduleStatuses.status], if: changed(moduleStatuses.status) },
    addModuleStatus(isInState("new").map((state, at) => `${state} - ${isInState("old")[at]}`)),
  ),
  // Before the deletion, because the enrollment knows the course of its module statuses.
  trigger(
    "enrollments_modules_uncounted",
    { on: enrollments, before: "delete" },
    subtractModuleStatus(
      "own",
      `
    FROM module_statuses AS own
    WHERE own.enrollment_id = old.id AND own.status <> '${ModuleStatus.NotStarted}'
      AND module_counts.course_id = old.course_id AND module_counts.module_id = own.module_id`,
    ),
  ),
  // For a module status that is deleted alone: the trigger above handles the deletion of an enrollment.
  trigger(
    "module_statuses_uncounted",
    { on: moduleStatuses, after: "delete", if: `old.status <> '${ModuleStatus.NotStarted}'` },
    subtractModuleStatus(
      "old",
      `
    WHERE module_id = old.module_id AND course_id = (SELECT course_id FROM enrollments WHERE id = old.enrollment_id)`,
    ),
  ),
  trigger(
    "quiz_scores_counted",
    { on: quizAttempts, after: "insert", if: `new.status = '${ModuleStatus.Completed}'` },
    addScore("new"),
  ),
  trigger(
    "quiz_scores_updated",
    {
      on: quizAttempts,
      after: "update",
      of: [quizAttempts.status, quizAttempts.percent, quizAttempts.result],
      if: changed(quizAttempts.status, quizAttempts.percent, quizAttempts.result),
    },
    addScore("old", "-"),
    addScore("new"),
  ),
  trigger(
    "quiz_scores_uncounted",
    { on: quizAttempts, after: "delete", if: `old.status = '${ModuleStatus.Completed}'` },
    addScore("old", "-"),
  ),
]

/** A table of aggregates, and the query that recounts its columns from the rows, without rows of only zeros. */
export interface ReportAggregate {
  table: SQLiteTable
  key: AnySQLiteColumn[]
  counts: AnySQLiteColumn[]
  counted: string
  /** The stored counts may exceed the rows, some of which were deleted. */
  mayExceedRows?: true
}

export const reportAggregates: ReportAggregate[] = [
  {
    table: courseDays,
    key: DAY,
    counts: [courseDays.enrolled, courseDays.started, courseDays.completed],
    counted: `
    SELECT course_id, date(created_at / 1000, 'unixepoch') AS day,
      sum(verb = '${ActivityVerb.Enrolled}') AS enrolled, sum(verb = '${ActivityVerb.Started}') AS started,
      sum(verb = '${ActivityVerb.Completed}') AS completed
    FROM activities
    WHERE verb IN ${COUNTED_VERBS} AND course_id IS NOT NULL
    GROUP BY 1, 2`,
    mayExceedRows: true,
  },
  {
    table: moduleCounts,
    key: MODULE,
    counts: STATE_COUNTS,
    counted: `
    SELECT enrollments.course_id, own.module_id, sum(own.status = '${ModuleStatus.InProgress}') AS in_progress,
      sum(own.status = '${ModuleStatus.Submitted}') AS submitted,
      sum(own.status = '${ModuleStatus.Completed}') AS completed
    FROM module_statuses AS own JOIN enrollments ON enrollments.id = own.enrollment_id
    WHERE own.status <> '${ModuleStatus.NotStarted}'
    GROUP BY 1, 2`,
  },
  {
    table: quizScores,
    key: SCORE,
    counts: [quizScores.attempts, quizScores.passed],
    counted: `
    SELECT course_id, module_id, percent, count(*) AS attempts, sum(result = 'passed') AS passed
    FROM quiz_attempts
    WHERE status = '${ModuleStatus.Completed}' AND result <> '${QuizResult.Pending}'
    GROUP BY 1, 2, 3`,
  },
]

/**
 * A query of the aggregates that differ from a recount of the rows: the stored and the recounted values as JSON, null
 * without a row.
 */
export function incorrectAggregates({ table, key, counts, counted, mayExceedRows }: ReportAggregate): string {
  const tableName = getTableName(table)
  const names = (columns: AnySQLiteColumn[]) => columns.map(({ name }) => name)
  const keyColumns = names(key).join(", ")
  const of = (side: string) => names(counts).map((name) => `${side}.${name}`)
  const countsJson = (side: string) => `CASE WHEN ${side}.${key[0]?.name} IS NOT NULL THEN json_array(${of(side)}) END`
  const isIncorrect = mayExceedRows
    ? names(counts).map((name) => `coalesce(stored_rows.${name}, 0) < coalesce(computed_rows.${name}, 0)`)
    : ["stored IS NOT computed"]
  return `
    WITH computed_rows AS (${counted}
    ), stored_rows AS (
      SELECT * FROM ${tableName} WHERE ${names(counts)
        .map((name) => `${name} <> 0`)
        .join(" OR ")}
    )
    SELECT '${tableName}' AS aggregate, json_array(${keyColumns}) AS key,
      ${countsJson("stored_rows")} AS stored, ${countsJson("computed_rows")} AS computed
    FROM stored_rows FULL JOIN computed_rows USING (${keyColumns})
    WHERE ${isIncorrect.join(" OR ")}`
}
