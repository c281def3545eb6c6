import { z } from "zod"
import type { Bindings } from "../../env.ts"
import { SECOND } from "../../lib/clock.ts"
import { badGateway } from "../../lib/errors.ts"

// The credential provider: a service that issues credentials for what was learned, reached over HTTPS with a key. A key
// goes into one request's header and nowhere else; nothing that the provider says of a failure is passed on or logged.

/** How long the provider may take, its whole answer included. */
const PATIENCE = 5 * SECOND

const failed = () => badGateway("The credential provider failed or took too long. Try again later.")

/** Where the provider's API begins; undefined: there is none, or the address is not one to send keys to. */
export function providerUrl(env: Bindings): URL | undefined {
  if (!URL.canParse(env.CREDENTIAL_PROVIDER_URL)) return undefined
  const url = new URL(env.CREDENTIAL_PROVIDER_URL)
  const here = env.ENVIRONMENT === "development" && url.protocol === "http:" && url.hostname === "localhost"
  return url.protocol === "https:" || here ? url : undefined
}

/**
 * Asks the provider.
 * @param path below the base URL
 * @param key what to send as the bearer token
 * @returns its answer's JSON; undefined: it refuses the key (400, 401, 403 or 422)
 * @throws 502 when it cannot be reached, takes over five seconds, redirects, fails or does not answer JSON
 */
async function ask(base: URL, path: string, key: string): Promise<unknown> {
  const url = `${base.href.replace(/\/$/, "")}/${path}`
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}`, accept: "application/json" },
      // A redirect is not followed: the key would go with it.
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE),
    })
    if (response.ok) return (await response.json()) ?? {}
    await response.body?.cancel()
    if ([400, 401, 403, 422].includes(response.status)) return undefined
  } catch {
    throw failed()
  }
  throw failed()
}

/** true when the provider takes the key. @throws 502 */
export async function isKeyAccepted(base: URL, key: string): Promise<boolean> {
  // A header carries no other characters, and no provider gives out keys with them.
  if (!/^[\x21-\x7e]+$/.test(key)) return false
  return (await ask(base, "validate", key)) !== undefined
}

const group = z.object({ id: z.coerce.number().int(), name: z.string() })
const groupList = z.array(group)
const groupAnswer = z.union([
  groupList,
  z.object({ data: groupList }).transform(({ data }) => data),
  z.object({ groups: groupList }).transform(({ groups }) => groups),
])

/** The provider's groups of credentials. @throws 502, also when it refuses this service's own key */
export async function providerGroups(base: URL, key: string) {
  const answer = await ask(base, "groups", key)
  if (answer === undefined)
    throw badGateway("The credential provider refuses this service's own key. Configure another.")
  const read = groupAnswer.safeParse(answer)
  if (!read.success) throw failed()
  return read.data
}
