import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { EventType, StoredEventData } from "./event-definitions.ts"

/** The event that tests a webhook: the feed has it as well, other webhooks do not get it. */
export const TEST_EVENT = "webhook.test"

/**
 * What happened, in order. Triggers write an event in the batch of its change. The only key is the position in the
 * feed, so an event costs one written row. Positions have no gaps: rows are appended, and only the oldest are deleted,
 * never the last.
 */
export const events = sqliteTable("events", {
  /** The position in the feed. */
  id: integer("id").primaryKey(),
  type: text("type").$type<EventType | typeof TEST_EVENT>().notNull(),
  /** Never earlier than the previous event. */
  occurredAt: integer("occurred_at").notNull(),
  /** The values of the payload by position: see event-definitions.ts. */
  data: text("data", { mode: "json" }).$type<StoredEventData>().notNull(),
})
