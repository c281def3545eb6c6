import { serve } from "./app.ts"
import type { Bindings } from "./bindings.ts"

export { Client } from "./gate/client.do.ts"

// Messages and the cron load their code when the first one comes: a start that serves requests needs none of it.
export default {
  fetch: serve,
  queue: async (batch, env) => (await import("./jobs/jobs.ts")).consume(batch, env),
  scheduled: async (_event, env) => (await import("./jobs/jobs.ts")).sweep(env),
} satisfies ExportedHandler<Bindings>
