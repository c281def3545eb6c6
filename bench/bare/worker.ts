// What the service's operations cost at least: the same SQL in one batch, the same call of the Durable Object, and
// Response.json. PUT /operations sets the SQL, and /<number of the operation> runs an operation.
import type { RateLimiter } from "../../src/durable-objects/rate-limiter.ts"
import { type Replay, valuesOf } from "../ratio/replay.ts"

export { RateLimiter } from "../../src/durable-objects/rate-limiter.ts"

interface Bindings {
  DB: D1Database
  CLIENTS: DurableObjectNamespace<RateLimiter>
}

interface RecordedOperation {
  mutates: boolean
  statements: Replay[]
  /** How often it was done. */
  done: number
}
let operations: RecordedOperation[] = []

async function batch(env: Bindings, operation: RecordedOperation): Promise<D1Result[]> {
  if (operation.statements.length === 0) return []
  const n = ++operation.done
  const session = env.DB.withSession(operation.mutates ? "first-primary" : "first-unconstrained")
  const now = Date.now()
  return session.batch(
    operation.statements.map(({ sql, params }) => session.prepare(sql).bind(...valuesOf(params, n, now))),
  )
}

export default {
  async fetch(request, env) {
    const path = new URL(request.url).pathname.slice(1)
    if (path === "operations") {
      operations = await request.json()
      return Response.json({ operations: operations.length })
    }
    const operation = operations[Number(path)]
    if (!operation) return new Response(null, { status: 404 })
    const admission = env.CLIENTS.get(env.CLIENTS.idFromName("user:1")).admit()
    if (operation.mutates) await admission
    const [results] = await Promise.all([batch(env, operation), admission])
    const answer = Response.json(results.map(({ results: rows }) => rows))
    const sum = (of: (meta: D1Meta) => number) => results.reduce((all, { meta }) => all + of(meta), 0)
    const rows = `read=${sum((meta) => meta.rows_read)} written=${sum((meta) => meta.rows_written)}`
    answer.headers.set("server-timing", `d1;desc="trips=1 ${rows}";dur=${sum((meta) => meta.duration)}`)
    return answer
  },
} satisfies ExportedHandler<Bindings>
