import { type AnyColumn, type SQL, sql } from "drizzle-orm"
import type { erasures } from "../../../drizzle/schema/erasures.ts"
import type { Database } from "../../db/client.ts"
import { rawStatement } from "../../db/select.ts"
import type { Statement } from "../../db/statements.ts"
import type { Bindings } from "../../env.ts"
import type { DataSubject } from "./personal-data-table.ts"

export type ErasureJob = typeof erasures.$inferSelect
/** The key to continue after; null: from the start of the stage. */
export type StageKey = ErasureJob["after"]

interface ErasureContext {
  env: Bindings
  db: Database
  job: ErasureJob
  person: DataSubject
}

interface ErasureChunk {
  statements: Statement[]
  after?: StageKey
  /** The person with further names and addresses, for the chunks that follow. */
  person?: DataSubject
}

/**
 * Reads what is next and returns the statements that erase it; undefined at the end of the stage. A chunk that runs
 * twice has no further effect.
 */
export type ErasureStage = (context: ErasureContext, after: StageKey) => Promise<ErasureChunk | undefined>

/** The number of rows that a chunk changes. */
export const CHUNK_SIZE = 200
/** The number of rows that a chunk scans in a table without an index for the person's rows. */
const SCAN_SIZE = 2000

const joinValues = (values: readonly (number | string)[]) =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )

/** The next rows of a table that is scanned by a unique key: the condition and the last key; undefined at its end. */
export async function nextRange(
  db: Database,
  key: AnyColumn[],
  after: StageKey,
): Promise<{ end: (number | string)[]; condition: SQL } | undefined> {
  const columns = sql.join(key, sql`, `)
  const isAfter = after ? sql`(${columns}) > (${joinValues(after)})` : sql`1`
  const table = key[0]?.table
  const aliases = key.map((_, index) => sql.identifier(`key${index}`))
  const selection = key.map((column, index) => sql`${column} as ${aliases[index]}`)
  const [[last]] = await db.batch([
    rawStatement<Record<string, number | string>>(
      db,
      sql`select * from (
        select ${sql.join(selection, sql`, `)} from ${table} where ${isAfter} order by ${columns} limit ${SCAN_SIZE}
      ) order by ${sql.join(
        aliases.map((alias) => sql`${alias} desc`),
        sql`, `,
      )} limit 1`,
    ),
  ])
  if (!last) return undefined
  const end = key.map((_, index) => last[`key${index}`] ?? 0)
  return { end, condition: sql`${isAfter} and (${columns}) <= (${joinValues(end)})` }
}
