import type { mailPauses } from "../../../drizzle/schema/outbox.ts"

/** A mail as a provider takes it. */
export interface Mail {
  /** The same at each attempt at one mail. */
  key: string
  from: { name: string; email: string }
  replyTo: string | null
  to: string
  subject: string
  text: string
  html: string
  /** Is it said to many, such as an announcement? */
  isBulk: boolean
  /** May an attempt before have sent it? */
  isUncertain: boolean
}

export type PauseReason = typeof mailPauses.$inferSelect.reason

/**
 * What came of one attempt. `error` is the provider's code or ours, never its message, which may quote the mail.
 * - `refused`: this mail will never be taken, such as for its recipient.
 * - `failed`: it was not sent, and may be tried again.
 * - `unknown`: no answer came, so it may have been sent.
 * - `paused`: no mail is taken for now; `retryAfter` in milliseconds, where the provider says it.
 */
export type Outcome =
  | { kind: "sent" }
  | { kind: "refused" | "failed" | "unknown"; error: string }
  | { kind: "paused"; reason: PauseReason; error: string; retryAfter?: number | undefined }

export interface MailProvider {
  /** Never throws. */
  send(mail: Mail): Promise<Outcome>
  /**
   * For how long after an attempt the provider can tell a second one of the same key from the first, in milliseconds:
   * so long a mail of unknown outcome is tried again. 0: not at all.
   */
  keyRetention: number
}

export const misconfigured = (error: string): Outcome => ({ kind: "paused", reason: "configuration", error })

/** What is kept and logged of an error: its code or name. Its message may quote the mail. */
export const errorCode = (thrown: unknown): string =>
  thrown instanceof Error ? String((thrown as { code?: unknown }).code ?? thrown.name) : "unknown"
