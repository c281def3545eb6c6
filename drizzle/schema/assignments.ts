import { index, integer, text } from "drizzle-orm/sqlite-core"
import { UploadState, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt, id } from "./columns.ts"
import { users } from "./users.ts"

/** Whether a submission refers to the file. expired: it is about to be deleted. */
const UPLOAD_STATES = valuesOf(UploadState)

/** Files uploaded for assignments, each in R2 under a random key. */
export const assignmentUploads = checkedTable(
  "assignment_uploads",
  {
    id: id(),
    /** The uploader; null: an anonymous call, or a deleted user. */
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    /** The key in R2. */
    objectKey: text("object_key").notNull(),
    /** The uploaded file's name. */
    filename: text("filename").notNull(),
    /** Detected from the content, such as png. */
    extension: text("extension").notNull(),
    /** Detected from the content. */
    mime: text("mime").notNull(),
    bytes: integer("bytes").notNull(),
    state: text("state", { enum: UPLOAD_STATES }).notNull().default("new"),
    createdAt: createdAt(),
  },
  (table) => [
    index("assignment_uploads_state").on(table.state, table.createdAt),
    index("assignment_uploads_user").on(table.userId, table.state, table.bytes),
  ],
)
