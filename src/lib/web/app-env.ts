import type { Database } from "../../db/client.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import type { Caller, RateLimitDecision } from "../caller.ts"

/** What a request carries from the gate to its handler. */
interface Variables {
  requestId: string
  caller: Caller
  /** The limiter's word on this request: awaited before a mutation, beside a read. */
  admission: Promise<RateLimitDecision | undefined>
  db: Database
  work: UnitOfWork
}

export interface AppEnv {
  Bindings: Bindings
  Variables: Variables
}
