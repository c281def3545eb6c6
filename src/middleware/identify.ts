import type { Context } from "hono"
import { addressClient, clientObject, keyClient, userClient } from "../access/clients.ts"
import { isSessionRevoked } from "../access/revocations.ts"
import { credentialOf } from "../access/session.ts"
import { openDatabase } from "../db/client.ts"
import type { Caller, KeyProof, RateLimitDecision, Session } from "../lib/caller.ts"
import { now } from "../lib/clock.ts"
import { ApiError, unauthorized, unavailable } from "../lib/errors.ts"
import type { AppEnv } from "../lib/web/app-env.ts"

// Identifies the caller of a request and the Durable Object that counts it.

/** They authenticate by other means than a token: an invalid token that a program sends along is ignored. */
export const TOKEN_OPTIONAL_PATHS = new Set(["/login", "/session/refresh", "/oauth/token"])

/** The client of the caller's network address. */
export const clientAddress = (c: Context<AppEnv>) => addressClient(c.req.header("cf-connecting-ip"))

/** The client that counts calls with invalid credentials: separate, so that they use up no sign-ins of the address. */
const refusedClient = (c: Context<AppEnv>) => `refused:${clientAddress(c)}`

/** The caller and the rate limiter's decision. */
export interface Identified {
  caller: Caller
  admission: Promise<RateLimitDecision | undefined>
  /** The error for an invalid credential. */
  refused?: ApiError
}

const anonymousCaller = (c: Context<AppEnv>): Caller => ({
  kind: "anonymous",
  id: null,
  userType: "anonymous",
  client: clientAddress(c),
  via: "none",
})

const identifyAnonymous = (c: Context<AppEnv>): Identified => ({
  caller: anonymousCaller(c),
  admission: countedAt(c, clientAddress(c)),
})

const refuseCredential = (
  c: Context<AppEnv>,
  refused: ApiError,
  counted = countedAt(c, refusedClient(c)),
): Identified => ({
  caller: anonymousCaller(c),
  admission: counted,
  refused,
})

/** Hashes of valid keys that no current secret can check; the number cached is limited. */
const provenHashes = new Set<string>()
const MAX_PROVEN_HASHES = 1000

/** Whether nothing proves yet that this service created the key. */
const isUnproven = (proof: KeyProof) => "hash" in proof && !proof.checked && !provenHashes.has(proof.hash)

function rememberProven(proof: KeyProof) {
  if (!("hash" in proof)) return
  if (provenHashes.size >= MAX_PROVEN_HASHES) provenHashes.clear()
  provenHashes.add(proof.hash)
}

/** Identifies the caller. Only an API key requires I/O. */
export async function identify(c: Context<AppEnv>): Promise<Identified> {
  const found = await credentialOf(c)
  const isSession = found && "session" in found
  if (!found || (TOKEN_OPTIONAL_PATHS.has(c.req.path) && !isSession)) return identifyAnonymous(c)
  if (found instanceof ApiError) return refuseCredential(c, found)
  if ("proof" in found) return identifyKey(c, found.proof)
  const { via, session } = found
  const { userId, userType } = session
  const caller = { kind: "user", id: userId, userType, client: userClient(userId), via, session } as const
  return { caller, admission: decideForSession(c, { via, session }) }
}

/**
 * Identifies the caller by an API key. The key's Durable Object knows what the key grants, so the request waits for
 * it.
 */
async function identifyKey(c: Context<AppEnv>, proof: KeyProof): Promise<Identified> {
  const client = keyClient(proof.keyId)
  const invalid = unauthorized("invalid_key", "The API key or its token is invalid, expired or revoked.")
  // Calls with invented keys wake no more Durable Objects than the rate limit of their network address allows.
  const counted = isUnproven(proof) ? countedAt(c, refusedClient(c)) : undefined
  if (counted && !(await counted)?.admitted) return refuseCredential(c, invalid, counted)
  try {
    const admitted = await clientObject(c.env, client).admitKey(proof)
    if (!admitted) return refuseCredential(c, invalid, counted)
    if (counted) rememberProven(proof)
    const { count, grant } = admitted
    const caller = { kind: "key", id: -grant.keyId, userType: grant.role, client, via: "bearer", grant } as const
    return { caller, admission: Promise.resolve({ ...count, revoked: false }) }
  } catch (error) {
    console.error(JSON.stringify({ event: "key not checked", requestId: c.var.requestId, error: String(error) }))
    return refuseCredential(c, unavailable("API keys are temporarily unavailable. Try again in a few seconds."))
  }
}

const noDecision = async () => undefined

/** Counts a call at a client's Durable Object. If the object is unreachable, the request is served and logged. */
async function countedAt(c: Context<AppEnv>, client: string): Promise<RateLimitDecision | undefined> {
  return unlessUnreachable(c, noDecision, async () => {
    const count = await clientObject(c.env, client).admit()
    return count === "revoked" ? undefined : { ...count, revoked: false }
  })
}

/**
 * Counts a call at its user's Durable Object. A call with an ended session counts for the network address, so that
 * nobody can use up a user's rate limit with an old token. If the object is unreachable, the database knows whether
 * the session was ended.
 */
async function decideForSession(c: Context<AppEnv>, { via, session }: { via: "bearer" | "cookie"; session: Session }) {
  const decideFromDatabase = async () => {
    const isRevoked = await isSessionRevoked(openDatabase(c.env.DB, "first-primary"), session)
    return isRevoked ? { admitted: true, limit: 0, remaining: 0, resetAt: now(), revoked: true } : undefined
  }
  return unlessUnreachable(c, decideFromDatabase, async () => {
    const count = await clientObject(c.env, userClient(session.userId)).admit(session)
    if (count !== "revoked") return { ...count, revoked: false }
    const isRefused = via === "bearer" && !TOKEN_OPTIONAL_PATHS.has(c.req.path)
    const addressDecision = await countedAt(c, isRefused ? refusedClient(c) : clientAddress(c))
    return addressDecision && { ...addressDecision, revoked: true }
  })
}

async function unlessUnreachable(
  c: Context<AppEnv>,
  fallback: () => Promise<RateLimitDecision | undefined>,
  call: () => Promise<RateLimitDecision | undefined>,
): Promise<RateLimitDecision | undefined> {
  try {
    return await call()
  } catch (error) {
    console.error(JSON.stringify({ event: "limiter unreachable", requestId: c.var.requestId, error: String(error) }))
    return fallback().catch(() => undefined)
  }
}
