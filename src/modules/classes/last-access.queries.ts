import { eq, sql } from "drizzle-orm"
import { classEnrollments } from "../../../drizzle/schema/classes.ts"
import type { Database } from "../../db/client.ts"
import { rowExists } from "../../db/sql.ts"
import { now } from "../../lib/clock.ts"

/** Records the learner's last access to a class. @returns the statement and its commit marker */
export function recordLastAccess(db: Database, id: number) {
  const at = now()
  const accessed = sql`${classEnrollments.id} = ${id} and ${classEnrollments.lastAccessedAt} = ${at}`
  return {
    statement: db.update(classEnrollments).set({ lastAccessedAt: at }).where(eq(classEnrollments.id, id)),
    marker: () => rowExists(classEnrollments, accessed),
  }
}
