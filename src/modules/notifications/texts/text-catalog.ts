import type { NotificationKind } from "../../../../drizzle/schema/notifications.ts"
import type { AccountMailKind } from "../../../../drizzle/schema/outbox.ts"

/** A text as people edit it: a subject line, and Markdown with variables. */
export interface NotificationText {
  subject: string
  body: string
}

/** The texts of mails about an account, with the variables of `account-mail.tsx`. */
export interface AccountTexts {
  /** With `{{first_name}}`. */
  greeting: string
  /** For a mail that must not contain a name. */
  greetingWithoutName: string
  kinds: Record<AccountMailKind, NotificationText>
}

/** The built-in texts of a language. */
export interface TextCatalog {
  kinds: Record<NotificationKind, NotificationText>
  digest: NotificationText
  account: AccountTexts
  /** The label of the link to everything that the digest leaves out, with `{{count}}`. */
  more: string
  footer: {
    /** Before the link that ends mails of the kind. */
    reason: string
    unsubscribe: string
  }
}
