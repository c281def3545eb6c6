// The service with the delays of Cloudflare's network, for npm run bench -- latency. A request with `x-client-region`
// is served as if it came from there; others are served without delays.
import { WorkerEntrypoint } from "cloudflare:workers"
import { serve, serveCrossing } from "../../src/app.ts"
import type { Bindings } from "../../src/env.ts"
import worker from "../../src/index.ts"
import { delayedBindings, type Hop } from "./bindings.ts"
import { ACCESS, isRegion, PRIMARY_REGION } from "./round-trips.ts"

export { RateLimiter, WebhookQueue } from "../../src/index.ts"

/** What each request in progress has recorded, by `x-bench-id`: both entries run in this isolate. */
const recorded = new Map<string, { hops: Hop[]; since: number }>()

export class Primary extends WorkerEntrypoint<Bindings> {
  override fetch(request: Request): Promise<Response> {
    const client = request.headers.get("x-client-region")
    const record = recorded.get(request.headers.get("x-bench-id") ?? "")
    const isDelayed = isRegion(client) && record !== undefined
    const env = isDelayed ? delayedBindings(this.env, { at: PRIMARY_REGION, client, ...record }) : this.env
    return serveCrossing(request, env, this.ctx)
  }
}

export default {
  ...worker,
  fetch: async (request, env, ctx) => {
    const client = request.headers.get("x-client-region")
    if (!isRegion(client)) return serve(request, env, ctx)
    const id = crypto.randomUUID()
    const identified = new Request(request)
    identified.headers.set("x-bench-id", id)
    await scheduler.wait(ACCESS / 2)
    const record = { hops: [] as Hop[], since: Date.now() }
    recorded.set(id, record)
    const response = await serve(identified, delayedBindings(env, { at: client, client, ...record }), ctx)
    // Round trips that have not ended do not delay the response.
    const hops = record.hops.filter(({ end }) => end > 0)
    recorded.delete(id)
    await scheduler.wait(ACCESS / 2)
    const answer = new Response(response.body, response)
    answer.headers.set("x-hops", JSON.stringify(hops))
    return answer
  },
} satisfies ExportedHandler<Bindings>
