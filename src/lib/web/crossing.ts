import { getMeter, type Meter } from "../../db/meter.ts"
import type { Bindings } from "../../env.ts"
import type { AttemptResult, Caller, RateLimitDecision } from "../caller.ts"
import { now } from "../clock.ts"
import { hmac, hmacs, matchesAnySecret } from "../crypto/crypto.ts"
import { readJson } from "../text/json.ts"

// What crosses between the edge entry and the primary entry (docs/adr/0020). The primary accepts it with a signature of
// this service only: it does not matter who else can call it.

/**
 * The version of the format. New members are optional. Increase the version if an older primary must not serve such a
 * request: the edge then runs it itself.
 */
export const CROSSING_VERSION = 1
/** The primary also serves the previous version. */
const OLDEST_VERSION = Math.max(1, CROSSING_VERSION - 1)

/** Nobody but the primary entry serves this URL, so another Worker that is bound by mistake changes nothing. */
const URL_OF_PRIMARY = "https://primary.invalid/crossing"
const CROSSING_HEADER = "x-lectern-crossing"
const ANSWER_HEADER = "x-lectern-answer"

/** The session epoch of a user, read near the client. */
export interface NearEpoch {
  userId: number
  epoch: number
  /** The user's last revocation, read before the epoch. */
  revocation: string | null
}

/** A request as the edge has admitted it. Headers and the body cross as they are. */
export interface Crossing {
  version: number
  /** When the edge stops waiting, epoch milliseconds. */
  until: number
  method: string
  url: string
  requestId: string
  caller: Caller
  /** The rate limiter's decision. */
  decision?: RateLimitDecision | undefined
  /** The client's address as Cloudflare reports it. */
  address?: string | undefined
  epoch?: NearEpoch | undefined
  /** The edge counts this attempt to enter a secret, and needs to know how it ended. */
  isAttempt?: boolean
}

/** What the primary returns in addition to the response. */
export interface CrossingAnswer {
  meter?: Pick<Meter, "d1" | "do" | "queue" | "r2" | "operation">
  /** How the attempt ended; undefined after an error. */
  verdict?: AttemptResult | undefined
}

const CROSSING = Symbol("crossing")
type Crossed = Crossing & Pick<CrossingAnswer, "verdict">

/** The crossing that these bindings serve; undefined at the edge. */
export const crossingOf = (env: Bindings & { [CROSSING]?: Crossed }): Crossed | undefined => env[CROSSING]
export const setCrossing = (env: Bindings, crossing: Crossing) =>
  Object.defineProperty(env, CROSSING, { value: crossing })

/** The request to the primary. */
export function crossingRequest(env: Bindings, crossing: Crossing, headers: Headers, body: BodyInit | null): Request {
  const payload = Buffer.from(JSON.stringify(crossing)).toString("base64url")
  const all = new Headers(headers)
  all.set(CROSSING_HEADER, `${payload}.${hmac(env, "crossing", payload)}`)
  return new Request(URL_OF_PRIMARY, { method: "POST", headers: all, body, redirect: "manual" })
}

/** The crossing of a request and the client's request; undefined if it has none that this version serves. */
export function readCrossing(env: Bindings, request: Request): { crossing: Crossing; request: Request } | undefined {
  const headers = new Headers(request.headers)
  const [payload = "", signature = ""] = (headers.get(CROSSING_HEADER) ?? "").split(".", 2)
  headers.delete(CROSSING_HEADER)
  if (!signature || !matchesAnySecret(signature, hmacs(env, "crossing", payload))) return undefined
  const crossing = readJson(Buffer.from(payload, "base64url").toString()) as Crossing
  const { version, until, method, url, requestId, address } = crossing
  if (version < OLDEST_VERSION || version > CROSSING_VERSION || until <= now()) return undefined
  headers.set("x-request-id", requestId)
  if (address !== undefined) headers.set("cf-connecting-ip", address)
  const hasBody = method !== "GET" && method !== "HEAD"
  return { crossing, request: new Request(url, { method, headers, body: hasBody ? request.body : null }) }
}

/** The response of a request that the primary does not serve. The edge runs the request itself. */
export const notCrossed = () => new Response(null, { status: 421 })

/** The response with what the edge needs to know. */
export function withCrossingAnswer(env: Bindings, crossing: Crossed, response: Response): Response {
  const { d1, do: objects, queue, r2, operation } = getMeter(env) ?? {}
  const answer: CrossingAnswer = {
    ...(d1 && objects && queue && r2 && { meter: { d1, do: objects, queue, r2, operation: operation ?? "" } }),
    verdict: crossing.verdict,
  }
  const marked = new Response(response.body, response)
  marked.headers.set(ANSWER_HEADER, JSON.stringify(answer))
  return marked
}

/** What the primary returned; undefined if the response is not the primary's. */
export function readCrossingAnswer(response: Response): { answer: CrossingAnswer; response: Response } | undefined {
  const header = response.headers.get(ANSWER_HEADER)
  if (header === null) return undefined
  const own = new Response(response.body, response)
  own.headers.delete(ANSWER_HEADER)
  return { answer: readJson(header) as CrossingAnswer, response: own }
}
