import { serveCrossing } from "./app.ts"
import type { Bindings } from "./env.ts"
import worker from "./index.ts"

// The entry near the database. Cloudflare places only default fetch handlers, so this is not a named entrypoint.

export { RateLimiter, WebhookQueue } from "./index.ts"

export default { ...worker, fetch: serveCrossing } satisfies ExportedHandler<Bindings>
