import type { Bindings } from "../env.ts"

/** What a request, or a batch of messages, has asked of the bindings so far. In production D1 alone is metered. */
export interface Meter {
  /**
   * Round trips; rows that D1 read and wrote, index entries and trigger work included; its own milliseconds; the most
   * rows that one trip wrote.
   */
  d1: { trips: number; read: number; written: number; milliseconds: number; mostWritten: number }
  /** Calls of Durable Objects, and rows that they wrote into their storage meanwhile. */
  do: { calls: number; written: number }
  /** Messages sent. */
  queue: { messages: number }
  /** Operations of R2 by class: a writes and lists, b reads; deleting is free. */
  r2: { a: number; b: number }
  /** Each trip's statements; undefined unless they are recorded. */
  statements: { sql: string; params: unknown[] }[][] | undefined
  /** Which operation it is, once that is known: its id, else its route. Never a path, which may hold a key. */
  operation: string
  /** Who asks, once that is known: `user`, `key` or `anonymous`, and their user type. */
  caller: string
  role: string
}

const METER = Symbol("meter")

/** The meter of metered bindings. */
export const getMeter = (env: Bindings & { [METER]?: Meter }): Meter | undefined => env[METER]
/** Says which meter bindings count in. */
export const setMeter = (env: Bindings, meter: Meter) => Object.defineProperty(env, METER, { value: meter })

/** Rows that Durable Objects wrote, by their id: they run in the isolate of the development server's Worker. */
const objectRows = new Map<string, number>()

/** Counts a row that a Durable Object writes, or an alarm that it sets, where anybody meters it. */
export function countObjectRow(env: Bindings, id: DurableObjectId) {
  if (env.ENVIRONMENT === "development") objectRows.set(id.toString(), objectRowCount(id) + 1)
}
/** How many were counted so far. */
export const objectRowCount = (id: DurableObjectId) => objectRows.get(id.toString()) ?? 0

/** Adds up what D1 tells of a trip. */
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

/** The meter as `Server-Timing` has it. */
export const serverTiming = ({ d1, do: objects, queue, r2 }: Meter): string =>
  [
    `d1;desc="trips=${d1.trips} read=${d1.read} written=${d1.written}";dur=${Number(d1.milliseconds.toFixed(3))}`,
    `do;desc="calls=${objects.calls} written=${objects.written}"`,
    `queue;desc="messages=${queue.messages}"`,
    `r2;desc="a=${r2.a} b=${r2.b}"`,
  ].join(", ")

/** Logs what was metered as a line of JSON, where `METER` asks for it (`npm start -- --var METER:log`). */
export function logQueryMetrics(env: Bindings, event: string, about: object) {
  const meter = env.METER ? getMeter(env) : undefined
  if (!meter) return
  const { d1, do: objects, queue, r2, statements } = meter
  console.info(JSON.stringify({ event, ...about, d1, do: objects, queue, r2, ...(statements && { statements }) }))
}
