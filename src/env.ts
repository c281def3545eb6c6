import type { Admission, Caller } from "./gate/access.ts"
import type { Database } from "./lib/db.ts"
import type { UnitOfWork } from "./lib/work.ts"

/** Bindings and variables: generated from wrangler.toml, and the secrets that only a deployment or a start sets. */
export type Bindings = Env & {
  /** All keys of the service are derived from this: sessions, sealed secrets, idempotency. 32 random bytes or more. */
  APP_SECRET: string
  /** This service's own key at the credential provider. Without it, no groups are looked up. */
  CREDENTIAL_PROVIDER_KEY?: string
  /** The webinar provider's secret: it signs launches. Without it, none are given out. */
  WEBINAR_SECRET?: string
}

/** What a request carries from the gate to its handler. */
export interface Variables {
  requestId: string
  caller: Caller
  /** The limiter's word on this request: awaited before a mutation, beside a read. */
  admission: Promise<Admission | undefined>
  db: Database
  work: UnitOfWork
}

export interface AppEnv {
  Bindings: Bindings
  Variables: Variables
}
