import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { checkedTable, createdAt, id, version } from "./columns.ts"

/** Whether an API key may only read, or also write. */
export const KEY_ACCESS = ["read", "write"] as const

/**
 * Permissions of a key in addition to its role and tags. Default: none. `credentials`: changing other users' sign-in
 * credentials (src/access/credentials.ts). `scim`: SCIM operations, and no others.
 */
export const KEY_SCOPES = ["credentials", "scim"] as const

/** An API key. Its permissions do not depend on the user who created it. */
export const apiKeys = checkedTable("api_keys", {
  id: id(),
  name: text("name").notNull(),
  /** SHA-256 of the key, as `sha256.…`; the key itself is not stored. Versions before 0.3 stored an HMAC. */
  hash: text("hash").notNull(),
  /** A user type: the key has its permissions, but no records of its own. */
  role: text("role").notNull(),
  access: text("access", { enum: KEY_ACCESS }).notNull(),
  /** The tags of the operations that it may call; null: all. */
  families: text("families", { mode: "json" }).$type<string[]>(),
  /** Additional permissions. */
  scopes: text("scopes", { mode: "json" }).$type<(typeof KEY_SCOPES)[number][]>().notNull().default([]),
  /** Epoch milliseconds; 0: never. */
  expiresAt: integer("expires_at").notNull().default(0),
  /** The start of the hour of its last use; 0: never used. Its Durable Object updates it once an hour. */
  lastUsedAt: integer("last_used_at").notNull().default(0),
  /** How often it was rotated, from 1. Tokens of earlier generations are invalid. */
  generation: integer("generation").notNull().default(1),
  /** A user's id; null: an anonymous call under the `documented` policy. */
  createdBy: integer("created_by"),
  createdAt: createdAt(),
  version: version(),
})

/** The last name of every key, including deleted ones, for the audit log. A trigger writes it. */
export const apiKeyNames = sqliteTable("api_key_names", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
})
