import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { JobStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt, id } from "./columns.ts"
import { UPLOAD_SOURCE } from "./users.ts"

export const UPLOAD_STATUSES = valuesOf(JobStatus)

/** One bulk upload of users. The row is its own outbox: the cron queues again what no consumer works on. */
export const bulkUploads = checkedTable(
  "bulk_uploads",
  {
    id: id(),
    /** Whose it is, as the limiter names callers: `user:7`. */
    client: text("client").notNull(),
    /** null: an anonymous call under the `documented` policy. */
    callerId: integer("caller_id"),
    callerType: text("caller_type").notNull(),
    /** The file's name; userList for a JSON upload. */
    name: text("name").notNull(),
    /** Where its caller reached the service: links in mails begin with it. */
    baseUrl: text("base_url").notNull(),
    groupId: integer("group_id"),
    membershipId: integer("membership_id"),
    /** Where its users came from. */
    sourceId: integer("source_id").notNull().default(UPLOAD_SOURCE),
    courseIds: text("course_ids", { mode: "json" }).$type<number[]>().notNull(),
    classIds: text("class_ids", { mode: "json" }).$type<number[]>().notNull().default([]),
    /** How many of the ids of courses and classes that the call gave are unknown. */
    skippedCourses: integer("skipped_courses").notNull().default(0),
    skippedClasses: integer("skipped_classes").notNull().default(0),
    rows: integer("rows").notNull(),
    status: text("status", { enum: UPLOAD_STATUSES }).notNull(),
    // What became of the rows so far. The three make up `rows` once it is completed.
    created: integer("created").notNull().default(0),
    existing: integer("existing").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    /** How often a consumer has begun since the last chunk landed. */
    attempts: integer("attempts").notNull().default(0),
    /** The consumer at work, and until when the upload is its own (epoch ms; less than 0: given back then). */
    lease: text("lease"),
    leaseUntil: integer("lease_until").notNull().default(0),
    /** When the sweep queues it again, should nobody work on it. null: never. */
    dueAt: integer("due_at"),
    createdAt: createdAt(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("bulk_uploads_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index("bulk_uploads_age").on(table.expiresAt).where(sql`${table.status} = 'completed'`),
  ],
)

/** Some rows of an upload, which land in one batch. */
export const bulkUploadChunks = sqliteTable(
  "bulk_upload_chunks",
  {
    uploadId: integer("upload_id")
      .notNull()
      .references(() => bulkUploads.id, { onDelete: "cascade" }),
    /** From 0, in the order of the rows. */
    number: integer("number").notNull(),
    /** The rows' numbers. */
    rows: text("rows", { mode: "json" }).$type<number[]>().notNull(),
    /** The rows, passwords among them, as sealed JSON of `Row[]`; null once they have landed. */
    sealed: text("sealed"),
    /** What was wrong with those of its rows that failed. */
    errors: text("errors", { mode: "json" }).$type<RowError[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.number] })],
)

/** Why a row became nobody. */
export interface RowError {
  /** As in the sheet, whose header is row 1; of a userList from 1. */
  row: number
  email: string
  reasons: string[]
}
