import { sql } from "drizzle-orm"
import { index, integer, primaryKey, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { bool, checkedTable, createdAt, id, version } from "./columns.ts"
import { users } from "./users.ts"

/** What a notification is about. */
export const NOTIFICATION_KINDS = [
  "invited",
  "enrolled",
  "due_soon",
  "overdue",
  "class_reminder",
  "class_changed",
  "class_canceled",
  "submission_graded",
  "submission_returned",
  "course_completed",
  "certificate_expiring",
  "certificate_expired",
  "announcement",
  "exempted",
  "extended",
  "team_overdue",
  "report_ready",
  "message",
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** The values of a notification: texts, and times in epoch ms. Empty, 0 and null: none. */
export type NotificationVariables = Record<string, string | number | null>

/** Where a person gets notifications of a kind by mail. */
export const MAIL_FREQUENCIES = ["immediately", "daily", "never"] as const

/**
 * The list in the console and the apps, and what waits for the daily digest. Rows are deleted after 90 days. SQLite
 * assigns the ids, so that a batch need not draw them.
 */
export const notifications = checkedTable(
  "notifications",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: NOTIFICATION_KINDS }).notNull(),
    /** The values of its variables when it was written, such as `course` and `due_date`. */
    variables: text("variables", { mode: "json" }).$type<NotificationVariables>().notNull(),
    /** The path in the console that it opens. */
    path: text("path").notNull(),
    /** 0: unread */
    readAt: integer("read_at").notNull().default(0),
    /** Whether the list shows it. Others only wait for the digest; they count as read. */
    isListed: bool("is_listed").notNull().default(true),
    /** Whether it waits for the daily digest. */
    inDigest: bool("in_digest").notNull().default(false),
    /** At most one is written per key; null: no limit. */
    dedupe: text("dedupe"),
    createdAt: createdAt(),
  },
  (table) => [
    // Unread first, the latest first; ids are in the order of creation.
    index("notifications_user").on(table.userId, sql`(${table.readAt} > 0)`, sql`${table.id} desc`),
    uniqueIndex("notifications_dedupe").on(table.dedupe).where(sql`${table.dedupe} is not null`),
    index("notifications_digest").on(table.userId).where(sql`${table.inDigest}`),
  ],
)

/** The academy's own texts. Without a row the default applies. */
export const notificationTemplates = checkedTable(
  "notification_templates",
  {
    kind: text("kind", { enum: NOTIFICATION_KINDS }).notNull(),
    /** 0: the academy */
    portalId: integer("portal_id").notNull(),
    language: text("language").notNull(),
    subject: text("subject").notNull(),
    /** Markdown with variables, such as `{{first_name}}`. */
    body: text("body").notNull(),
    version: version(),
    updatedBy: integer("updated_by"),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.portalId, table.language] })],
)

/** A person's choices. Without a row the default of the kind applies. */
export const notificationPreferences = checkedTable(
  "notification_preferences",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: NOTIFICATION_KINDS }).notNull(),
    mail: text("mail", { enum: MAIL_FREQUENCIES }).notNull(),
    inApp: bool("in_app").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
)
