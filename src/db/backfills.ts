import { type SQL, sql } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { backfills } from "../../drizzle/schema/cron-runs.ts"
import { guards } from "../../drizzle/schema/system.ts"
import { now, SECOND } from "../lib/clock.ts"
import { type Database, one } from "./client.ts"
import { insertFrom } from "./insert-from.ts"
import { asWritten } from "./select.ts"
import { rowExists, textList } from "./sql.ts"
import type { Statement } from "./unit-of-work.ts"

/** What fills in rows that were there before a migration, slice by slice (CONTRIBUTING.md, Fill in existing rows). */
export interface Backfill {
  /** The name in the ledger. What has run is never changed: something else has another name. */
  name: string
  /** The table whose rows are walked through, by their ids. */
  table: SQLiteTable & { id: AnySQLiteColumn }
  /** How many of its rows one slice takes: so few that the slice writes at most 5,000. */
  rows: number
  /**
   * Fills in the rows with ids above `after`, up to `upTo`. It computes values anew rather than add to them: triggers
   * may have been at the same rows before.
   */
  slice: (after: number, upTo: number) => SQL[]
}

/** Every backfill, the oldest first. */
export const BACKFILLS: Backfill[] = []

/** How long one run of the cron goes on; the next one comes in a minute. */
const RUN_LASTS_MS = 30 * SECOND

interface Place {
  position: number
  isDone: number
  /** The last id of the next slice; null: nothing is left. */
  upTo: number | null
}

/** The condition that a backfill is done. */
const isDone = (name: SQL): SQL => rowExists(backfills, sql`${backfills.name} = ${name} and ${backfills.doneAt} > 0`)

/** The names of those that are not done, as a JSON array in SQL. */
export const pendingBackfills = (all: Backfill[] = BACKFILLS): SQL =>
  sql`(select json_group_array(value) from ${textList(all.map(({ name }) => name))} where not ${isDone(sql`value`)})`

/** Goes on with each backfill. Run by the cron: of two runs at once, one does each slice, and the other fails. */
export async function runBackfills(db: Database, all: Backfill[] = BACKFILLS): Promise<void> {
  const end = now() + RUN_LASTS_MS
  for (const backfill of all) {
    let place = await placeOf(db, backfill)
    while (!place.isDone && now() < end) {
      await db.batch(slice(db, backfill, place) as [Statement, ...Statement[]])
      place = await placeOf(db, backfill)
    }
  }
}

const positionOf = (name: string) =>
  sql`coalesce((select ${backfills.position} from ${backfills} where ${backfills.name} = ${name}), 0)`

async function placeOf(db: Database, { name, table, rows }: Backfill): Promise<Place> {
  const position = positionOf(name)
  const [places] = await db.batch([
    asWritten<Place>(
      db,
      sql`select ${position} as "position", ${isDone(sql`${name}`)} as "isDone", (
        select max(id) from (select id from ${table} where id > ${position} order by id limit ${rows})
      ) as "upTo"`,
    ),
  ])
  return one(places)
}

/** The next rows, and the ledger along with them: all of it, unless another run was there before. */
function slice(db: Database, { name, slice: filled }: Backfill, { position, upTo }: Place): Statement[] {
  const statements = upTo === null ? [] : filled(position, upTo)
  return [
    insertFrom(db, guards, { holds: 0 }, sql`where ${positionOf(name)} <> ${position}`),
    ...statements.map((statement) => asWritten(db, statement)),
    db
      .insert(backfills)
      .values({ name, position: upTo ?? position, doneAt: upTo === null ? now() : 0 })
      .onConflictDoUpdate({
        target: backfills.name,
        set: { position: sql`excluded.position`, doneAt: sql`excluded.done_at` },
      }),
  ]
}
