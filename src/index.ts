import { WorkerEntrypoint } from "cloudflare:workers"
import { serve, serveCrossing } from "./app.ts"
import type { Bindings } from "./env.ts"
import { onDemand } from "./lib/on-demand.ts"

export { RateLimiter } from "./durable-objects/rate-limiter.ts"
export { WebhookQueue } from "./worker/webhook-queue.ts"

// The queue and cron code is loaded by the first message or run: requests do not need it.
const queue = onDemand(() => import("./worker/queue.ts"))
const scheduled = onDemand(() => import("./worker/scheduled.ts"))

/** The primary entry of development and tests, in the same Worker. Deployments use primary.ts. */
export class Primary extends WorkerEntrypoint<Bindings> {
  override fetch(request: Request): Promise<Response> {
    return serveCrossing(request, this.env, this.ctx)
  }
}

export default {
  fetch: serve,
  queue: async (batch, env) => (await queue()).consumeQueue(batch, env),
  scheduled: async (_event, env) => (await scheduled()).runScheduled(env),
} satisfies ExportedHandler<Bindings>
