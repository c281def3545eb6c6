import { DrizzleD1Database } from "drizzle-orm/d1"
import { OneWalkDialect } from "./dialect.ts"
import { PlainRowsSession } from "./rows.ts"

const dialect = new OneWalkDialect()

export type Database = DrizzleD1Database & {
  /** Round trips so far. Rows are counted by `metered` bindings. */
  readonly meter: { trips: number }
  bookmark(): string | null
  /** What statements of our own making are made with (src/lib/sql/select.ts). */
  readonly parts: { dialect: OneWalkDialect; session: PlainRowsSession }
}

/**
 * A Drizzle instance over a D1 session that counts its trips.
 * @param constraint a bookmark of the caller's, `first-unconstrained` for the nearest replica, or `first-primary`.
 */
export function openDatabase(binding: D1Database, constraint: string): Database {
  const session = binding.withSession(constraint)
  const meter = { trips: 0 }
  const client = {
    prepare: (query: string) => session.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await session.batch(statements)
      meter.trips++
      return results
    },
  }
  // Drizzle asks no more of D1 than these two methods. Statements run through `batch` alone, which is what is counted:
  // running one by itself is a lint error (test/conventions.test.ts).
  const rows = new PlainRowsSession(client as unknown as D1Database, dialect, undefined)
  const orm = new DrizzleD1Database("async", dialect, rows, undefined)
  return Object.assign(orm, { meter, bookmark: () => session.getBookmark(), parts: { dialect, session: rows } })
}

/** The first row of a statement's result. @throws when there is none: the statement was to return one. */
export function one<T>(rows: T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error("A statement that returns a row returned none.")
  return row
}
