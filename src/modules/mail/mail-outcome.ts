import type { mailPauses } from "../../../drizzle/schema/outbox.ts"

/** An email for a provider. */
export interface Mail {
  /** Identical for every attempt to send one email. */
  key: string
  from: { name: string; email: string }
  replyTo: string | null
  to: string
  subject: string
  text: string
  html: string
  /** Further headers, by name. */
  headers: Readonly<Record<string, string>>
  /** Whether it goes to many recipients, such as an announcement. */
  isBulk: boolean
  /** Whether an earlier attempt may have sent it. */
  isUncertain: boolean
}

export const hasHeaders = ({ headers }: Pick<Mail, "headers">): boolean => Object.keys(headers).length > 0

export type PauseReason = typeof mailPauses.$inferSelect.reason

/**
 * The result of one attempt. `error` is a code of the provider or ours, never a message, which could quote the email.
 * - `refused`: the email will never be accepted, for example because of its recipient.
 * - `failed`: it was not sent and can be retried.
 * - `unknown`: there was no response, so it may have been sent.
 * - `paused`: no email is accepted at the moment; `retryAfter` in milliseconds if the provider says it.
 */
export type Outcome =
  | { kind: "sent" }
  | { kind: "refused" | "failed" | "unknown"; error: string }
  | { kind: "paused"; reason: PauseReason; error: string; retryAfter?: number | undefined }

export interface MailProvider {
  /** Never throws. */
  send(mail: Mail): Promise<Outcome>
  /**
   * How long the provider detects a second attempt with the same key, in milliseconds. Emails with an unknown outcome
   * are retried within this time. 0: never.
   */
  keyRetention: number
}

export const misconfigured = (error: string): Outcome => ({ kind: "paused", reason: "configuration", error })

/** The code or name of an error for storage and logs. Its message could quote the email. */
export const errorCode = (thrown: unknown): string =>
  thrown instanceof Error ? String((thrown as { code?: unknown }).code ?? thrown.name) : "unknown"
