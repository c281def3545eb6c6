import { sql } from "drizzle-orm"
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { bool, createdAt } from "./columns.ts"

/** The tables whose ids are given out by `sequences`. */
export const SEQUENCES = [
  "addresses",
  "announcements",
  "api_keys",
  "assignment_uploads",
  "badges",
  "bulk_uploads",
  "cards",
  "carts",
  "categories",
  "certificate_templates",
  "certificates",
  "class_enrollments",
  "class_materials",
  "class_recordings",
  "class_sessions",
  "classes",
  "courses",
  "custom_fields",
  "enrollments",
  "gamification_events",
  "groups",
  "learning_path_enrollments",
  "learning_paths",
  "locations",
  "memberships",
  "modules",
  "orders",
  "portals",
  "quiz_attempts",
  "quiz_options",
  "quiz_questions",
  "reviews",
  "scorm_attempts",
  "sso_providers",
  "submissions",
  "subscriptions",
  "user_consents",
  "user_sources",
  "users",
  "webhooks",
] as const

/** The tables of which `counters` keeps the number of rows, under their names. */
export const COUNTED = [
  "announcements",
  "api_keys",
  "badges",
  "cards",
  "carts",
  "certificate_templates",
  "class_sessions",
  "classes",
  "courses",
  "gamification_events",
  "groups",
  "learning_paths",
  "locations",
  "memberships",
  "orders",
  "portals",
  "reviews",
  "sso_providers",
  "subscriptions",
  "user_consents",
  "user_sources",
  "users",
] as const

/** What `counters` counts by a value, under `<name>:<value>`. */
export const COUNTED_BY = [
  "activities:verb",
  "announcements",
  "categories",
  "class_sessions",
  "classes",
  "courses",
  "group",
  "learning_paths",
  "modules",
  "orders",
  "portal",
  "portal_learners",
  "reach",
  "subscriptions",
] as const

/** The last id given out, by table. */
export const sequences = sqliteTable("sequences", {
  name: text("name").$type<(typeof SEQUENCES)[number]>().primaryKey(),
  value: integer("value").notNull(),
})

/** Kept counts, so that no list counts a table: see COUNTED and COUNTED_BY. Only triggers write them. */
export const counters = sqliteTable("counters", {
  key: text("key").primaryKey(),
  value: integer("value").notNull(),
})

/** A row that cannot be written: inserting one makes the whole batch fail. See `guard` in src/db/unit-of-work.ts. */
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
 * A user's sessions ended here, or a key changed. Where a session may be open, the Durable Object has to be told: the
 * cron does so until the object has heard of it.
 */
export const sessionRevocations = sqliteTable(
  "session_revocations",
  {
    /** A user's id, or the negative of a key's. */
    userId: integer("user_id").primaryKey(),
    revocation: text("revocation").notNull(),
    /** Has the Durable Object something to end, and not acknowledged it? */
    pending: bool("pending").notNull().default(true),
    createdAt: createdAt(),
  },
  (table) => [
    index("session_revocations_age").on(table.createdAt),
    index("session_revocations_pending").on(table.userId).where(sql`${table.pending}`),
  ],
)
