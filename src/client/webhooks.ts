import type { LecternEvent } from "./types.ts"

/** A webhook message that is not authentic, or too old. */
export class WebhookError extends Error {
  override readonly name = "WebhookError"
}

const PREFIX = "whsec_"
/** Five minutes, as Standard Webhooks recommends. */
const TOLERANCE_SECONDS = 300

function decodeBase64(base64: string, name: string) {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    throw new WebhookError(`${name} is not base64.`)
  }
}

type HeaderBag = Headers | Record<string, string | string[] | undefined>

/** Header names are case-insensitive. */
function requireHeader(headers: HeaderBag, name: string): string {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const [, value] = entries.find(([key]) => key.toLowerCase() === name) ?? []
  const text = Array.isArray(value) ? value[0] : value
  if (!text) throw new WebhookError(`The header ${name} is missing.`)
  return text
}

/**
 * Verifies a webhook as Standard Webhooks defines it: the signature in constant time, and the timestamp. While a secret
 * is being rolled, messages are signed with both secrets.
 * @param body the raw request body
 * @param headers the request headers, with `webhook-id`, `webhook-timestamp` and `webhook-signature`
 * @param secret `whsec_…`, or several: one must match
 * @param options.toleranceSeconds maximum difference between timestamp and local time; default 300
 * @returns the event. Store its `id`: a message may be delivered more than once, always with the same id.
 * @throws WebhookError if verification fails: respond with 401 and ignore the message
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderBag,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: { toleranceSeconds?: number } = {},
): Promise<LecternEvent> {
  const id = requireHeader(headers, "webhook-id")
  const timestamp = requireHeader(headers, "webhook-timestamp")
  const signatures = requireHeader(headers, "webhook-signature").split(" ")
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (!(Math.abs(Date.now() / 1000 - seconds) <= toleranceSeconds))
    throw new WebhookError("The timestamp of the message is outside the tolerance.")

  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const decoded = signatures.flatMap((signature) =>
    signature.startsWith("v1,") ? [decodeBase64(signature.slice(3), "A signature")] : [],
  )
  for (const candidate of typeof secret === "string" ? [secret] : secret) {
    const raw = decodeBase64(candidate.startsWith(PREFIX) ? candidate.slice(PREFIX.length) : candidate, "The secret")
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
    for (const signature of decoded)
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) return JSON.parse(text) as LecternEvent
  }
  throw new WebhookError("No signature of the message matches the secret.")
}
