import { sql } from "drizzle-orm"
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { AttemptStatus, QuizResult, valuesOf } from "../statuses.ts"
import { bool, checkedTable, id } from "./columns.ts"
import { enrollments } from "./enrollments.ts"
import { modules, type NumericAnswer, type QuestionType } from "./modules.ts"

/** What a question asks, with the correct answers. */
export interface QuestionContent {
  text: string
  type: QuestionType
  options: { id: number; text: string; correct: boolean; match: string }[]
  /** Short text: the accepted answers. Matching: further choices. */
  answers: string[]
  /** Fill-in: the accepted texts of each blank. */
  blanks: string[][]
  numeric: NumericAnswer | null
  explanation: string
  imageUrl: string
  imageAlt: string
}

/** A question of an attempt. */
export interface VersionedQuestion extends QuestionContent {
  id: number
  points: number
}

/** The answer to a question, and its points. */
export interface Response {
  questionId: number
  optionIds: number[]
  text: string
  /** Matching, ordering and fill-in: a text for each prompt, place or blank. */
  values: string[]
  correct: boolean
  points: number
  outOf: number
  /** An essay that is not graded yet. */
  pending?: boolean
  /** The grader's comment on an essay. */
  comment?: string
}

/** A question of an attempt whose questions were drawn or shuffled. */
export interface PlacedQuestion {
  id: number
  /** The version in the question bank; 0: the quiz's own question. */
  version: number
  points: number
  /** The order of the options, as indexes; empty: unchanged. */
  order: number[]
}

/** The questions of a quiz version, which its attempts refer to. */
export const quizVersions = sqliteTable(
  "quiz_versions",
  {
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id, { onDelete: "cascade" }),
    /** The module's version. */
    moduleVersion: integer("module_version").notNull(),
    questions: text("questions", { mode: "json" }).$type<VersionedQuestion[]>().notNull(),
    partialCredit: bool("partial_credit").notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.moduleId, table.moduleVersion] })],
)

/** The status of an attempt. */
export const ATTEMPT_STATUSES = valuesOf(AttemptStatus)

/** The result of an attempt. */
export const QUIZ_RESULTS = valuesOf(QuizResult)

/** Quiz attempts. They belong to the enrollment, so a reset of the module status does not delete them. */
export const quizAttempts = checkedTable(
  "quiz_attempts",
  {
    id: id(),
    enrollmentId: integer("enrollment_id")
      .notNull()
      .references(() => enrollments.id, { onDelete: "cascade" }),
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id),
    /** The module status of the attempt. The maximum number of attempts applies within one status. */
    statusRowId: integer("status_row_id").notNull(),
    /** The enrollment's user. */
    userId: integer("user_id").notNull(),
    courseId: integer("course_id").notNull(),
    /** The number of the attempt within the enrollment and quiz, from 1. */
    number: integer("number").notNull(),
    status: text("status", { enum: ATTEMPT_STATUSES }).notNull(),
    /** Empty while In Progress. */
    result: text("result", { enum: ["", ...QUIZ_RESULTS] })
      .notNull()
      .default(""),
    score: real("score").notNull().default(0),
    outOf: real("out_of").notNull(),
    /** floor(100 × score ÷ outOf); 100 if there are no points */
    percent: integer("percent").notNull().default(0),
    /** The pass mark when the attempt started. */
    passPercent: integer("pass_percent").notNull(),
    /** The time limit when the attempt started; 0: none. */
    timeLimitMinutes: integer("time_limit_minutes").notNull().default(0),
    /** The quiz version; 0: recorded from another system, without questions. */
    moduleVersion: integer("module_version").notNull(),
    responses: text("responses", { mode: "json" }).$type<Response[]>().notNull().default([]),
    /** The questions in the order of the attempt; null: those of the quiz version, as they are. */
    layout: text("layout", { mode: "json" }).$type<PlacedQuestion[]>(),
    /** Recorded by staff from another system, without questions. */
    recorded: bool("recorded").notNull().default(false),
    startedAt: integer("started_at").notNull(),
    /** 0: not yet */
    completedAt: integer("completed_at").notNull().default(0),
    /** Seconds, once completed. */
    timeTaken: integer("time_taken").notNull().default(0),
  },
  (table) => [
    uniqueIndex("quiz_attempts_number").on(table.enrollmentId, table.moduleId, table.number),
    uniqueIndex("quiz_attempts_open")
      .on(table.enrollmentId, table.moduleId)
      .where(sql`${table.status} = ${sql.raw(`'${AttemptStatus.InProgress}'`)}`),
    index("quiz_attempts_user").on(table.userId),
    index("quiz_attempts_course").on(table.courseId),
    index("quiz_attempts_module").on(table.moduleId),
    // The report's default order, read per status (src/db/list/); other orders are sorted.
    index("quiz_attempts_status_started").on(table.status, table.startedAt),
  ],
)

/**
 * Maintained counts of attempts, per audience (as in `enrollment_counts`), course and quiz. For `all`, 0 and 0 have
 * the totals; for other audiences they are sums of rows. Only triggers write them.
 */
export const quizCounts = sqliteTable(
  "quiz_counts",
  {
    audience: text("audience").notNull(),
    courseId: integer("course_id").notNull(),
    moduleId: integer("module_id").notNull(),
    /** The number of enrollments with at least one attempt. */
    started: integer("started").notNull(),
    inProgress: integer("in_progress").notNull(),
    completed: integer("completed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience, table.courseId, table.moduleId] })],
)
