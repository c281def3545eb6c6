import type { Bindings } from "../../bindings.ts"
import type { Admission, Caller } from "../access.ts"
import type { Database } from "../sql/db.ts"
import type { UnitOfWork } from "../sql/work.ts"

/** What a request carries from the gate to its handler. */
interface Variables {
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
