import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { SubmissionStatus, valuesOf } from "../statuses.ts"
import { assignmentUploads } from "./assignments.ts"
import { checkedTable, id } from "./columns.ts"
import { enrollments } from "./enrollments.ts"
import { modules } from "./modules.ts"

/**
 * The status of a submission. Submitted: awaits evaluation. Closed: replaced by a later attempt, a reset or a
 * completion.
 */
export const SUBMISSION_STATUSES = valuesOf(SubmissionStatus)

/** Assignment submissions, one per attempt. They belong to the enrollment, so a reset does not delete them. */
export const submissions = checkedTable(
  "submissions",
  {
    id: id(),
    enrollmentId: integer("enrollment_id")
      .notNull()
      .references(() => enrollments.id, { onDelete: "cascade" }),
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id),
    /** The module status of the submission. */
    statusRowId: integer("status_row_id").notNull(),
    /** The enrollment's user. */
    userId: integer("user_id").notNull(),
    courseId: integer("course_id").notNull(),
    /** The number of the attempt within the enrollment and assignment, from 1. */
    number: integer("number").notNull(),
    status: text("status", { enum: SUBMISSION_STATUSES }).notNull(),
    /** Sanitized HTML; empty for file submissions. */
    body: text("body").notNull().default(""),
    studentMessage: text("student_message").notNull().default(""),
    instructorMessage: text("instructor_message").notNull().default(""),
    /** null: not graded */
    pointsAwarded: integer("points_awarded"),
    /** null: not evaluated, or by an anonymous call. */
    evaluatedBy: integer("evaluated_by"),
    submittedAt: integer("submitted_at").notNull(),
    /** 0: not yet */
    evaluatedAt: integer("evaluated_at").notNull().default(0),
  },
  (table) => [
    uniqueIndex("submissions_number").on(table.enrollmentId, table.moduleId, table.number),
    uniqueIndex("submissions_open")
      .on(table.statusRowId)
      .where(sql`${table.status} = ${sql.raw(`'${SubmissionStatus.Submitted}'`)}`),
    index("submissions_user").on(table.userId),
    index("submissions_module").on(table.moduleId),
    // The default order, read per status (src/db/list/); other orders are sorted.
    index("submissions_status_submitted").on(table.status, table.submittedAt),
    index("submissions_course_status_submitted").on(table.courseId, table.status, table.submittedAt),
  ],
)

/** The files of a submission, in order. */
export const submissionFiles = sqliteTable(
  "submission_files",
  {
    submissionId: integer("submission_id")
      .notNull()
      .references(() => submissions.id, { onDelete: "cascade" }),
    uploadId: integer("upload_id")
      .notNull()
      .references(() => assignmentUploads.id),
    /** From 1. */
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.submissionId, table.uploadId] }),
    index("submission_files_upload").on(table.uploadId),
  ],
)

/**
 * Maintained counts of submissions by status, per audience (as in `enrollment_counts`) and course. For `all`, course 0
 * has the totals; for other audiences they are sums of rows. Only triggers write them.
 */
export const submissionCounts = sqliteTable(
  "submission_counts",
  {
    audience: text("audience").notNull(),
    courseId: integer("course_id").notNull(),
    submitted: integer("submitted").notNull(),
    accepted: integer("accepted").notNull(),
    returned: integer("returned").notNull(),
    closed: integer("closed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience, table.courseId] })],
)
