import { index, integer, text } from "drizzle-orm/sqlite-core"
import { UploadState, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt, id } from "./columns.ts"
import { users } from "./users.ts"

/** Whether a submission refers to a file. expired: it is about to be removed. */
const UPLOAD_STATES = valuesOf(UploadState)

/** Files that were uploaded for assignments, each in R2 under a random key. */
export const assignmentUploads = checkedTable(
  "assignment_uploads",
  {
    id: id(),
    /** Who uploaded it; null: an anonymous call, or a user who is gone. */
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    /** In R2. */
    objectKey: text("object_key").notNull(),
    /** As it was uploaded. */
    filename: text("filename").notNull(),
    /** By its content, such as png. */
    extension: text("extension").notNull(),
    /** By its content. */
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
