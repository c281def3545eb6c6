import { type SQL, sql } from "drizzle-orm"
import { type SEQUENCES, sequences } from "../../drizzle/schema/system.ts"

/** The table of a new record. */
export type Sequence = (typeof SEQUENCES)[number]

/** The ID of a new record, or the expression of the one that its batch draws. */
export type NewId = number | SQL<number>

const expressions = new Map<Sequence, SQL<number>>()

/** The ID that the batch has drawn before this statement. It is the same object each time, so SQL can be prepared. */
export function drawnId(table: Sequence): SQL<number> {
  const found =
    expressions.get(table) ??
    sql<number>`(select ${sequences.value} from ${sequences} where ${sequences.name} = ${sql.raw(`'${table}'`)})`
  expressions.set(table, found)
  return found
}
