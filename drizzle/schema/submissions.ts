import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { SubmissionStatus, valuesOf } from "../statuses.ts"
import { assignmentUploads } from "./assignments.ts"
import { checkedTable, id } from "./columns.ts"
import { enrollments } from "./enrollments.ts"
import { modules } from "./modules.ts"

/**
 * What came of a submission. Submitted: it awaits its evaluation. Closed: a later attempt, a reset or a completion came
 * instead.
 */
export const SUBMISSION_STATUSES = valuesOf(SubmissionStatus)

/** What was submitted for an assignment: an attempt each. It belongs to the registration, so a reset leaves it. */
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
    /** The module status that it was made under. */
    statusRowId: integer("status_row_id").notNull(),
    /** The registration's own. */
    userId: integer("user_id").notNull(),
    courseId: integer("course_id").notNull(),
    /** Of the registration's attempts at this assignment, from 1. */
    number: integer("number").notNull(),
    status: text("status", { enum: SUBMISSION_STATUSES }).notNull(),
    /** Sanitized HTML; empty where files were submitted. */
    body: text("body").notNull().default(""),
    studentMessage: text("student_message").notNull().default(""),
    instructorMessage: text("instructor_message").notNull().default(""),
    /** null: none given */
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
    // The default order, branch by branch (src/db/list/merge-branches.ts); others are sorted.
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
 * Kept counts of submissions by status: of whom (`audience`, as in `tallies`), in which course. Of `all` course 0 is
 * all courses together; others' are the sum of their rows. Only triggers write them.
 */
export const submissionTallies = sqliteTable(
  "submission_tallies",
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
