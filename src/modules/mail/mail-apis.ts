import { z } from "zod"
import { DAY, MINUTE, now, SECOND } from "../../lib/clock.ts"
import { errorCode, hasHeaders, type Mail, type MailProvider, misconfigured, type Outcome } from "./mail-outcome.ts"

// Email providers with an HTTP API, according to their documentation.

/** The API of a provider. */
interface Api {
  key: string
  /** Without a trailing slash; empty: the provider's default. */
  url: string
}

/** The time limit for a response. */
const TIMEOUT_MS = 15 * SECOND

const refused = (error: string): Outcome => ({ kind: "refused", error })
const failed = (error: string): Outcome => ({ kind: "failed", error })
const unknown = (error: string): Outcome => ({ kind: "unknown", error })

/** `Name <address>`, the name quoted (RFC 5322, 3.2.4). */
const mailbox = ({ name, email }: Mail["from"]) => {
  const displayName = name.replace(/[\p{Cc}]/gu, " ").trim()
  return displayName ? `"${displayName.replace(/["\\]/g, "\\$&")}" <${email}>` : email
}

/** The `Retry-After` header, in seconds or as a date, as milliseconds from now; undefined if missing or invalid. */
function retryAfter({ headers }: Response): number | undefined {
  const value = headers.get("retry-after")
  if (!value) return undefined
  const wait = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * SECOND : Date.parse(value) - now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** Calls an API. @returns the response, or an error code if there is none; the call may still have had an effect */
async function callApi(
  url: string,
  init: RequestInit,
): Promise<{ answer: Response; body: unknown } | { error: string }> {
  try {
    const signal = init.signal ?? AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(url, { ...init, redirect: "manual", signal })
    const text = await answer.text()
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      // Proxies respond in HTML; the status is sufficient.
    }
    return { answer, body }
  } catch (thrown) {
    return { error: errorCode(thrown) }
  }
}

const resendError = z.object({ name: z.string(), message: z.string().catch("") })

/** https://resend.com/docs/api-reference/emails/send-email */
export function resend({ key, url }: Api): MailProvider {
  const endpoint = `${url || "https://api.resend.com"}/emails`
  return {
    // Resend stores idempotency keys for 24 hours. The rest is for a call and for clocks that differ.
    keyRetention: DAY - 15 * MINUTE,
    async send({ key: mailKey, from, replyTo, to, subject, text, html, headers }) {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const init = {
        method: "POST",
        signal,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": mailKey,
        },
        body: JSON.stringify({
          from: mailbox(from),
          to: [to],
          ...(replyTo !== null && { reply_to: replyTo }),
          subject,
          text,
          html,
          ...(hasHeaders({ headers }) && { headers }),
        }),
      }
      const first = await callApi(endpoint, init)
      // The key makes it safe to repeat a call at once whose connection was lost.
      const result = "error" in first && !signal.aborted ? await callApi(endpoint, init) : first
      return "error" in result ? unknown(result.error) : resendOutcome(result.answer, result.body)
    },
  }
}

/** Maps the error names of https://resend.com/docs/api-reference/errors */
function resendOutcome(answer: Response, body: unknown): Outcome {
  if (answer.ok) return { kind: "sent" }
  const { status } = answer
  const { name, message } = resendError.catch({ name: `HTTP_${status}`, message: "" }).parse(body)
  switch (name) {
    case "daily_quota_exceeded":
    case "monthly_quota_exceeded":
      return { kind: "paused", reason: "quota", error: name, retryAfter: retryAfter(answer) }
    // An earlier attempt used the key with other content: the email was already accepted.
    case "invalid_idempotent_request":
      return { kind: "sent" }
    case "concurrent_idempotent_requests":
      return unknown(name)
    case "invalid_from_address":
      return misconfigured(name)
  }
  if (status === 429) return { kind: "paused", reason: "rate", error: name, retryAfter: retryAfter(answer) }
  if (status >= 500 || status === 408) return unknown(name)
  if (status === 401 || status === 403 || status === 404 || status === 405) return misconfigured(name)
  if (status === 400 || status === 422) return message.includes("`from`") ? misconfigured(name) : refused(name)
  return refused(name)
}

