import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { id } from "./columns.ts"
import { users } from "./users.ts"

/** Transcripts that were issued as a PDF. The public page of the code shows them. */
export const transcripts = sqliteTable(
  "transcripts",
  {
    id: id(),
    /** Random: it cannot be guessed. */
    code: text("code").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** null: an anonymous call */
    issuedBy: integer("issued_by"),
    issuedAt: integer("issued_at").notNull(),
    /** What was issued: the JSON of the transcript. */
    content: text("content").notNull(),
    /** SHA-256 of the content as base64url, which the PDF shows. */
    digest: text("digest").notNull(),
  },
  (table) => [
    uniqueIndex("transcripts_code").on(table.code),
    index("transcripts_user").on(table.userId, table.issuedAt),
  ],
)
