import type { Bindings } from "../../env.ts"
import { postmark, resend } from "./mail-apis.ts"
import { errorCode, hasHeaders, type MailProvider, misconfigured, type Outcome } from "./mail-outcome.ts"

/** Errors of Cloudflare's Email Service by code. Unlisted errors are temporary. */
const CLOUDFLARE_ERRORS: Record<string, (error: string) => Outcome> = {
  E_RATE_LIMIT_EXCEEDED: (error) => ({ kind: "paused", reason: "rate", error }),
  E_DAILY_LIMIT_EXCEEDED: (error) => ({ kind: "paused", reason: "quota", error }),
  E_SENDER_NOT_VERIFIED: misconfigured,
  E_SENDER_DOMAIN_NOT_AVAILABLE: misconfigured,
  ...Object.fromEntries(
    [
      "E_RECIPIENT_SUPPRESSED",
      "E_RECIPIENT_NOT_ALLOWED",
      "E_TOO_MANY_RECIPIENTS",
      "E_VALIDATION_ERROR",
      "E_FIELD_MISSING",
      "E_CONTENT_TOO_LARGE",
      "E_HEADER_NOT_ALLOWED",
      "E_HEADER_USE_API_FIELD",
      "E_HEADER_VALUE_INVALID",
      "E_HEADER_VALUE_TOO_LONG",
      "E_HEADER_NAME_INVALID",
      "E_HEADERS_TOO_LARGE",
      "E_HEADERS_TOO_MANY",
    ].map((code) => [code, (error: string): Outcome => ({ kind: "refused", error })]),
  ),
}

/** The `send_email` binding. It supports no keys: a second attempt would send a second email. */
const cloudflare = (env: Bindings): MailProvider => ({
  keyRetention: 0,
  async send({ from, replyTo, to, subject, text, html, headers }) {
    try {
      const further = { ...(replyTo !== null && { replyTo }), ...(hasHeaders({ headers }) && { headers }) }
      await env.EMAIL.send({ from, to, subject, text, html, ...further })
      return { kind: "sent" }
    } catch (thrown) {
      const error = errorCode(thrown)
      return CLOUDFLARE_ERRORS[error]?.(error) ?? { kind: "failed", error }
    }
  },
})

/** Accepts no email until the configuration is fixed. */
const unusable = (error: string): MailProvider => ({
  keyRetention: 0,
  send: async () => misconfigured(error),
})

/** Exactly one address: anything else would fail every email as if the recipient were invalid. */
const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/

/** The provider of MAIL_PROVIDER; defaults to the `send_email` binding. */
export function mailProvider(env: Bindings): MailProvider {
  if (!ADDRESS.test(env.MAIL_FROM)) return unusable("MAIL_FROM_INVALID")
  const name = env.MAIL_PROVIDER || "cloudflare"
  if (name === "cloudflare") return cloudflare(env)
  if (name !== "resend" && name !== "postmark") return unusable("MAIL_PROVIDER_UNKNOWN")
  if (!env.MAIL_API_KEY) return unusable("MAIL_API_KEY_MISSING")
  const api = { key: env.MAIL_API_KEY, url: env.MAIL_API_URL }
  return name === "resend" ? resend(api) : postmark(api)
}
