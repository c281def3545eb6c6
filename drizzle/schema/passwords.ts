import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"
import { users } from "./users.ts"

// Ways to set one's own password. A trigger deletes both when the user's password or address changes or the user is
// disabled.

/** A one-time link to set a password. Deleted when it is used. */
export const passwordLinks = sqliteTable(
  "password_links",
  {
    /** HMAC of the token. Only the mail contains the token. */
    tokenHash: text("token_hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: integer("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("password_links_user").on(table.userId), index("password_links_expiry").on(table.expiresAt)],
)

/** A temporary password for a user without one. It opens no session, but can be exchanged once for a link. */
export const temporaryPasswords = sqliteTable(
  "temporary_passwords",
  {
    userId: integer("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** scrypt, like users' passwords. */
    hash: text("hash").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("temporary_passwords_expiry").on(table.expiresAt)],
)
