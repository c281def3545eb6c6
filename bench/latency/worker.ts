// The service with the delays of Cloudflare's network, for npm run bench -- latency. A request with `x-client-region`
// is served as if it came from there; others are served without delays.
import { serve } from "../../src/app.ts"
import type { Bindings } from "../../src/env.ts"
import worker from "../../src/index.ts"
import { delayedBindings, type Hop } from "./bindings.ts"
import { ACCESS, isRegion } from "./round-trips.ts"

export { RateLimiter, WebhookQueue } from "../../src/index.ts"

export default {
  ...worker,
  fetch: async (request, env, ctx) => {
    const client = request.headers.get("x-client-region")
    if (!isRegion(client)) return serve(request, env, ctx)
    const hops: Hop[] = []
    await scheduler.wait(ACCESS / 2)
    const response = await serve(request, delayedBindings(env, { at: client, client, hops, since: Date.now() }), ctx)
    await scheduler.wait(ACCESS / 2)
    const answer = new Response(response.body, response)
    answer.headers.set("x-hops", JSON.stringify(hops))
    return answer
  },
} satisfies ExportedHandler<Bindings>
