import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"
import { users } from "./users.ts"

/**
 * The email address that a user asked for and has not confirmed: one for each user, the last. A trigger deletes it
 * when the user's password or address changes or the user is disabled; the cron, once it has expired.
 */
export const pendingEmails = sqliteTable(
  "pending_emails",
  {
    userId: integer("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** As given. Somebody else may have it: that shows when it is confirmed, and not before. */
    email: text("email").notNull(),
    /** HMAC of the token, which only the mail to that address holds. */
    tokenHash: text("token_hash").notNull().unique(),
    expiresAt: integer("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("pending_emails_expiry").on(table.expiresAt)],
)
