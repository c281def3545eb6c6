import type { Context } from "hono"
import { addressClient, clientOf, hasEnded, keyClient, userClient } from "../access/clients.ts"
import { credentialOf } from "../access/session.ts"
import { openDatabase } from "../db/client.ts"
import type { Caller, KeyProof, RateLimitDecision, Session } from "../lib/caller.ts"
import { now } from "../lib/clock.ts"
import { ApiError, unauthorized, unavailable } from "../lib/errors.ts"
import type { AppEnv } from "../lib/web/app-env.ts"

// Who makes a request, and at which Durable Object it is counted.

/** They take another credential than a token: one that does not hold, which a program may send along, is no matter. */
export const TOKEN_OPTIONAL_PATHS = new Set(["/login", "/session/refresh", "/oauth/token"])

/** The rate limit's and the attempts' name for where a call comes from. */
export const clientAddress = (c: Context<AppEnv>) => addressClient(c.req.header("cf-connecting-ip"))

/** Where calls are counted whose credential does not hold: apart, so that they use up no sign-in of their address. */
const refusedClient = (c: Context<AppEnv>) => `refused:${clientAddress(c)}`

/** Who calls, and what the limiter says of it. */
interface Identified {
  caller: Caller
  admission: Promise<RateLimitDecision | undefined>
  /** What the credential that came is refused with. */
  refused?: ApiError
}

const nobody = (c: Context<AppEnv>): Caller => ({
  kind: "anonymous",
  id: null,
  userType: "anonymous",
  client: clientAddress(c),
  via: "none",
})

const unidentified = (c: Context<AppEnv>): Identified => ({
  caller: nobody(c),
  admission: countedAt(c, clientAddress(c)),
})

const refusedWith = (c: Context<AppEnv>, refused: ApiError, counted = countedAt(c, refusedClient(c))): Identified => ({
  caller: nobody(c),
  admission: counted,
  refused,
})

/** Hashes of keys that hold, though no secret that is there checks them; so many are remembered. */
const proven = new Set<string>()
const REMEMBERED = 1000

/** Does nothing show that a key was made here, rather than made up? */
const isUnproven = (proof: KeyProof) => "hash" in proof && !proof.checked && !proven.has(proof.hash)

function prove(proof: KeyProof) {
  if (!("hash" in proof)) return
  if (proven.size >= REMEMBERED) proven.clear()
  proven.add(proof.hash)
}

/** Who makes a request. Its caller waits for nothing but what an API key needs. */
export async function identify(c: Context<AppEnv>): Promise<Identified> {
  const found = await credentialOf(c)
  const isSession = found && "session" in found
  if (!found || (TOKEN_OPTIONAL_PATHS.has(c.req.path) && !isSession)) return unidentified(c)
  if (found instanceof ApiError) return refusedWith(c, found)
  if ("proof" in found) return holderOf(c, found.proof)
  const { via, session } = found
  const { userId, userType } = session
  const caller = { kind: "user", id: userId, userType, client: userClient(userId), via, session } as const
  return { caller, admission: admission(c, { via, session }) }
}

/**
 * The holder of an API key: the key's Durable Object knows what it grants. Unlike a session's, which says itself what
 * it may, a key's call waits for that word, and is not served without it.
 */
async function holderOf(c: Context<AppEnv>, proof: KeyProof): Promise<Identified> {
  const client = keyClient(proof.keyId)
  const invalid = unauthorized("invalid_key", "The API key, or its token, is invalid, expired or revoked.")
  // Whoever makes keys up wakes no more Durable Objects than their network address has calls.
  const counted = isUnproven(proof) ? countedAt(c, refusedClient(c)) : undefined
  if (counted && !(await counted)?.admitted) return refusedWith(c, invalid, counted)
  try {
    const admitted = await clientOf(c.env, client).admitKey(proof)
    if (!admitted) return refusedWith(c, invalid, counted)
    if (counted) prove(proof)
    const { count, grant } = admitted
    const caller = { kind: "key", id: -grant.keyId, userType: grant.role, client, via: "bearer", grant } as const
    return { caller, admission: Promise.resolve({ ...count, revoked: false }) }
  } catch (error) {
    console.error(JSON.stringify({ event: "key not checked", requestId: c.var.requestId, error: String(error) }))
    return refusedWith(c, unavailable("API keys cannot be checked right now. Try again in a few seconds."))
  }
}

const nothing = async () => undefined

/** Counts a call at a client's Durable Object. Should it be out of reach, the request is served, and that is logged. */
async function countedAt(c: Context<AppEnv>, client: string): Promise<RateLimitDecision | undefined> {
  return unlessUnreachable(c, nothing, async () => {
    const count = await clientOf(c.env, client).admit()
    return count === "revoked" ? undefined : { ...count, revoked: false }
  })
}

/**
 * Counts a call at its user's Durable Object. Where the session has ended it is counted at the network address, so that
 * nobody spends a user's calls with a token that is out of use. Should the object be out of reach, the database tells
 * whether the session has ended.
 */
async function admission(c: Context<AppEnv>, { via, session }: { via: "bearer" | "cookie"; session: Session }) {
  const uncounted = async () => {
    const ended = await hasEnded(openDatabase(c.env.DB, "first-primary"), session)
    return ended ? { admitted: true, limit: 0, remaining: 0, resetAt: now(), revoked: true } : undefined
  }
  return unlessUnreachable(c, uncounted, async () => {
    const count = await clientOf(c.env, userClient(session.userId)).admit(session)
    if (count !== "revoked") return { ...count, revoked: false }
    const isRefused = via === "bearer" && !TOKEN_OPTIONAL_PATHS.has(c.req.path)
    const ofAddress = await countedAt(c, isRefused ? refusedClient(c) : clientAddress(c))
    return ofAddress && { ...ofAddress, revoked: true }
  })
}

async function unlessUnreachable(
  c: Context<AppEnv>,
  otherwise: () => Promise<RateLimitDecision | undefined>,
  ask: () => Promise<RateLimitDecision | undefined>,
): Promise<RateLimitDecision | undefined> {
  try {
    return await ask()
  } catch (error) {
    console.error(JSON.stringify({ event: "limiter unreachable", requestId: c.var.requestId, error: String(error) }))
    return otherwise().catch(() => undefined)
  }
}
