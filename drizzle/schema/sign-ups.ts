import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** A sign-up with an unconfirmed email address. Deleted when it is confirmed. */
export const signUps = sqliteTable(
  "sign_ups",
  {
    /** HMAC of the token. Only the mail contains the token. */
    tokenHash: text("token_hash").primaryKey(),
    /** The entered data, encrypted: see `Person` in src/modules/auth/sign-up.queries.ts. */
    person: text("person").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("sign_ups_expiry").on(table.expiresAt)],
)
