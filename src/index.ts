import { serve } from "./app.ts"
import type { Bindings } from "./bindings.ts"
import { onDemand } from "./lib/on-demand.ts"

export { Client } from "./gate/client.do.ts"
export { WebhookLane } from "./jobs/webhook-lane.do.ts"

// Messages and the cron load their code when the first one comes: a start that serves requests needs none of it.
const jobs = onDemand(() => import("./jobs/jobs.ts"))

export default {
  fetch: serve,
  queue: async (batch, env) => (await jobs()).consume(batch, env),
  scheduled: async (_event, env) => (await jobs()).sweep(env),
} satisfies ExportedHandler<Bindings>
