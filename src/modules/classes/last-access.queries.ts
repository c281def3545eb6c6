import { eq, sql } from "drizzle-orm"
import { classEnrolments } from "../../../drizzle/schema/classes.ts"
import type { Database } from "../../db/client.ts"
import { existsIn } from "../../db/sql.ts"
import { now } from "../../lib/clock.ts"

/** Notes that a place in a class is looked at by who holds it. @returns the statement, and what it is known by */
export function accessNow(db: Database, id: number) {
  const at = now()
  const accessed = sql`${classEnrolments.id} = ${id} and ${classEnrolments.lastAccessedAt} = ${at}`
  return {
    statement: db.update(classEnrolments).set({ lastAccessedAt: at }).where(eq(classEnrolments.id, id)),
    mark: () => existsIn(classEnrolments, accessed),
  }
}
