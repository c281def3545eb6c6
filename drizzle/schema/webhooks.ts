import { sql } from "drizzle-orm"
import { index, integer, primaryKey, text } from "drizzle-orm/sqlite-core"
import { DeliveryStatus, valuesOf } from "../statuses.ts"
import { bool, checkedTable, createdAt, id, version } from "./columns.ts"
import type { EventType } from "./event-definitions.ts"

/** Why a webhook was switched off, where no person did it: three days of failure, or the receiver answered 410. */
export const DISABLE_REASONS = ["", "failing", "gone"] as const

/**
 * A receiver of events. It has its own place in the feed: a change writes nothing for it. Its consumer holds it by a
 * lease. They are few (`MOST_WEBHOOKS`), so that they have no index.
 */
export const webhooks = checkedTable("webhooks", {
  id: id(),
  url: text("url").notNull(),
  /** The types that it is sent. */
  events: text("events", { mode: "json" }).$type<EventType[]>().notNull(),
  description: text("description").notNull().default(""),
  /** Sealed: `whsec_…`, by which it knows who sends. */
  secret: text("secret").notNull(),
  /** The secret before, sealed; it signs as well until `previousUntil`. */
  previousSecret: text("previous_secret"),
  previousUntil: integer("previous_until").notNull().default(0),
  /** How many events are sent at once; 1 keeps them in order. */
  concurrency: integer("concurrency").notNull().default(1),
  enabled: bool("enabled").notNull().default(true),
  offReason: text("off_reason", { enum: DISABLE_REASONS }).notNull().default(""),
  /** The place of the last event that it was sent, or that is not for it. */
  position: integer("position").notNull(),
  /** How many attempts failed since the last that held, and since when (0: none). */
  failures: integer("failures").notNull().default(0),
  failingSince: integer("failing_since").notNull().default(0),
  /** Until when nothing is sent: after several failures in a row. */
  restsUntil: integer("rests_until").notNull().default(0),
  /** The token of the consumer that sends to it, and until when (less than 0: given back then). */
  lease: text("lease"),
  leaseUntil: integer("lease_until").notNull().default(0),
  createdBy: integer("created_by"),
  version: version(),
  createdAt: createdAt(),
})

/** Where a delivery stands. Waiting: its next attempt is to come. Failed: it has had all of them. */
export const DELIVERY_STATUSES = valuesOf(DeliveryStatus)

/** What became of an event at a receiver. The sweep forgets it with the event, or once the webhook was deleted. */
export const webhookDeliveries = checkedTable(
  "webhook_deliveries",
  {
    webhookId: integer("webhook_id").notNull(),
    eventId: integer("event_id").notNull(),
    status: text("status", { enum: DELIVERY_STATUSES }).notNull(),
    /** Since it was last asked for. */
    attempts: integer("attempts").notNull(),
    /** Of one that waits: when it is due. */
    nextAt: integer("next_at").notNull().default(0),
    /** 0: not yet. */
    lastAt: integer("last_at").notNull().default(0),
    /** What the last attempt was answered; null: nothing. */
    answerStatus: integer("answer_status"),
    /** The beginning of that answer. */
    answer: text("answer").notNull().default(""),
    /** Why the last attempt failed, where there was no answer. */
    error: text("error").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    index("webhook_deliveries_due").on(table.webhookId, table.nextAt).where(sql`${table.status} = 'waiting'`),
  ],
)
