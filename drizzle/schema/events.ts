import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** What other systems are told of. */
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

/** What a webhook is sent to be tried: in the feed as well, and for nobody else. */
export const TEST_EVENT = "webhook.test"

/**
 * What happened, in order: a change's triggers write it in the change's own batch. Its only key is its place, so that
 * an event costs one row. Places have no gaps: rows are added at the end alone, and only the oldest are deleted, never
 * the last.
 */
export const events = sqliteTable("events", {
  /** Its place in the feed. */
  id: integer("id").primaryKey(),
  type: text("type").$type<EventType | typeof TEST_EVENT>().notNull(),
  /** Never before the event before it. */
  occurredAt: integer("occurred_at").notNull(),
  data: text("data", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
})
