// What the service's operations cost at least: the same SQL in one batch, the same call of the Durable Object, and
// Response.json. PUT /operations sets the SQL, and /<number of the operation> runs an operation. /<number>/trips runs
// it in the round trips of the service, /<number>/headers sets the headers of the service, and /<number>/request reads
// the body.
import type { RateLimiter } from "../../src/durable-objects/rate-limiter.ts"
import { type Replay, valuesOf } from "../ratio/replay.ts"

export { RateLimiter } from "../../src/durable-objects/rate-limiter.ts"

interface Bindings {
  DB: D1Database
  CLIENTS: DurableObjectNamespace<RateLimiter>
}

interface RecordedOperation {
  mutates: boolean
  /** The statements of each round trip of the service. */
  batches: Replay[][]
  /** The headers of the service's response. */
  headers: Record<string, string>
  /** How often it was done. */
  done: number
}
let operations: RecordedOperation[] = []

/** Runs the SQL of an operation, in one batch or in those of the service. */
async function runStatements(env: Bindings, operation: RecordedOperation, isSplit: boolean): Promise<D1Result[]> {
  const batches = isSplit ? operation.batches : [operation.batches.flat()]
  const n = ++operation.done
  const session = env.DB.withSession(operation.mutates ? "first-primary" : "first-unconstrained")
  const now = Date.now()
  const results: D1Result[] = []
  for (const batch of batches) {
    if (batch.length === 0) continue
    const statements = batch.map(({ sql, params }) => session.prepare(sql).bind(...valuesOf(params, n, now)))
    results.push(...(await session.batch(statements)))
  }
  return results
}

export default {
  async fetch(request, env) {
    const path = new URL(request.url).pathname.slice(1)
    if (path === "operations") {
      operations = await request.json()
      return Response.json({ operations: operations.length })
    }
    const [number, part] = path.split("/")
    const operation = operations[Number(number)]
    if (!operation) return new Response(null, { status: 404 })
    if (part === "request") await request.text()
    const admission = env.CLIENTS.get(env.CLIENTS.idFromName("user:1")).admit()
    if (operation.mutates) await admission
    const [results] = await Promise.all([runStatements(env, operation, part === "trips"), admission])
    const answer = Response.json(results.map(({ results: rows }) => rows))
    if (part === "headers")
      for (const [name, value] of Object.entries(operation.headers)) answer.headers.set(name, value)
    const sum = (of: (meta: D1Meta) => number) => results.reduce((all, { meta }) => all + of(meta), 0)
    const rows = `read=${sum((meta) => meta.rows_read)} written=${sum((meta) => meta.rows_written)}`
    answer.headers.set("server-timing", `d1;desc="trips=1 ${rows}";dur=${sum((meta) => meta.duration)}`)
    return answer
  },
} satisfies ExportedHandler<Bindings>
