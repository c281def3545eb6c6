import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { EventType } from "../events/index.ts"

/**
 * The changes of objects, in order. Triggers write an event in the batch of its change. It stores ids and previous
 * values; its data is read from its object (drizzle/events). The only key is the position in the feed, so an event
 * costs one written row. Positions have no gaps: rows are appended, and only the oldest are deleted, never the last.
 * A row with `previousPercent` is two events: it takes two positions, and its id is the second.
 */
export const events = sqliteTable("events", {
  /** The position in the feed. */
  id: integer("id").primaryKey(),
  type: text("type").$type<EventType>().notNull(),
  /** Never earlier than the previous event. */
  occurredAt: integer("occurred_at").notNull(),
  /** The id of the object; of an export, a UUID. */
  objectId: integer("object_id").$type<number | string>().notNull(),
  /** The person and the course that the object belongs to. */
  userId: integer("user_id"),
  courseId: integer("course_id"),
  /** The groups of a deleted user: their members are deleted with the user. */
  groupIds: text("group_ids", { mode: "json" }).$type<number[]>(),
  /** The earlier values of the changed fields, for updates. */
  previous: text("previous", { mode: "json" }).$type<Record<string, unknown>>(),
  /** A completed module that changed the percent of its enrollment: the earlier percent. */
  previousPercent: integer("previous_percent"),
})

/** The restores of the database from a backup. Cursors of the feed from before a restore are expired. */
export const restores = sqliteTable("restores", {
  /** Epoch milliseconds. */
  restoredAt: integer("restored_at").primaryKey(),
})
