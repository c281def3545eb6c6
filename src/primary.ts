import { serveCrossing } from "./app.ts"
import type { Bindings } from "./env.ts"

// The entry near the database. Cloudflare places only default fetch handlers, so this is not a named entrypoint.

export default { fetch: serveCrossing } satisfies ExportedHandler<Bindings>
