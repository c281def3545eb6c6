import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { CompletionStatus, SuccessStatus, valuesOf } from "../statuses.ts"
import { checkedTable, id } from "./columns.ts"
import { enrollments } from "./enrollments.ts"
import { modules, SCORM_VERSIONS } from "./modules.ts"

/** The completion status that a package reports. */
export const COMPLETION_STATUSES = valuesOf(CompletionStatus)

/** The success status that a package reports. */
export const SUCCESS_STATUSES = valuesOf(SuccessStatus)

/** SCORM attempts. They belong to the enrollment, so a reset of the module status does not delete them. */
export const scormAttempts = checkedTable(
  "scorm_attempts",
  {
    id: id(),
    enrollmentId: integer("enrollment_id")
      .notNull()
      .references(() => enrollments.id, { onDelete: "cascade" }),
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id),
    /** The module status of the attempt. A reset status starts a new attempt. */
    statusRowId: integer("status_row_id").notNull(),
    /** The number of the attempt within the enrollment and package, from 1. */
    number: integer("number").notNull(),
    scormVersion: text("scorm_version", { enum: SCORM_VERSIONS }).notNull(),
    completionStatus: text("completion_status", { enum: COMPLETION_STATUSES }).notNull(),
    successStatus: text("success_status", { enum: SUCCESS_STATUSES }).notNull(),
    scoreRaw: real("score_raw"),
    scoreMin: real("score_min"),
    scoreMax: real("score_max"),
    /** -1 to 1 */
    scoreScaled: real("score_scaled"),
    /** Seconds in finished sessions. */
    totalTime: real("total_time").notNull().default(0),
    /** The session's time as of its last commit, in seconds. */
    sessionTime: real("session_time").notNull().default(0),
    /** The launch of the session; empty if the runtime did not send it. */
    sessionKey: text("session_key").notNull().default(""),
    /** The data model as of the last commit: element (`cmi.suspend_data`) to value. */
    cmi: text("cmi", { mode: "json" }).$type<Record<string, string>>().notNull(),
    startedAt: integer("started_at").notNull(),
    lastAccessedAt: integer("last_accessed_at").notNull(),
  },
  (table) => [
    uniqueIndex("scorm_attempts_number").on(table.enrollmentId, table.moduleId, table.number),
    index("scorm_attempts_module").on(table.moduleId),
  ],
)

/** A learner's answers within a package, as reported: SCORM 2004's `cmi.interactions`. */
export const scormInteractions = sqliteTable(
  "scorm_interactions",
  {
    attemptId: integer("attempt_id")
      .notNull()
      .references(() => scormAttempts.id, { onDelete: "cascade" }),
    /** The n of `cmi.interactions.n`. */
    position: integer("position").notNull(),
    interactionId: text("interaction_id").notNull(),
    type: text("type").notNull(),
    /** Comma-separated. */
    objectives: text("objectives").notNull(),
    timestamp: text("timestamp").notNull(),
    /** The patterns, one per line. */
    correctResponses: text("correct_responses").notNull(),
    weighting: text("weighting").notNull(),
    learnerResponse: text("learner_response").notNull(),
    result: text("result").notNull(),
    latency: text("latency").notNull(),
    description: text("description").notNull(),
  },
  (table) => [primaryKey({ columns: [table.attemptId, table.position] })],
)
