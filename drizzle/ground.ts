import { sql } from "drizzle-orm"
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"

/** The last id given out, by table. */
export const sequences = sqliteTable("sequences", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
})

/** Kept counts, so that no list counts a table: `users`, `group:7`, `portal:7`, `reach:7`. Only triggers write them. */
export const counters = sqliteTable("counters", {
  key: text("key").primaryKey(),
  value: integer("value").notNull(),
})

/** A row that cannot be written: inserting one makes the whole batch fail. See `guard` in src/lib/sql/work.ts. */
export const guards = sqliteTable("guards", { holds: integer("holds").notNull() }, (table) => [
  check("guard", sql`${table.holds} = 1`),
])

/** The first answer to each Idempotency-Key, sealed, for 24 hours. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    client: text("client").notNull(),
    key: text("key").notNull(),
    /** HMAC of method, path, query and body. */
    request: text("request").notNull(),
    status: integer("status").notNull(),
    answer: text("answer").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.client, table.key] }), index("idempotency_keys_age").on(table.createdAt)],
)

/**
 * A user's sessions ended here: the cron tells the user's Durable Object again, should the first word have been lost.
 */
export const sessionRevocations = sqliteTable(
  "session_revocations",
  {
    userId: integer("user_id").primaryKey(),
    revocation: text("revocation").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("session_revocations_age").on(table.createdAt)],
)
