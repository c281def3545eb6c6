import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"

// What reports show as figures, kept so that none of them counts registrations, states or attempts. Only triggers write
// these tables: one row for an act, whoever asks.

/**
 * What happened in a course on a day. It stays counted when the user, the registration or the course is deleted: a
 * second registration, or a beginning after a reset, counts again.
 */
export const courseDays = sqliteTable(
  "course_days",
  {
    courseId: integer("course_id").notNull(),
    /** In UTC: `2026-01-31`. */
    day: text("day").notNull(),
    enrolled: integer("enrolled").notNull(),
    started: integer("started").notNull(),
    completed: integer("completed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.day] })],
)

/**
 * How many registrations of a course are in which state of a module. Not Started are the others; of a module that was
 * taken out of the course they stay counted, for they are there again when it is put back.
 */
export const moduleTallies = sqliteTable(
  "module_tallies",
  {
    courseId: integer("course_id").notNull(),
    moduleId: integer("module_id").notNull(),
    inProgress: integer("in_progress").notNull(),
    submitted: integer("submitted").notNull(),
    completed: integer("completed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.moduleId] })],
)

/** How many Completed attempts at a quiz, in a course, earned which percent; and how many of them passed. */
export const quizScores = sqliteTable(
  "quiz_scores",
  {
    courseId: integer("course_id").notNull(),
    moduleId: integer("module_id").notNull(),
    /** Whole, 0 to 100. */
    percent: integer("percent").notNull(),
    attempts: integer("attempts").notNull(),
    passed: integer("passed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.moduleId, table.percent] })],
)
