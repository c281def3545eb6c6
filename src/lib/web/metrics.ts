import { getMeter, type Meter } from "../../db/meter.ts"
import type { Bindings } from "../../env.ts"
import { SECOND } from "../clock.ts"

// What a request, a batch of messages or a run of the cron cost: a data point of Analytics Engine, a line in the log.
// Neither holds a path with its values, an address, a token or a name.

/** What stands in which blob of a data point: the first is `blob1`. docs/operations/monitoring.md asks by them. */
export const BLOBS = ["kind", "operation", "method", "caller", "role", "marks"] as const
/** What stands in which double: the first is `double1`. */
export const DOUBLES = ["status", "ms", "trips", "read", "written", "d1_ms", "failed"] as const

/** A request that takes longer is slow. */
const SLOW = SECOND
/** What reads more rows, or writes more, is expensive: a row written costs as much as a thousand that are read. */
const EXPENSIVE = { read: 20_000, written: 200 }

/** What is told of an act beside its meter. */
interface Act {
  kind: "request" | "queue" | "cron"
  /** Of a request. */
  method?: string
  requestId?: string | null
  /** Of a request: its status. */
  status?: number
  /** Milliseconds from its beginning to its answer. Workers' clock stands still but for I/O: it is no CPU time. */
  ms: number
  /** Of a queue: the messages. */
  messages?: number
  /** How many messages, sweeps or answers (500 and above) failed. */
  failed: number
}

/** Tells what an act cost: to Analytics Engine where METRICS is bound, to the log where LOG is `requests`. */
export function recordRequestMetrics(env: Bindings, act: Act) {
  const meter = getMeter(env)
  if (!meter || !(env.METRICS || env.LOG === "requests")) return
  const { d1, operation } = meter
  const slow = act.kind === "request" && act.ms > SLOW
  const expensive = d1.read > EXPENSIVE.read || d1.written > EXPENSIVE.written
  if (env.METRICS) point(env.METRICS, meter, act, `${slow ? "slow " : ""}${expensive ? "expensive" : ""}`.trim())
  if (env.LOG !== "requests") return
  const { kind, requestId, method, status, ms, messages, failed } = act
  const { trips, read, written } = d1
  const { caller, role } = meter
  console.info(
    JSON.stringify({
      event: kind,
      ...(requestId && { requestId }),
      operation,
      ...(method && { method, status, caller, role }),
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

function point(to: AnalyticsEngineDataset, { d1, operation, caller, role }: Meter, act: Act, marks: string) {
  const { kind, method = "", status = 0, ms, failed } = act
  const blobs: Record<(typeof BLOBS)[number], string> = { kind, operation, method, caller, role, marks }
  const { trips, read, written, milliseconds } = d1
  const doubles: Record<(typeof DOUBLES)[number], number> = {
    ...{ status, ms, trips, read, written },
    d1_ms: milliseconds,
    failed,
  }
  // Where a dataset is sampled, it is so by operation: a rare one is kept while a frequent one is thinned.
  to.writeDataPoint({
    indexes: [operation],
    blobs: BLOBS.map((name) => blobs[name]),
    doubles: DOUBLES.map((name) => doubles[name]),
  })
}
