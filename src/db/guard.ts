import { type SQL, sql } from "drizzle-orm"
import { guards } from "../../drizzle/schema/system.ts"
import type { Database } from "./client.ts"
import { insertFrom } from "./insert-from.ts"

/** The statement that makes a batch fail unless `condition` is true. */
export const guardStatement = (db: Pick<Database, "insert">, condition: SQL) =>
  insertFrom(db, guards, { passed: 0 }, sql`where not (${condition})`)
