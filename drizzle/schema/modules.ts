import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { categories } from "./categories.ts"
import { bool, checkedTable, createdAt, descriptionText, id, searchText, version } from "./columns.ts"
import { users } from "./users.ts"

/** Every type of module. */
export const MODULE_TYPES = ["text", "video", "quiz", "scorm", "assignment"] as const
export type ModuleType = (typeof MODULE_TYPES)[number]

/** What a module's estimated time is in. */
export const ESTIMATE_UNITS = ["minutes", "hour"] as const

/** What is submitted for an assignment. */
export const SUBMISSION_TYPES = ["text", "file"] as const

export const SCORM_VERSIONS = ["1.2", "2004"] as const
export type ScormVersion = (typeof SCORM_VERSIONS)[number]

/** How a question is answered: by one option, several, true or false, or a short text. */
export const QUESTION_TYPES = ["single", "multiple", "truefalse", "short"] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]

/** What a course is made of. One module may be in many courses. */
export const modules = checkedTable(
  "modules",
  {
    id: id(),
    /** It never changes. */
    type: text("type", { enum: MODULE_TYPES }).notNull(),
    name: text("name").notNull(),
    slug: text("slug").notNull(),
    /** Sanitized HTML. */
    content: text("content").notNull(),
    /** null: created by an anonymous call of the `documented` policy. */
    authorId: integer("author_id").references(() => users.id),
    icon: text("icon").notNull(),
    /** Opens only once every required module before it is Completed, in whatever course. */
    isLocked: bool("is_locked").notNull().default(false),
    /** In `estimationCompletedUnit`; 0: not said. */
    estimatedCompletion: integer("estimated_completion").notNull().default(0),
    estimationCompletedUnit: text("estimation_completed_unit", { enum: ESTIMATE_UNITS }).notNull().default("minutes"),
    /**
     * Of an assignment; of a quiz, the sum of its questions' points, or what its recorded attempts were out of where it
     * has none; of a SCORM module 100; 0 elsewhere.
     */
    totalPoints: integer("total_points").notNull().default(0),
    /** How many courses it is in. Only triggers write it. */
    courseCount: integer("course_count").notNull().default(0),

    /** assignment; empty elsewhere */
    submissionType: text("submission_type", { enum: ["", ...SUBMISSION_TYPES] })
      .notNull()
      .default(""),
    /** assignment: kinds of file, such as image, pdf */
    allowedFiletypes: text("allowed_filetypes", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** assignment: MB; 0: the service's own limit */
    maxUploadSize: integer("max_upload_size").notNull().default(0),

    /** video: the file's or player's URL */
    videoUrl: text("video_url"),
    /** video: seconds; 0: not said */
    videoSeconds: integer("video_seconds").notNull().default(0),

    /** quiz: percent of the points that passes */
    passPercent: integer("pass_percent").notNull().default(0),
    /** quiz: attempts allowed; 0: any number */
    maxAttempts: integer("max_attempts").notNull().default(0),
    /** quiz: minutes an attempt may take; 0: no limit */
    timeLimitMinutes: integer("time_limit_minutes").notNull().default(0),

    /** scorm; null: no package yet */
    scormVersion: text("scorm_version", { enum: SCORM_VERSIONS }),
    /** scorm: where the package's files lie in R2 */
    packageKey: text("package_key"),
    /** scorm: the package's entry, relative to `packageKey` */
    launchPath: text("launch_path"),
    /** scorm: what the manifest has the service tell the package: element (`cmi.launch_data`) to value */
    launchCmi: text("launch_cmi", { mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    packageBytes: integer("package_bytes").notNull().default(0),

    descriptionText: descriptionText(),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("modules_slug").on(table.slug),
    index("modules_type").on(table.type),
    index("modules_name").on(table.type, sql`${table.name} collate nocase`),
    index("modules_type_slug").on(table.type, table.slug),
    index("modules_created").on(table.type, table.createdAt),
    index("modules_courses").on(table.type, table.courseCount),
    index("modules_points").on(table.type, table.totalPoints),
    index("modules_submission").on(table.type, table.submissionType),
    index("modules_locked").on(table.type, table.isLocked),
    index("modules_estimate").on(table.type, table.estimatedCompletion),
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

/** A quiz's questions, in order. A change of the quiz replaces them: an attempt keeps a copy of what it was asked. */
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
    /** short: the accepted texts */
    answers: text("answers", { mode: "json" }).$type<string[]>().notNull(),
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
  },
  (table) => [index("quiz_options_question").on(table.questionId, table.position)],
)
