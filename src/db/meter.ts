import type { Bindings } from "../env.ts"

/** What a request or a batch of messages has used of the bindings so far. Production counts D1 only. */
export interface Meter {
  /**
   * Round trips; rows read and written, including index entries and triggers; D1's own milliseconds; the maximum
   * number of rows written in one round trip.
   */
  d1: { trips: number; read: number; written: number; milliseconds: number; mostWritten: number }
  /** Calls to Durable Objects, and rows that they wrote to storage. */
  do: { calls: number; written: number }
  /** Messages sent. */
  queue: { messages: number }
  /** R2 operations by class: A writes and lists, B reads. Deleting is free. */
  r2: { a: number; b: number }
  /** The statements of each round trip; undefined unless they are recorded. */
  statements: { sql: string; params: unknown[] }[][] | undefined
  /** The operation's id, else its route, once known. Never the path, which may contain a key. */
  operation: string
  /** The caller's kind (`user`, `key` or `anonymous`) and user type, once known. */
  caller: string
  role: string
  /** Whether the primary entry ran the request. */
  forwarded: boolean
  /** Round trips to the nearest replica before the request was forwarded. */
  nearTrips: number
}

const METER = Symbol("meter")

/** The meter of metered bindings. */
export const getMeter = (env: Bindings & { [METER]?: Meter }): Meter | undefined => env[METER]
/** Attaches a meter to bindings. */
export const setMeter = (env: Bindings, meter: Meter) => Object.defineProperty(env, METER, { value: meter })

/** Rows written by Durable Objects, by object id. In development they run in the same isolate. */
const objectRows = new Map<string, number>()

/** Counts a row that a Durable Object writes, or an alarm that it sets, in development. */
export function countObjectRow(env: Bindings, id: DurableObjectId) {
  if (env.ENVIRONMENT === "development") objectRows.set(id.toString(), objectRowCount(id) + 1)
}
/** The number of rows counted so far. */
export const objectRowCount = (id: DurableObjectId) => objectRows.get(id.toString()) ?? 0

/** Adds D1's metadata of a round trip. */
export function addRoundTrip({ d1 }: Meter, results: D1Result[]) {
  d1.trips++
  let written = 0
  for (const { meta } of results) {
    d1.read += meta.rows_read
    written += meta.rows_written
    d1.milliseconds += meta.duration
  }
  d1.written += written
  d1.mostWritten = Math.max(d1.mostWritten, written)
}

/** Adds what the primary entry used for a request. */
export function addUse(meter: Meter, used: Pick<Meter, "d1" | "do" | "queue" | "r2" | "operation">) {
  const { d1 } = meter
  meter.nearTrips = d1.trips
  d1.trips = used.d1.trips
  d1.read += used.d1.read
  d1.written += used.d1.written
  d1.milliseconds += used.d1.milliseconds
  d1.mostWritten = Math.max(d1.mostWritten, used.d1.mostWritten)
  meter.do.calls += used.do.calls
  meter.do.written += used.do.written
  meter.queue.messages += used.queue.messages
  meter.r2.a += used.r2.a
  meter.r2.b += used.r2.b
  meter.operation = used.operation
}

/** The meter as a `Server-Timing` header. */
export const serverTiming = ({ d1, do: objects, queue, r2, nearTrips }: Meter): string =>
  [
    `d1;desc="trips=${d1.trips} read=${d1.read} written=${d1.written}";dur=${Number(d1.milliseconds.toFixed(3))}`,
    `do;desc="calls=${objects.calls} written=${objects.written}"`,
    `queue;desc="messages=${queue.messages}"`,
    `r2;desc="a=${r2.a} b=${r2.b}"`,
    ...(nearTrips > 0 ? [`near;desc="trips=${nearTrips}"`] : []),
  ].join(", ")

/** Logs the meter as JSON if `METER` is set (`npm start -- --var METER:log`). */
export function logQueryMetrics(env: Bindings, event: string, about: object) {
  const meter = env.METER ? getMeter(env) : undefined
  if (!meter) return
  const { d1, do: objects, queue, r2, statements } = meter
  console.info(JSON.stringify({ event, ...about, d1, do: objects, queue, r2, ...(statements && { statements }) }))
}