const postmarkAnswer = z.object({ ErrorCode: z.int(), Message: z.string().catch("") })
const postmarkFound = z.object({ TotalCount: z.int() })

/** The default names of Postmark's message streams. */
const STREAMS = { account: "outbound", bulk: "broadcast" }

/** https://postmarkapp.com/developer/api/email-api */
export function postmark({ key, url }: Api): MailProvider {
  const base = url || "https://api.postmarkapp.com"
  const headers = { accept: "application/json", "content-type": "application/json", "x-postmark-server-token": key }
  /** Whether Postmark has accepted the email. It supports no idempotency keys, but its search finds metadata. */
  const isAccepted = async (mailKey: string): Promise<boolean | undefined> => {
    const query = new URLSearchParams({ count: "1", offset: "0", metadata_mail: mailKey })
    const found = await callApi(`${base}/messages/outbound?${query}`, { headers })
    const parsed = "error" in found || !found.answer.ok ? undefined : postmarkFound.safeParse(found.body).data
    return parsed && parsed.TotalCount > 0
  }
  return {
    keyRetention: 30 * DAY,
    async send({ key: mailKey, from, replyTo, to, subject, text, html, headers: further, isBulk, isUncertain }) {
      if (isUncertain) {
        const accepted = await isAccepted(mailKey)
        if (accepted === undefined) return unknown("SEARCH_FAILED")
        if (accepted) return { kind: "sent" }
      }
      const result = await callApi(`${base}/email`, {
        method: "POST",
        headers,
        body: JSON.stringify({
          From: mailbox(from),
          To: to,
          ...(replyTo !== null && { ReplyTo: replyTo }),
          Subject: subject,
          TextBody: text,
          HtmlBody: html,
          ...(hasHeaders({ headers: further }) && {
            Headers: Object.entries(further).map(([Name, Value]) => ({ Name, Value })),
          }),
          MessageStream: isBulk ? STREAMS.bulk : STREAMS.account,
          Metadata: { mail: mailKey },
        }),
      })
      return "error" in result ? unknown(result.error) : postmarkOutcome(result.answer, result.body)
    },
  }
}

/** Maps the codes of https://postmarkapp.com/developer/api/overview#error-codes */
function postmarkOutcome(answer: Response, body: unknown): Outcome {
  const { status } = answer
  const { ErrorCode: code, Message: message } = postmarkAnswer.catch({ ErrorCode: -1, Message: "" }).parse(body)
  const error = code === -1 ? `HTTP_${status}` : `POSTMARK_${code}`
  if (answer.ok && code === 0) return { kind: "sent" }
  if (status === 429 || code === 429) return { kind: "paused", reason: "rate", error, retryAfter: retryAfter(answer) }
  // Maintenance is reported before an email is accepted; after other server errors it may have been accepted.
  if (status === 503 || code === 100) return failed(error)
  if (status >= 500 || answer.ok) return unknown(error)
  // A firewall in front of the API responds without a code.
  if (code === -1 && status === 403) return failed(error)
  switch (code) {
    // The account has run out of credits.
    case 405:
      return { kind: "paused", reason: "quota", error, retryAfter: retryAfter(answer) }
    // The recipient bounced or complained before.
    case 406:
      return refused(error)
    // A field is invalid: "Invalid 'To' address: …" concerns the recipient, "Invalid 'From' address: …" this service.
    case 300:
      return /'From'/.test(message) ? misconfigured(error) : refused(error)
    // Not JSON, not an email, or an attachment.
    case 402:
    case 403:
    case 409:
    case 411:
      return refused(error)
  }
  // A token, sender, stream or account that cannot send.
  return status === 413 ? refused(error) : misconfigured(error)
}
