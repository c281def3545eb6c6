import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"
import { users } from "./users.ts"

// Ways to a password of one's own. A trigger voids both when the user's password or address changes or the user is
// disabled: whoever may write those columns need not know of them.

/** A one-time link to choose a password. Deleted when it is spent. */
export const passwordLinks = sqliteTable(
  "password_links",
  {
    /** HMAC of the token, which only the mail holds. */
    tokenHash: text("token_hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: integer("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("password_links_user").on(table.userId), index("password_links_expiry").on(table.expiresAt)],
)

/** A password made for a user who has none: it opens no session, but is exchanged once for a link. */
export const temporaryPasswords = sqliteTable(
  "temporary_passwords",
  {
    userId: integer("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** scrypt, as the users' own. */
    hash: text("hash").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("temporary_passwords_expiry").on(table.expiresAt)],
)
