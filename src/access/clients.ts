import type { RateLimiter } from "../durable-objects/rate-limiter.ts"
import type { Bindings } from "../env.ts"
import type { Grant, KeyProof } from "../lib/caller.ts"
import { sha256Text } from "../lib/crypto/crypto.ts"
import { unavailable } from "../lib/errors.ts"

/** The Durable Object of a client, such as `user:7` or `ip:203.0.113.9`. Each jurisdiction has its own objects. */
export function clientObject(env: Bindings, name: string) {
  const clients = env.JURISDICTION
    ? env.CLIENTS.jurisdiction(env.JURISDICTION as DurableObjectJurisdiction)
    : env.CLIENTS
  return clients.get(clients.idFromName(name)) as DurableObjectStub<RateLimiter>
}

export const userClient = (userId: number) => `user:${userId}`
export const keyClient = (keyId: number) => `key:${keyId}`
/** The client of a user or a key, by `Caller.id`. */
export const actorClient = (id: number) => (id < 0 ? keyClient(-id) : userClient(id))
/** The client that counts failed attempts for an account, whether or not the account exists. */
export const accountClient = (email: string) => `account:${sha256Text(email.toLowerCase())}`

/** The client of a network address: of a /64 network for IPv6. */
export function addressClient(address: string | undefined): string {
  if (!address) return "ip:unknown"
  if (!address.includes(":")) return `ip:${address}`
  const [head = "", tail] = address.toLowerCase().split("::")
  const left = head ? head.split(":") : []
  const right = tail ? tail.split(":") : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right]
  return `ip:${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || "0", 16).toString(16))
    .join(":")}::/64`
}

/** The answer of a Durable Object. @throws 503 if the object is unreachable */
export async function callObject<T>(action: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch {
    throw unavailable(`${action} is temporarily unavailable. Try again in a few seconds.`)
  }
}

/** What an API key grants; undefined if the proof is invalid. @throws 503 if the object is unreachable */
export const keyGrant = (env: Bindings, proof: KeyProof): Promise<Grant | undefined> =>
  callObject("Checking API keys", () => clientObject(env, keyClient(proof.keyId)).granted(proof))

/**
 * When a user's devices were last used: the hour in epoch milliseconds, by the device's session. Empty if the object
 * is unreachable.
 */
export async function lastDeviceUses(env: Bindings, userId: number): Promise<ReadonlyMap<string, number>> {
  try {
    return await clientObject(env, userClient(userId)).uses()
  } catch (error) {
    console.error(JSON.stringify({ event: "last uses not read", error: String(error) }))
    return new Map()
  }
}

/** The epoch for a new session of this user. @throws 503 if the object is unreachable */
export const sessionEpoch = (env: Bindings, userId: number): Promise<number> =>
  callObject("Signing in", () => clientObject(env, userClient(userId)).epoch())
