import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { categories } from "./categories.ts"
import { bool, checkedTable, createdAt, descriptionText, id, searchText, version } from "./columns.ts"
import { users } from "./users.ts"

/** The types of modules. */
export const MODULE_TYPES = ["text", "video", "quiz", "scorm", "assignment"] as const
export type ModuleType = (typeof MODULE_TYPES)[number]

/** The units of a module's estimated time. */
export const ESTIMATE_UNITS = ["minutes", "hour"] as const

/** What learners submit for an assignment. */
export const SUBMISSION_TYPES = ["text", "file"] as const

export const SCORM_VERSIONS = ["1.2", "2004"] as const
export type ScormVersion = (typeof SCORM_VERSIONS)[number]

/**
 * How a question is answered: one option, several options, true or false, short text, prompts to match, items to order,
 * a number, blanks to fill in, or an essay.
 */
export const QUESTION_TYPES = [
  "single",
  "multiple",
  "truefalse",
  "short",
  "matching",
  "ordering",
  "numeric",
  "fillin",
  "essay",
] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]

/** What learners see of a submitted attempt: its score, which answers were right, or the correct answers as well. */
export const REVIEW_DETAILS = ["score", "answers", "explanations"] as const
export type ReviewDetail = (typeof REVIEW_DETAILS)[number]

/** When learners see it: after each attempt, once the quiz is Completed, or when no attempt is left. */
export const REVIEW_TIMES = ["attempt", "passed", "last"] as const

/** The correct value of a numeric question. */
export interface NumericAnswer {
  value: number
  /** Answers that differ by at most this are correct. */
  tolerance: number
  unit: string
}

/** The content of courses. A module can be in many courses. */
export const modules = checkedTable(
  "modules",
  {
    id: id(),
    /** Never changes. */
    type: text("type", { enum: MODULE_TYPES }).notNull(),
    name: text("name").notNull(),
    slug: text("slug").notNull(),
    /** Sanitized HTML. */
    content: text("content").notNull(),
    /** null: created by an anonymous call of the `documented` policy. */
    authorId: integer("author_id").references(() => users.id),
    icon: text("icon").notNull(),
    /** Locked until every required module before it is completed, in every course. */
    isLocked: bool("is_locked").notNull().default(false),
    /** In `estimationCompletedUnit`; 0: unknown. */
    estimatedCompletion: integer("estimated_completion").notNull().default(0),
    estimationCompletedUnit: text("estimation_completed_unit", { enum: ESTIMATE_UNITS }).notNull().default("minutes"),
    /**
     * The points of an assignment; for a quiz the sum of its questions' points, or the maximum of its recorded
     * attempts if it has no questions; for a SCORM module 100; else 0.
     */
    totalPoints: integer("total_points").notNull().default(0),
    /** The number of courses that it is in. Only triggers write it. */
    courseCount: integer("course_count").notNull().default(0),

    /** Assignments only; otherwise empty. */
    submissionType: text("submission_type", { enum: ["", ...SUBMISSION_TYPES] })
      .notNull()
      .default(""),
    /** Assignments: file types, such as image, pdf. */
    allowedFiletypes: text("allowed_filetypes", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Assignments: MB; 0: the service's limit. */
    maxUploadSize: integer("max_upload_size").notNull().default(0),

    /** Videos: the URL of the file or player. */
    videoUrl: text("video_url"),
    /** Videos: the file of the media library that is played instead of the URL; null: none. */
    mediaId: integer("media_id"),
    /** Videos: seconds; 0: unknown. */
    videoSeconds: integer("video_seconds").notNull().default(0),

    /** Quizzes: the pass mark in percent. */
    passPercent: integer("pass_percent").notNull().default(0),
    /** Quizzes: the maximum number of attempts; 0: unlimited. */
    maxAttempts: integer("max_attempts").notNull().default(0),
    /** Quizzes: minutes per attempt; 0: unlimited. */
    timeLimitMinutes: integer("time_limit_minutes").notNull().default(0),
    shuffleQuestions: bool("shuffle_questions").notNull().default(false),
    shuffleOptions: bool("shuffle_options").notNull().default(false),
    /** Quizzes: partly correct answers earn part of the points. */
    partialCredit: bool("partial_credit").notNull().default(false),
    reviewDetail: text("review_detail", { enum: REVIEW_DETAILS }).notNull().default("explanations"),
    reviewAfter: text("review_after", { enum: REVIEW_TIMES }).notNull().default("passed"),

    /** SCORM; null: no package yet. */
    scormVersion: text("scorm_version", { enum: SCORM_VERSIONS }),
    /** SCORM: the prefix of the package's files in R2. */
    packageKey: text("package_key"),
    /** SCORM: the package's entry file, relative to `packageKey`. */
    launchPath: text("launch_path"),
    /** SCORM: data model values from the manifest, by element (`cmi.launch_data`). */
    launchCmi: text("launch_cmi", { mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    packageBytes: integer("package_bytes").notNull().default(0),

    descriptionText: descriptionText(),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("modules_slug").on(table.slug),
    index("modules_created").on(table.type, table.createdAt),
    index("modules_author").on(table.authorId),
  ],
)

export const moduleCategories = sqliteTable(
  "module_categories",
  {
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id, { onDelete: "cascade" }),
    categoryId: integer("category_id")
      .notNull()
      .references(() => categories.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.moduleId, table.categoryId] }),
    index("module_categories_category").on(table.categoryId, table.moduleId),
  ],
)

/** The questions of a quiz, in order. A change of the quiz replaces them; attempts have a copy. */
export const quizQuestions = checkedTable(
  "quiz_questions",
  {
    id: id(),
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    text: text("text").notNull(),
    type: text("type", { enum: QUESTION_TYPES }).notNull(),
    points: integer("points").notNull(),
    /** Short text: the accepted answers. Matching: further choices, which match no prompt. */
    answers: text("answers", { mode: "json" }).$type<string[]>().notNull(),
    /** Fill-in: the accepted texts of each blank. */
    blanks: text("blanks", { mode: "json" }).$type<string[][]>().notNull().default([]),
    numeric: text("numeric", { mode: "json" }).$type<NumericAnswer>(),
    explanation: text("explanation").notNull().default(""),
    imageUrl: text("image_url").notNull().default(""),
    imageAlt: text("image_alt").notNull().default(""),
    categoryId: integer("category_id").references(() => categories.id),
  },
  (table) => [
    index("quiz_questions_module").on(table.moduleId, table.position),
    index("quiz_questions_category").on(table.categoryId),
  ],
)

export const quizOptions = sqliteTable(
  "quiz_options",
  {
    id: id(),
    questionId: integer("question_id")
      .notNull()
      .references(() => quizQuestions.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    text: text("text").notNull(),
    correct: bool("correct").notNull(),
    /** Matching: the text that matches this prompt. */
    match: text("match").notNull().default(""),
  },
  (table) => [index("quiz_options_question").on(table.questionId, table.position)],
)
