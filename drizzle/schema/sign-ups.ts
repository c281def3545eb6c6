import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** Somebody who signed up and has not confirmed their email address: no user yet. Deleted when they have. */
export const signUps = sqliteTable(
  "sign_ups",
  {
    /** HMAC of the token, which only the mail holds. */
    tokenHash: text("token_hash").primaryKey(),
    /** Who they say that they are, sealed: see `Person` in src/modules/auth/sign-up.queries.ts. */
    person: text("person").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("sign_ups_expiry").on(table.expiresAt)],
)
