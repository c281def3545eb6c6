import type { NotificationKind } from "../../../../drizzle/schema/notifications.ts"

/** A text as people edit it: a subject line, and Markdown with variables. */
export interface NotificationText {
  subject: string
  body: string
}

/** The built-in texts of a language. */
export interface TextCatalog {
  kinds: Record<NotificationKind, NotificationText>
  digest: NotificationText
  /** The label of the link to everything that the digest leaves out, with `{{count}}`. */
  more: string
  footer: {
    /** Before the link that ends mails of the kind. */
    reason: string
    unsubscribe: string
  }
}
