import { sql } from "drizzle-orm"
import { index, integer, primaryKey, text } from "drizzle-orm/sqlite-core"
import { DeliveryStatus, valuesOf } from "../statuses.ts"
import { bool, checkedTable, createdAt, id, version } from "./columns.ts"

/** Why a webhook was disabled automatically: it failed for three days, or the receiver returned 410. */
export const DISABLE_REASONS = ["", "failing", "gone"] as const

/**
 * Webhooks. Each has its own position in the event feed, so a change writes nothing per webhook. A consumer leases
 * the row. Their number is limited, so there is no index.
 */
export const webhooks = checkedTable("webhooks", {
  id: id(),
  url: text("url").notNull(),
  /** The event types and patterns that it receives. */
  events: text("events", { mode: "json" }).$type<string[]>().notNull(),
  /** Only events of this course, and of this group or portal and its members; null: all. */
  courseId: integer("course_id"),
  groupId: integer("group_id"),
  portalId: integer("portal_id"),
  description: text("description").notNull().default(""),
  /** Encrypted `whsec_…`: the secret that signs deliveries. */
  secret: text("secret").notNull(),
  /** The previous secret, encrypted. It also signs until `previousUntil`. */
  previousSecret: text("previous_secret"),
  previousUntil: integer("previous_until").notNull().default(0),
  /** The number of events sent in parallel; 1 keeps their order. */
  concurrency: integer("concurrency").notNull().default(1),
  enabled: bool("enabled").notNull().default(true),
  offReason: text("off_reason", { enum: DISABLE_REASONS }).notNull().default(""),
  /** The position of the last event that was sent or is not for it. */
  position: integer("position").notNull(),
  /** The number of consecutive failed attempts, and since when (0: none). */
  failures: integer("failures").notNull().default(0),
  failingSince: integer("failing_since").notNull().default(0),
  /** No deliveries before this time, after several failures in a row. */
  pausedUntil: integer("paused_until").notNull().default(0),
  /** The token of the consumer that sends to it, and the end of its lease (negative: released then). */
  lease: text("lease"),
  leaseUntil: integer("lease_until").notNull().default(0),
  createdBy: integer("created_by"),
  version: version(),
  createdAt: createdAt(),
})

/** The status of a delivery. waiting: another attempt follows. failed: all attempts failed. */
export const DELIVERY_STATUSES = valuesOf(DeliveryStatus)

/** The delivery of an event to a webhook. Deleted with the event, or after the webhook is deleted. */
export const webhookDeliveries = checkedTable(
  "webhook_deliveries",
  {
    webhookId: integer("webhook_id").notNull(),
    eventId: integer("event_id").notNull(),
    status: text("status", { enum: DELIVERY_STATUSES }).notNull(),
    /** Since the delivery was last requested. */
    attempts: integer("attempts").notNull(),
    /** When the next attempt is due, if it is waiting. */
    nextAt: integer("next_at").notNull().default(0),
    /** 0: not yet. */
    lastAt: integer("last_at").notNull().default(0),
    /** The status of the last response; null: none. */
    answerStatus: integer("answer_status"),
    /** The beginning of that response. */
    answer: text("answer").notNull().default(""),
    /** Why the last attempt got no response. */
    error: text("error").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    index("webhook_deliveries_due").on(table.webhookId, table.nextAt).where(sql`${table.status} = 'waiting'`),
  ],
)
