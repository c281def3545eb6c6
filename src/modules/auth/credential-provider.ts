import { z } from "zod"
import type { Bindings } from "../../env.ts"
import { SECOND } from "../../lib/clock.ts"
import { badGateway } from "../../lib/errors.ts"

// The credential provider: an external service that issues credentials for completed courses, called over HTTPS with a
// key. The key is sent in one header and never logged; error details of the provider are neither returned nor logged.

/** The time limit for the provider's complete response. */
const TIMEOUT_MS = 5 * SECOND

const providerFailed = () => badGateway("The credential provider failed or took too long. Try again later.")

/** The base URL of the provider's API; undefined if it is not configured or not safe to send keys to. */
export function providerUrl(env: Bindings): URL | undefined {
  if (!URL.canParse(env.CREDENTIAL_PROVIDER_URL)) return undefined
  const url = new URL(env.CREDENTIAL_PROVIDER_URL)
  const isLocal = env.ENVIRONMENT === "development" && url.protocol === "http:" && url.hostname === "localhost"
  return url.protocol === "https:" || isLocal ? url : undefined
}

/**
 * Calls the provider.
 * @param path relative to the base URL
 * @param key the bearer token
 * @returns the JSON of the response; undefined if the provider rejects the key (400, 401, 403 or 422)
 * @throws 502 if it cannot be reached, takes over five seconds, redirects, fails or returns no JSON
 */
async function callProvider(base: URL, path: string, key: string): Promise<unknown> {
  const url = `${base.href.replace(/\/$/, "")}/${path}`
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}`, accept: "application/json" },
      // Redirects are not followed, because they would forward the key.
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.ok) return (await response.json()) ?? {}
    await response.body?.cancel()
    if ([400, 401, 403, 422].includes(response.status)) return undefined
  } catch {
    throw providerFailed()
  }
  throw providerFailed()
}

/** Whether the provider accepts the key. @throws 502 */
export async function isKeyAccepted(base: URL, key: string): Promise<boolean> {
  // Headers cannot carry other characters, and providers issue no keys with them.
  if (!/^[\x21-\x7e]+$/.test(key)) return false
  return (await callProvider(base, "validate", key)) !== undefined
}

const group = z.object({ id: z.coerce.number().int(), name: z.string() })
const groupList = z.array(group)
const groupAnswer = z.union([
  groupList,
  z.object({ data: groupList }).transform(({ data }) => data),
  z.object({ groups: groupList }).transform(({ groups }) => groups),
])

/** The provider's credential groups. @throws 502, also if it rejects this service's own key */
export async function providerGroups(base: URL, key: string) {
  const answer = await callProvider(base, "groups", key)
  if (answer === undefined)
    throw badGateway("The credential provider rejected this service's key. Configure another one.")
  const read = groupAnswer.safeParse(answer)
  if (!read.success) throw providerFailed()
  return read.data
}
