import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { MailStatus, valuesOf } from "../statuses.ts"
import { checkedTable } from "./columns.ts"
import type { NotificationKind, NotificationVariables } from "./notifications.ts"

/** Why no mail is sent for now. */
export const PAUSE_REASONS = ["rate", "quota", "configuration"] as const

/**
 * The content of a mail whose text is rendered when it is sent, from the template of its kind and the variables of its
 * recipient.
 */
export interface NotificationMail {
  notification: NotificationKind | "digest"
  /** The URL of this service, for links; empty: BASE_URL when it is sent. */
  base: string
  /** The variables of all recipients. */
  variables?: NotificationVariables
  /** The text in place of the stored one: a test, which is sent at once. */
  text?: { subject: string; body: string; language: string }
  /** Sanitized HTML after the text, and the same as plain text. */
  body?: { html: string; text: string }
}

/** Mails to one person about their account, cart or webhooks. They are sent immediately and cannot be switched off. */
export type AccountMailKind =
  | "welcome"
  | "email_confirm"
  | "email_taken"
  | "email_changed"
  | "sign_up_confirm"
  | "sign_up_exists"
  | "password_reset"
  | "password_temporary"
  | "password_changed"
  | "provider_sign_in"
  | "provider_linked"
  | "cart_reminder"
  | "webhook_gone"
  | "webhook_failing"

/** A mail about an account. The consumer renders the built-in text of its kind in the recipient's language. */
export interface AccountMail {
  account: AccountMailKind
  /** The link of its button. Default: the recipient's secret link */
  url?: string
  /** The name of the login provider. */
  provider?: string
  /** The content of a cart, with amounts in the minor unit of its currency. */
  cart?: { items: { name: string; quantity: number; price: number }[]; total: number; currency: string }
  /** The host that a webhook sends to. */
  host?: string
}

/** The content of a mailing, stored once for all its recipients. Secrets are stored per recipient. */
export const mailings = sqliteTable("mailings", {
  /** A UUID version 7 (RFC 9562), which sorts by time. */
  id: text("id").primaryKey(),
  kind: text("kind").notNull(),
  template: text("template", { mode: "json" }).$type<NotificationMail | AccountMail>().notNull(),
  /** The portal that sends it; null: a portal of the recipient, else the academy. */
  portalId: integer("portal_id"),
})

/** One mail to one person, written in the batch of its change. Sent at most once. */
export const outbox = checkedTable(
  "outbox",
  {
    mailingId: text("mailing_id")
      .notNull()
      .references(() => mailings.id, { onDelete: "cascade" }),
    /** From 1, within the mailing. */
    number: integer("number").notNull(),
    /** null: a recipient without an account */
    userId: integer("user_id"),
    recipient: text("recipient").notNull(),
    /** The name in the greeting; empty: no name. */
    name: text("name").notNull().default(""),
    /** Lower values are sent first: see `MAIL_PRIORITIES`. */
    priority: integer("priority").notNull().default(0),
    /** Encrypted JSON of `Secret`: a link or password of this recipient. Deleted once the mail is sent or failed. */
    secret: text("secret"),
    /** The variables of this recipient, with `path` of the console, for a `NotificationMail`. */
    variables: text("variables", { mode: "json" }).$type<NotificationVariables>(),
    /** At most one mail is written per key; null: no limit. */
    dedupe: text("dedupe"),
    status: text("status", { enum: valuesOf(MailStatus) })
      .notNull()
      .default("queued"),
    /** The number of attempts, except those refused while the provider accepts no mail at all. */
    attempts: integer("attempts").notNull().default(0),
    /** The earliest time to send it: later after a failed attempt. 0: it was sent or failed. */
    notBefore: integer("not_before").notNull(),
    /** When a queue message was sent for it; 0: the cron sends the next one. */
    dispatchedAt: integer("dispatched_at").notNull(),
    /** The consumer that sends it, and since when. */
    claim: text("claim"),
    claimedAt: integer("claimed_at").notNull().default(0),
    /** Since when an earlier attempt may have sent it, epoch ms; 0: none may have. */
    uncertainSince: integer("uncertain_since").notNull().default(0),
    sentAt: integer("sent_at").notNull().default(0),
    /** Why it was not sent, according to the provider. */
    error: text("error"),
  },
  (table) => [
    primaryKey({ columns: [table.mailingId, table.number] }),
    uniqueIndex("outbox_dedupe").on(table.dedupe).where(sql`${table.dedupe} is not null`),
    // The order of sending. A claim changes no indexed column: the few mails that are being sent come first.
    index("outbox_due").on(table.priority, table.notBefore).where(sql`${table.notBefore} > 0`),
  ],
)

/**
 * Why no mail is sent at the moment: one row from the provider's first refusal until the next mail that it accepts.
 * It is read together with the mails, so that all consumers and the cron see it at once.
 */
export const mailPauses = checkedTable("mail_pauses", {
  /** 1: there is one outbox. */
  id: integer("id").primaryKey(),
  reason: text("reason", { enum: PAUSE_REASONS }).notNull(),
  /** The error code of the provider, or ours. */
  error: text("error").notNull(),
  /** When the provider first refused, epoch ms. */
  since: integer("since").notNull(),
  /** No mail is sent before, epoch ms. Then one mail is tried, which ends or extends the pause. */
  until: integer("until").notNull(),
  /** The number of consecutive pauses. */
  count: integer("count").notNull(),
})
