import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { JobStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt, id } from "./columns.ts"
import { UPLOAD_SOURCE } from "./users.ts"

/**
 * What an upload does with existing users: `create` enrolls them and changes nothing else, `update` changes them and
 * creates nobody, `upsert` does both.
 */
export const UPLOAD_MODES = ["create", "update", "upsert"] as const
export type UploadMode = (typeof UPLOAD_MODES)[number]

export const UPLOAD_STATUSES = valuesOf(JobStatus)

/** One bulk upload of users. The row is also its queue entry: the cron queues it again if no consumer runs it. */
export const bulkUploads = checkedTable(
  "bulk_uploads",
  {
    id: id(),
    /** The caller's client, such as `user:7`. */
    client: text("client").notNull(),
    /** null: an anonymous call under the `documented` policy. */
    callerId: integer("caller_id"),
    callerType: text("caller_type").notNull(),
    /** The file's name; userList for a JSON upload. */
    name: text("name").notNull(),
    /** The service's URL as the caller used it, for links in mails. */
    baseUrl: text("base_url").notNull(),
    groupId: integer("group_id"),
    membershipId: integer("membership_id"),
    /** The source of the new users. */
    sourceId: integer("source_id").notNull().default(UPLOAD_SOURCE),
    mode: text("mode", { enum: UPLOAD_MODES }).notNull().default("create"),
    /** The source of the external ids of the rows. */
    externalIdSource: text("external_id_source").notNull().default("manual"),
    courseIds: text("course_ids", { mode: "json" }).$type<number[]>().notNull(),
    classIds: text("class_ids", { mode: "json" }).$type<number[]>().notNull().default([]),
    /** The number of unknown ids of courses and classes in the request. */
    skippedCourses: integer("skipped_courses").notNull().default(0),
    skippedClasses: integer("skipped_classes").notNull().default(0),
    rows: integer("rows").notNull(),
    status: text("status", { enum: UPLOAD_STATUSES }).notNull(),
    // The results of the rows so far. Once completed, the four add up to `rows`.
    created: integer("created").notNull().default(0),
    existing: integer("existing").notNull().default(0),
    updated: integer("updated").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    /** The number of consumers started since the last committed chunk. */
    attempts: integer("attempts").notNull().default(0),
    /** The consumer that runs it, and the end of its lease (epoch ms; negative: released then). */
    lease: text("lease"),
    leaseUntil: integer("lease_until").notNull().default(0),
    /** When the cron queues it again if no consumer runs it; null: never. */
    dueAt: integer("due_at"),
    createdAt: createdAt(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("bulk_uploads_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index("bulk_uploads_age").on(table.expiresAt).where(sql`${table.status} = 'completed'`),
  ],
)

/** Rows of an upload that are written in one batch. */
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
    /** The rows, passwords included, as encrypted JSON of `Row[]`; null once they are written. */
    encryptedRows: text("encrypted_rows"),
    /** The errors of its failed rows. */
    errors: text("errors", { mode: "json" }).$type<RowError[]>().notNull(),
    /** What became of its rows, once they are written. */
    results: text("results", { mode: "json" }).$type<RowResult[]>().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.number] })],
)

/** What became of a row, with the user's id. */
export interface RowResult {
  row: number
  /** null: failed, or to be created by a dry run. */
  id: number | null
  result: "created" | "updated" | "existing" | "failed"
}

/** Why a row created no user. */
export interface RowError {
  /** The row in the sheet, whose header is row 1; in a userList from 1. */
  row: number
  email: string
  reasons: string[]
}
