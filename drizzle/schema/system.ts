import { sql } from "drizzle-orm"
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { bool, createdAt } from "./columns.ts"

/** The tables whose ids `sequences` assigns. */
export const SEQUENCES = [
  "addresses",
  "announcements",
  "api_keys",
  "assignment_rules",
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
  "due_date_changes",
  "enrollments",
  "gamification_events",
  "groups",
  "learning_path_enrollments",
  "learning_paths",
  "locations",
  "media",
  "memberships",
  "modules",
  "orders",
  "portals",
  "question_pools",
  "quiz_attempts",
  "quiz_options",
  "quiz_questions",
  "report_schedules",
  "reviews",
  "scorm_attempts",
  "sso_providers",
  "submissions",
  "subscriptions",
  "transcripts",
  "user_consents",
  "user_sources",
  "users",
  "webhooks",
] as const

/** The tables whose number of rows `counters` has, by table name. */
export const COUNTED = [
  "announcements",
  "api_keys",
  "assignment_rules",
  "badges",
  "bank_questions",
  "cards",
  "carts",
  "certificate_templates",
  "certificates",
  "class_sessions",
  "classes",
  "courses",
  "gamification_events",
  "groups",
  "learning_paths",
  "locations",
  "media",
  "memberships",
  "orders",
  "portals",
  "question_pools",
  "reviews",
  "sso_providers",
  "subscriptions",
  "user_consents",
  "user_sources",
  "users",
] as const

/** The counters per value, as `<name>:<value>`. */
export const COUNTED_BY = [
  "activities:verb",
  "announcements",
  "categories",
  "class_sessions",
  "classes",
  "courses",
  "group",
  "learning_paths",
  "media",
  "media_bytes",
  "modules",
  "orders",
  "portal",
  "portal_learners",
  "subscriptions",
  "supervisor",
  "users",
] as const

/** The last assigned id of each table. */
export const sequences = sqliteTable("sequences", {
  name: text("name").$type<(typeof SEQUENCES)[number]>().primaryKey(),
  value: integer("value").notNull(),
})

/** Maintained counts, so that lists need not count rows: see COUNTED and COUNTED_BY. Only triggers write them. */
export const counters = sqliteTable("counters", {
  key: text("key").primaryKey(),
  value: integer("value").notNull(),
})

/** Inserting a row makes the whole batch fail. See `guard` in src/db/unit-of-work.ts. */
export const guards = sqliteTable("guards", { passed: integer("passed").notNull() }, (table) => [
  check("guard", sql`${table.passed} = 1`),
])

/** The encrypted response for each Idempotency-Key, for 24 hours. */
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
 * Ended sessions of a user, or a changed key. If a session may be open, the cron notifies the Durable Object until it
 * acknowledges.
 */
export const sessionRevocations = sqliteTable(
  "session_revocations",
  {
    /** A user's id, or the negative id of a key. */
    userId: integer("user_id").primaryKey(),
    revocation: text("revocation").notNull(),
    /** Whether the Durable Object must still be notified. */
    pending: bool("pending").notNull().default(true),
    createdAt: createdAt(),
  },
  (table) => [
    index("session_revocations_age").on(table.createdAt),
    index("session_revocations_pending").on(table.userId).where(sql`${table.pending}`),
  ],
)
