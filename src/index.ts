import { serve } from "./app.ts"
import type { Bindings } from "./bindings.ts"
import { consume, sweep } from "./jobs/jobs.ts"

export { Client } from "./gate/client.do.ts"

export default {
  fetch: serve,
  queue: consume,
  scheduled: (_event, env) => sweep(env),
} satisfies ExportedHandler<Bindings>
