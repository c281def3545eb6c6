import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { bool, createdAt } from "./columns.ts"
import { users } from "./users.ts"

/** A user's authenticator: set up, then confirmed with a first code. */
export const twoFactor = sqliteTable("two_factor", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Encrypted. */
  secret: text("secret").notNull(),
  /** false: set up but not confirmed, so sign-in does not ask for a code. */
  active: bool("active").notNull().default(false),
  /** The time step of the last accepted code. It and earlier ones are not accepted again. */
  lastStep: integer("last_step").notNull().default(0),
  createdAt: createdAt(),
})

/** Recovery codes for a lost authenticator. Each is deleted when it is used. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the user's id and the code, encrypted. Versions before 0.3 stored an HMAC. */
    codeHash: text("code_hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)
