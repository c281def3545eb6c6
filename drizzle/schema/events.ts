import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** Event types for other systems. */
export const EVENT_TYPES = [
  "user.created",
  "user.erased",
  "enrollment.created",
  "enrollment.completed",
  "quiz.submitted",
  "assignment.submitted",
  "assignment.evaluated",
  "assignment.rejected",
  "order.created",
  "order.pending",
  "order.failed",
  "order.refused",
  "announcement.created",
  "certificate.issued",
  "class.enrolled",
  "export.completed",
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The event that tests a webhook: it is in the feed, but sent to that webhook only. */
export const TEST_EVENT = "webhook.test"

/**
 * The event feed in order. Triggers insert events in the batch of the change. Its only key is the position, so that
 * an event costs one row. Positions have no gaps: rows are only appended, and only the oldest are deleted, never the
 * last.
 */
export const events = sqliteTable("events", {
  /** The position in the feed. */
  id: integer("id").primaryKey(),
  type: text("type").$type<EventType | typeof TEST_EVENT>().notNull(),
  /** Never earlier than the previous event. */
  occurredAt: integer("occurred_at").notNull(),
  data: text("data", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
})
