import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { MailStatus, valuesOf } from "../statuses.ts"
import { checkedTable } from "./columns.ts"

/** Why no mail is sent for now. */
export const PAUSE_REASONS = ["rate", "quota", "configuration"] as const

/** What a mail says. Texts are plain; the consumer makes both parts of them and escapes. Never a secret in here. */
export interface EmailTemplate {
  subject: string
  paragraphs: string[]
  /** HTML that was sanitized on its way in, after the paragraphs. `text` is the same in plain. */
  body?: { html: string; text: string }
  /** A button; without a `url` it leads to the addressee's own secret link. */
  action?: { label: string; url?: string }
  closing?: string[]
}

/** What is said, once for however many it is said to. Holds no secret: those are each addressee's own. */
export const mailings = sqliteTable("mailings", {
  /** A UUID that begins with its time (RFC 9562, version 7): so the key has the mailings by age. */
  id: text("id").primaryKey(),
  kind: text("kind").notNull(),
  letter: text("letter", { mode: "json" }).$type<EmailTemplate>().notNull(),
  /** In whose name; null: a portal that the addressee belongs to, else the service. */
  portalId: integer("portal_id"),
})

/** One mail to one person. Written in the batch of the change that it tells of; sent once at most. */
export const outbox = checkedTable(
  "outbox",
  {
    mailingId: text("mailing_id")
      .notNull()
      .references(() => mailings.id, { onDelete: "cascade" }),
    /** From 1, within the mailing. */
    number: integer("number").notNull(),
    /** null: somebody without an account. */
    userId: integer("user_id"),
    recipient: text("recipient").notNull(),
    /** How the addressee is greeted; empty: without a name. */
    name: text("name").notNull().default(""),
    /** The lower is sent first: account mails are 0, what is said to many is 1. */
    priority: integer("priority").notNull().default(0),
    /** Sealed JSON of `Secret`: a link or password of this addressee. Wiped once the row is sent or failed. */
    secret: text("secret"),
    /** A second row of the same key is not written; null: no such bound. */
    dedupe: text("dedupe"),
    status: text("status", { enum: valuesOf(MailStatus) })
      .notNull()
      .default("queued"),
    /** How often sending was tried; a provider that takes no mail at all for now counts for none. */
    attempts: integer("attempts").notNull().default(0),
    /** Not to be sent before: later than the row itself after an attempt that failed. */
    notBefore: integer("not_before").notNull(),
    /** When a queue message was sent for the row; 0: the cron sends the next one. */
    dispatchedAt: integer("dispatched_at").notNull(),
    /** The consumer that sends it, and since when. */
    claim: text("claim"),
    claimedAt: integer("claimed_at").notNull().default(0),
    sentAt: integer("sent_at").notNull().default(0),
    /** Why it was not sent, as the provider says. */
    error: text("error"),
  },
  (table) => [
    primaryKey({ columns: [table.mailingId, table.number] }),
    uniqueIndex("outbox_dedupe").on(table.dedupe).where(sql`${table.dedupe} is not null`),
    // The order in which mails are sent, and the cron's view of what is due.
    index("outbox_due").on(table.priority, table.notBefore).where(sql`${table.status} = 'queued'`),
    // By when it was claimed, a mail is found by who claimed it too.
    index("outbox_sending").on(table.claimedAt).where(sql`${table.status} = 'sending'`),
  ],
)

/**
 * Why no mail is sent for now: one row from the provider's first refusal of everything until the next mail that it
 * takes. Read together with the mails, so that every consumer and the cron see it at once.
 */
export const mailPauses = checkedTable("mail_pauses", {
  /** 1: there is one outbox. */
  id: integer("id").primaryKey(),
  reason: text("reason", { enum: PAUSE_REASONS }).notNull(),
  /** The provider's code for it, or ours. */
  error: text("error").notNull(),
  /** When the provider first refused, epoch ms. */
  since: integer("since").notNull(),
  /** No mail is tried before, epoch ms. Then one is, and either ends the pause or makes the next. */
  until: integer("until").notNull(),
  /** How many pauses followed each other. */
  count: integer("count").notNull(),
})
