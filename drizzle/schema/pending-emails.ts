import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"
import { users } from "./users.ts"

/**
 * The unconfirmed new email address of a user: at most one per user. A trigger deletes it when the user's password or
 * address changes or the user is disabled; the cron deletes it when it expires.
 */
export const pendingEmails = sqliteTable(
  "pending_emails",
  {
    userId: integer("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The address as entered. Another account may have it, which is checked only on confirmation. */
    email: text("email").notNull(),
    /** HMAC of the token. Only the mail to that address contains the token. */
    tokenHash: text("token_hash").notNull().unique(),
    expiresAt: integer("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("pending_emails_expiry").on(table.expiresAt)],
)
