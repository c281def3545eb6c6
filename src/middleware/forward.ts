import type { Context, MiddlewareHandler } from "hono"
import { openDatabase } from "../db/client.ts"
import { backoff, outcomeUnknown } from "../db/database-errors.ts"
import { addUse, getMeter } from "../db/meter.ts"
import { TimeoutError, withTimeout } from "../db/timeout.ts"
import { MINUTE, now, SECOND } from "../lib/clock.ts"
import { unavailable } from "../lib/errors.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { bodyToForward, type ForwardedBody, isMultipart } from "../lib/web/body.ts"
import {
  CROSSING_VERSION,
  type Crossing,
  type CrossingAnswer,
  crossingOf,
  crossingRequest,
  readCrossingAnswer,
} from "../lib/web/crossing.ts"

// Runs a change next to the database (docs/adr/0020). The edge has admitted the request, checked the role and validated
// the input. Without the binding PRIMARY, or if the primary does not serve this version, the edge runs the change.

/** How long the edge waits: longer than a change is retried after conflicts. */
const FORWARD_TIMEOUT_MS = MINUTE
/** For a body that is streamed: uploads take as long as the client's connection. */
const STREAM_TIMEOUT_MS = 15 * MINUTE
/** How long changes run at the edge after the primary did not serve one. */
const PAUSE_MS = 30 * SECOND

/** Until when each primary is paused, epoch milliseconds. */
const paused = new WeakMap<Fetcher, number>()

/** The primary that runs this request's change; undefined: it runs here. */
export function primaryFor(c: Context<AppEnv>): Fetcher | undefined {
  const { PRIMARY, FORWARD_CHANGES } = c.env
  if (!PRIMARY || FORWARD_CHANGES !== "on" || crossingOf(c.env)) return undefined
  return (paused.get(PRIMARY) ?? 0) > now() ? undefined : PRIMARY
}

/**
 * Whether a request whose answer was lost may be sent again: its Idempotency-Key is stored with the change, so the
 * change is made once.
 */
const isRepeatable = (c: Context<AppEnv>, { isKept }: ForwardedBody) =>
  isKept && c.req.method !== "GET" && c.req.path.startsWith("/api/") && c.req.header("idempotency-key") !== undefined

/**
 * Sends a request to the primary.
 * @returns undefined if the change must run here
 * @throws 503 `outcome_unknown` if the answer was lost; 503 if nothing was changed and the body cannot be read again
 */
export async function forward(
  c: Context<AppEnv>,
  more: Pick<Crossing, "epoch" | "isAttempt"> = {},
): Promise<{ response: Response; answer: CrossingAnswer } | undefined> {
  const primary = primaryFor(c)
  if (!primary) return undefined
  const decision = await c.var.admission
  const body = await bodyToForward(c)
  const timeoutMs = body.isKept ? FORWARD_TIMEOUT_MS : STREAM_TIMEOUT_MS
  const send = () => {
    const crossing: Crossing = {
      version: CROSSING_VERSION,
      until: now() + timeoutMs,
      method: c.req.method,
      url: c.req.url,
      requestId: c.var.requestId,
      caller: c.var.caller,
      decision,
      address: c.req.header("cf-connecting-ip"),
      ...more,
    }
    const request = crossingRequest(c.env, crossing, c.req.raw.headers, body.content)
    return withTimeout(primary.fetch(request), timeoutMs)
  }
  const found = await send().catch(async (error: unknown) => {
    logLost(c, error)
    if (!isRepeatable(c, body)) throw outcomeUnknown("lost")
    await backoff()
    return send().catch((second: unknown) => {
      logLost(c, second)
      throw outcomeUnknown(second instanceof TimeoutError ? "silent" : "lost")
    })
  })
  const crossed = readCrossingAnswer(found)
  if (crossed) {
    recordUse(c, crossed.answer)
    return crossed
  }
  // Nothing but the primary serves the URL, so nothing ran.
  paused.set(primary, now() + PAUSE_MS)
  console.error(JSON.stringify({ event: "primary does not serve", requestId: c.var.requestId, status: found.status }))
  await found.body?.cancel()
  if (!body.isKept) throw unavailable("The service is being updated. Nothing was changed. Send the request again.")
  return undefined
}

const logLost = (c: Context<AppEnv>, error: unknown) =>
  console.error(JSON.stringify({ event: "primary lost", requestId: c.var.requestId, error: String(error) }))

/** Adds what the primary used to this request's meter. */
function recordUse(c: Context<AppEnv>, { meter: used }: CrossingAnswer) {
  const meter = getMeter(c.env)
  if (!meter) return
  meter.forwarded = true
  if (used) addUse(meter, used)
}

/** Runs a change next to the database. Reads continue here. */
export const forwardChange: MiddlewareHandler<AppEnv> = async (c, next) => {
  const forwarded = await forward(c)
  return forwarded ? forwarded.response : next()
}

/** Streams a multipart form to the primary before it is read here. */
export const forwardUpload: MiddlewareHandler<AppEnv> = async (c, next) =>
  isMultipart(c) ? forwardChange(c, next) : next()

/** A database session at the nearest replica, for what the edge reads before it forwards a change. */
export const nearDatabase = (c: Context<AppEnv>) => openDatabase(c.env.DB, "first-unconstrained")
