import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"
import { users } from "./users.ts"

/**
 * A device that a user signed in on: all its access tokens and refresh tokens are one family, which ends with this row.
 * Whatever ends all sessions of a user deletes these in the same batch (`endSessions` in src/access/clients.ts).
 */
export const devices = sqliteTable(
  "devices",
  {
    /** Random, so that the first tokens can name it before it is written. */
    id: integer("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** What the user, or the program, calls it. */
    name: text("name").notNull(),
    createdAt: createdAt(),
    /** Which refresh token of the family counts: each use makes it one more. */
    generation: integer("generation").notNull().default(1),
    /** When that token was given out. */
    refreshedAt: integer("refreshed_at").notNull(),
    /** HMAC of the Idempotency-Key under which it was given out. */
    refreshKey: text("refresh_key"),
  },
  (table) => [index("devices_user").on(table.userId), index("devices_refreshed").on(table.refreshedAt)],
)
