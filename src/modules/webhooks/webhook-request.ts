import { Webhook } from "standardwebhooks"
import type { webhooks } from "../../../drizzle/schema/webhooks.ts"
import type { Bindings } from "../../env.ts"
import { now, SECOND } from "../../lib/clock.ts"
import { decrypted } from "../../lib/crypto/crypto.ts"
import { fetchOutbound } from "../../lib/web/outbound.ts"
import type { Event } from "./events.schemas.ts"

// The request that delivers an event, in the format of Standard Webhooks.

/** The time limit for a receiver's complete response. */
const RESPONSE_TIMEOUT_MS = 15 * SECOND
/** The number of bytes of a response that are stored. */
const MAX_STORED_RESPONSE_BYTES = 500

/** The fields of a webhook that the request needs. */
export type Receiver = Pick<typeof webhooks.$inferSelect, "url" | "secret" | "previousSecret" | "previousUntil">

/** The result of an attempt. */
export interface AttemptOutcome {
  succeeded: boolean
  /** Whether the receiver responded 410 and wants no more events. */
  gone: boolean
  answerStatus: number | null
  answer: string
  error: string
}

export const failedAttempt = (error: string): AttemptOutcome => ({
  succeeded: false,
  gone: false,
  answerStatus: null,
  answer: "",
  error,
})

/** Sends an event once. The caller has checked that the host is public. Never throws. */
export async function sendEvent(env: Bindings, receiver: Receiver, event: Event): Promise<AttemptOutcome> {
  const body = JSON.stringify(event)
  const at = new Date(now())
  const secrets = [receiver.secret, ...(receiver.previousUntil > now() ? [receiver.previousSecret ?? ""] : [])]
  const signatures = secrets
    .filter(Boolean)
    .flatMap((secret) => decrypted(env, secret) ?? [])
    .map((secret) => new Webhook(secret).sign(event.id, at, body))
  if (signatures.length === 0) return failedAttempt("The webhook's secret cannot be read. Rotate it.")
  const headers = {
    "content-type": "application/json",
    "user-agent": "Lectern-Webhooks",
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(at.getTime() / SECOND)),
    "webhook-signature": signatures.join(" "),
  }
  try {
    const response = await fetchOutbound(env, receiver.url, { method: "POST", headers, body }, RESPONSE_TIMEOUT_MS)
    const { status } = response
    const answer = await readBeginning(response)
    return { succeeded: response.ok, gone: status === 410, answerStatus: status, answer, error: "" }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError"
    return failedAttempt(isTimeout ? "No response within 15 seconds." : "The receiver could not be reached.")
  }
}

/** Sends an event as `sendEvent` does, from a second Durable Object with connections of its own. Never throws. */
export async function sendFromOtherObject(
  { WEBHOOKS }: Bindings,
  webhookId: number,
  receiver: Receiver,
  event: Event,
): Promise<AttemptOutcome> {
  try {
    return await WEBHOOKS.get(WEBHOOKS.idFromName(`${webhookId}/connections`)).send(receiver, event)
  } catch {
    return failedAttempt("The request could not be sent.")
  }
}

/** The first bytes of a response as text; the rest is not read. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ""
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < MAX_STORED_RESPONSE_BYTES) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  await reader.cancel()
  return Buffer.concat(chunks).subarray(0, MAX_STORED_RESPONSE_BYTES).toString("utf8")
}
