import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { bool, createdAt } from "./columns.ts"
import { users } from "./users.ts"

/** A user's authenticator: prepared, then confirmed with a first code. */
export const twoFactor = sqliteTable("two_factor", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Sealed. */
  secret: text("secret").notNull(),
  /** false: prepared, and not asked for at sign-in. */
  active: bool("active").notNull().default(false),
  /** The time step of the last code taken: neither it nor an earlier one is taken again. */
  lastStep: integer("last_step").notNull().default(0),
  createdAt: createdAt(),
})

/** Codes for those who have lost the authenticator; each is deleted when it is used. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the user's id and the code, sealed. Versions before 0.3 kept an HMAC. */
    codeHash: text("code_hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)
