import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { checkedTable, createdAt, id, searchText, version } from "./columns.ts"
import { modules, QUESTION_TYPES } from "./modules.ts"
import type { QuestionContent } from "./quizzes.ts"

/** Collections of questions, from which quizzes draw. */
export const questionPools = sqliteTable(
  "question_pools",
  {
    id: id(),
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    /** The number of its questions. Only triggers write it. */
    questionCount: integer("question_count").notNull().default(0),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [index("question_pools_name").on(sql`${table.name} collate nocase`)],
)

/** The questions of pools. Their ids are from the sequence of `quiz_questions`, so an attempt can have both kinds. */
export const bankQuestions = checkedTable(
  "bank_questions",
  {
    id: id(),
    poolId: integer("pool_id")
      .notNull()
      .references(() => questionPools.id),
    type: text("type", { enum: QUESTION_TYPES }).notNull(),
    text: text("text").notNull(),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
    searchText: searchText(),
    /** Also the newest version of its content. */
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [index("bank_questions_pool").on(table.poolId)],
)

/** The content of each version of a question. Attempts refer to it, so it outlives the question and never changes. */
export const bankQuestionVersions = sqliteTable(
  "bank_question_versions",
  {
    questionId: integer("question_id").notNull(),
    version: integer("version").notNull(),
    content: text("content", { mode: "json" }).$type<QuestionContent>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.questionId, table.version] })],
)

/** What a quiz draws from pools, in order. */
export const quizDraws = sqliteTable(
  "quiz_draws",
  {
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    poolId: integer("pool_id")
      .notNull()
      .references(() => questionPools.id),
    /** Only questions with this tag; empty: all. */
    tag: text("tag").notNull().default(""),
    count: integer("count").notNull(),
    /** Per question. */
    points: integer("points").notNull(),
  },
  (table) => [primaryKey({ columns: [table.moduleId, table.position] }), index("quiz_draws_pool").on(table.poolId)],
)
