import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"
import { users } from "./users.ts"

/**
 * A device that a user signed in on. All its access and refresh tokens end with this row. Ending all sessions of a
 * user deletes these rows in the same batch (`endSessions` in src/access/revocations.ts).
 */
export const devices = sqliteTable(
  "devices",
  {
    /** Random, so that the first tokens can contain it before it is written. */
    id: integer("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The name given by the user or the program. */
    name: text("name").notNull(),
    createdAt: createdAt(),
    /** The number of the valid refresh token: each use increases it. */
    generation: integer("generation").notNull().default(1),
    /** When that token was issued. */
    refreshedAt: integer("refreshed_at").notNull(),
    /** HMAC of the Idempotency-Key that it was issued with. */
    refreshKey: text("refresh_key"),
  },
  (table) => [index("devices_user").on(table.userId), index("devices_refreshed").on(table.refreshedAt)],
)
