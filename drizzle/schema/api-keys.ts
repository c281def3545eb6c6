import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { checkedTable, createdAt, id, version } from "./columns.ts"

/** What an API key may do: only read, or change as well. */
export const KEY_ACCESS = ["read", "write"] as const

/**
 * What a key may be trusted with beyond its role and families, each by itself and none unless given. `credentials`:
 * what other people sign in with (src/access/credentials.ts).
 */
export const KEY_SCOPES = ["credentials"] as const

/** A key with which a program calls. What it may do is its own, whatever becomes of who made it. */
export const apiKeys = checkedTable("api_keys", {
  id: id(),
  name: text("name").notNull(),
  /** SHA-256 of the key, as `sha256.…`; the key itself is nowhere. Versions before 0.3 kept an HMAC. */
  hash: text("hash").notNull(),
  /** A user type: the key may do what such a user may, but has no records of its own. */
  role: text("role").notNull(),
  access: text("access", { enum: KEY_ACCESS }).notNull(),
  /** The families of operations that it may call, by their tags in the OpenAPI document; null: all. */
  families: text("families", { mode: "json" }).$type<string[]>(),
  /** What it is trusted with beyond them. */
  scopes: text("scopes", { mode: "json" }).$type<(typeof KEY_SCOPES)[number][]>().notNull().default([]),
  /** Epoch milliseconds; 0: never. */
  expiresAt: integer("expires_at").notNull().default(0),
  /** The hour of its last use, as its beginning; 0: not used yet. Its Durable Object writes it, once an hour. */
  lastUsedAt: integer("last_used_at").notNull().default(0),
  /** How often it was made anew, from 1: a token of an earlier one no longer holds. */
  generation: integer("generation").notNull().default(1),
  /** A user's id; null: an anonymous call under the `documented` policy. */
  createdBy: integer("created_by"),
  createdAt: createdAt(),
  version: version(),
})

/** What every key was last called, deleted ones too: the audit log names them for ever. A trigger writes it. */
export const apiKeyNames = sqliteTable("api_key_names", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
})
