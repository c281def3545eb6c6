import type { LecternEvent } from "./types.ts"

/** Why a message is not the service's own, or not of now. */
export class WebhookError extends Error {
  override readonly name = "WebhookError"
}

const PREFIX = "whsec_"
/** Five minutes, as Standard Webhooks recommends. */
const TOLERANCE_SECONDS = 300

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

/** @throws WebhookError when the text is not base64 */
function decoded(base64: string, what: string) {
  try {
    return bytesOf(base64)
  } catch {
    throw new WebhookError(`${what} is not base64.`)
  }
}

type HeaderBag = Headers | Record<string, string | string[] | undefined>

/** One header, whatever its case. */
function headerOf(headers: HeaderBag, name: string): string {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const [, value] = entries.find(([key]) => key.toLowerCase() === name) ?? []
  const text = Array.isArray(value) ? value[0] : value
  if (!text) throw new WebhookError(`The header ${name} is missing.`)
  return text
}

/**
 * Verifies a webhook as Standard Webhooks has it: the signature, in constant time, and that it was sent within five
 * minutes. While a secret is rotated the message carries a signature by each.
 * @param body as it was sent, before anybody parsed it
 * @param headers the request's: `webhook-id`, `webhook-timestamp`, `webhook-signature`
 * @param secret `whsec_…`; of several, any one will do
 * @param options.toleranceSeconds how far its time and this machine's may be apart; 300 unless told
 * @returns the event. Keep its `id`: a message may come again, always with the same one.
 * @throws WebhookError when it does not hold: answer 401, and do nothing
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderBag,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: { toleranceSeconds?: number } = {},
): Promise<LecternEvent> {
  const id = headerOf(headers, "webhook-id")
  const timestamp = headerOf(headers, "webhook-timestamp")
  const signatures = headerOf(headers, "webhook-signature").split(" ")
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (!(Math.abs(Date.now() / 1000 - seconds) <= toleranceSeconds))
    throw new WebhookError("The message is too old, or from the future.")

  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const sent = signatures.flatMap((one) => (one.startsWith("v1,") ? [decoded(one.slice(3), "A signature")] : []))
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const raw = decoded(one.startsWith(PREFIX) ? one.slice(PREFIX.length) : one, "The secret")
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
    for (const signature of sent)
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) return JSON.parse(text) as LecternEvent
  }
  throw new WebhookError("No signature of the message is by this secret.")
}
