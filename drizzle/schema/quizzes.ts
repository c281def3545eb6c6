import { sql } from "drizzle-orm"
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { AttemptStatus, QuizResult, valuesOf } from "../statuses.ts"
import { bool, checkedTable, id } from "./columns.ts"
import { enrollments } from "./enrollments.ts"
import { modules, type QuestionType } from "./modules.ts"

/** A question as an attempt is asked it, with what is right. */
export interface VersionedQuestion {
  id: number
  text: string
  type: QuestionType
  points: number
  options: { id: number; text: string; correct: boolean }[]
  /** short: the accepted texts */
  answers: string[]
}

/** What was answered to a question, and what it earned. */
export interface Response {
  questionId: number
  optionIds: number[]
  text: string
  correct: boolean
  points: number
}

/** A quiz's questions as they were at one of its versions: what its attempts were asked, whatever became of it. */
export const quizPapers = sqliteTable(
  "quiz_papers",
  {
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id, { onDelete: "cascade" }),
    /** The module's version. */
    moduleVersion: integer("module_version").notNull(),
    questions: text("questions", { mode: "json" }).$type<VersionedQuestion[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.moduleId, table.moduleVersion] })],
)

/** How far an attempt is. */
export const ATTEMPT_STATUSES = valuesOf(AttemptStatus)

/** What came of an attempt. */
export const QUIZ_RESULTS = valuesOf(QuizResult)

/** One try at a quiz. It belongs to the registration, so a reset of the module's state leaves it. */
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
    /** The module status that it was made under; attempts allowed are counted within one. */
    statusRowId: integer("status_row_id").notNull(),
    /** The registration's own. */
    userId: integer("user_id").notNull(),
    courseId: integer("course_id").notNull(),
    /** Of the registration's attempts at this quiz, from 1. */
    number: integer("number").notNull(),
    status: text("status", { enum: ATTEMPT_STATUSES }).notNull(),
    /** Empty while In Progress. */
    result: text("result", { enum: ["", ...QUIZ_RESULTS] })
      .notNull()
      .default(""),
    score: real("score").notNull().default(0),
    outOf: real("out_of").notNull(),
    /** floor(100 × score ÷ outOf); 100 where nothing is to be earned */
    percent: integer("percent").notNull().default(0),
    /** The quiz's pass mark when it was begun. */
    passPercent: integer("pass_percent").notNull(),
    /** The quiz's time limit when it was begun; 0: none. */
    timeLimitMinutes: integer("time_limit_minutes").notNull().default(0),
    /** The paper that it was asked; 0: recorded from another system, without its questions. */
    moduleVersion: integer("module_version").notNull(),
    responses: text("responses", { mode: "json" }).$type<Response[]>().notNull().default([]),
    /** Recorded by staff from another system, without its questions. */
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
    // The report's default order, branch by branch (src/db/list/merge-branches.ts); others are sorted.
    index("quiz_attempts_status_started").on(table.status, table.startedAt),
  ],
)

/**
 * Kept counts of attempts: of whom (`audience`, as in `tallies`), at which quiz of which course. Of `all` 0 and 0 is
 * all of them together; others' are the sum of their rows. Only triggers write them.
 */
export const quizTallies = sqliteTable(
  "quiz_tallies",
  {
    audience: text("audience").notNull(),
    courseId: integer("course_id").notNull(),
    moduleId: integer("module_id").notNull(),
    /** Registrations with one attempt or more. */
    begun: integer("begun").notNull(),
    inProgress: integer("in_progress").notNull(),
    completed: integer("completed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience, table.courseId, table.moduleId] })],
)
