import { type SQL, sql } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { backfills } from "../../drizzle/schema/cron-runs.ts"
import { guards } from "../../drizzle/schema/system.ts"
import { now, SECOND } from "../lib/clock.ts"
import { type Database, firstRow } from "./client.ts"
import { insertFrom } from "./insert-from.ts"
import { rawStatement } from "./select.ts"
import { rowExists, textList } from "./sql.ts"
import type { Statement } from "./statements.ts"

/** Fills in columns of existing rows after a migration, slice by slice (CONTRIBUTING.md, Fill in existing rows). */
export interface Backfill {
  /** The name in the ledger. Never change a backfill that has run: add another one. */
  name: string
  /** The table whose rows are read in the order of their ids. */
  table: SQLiteTable & { id: AnySQLiteColumn }
  /** The number of rows per slice. A slice writes at most 5,000 rows. */
  rows: number
  /**
   * Fills in the rows with ids after `after`, up to `upTo`. It must compute values rather than add to them, because
   * triggers may have updated the same rows.
   */
  slice: (after: number, upTo: number) => SQL[]
}

/** Every backfill, oldest first. */
export const BACKFILLS: Backfill[] = []

/** The duration of one cron run. The next one starts a minute later. */
const RUN_DURATION_MS = 30 * SECOND

interface Progress {
  position: number
  isDone: number
  /** The last id of the next slice; null: no rows are left. */
  upTo: number | null
}

/** The condition that a backfill is complete. */
const isDone = (name: SQL): SQL => rowExists(backfills, sql`${backfills.name} = ${name} and ${backfills.doneAt} > 0`)

/** The names of incomplete backfills, as a JSON array in SQL. */
export const pendingBackfills = (all: Backfill[] = BACKFILLS): SQL =>
  sql`(select json_group_array(value) from ${textList(all.map(({ name }) => name))} where not ${isDone(sql`value`)})`

/** Continues each backfill. Run by the cron: of two runs in parallel, one completes each slice and the other fails. */
export async function runBackfills(db: Database, all: Backfill[] = BACKFILLS): Promise<void> {
  const end = now() + RUN_DURATION_MS
  for (const backfill of all) {
    let progress = await readProgress(db, backfill)
    while (!progress.isDone && now() < end) {
      await db.batch(slice(db, backfill, progress) as [Statement, ...Statement[]])
      progress = await readProgress(db, backfill)
    }
  }
}

const positionOf = (name: string) =>
  sql`coalesce((select ${backfills.position} from ${backfills} where ${backfills.name} = ${name}), 0)`

async function readProgress(db: Database, { name, table, rows }: Backfill): Promise<Progress> {
  const position = positionOf(name)
  const [result] = await db.batch([
    rawStatement<Progress>(
      db,
      sql`select ${position} as "position", ${isDone(sql`${name}`)} as "isDone", (
        select max(id) from (select id from ${table} where id > ${position} order by id limit ${rows})
      ) as "upTo"`,
    ),
  ])
  return firstRow(result)
}

/** The statements of a slice and its ledger row. They fail if another run was faster. */
function slice(db: Database, { name, slice: fill }: Backfill, { position, upTo }: Progress): Statement[] {
  const statements = upTo === null ? [] : fill(position, upTo)
  return [
    insertFrom(db, guards, { passed: 0 }, sql`where ${positionOf(name)} <> ${position}`),
    ...statements.map((statement) => rawStatement(db, statement)),
    db
      .insert(backfills)
      .values({ name, position: upTo ?? position, doneAt: upTo === null ? now() : 0 })
      .onConflictDoUpdate({
        target: backfills.name,
        set: { position: sql`excluded.position`, doneAt: sql`excluded.done_at` },
      }),
  ]
}
