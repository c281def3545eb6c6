import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { activities, enrollments, moduleStatuses } from "../schema/enrollments.ts"
import { quizAttempts } from "../schema/quizzes.ts"
import { courseDays, moduleTallies, quizScores } from "../schema/reports.ts"
import { ActivityVerb, ModuleStatus } from "../statuses.ts"
import { changed, trigger } from "./declare.ts"

// The figures of reports: what happened by day, where learners are in a course, and what attempts at a quiz earned.

/** Adds a row's numbers to those that are kept under the same key. @param source a query of them, with a WHERE */
function added(into: SQLiteTable, key: AnySQLiteColumn[], counts: AnySQLiteColumn[], source: string): string {
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

const MODULE = [moduleTallies.courseId, moduleTallies.moduleId]
const STATES = [ModuleStatus.InProgress, ModuleStatus.Submitted, ModuleStatus.Completed].map((state) => `'${state}'`)
const STATE_COUNTS = [moduleTallies.inProgress, moduleTallies.submitted, moduleTallies.completed]
const isIn = (row: string) => STATES.map((state) => `(${row}.status = ${state})`)

/** What a status comes to in the tally of its module, in the course of its registration. */
const addState = (sums: string[]) =>
  added(
    moduleTallies,
    MODULE,
    STATE_COUNTS,
    `
    SELECT course_id, new.module_id, ${sums.join(", ")}
    FROM enrollments
    WHERE id = new.enrollment_id`,
  )
/** Takes a status out of the tally of its module. */
const takeState = (row: string, where: string) => `
    UPDATE module_tallies SET
      ${isIn(row)
        .map((state, at) => `${STATE_COUNTS[at]?.name} = ${STATE_COUNTS[at]?.name} - ${state}`)
        .join(",\n      ")}
    ${where.trim()}`

const SCORE = [quizScores.courseId, quizScores.moduleId, quizScores.percent]
const addScore = (row: "old" | "new", sign = "") =>
  added(
    quizScores,
    SCORE,
    [quizScores.attempts, quizScores.passed],
    `
    SELECT ${row}.course_id, ${row}.module_id, ${row}.percent, ${sign}1, ${sign}(${row}.result = 'passed')
    WHERE ${row}.status = '${ModuleStatus.Completed}'`,
  )

export const reportTriggers = [
  trigger(
    "course_days_counted",
    { on: activities, after: "insert", if: `new.verb IN ${COUNTED_VERBS} AND new.course_id IS NOT NULL` },
    added(
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
    "module_statuses_tallied",
    { on: moduleStatuses, after: "insert", if: `new.status <> '${ModuleStatus.NotStarted}'` },
    addState(isIn("new")),
  ),
  // Of the first that was Not Started there may be no tally yet.
  trigger(
    "module_statuses_retallied",
    { on: moduleStatuses, after: "update", of: [moduleStatuses.status], if: changed(moduleStatuses.status) },
    addState(isIn("new").map((state, at) => `${state} - ${isIn("old")[at]}`)),
  ),
  // Before it, for its states go with it, and by then nothing tells which course they were of.
  trigger(
    "enrollments_modules_untallied",
    { on: enrollments, before: "delete" },
    takeState(
      "own",
      `
    FROM module_statuses AS own
    WHERE own.enrollment_id = old.id AND own.status <> '${ModuleStatus.NotStarted}'
      AND module_tallies.course_id = old.course_id AND module_tallies.module_id = own.module_id`,
    ),
  ),
  // Of one that is deleted by itself. Where its registration went, the trigger above has counted it.
  trigger(
    "module_statuses_untallied",
    { on: moduleStatuses, after: "delete", if: `old.status <> '${ModuleStatus.NotStarted}'` },
    takeState(
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
    "quiz_scores_moved",
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

/** A table of figures, and the query that counts it from the rows: the same columns, with no row of zeros alone. */
export interface ReportAggregate {
  table: SQLiteTable
  key: AnySQLiteColumn[]
  counts: AnySQLiteColumn[]
  counted: string
  /** What is kept may be more than the rows tell: some have been deleted since. */
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
    table: moduleTallies,
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
    WHERE status = '${ModuleStatus.Completed}'
    GROUP BY 1, 2, 3`,
  },
]

/**
 * A query of the figures that are not what counting the rows anew gives: none while the triggers do their work. Both
 * are told as JSON, null where one side has no row.
 */
export function incorrectAggregates({
  table: into,
  key,
  counts,
  counted,
  mayExceedRows: outlives,
}: ReportAggregate): string {
  const table = getTableName(into)
  const names = (columns: AnySQLiteColumn[]) => columns.map(({ name }) => name)
  const place = names(key).join(", ")
  const of = (side: string) => names(counts).map((name) => `${side}.${name}`)
  const told = (side: string) => `CASE WHEN ${side}.${key[0]?.name} IS NOT NULL THEN json_array(${of(side)}) END`
  const wrong = outlives
    ? names(counts).map((name) => `coalesce(kept.${name}, 0) < coalesce(found.${name}, 0)`)
    : ["kept IS NOT counted"]
  return `
    WITH found AS (${counted}
    ), kept AS (
      SELECT * FROM ${table} WHERE ${names(counts)
        .map((name) => `${name} <> 0`)
        .join(" OR ")}
    )
    SELECT '${table}' AS figure, json_array(${place}) AS place, ${told("kept")} AS kept, ${told("found")} AS counted
    FROM kept FULL JOIN found USING (${place})
    WHERE ${wrong.join(" OR ")}`
}
