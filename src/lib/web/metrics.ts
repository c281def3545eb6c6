import { getMeter, type Meter } from "../../db/meter.ts"
import type { Bindings } from "../../env.ts"
import { SECOND } from "../clock.ts"

// Records the cost of a request, a batch of messages or a cron run in Analytics Engine and the log. Neither contains
// paths with values, addresses, tokens or names.

/** The blobs of a data point, from `blob1`. docs/operations/monitoring.md has queries that use them. */
export const BLOBS = ["kind", "operation", "method", "caller", "role", "marks"] as const
/** The doubles of a data point, from `double1`. */
export const DOUBLES = ["status", "ms", "trips", "read", "written", "d1_ms", "failed"] as const

/** Slower requests are marked `slow`. */
const SLOW_MS = SECOND
/** Requests that read or write more are marked `expensive`. A row written costs as much as a thousand rows read. */
const EXPENSIVE = { read: 20_000, written: 200 }

/** An invocation, in addition to its meter. */
interface Invocation {
  kind: "request" | "queue" | "cron"
  /** Requests only. */
  method?: string
  requestId?: string | null
  /** Requests only: `lectern-client/0.2.0`, as the typed client says. */
  client?: string | undefined
  /** Requests only. */
  status?: number
  /** Wall time until the response. Workers' clock advances only during I/O, so it is not CPU time. */
  ms: number
  /** Queues only. */
  messages?: number
  /** The number of failed messages, sweeps or responses (500 and above). */
  failed: number
}

/** Records the cost in Analytics Engine if METRICS is bound, and in the log if LOG is `requests`. */
export function recordRequestMetrics(env: Bindings, invocation: Invocation) {
  const meter = getMeter(env)
  if (!meter || !(env.METRICS || env.LOG === "requests")) return
  const { d1, operation } = meter
  const slow = invocation.kind === "request" && invocation.ms > SLOW_MS
  const expensive = d1.read > EXPENSIVE.read || d1.written > EXPENSIVE.written
  if (env.METRICS)
    writePoint(env.METRICS, meter, invocation, `${slow ? "slow " : ""}${expensive ? "expensive" : ""}`.trim())
  if (env.LOG !== "requests") return
  const { kind, requestId, client, method, status, ms, messages, failed } = invocation
  const { trips, read, written } = d1
  const { caller, role } = meter
  console.info(
    JSON.stringify({
      event: kind,
      ...(requestId && { requestId }),
      operation,
      ...(method && { method, status, caller, role }),
      ...(client && { client }),
      ...(messages !== undefined && { messages }),
      ...(failed > 0 && { failed }),
      ms,
      trips,
      read,
      written,
      ...(slow && { slow }),
      ...(expensive && { expensive }),
    }),
  )
}

function writePoint(
  dataset: AnalyticsEngineDataset,
  { d1, operation, caller, role }: Meter,
  invocation: Invocation,
  marks: string,
) {
  const { kind, method = "", status = 0, ms, failed } = invocation
  const blobs: Record<(typeof BLOBS)[number], string> = { kind, operation, method, caller, role, marks }
  const { trips, read, written, milliseconds } = d1
  const doubles: Record<(typeof DOUBLES)[number], number> = {
    ...{ status, ms, trips, read, written },
    d1_ms: milliseconds,
    failed,
  }
  // Sampling is by operation, so that rare operations are not lost among frequent ones.
  dataset.writeDataPoint({
    indexes: [operation],
    blobs: BLOBS.map((name) => blobs[name]),
    doubles: DOUBLES.map((name) => doubles[name]),
  })
}
