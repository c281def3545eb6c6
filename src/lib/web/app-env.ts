import type { Database } from "../../db/client.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import type { Caller, RateLimitDecision } from "../caller.ts"

/** The variables of a request. `c.get(name)` is faster than `c.var.name`, which copies all of them. */
interface Variables {
  requestId: string
  caller: Caller
  /** The rate limiter's decision: awaited before a mutation, in parallel with a read. */
  admission: Promise<RateLimitDecision | undefined>
  db: Database
  work: UnitOfWork
  /** Whether the portals and groups of the input may be deleted ones: the operation checks them. */
  acceptsDeletedScope?: boolean
  /** Whether the operation changes something. */
  changes: boolean
}

export interface AppEnv {
  Bindings: Bindings
  Variables: Variables
}
