// Records changes during a backup: triggers write the key of each changed row to a table. At the end, those rows are
// read again, so that the backup is consistent although reading it takes minutes.
import { join } from "node:path"
import type { Deployment, Value } from "./deployment.ts"
import { type Lines, streamLines, tableFile } from "./format.ts"
import { commitFile, createWriter } from "./lines.ts"
import { withRetries } from "./retry.ts"
import {
  canonicalKey,
  compareKeys,
  countStatements,
  quoteIdentifier,
  quoteText,
  readKey,
  type Table,
  toLine,
  typedColumns,
} from "./tables.ts"

/** The table of changes. Its first row is the owner. */
const CHANGES = "backup_changes"
/** Seconds for which changes are recorded. Abandoned triggers cost almost nothing after that. */
const LASTS = 24 * 60 * 60
/** How many characters of SQL one call has at most, and how many statements that make or drop something. */
const MAX_SQL = 80_000
const STATEMENTS_A_CALL = 40
/** How many changes of a table one call brings at most. */
const WINDOW = 2000
/** The backup fails after this number of calls without progress. */
const MAX_STALLED_CALLS = 20

/** The backup that records changes, and its end (epoch seconds). */
export interface ChangeLogOwner {
  id: string
  until: number
}

const EVENTS = ["insert", "update", "delete"] as const

const key = (table: Table, row: "old" | "new") =>
  `json_array(${table.key.map(({ name }) => `${row}.${quoteIdentifier(name)}`).join(", ")})`

function triggerOf(table: Table, event: (typeof EVENTS)[number], until: number): string {
  const noted = (row: "old" | "new") => `SELECT ${quoteText(table.name)}, ${key(table, row)}`
  const rows = { insert: noted("new"), update: `${noted("new")} UNION ${noted("old")}`, delete: noted("old") }
  return `CREATE TRIGGER IF NOT EXISTS ${quoteIdentifier(`backup_${table.name}_${event}`)} AFTER ${event.toUpperCase()}
    ON ${quoteIdentifier(table.name)} WHEN unixepoch() < ${until} BEGIN
    INSERT INTO ${CHANGES} (name, key) ${rows[event]};
  END`
}

/** The backup whose records a database has, if any. */
export async function readOwner(deployment: Deployment): Promise<ChangeLogOwner | undefined> {
  const [there] = await deployment.query(`select 1 from sqlite_master where name = '${CHANGES}'`)
  if (!there) return undefined
  const [[owner] = []] = await deployment.query(`select key from ${CHANGES} where seq = 1`)
  return owner ? JSON.parse(String(owner)) : { id: "", until: 0 }
}

export const createOwner = (): ChangeLogOwner => ({
  id: crypto.randomUUID(),
  until: Math.floor(Date.now() / 1000) + LASTS,
})

/** Starts to record changes. The same backup can call it again. */
export async function startRecording(deployment: Deployment, tables: Table[], owner: ChangeLogOwner) {
  await carryOut(deployment, [
    `CREATE TABLE IF NOT EXISTS ${CHANGES} (seq INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL)`,
    `INSERT OR IGNORE INTO ${CHANGES} VALUES (1, '', ${quoteText(JSON.stringify(owner))})`,
    ...tables.flatMap((table) => EVENTS.map((event) => triggerOf(table, event, owner.until))),
  ])
}

/** Stops recording and deletes the recorded changes. @param id the owner; any owner by default */
export async function stopRecording(deployment: Deployment, id?: string) {
  const owner = await readOwner(deployment)
  if (!owner || (id !== undefined && owner.id !== id)) return
  const triggers = await deployment.query(
    "select name from sqlite_master where type = 'trigger' and substr(name, 1, 7) = 'backup_'",
  )
  await carryOut(deployment, [
    // Once the first trigger is gone, the records of the others must not be used.
    `UPDATE ${CHANGES} SET key = ${quoteText(JSON.stringify({ ...owner, until: 0 }))} WHERE seq = 1`,
    ...triggers.map(([name]) => `DROP TRIGGER IF EXISTS ${quoteIdentifier(String(name))}`),
    // The table is dropped last: every change needs it while a trigger exists.
    `DROP TABLE IF EXISTS ${CHANGES}`,
  ])
}

/** Runs statements that may run again, some in each call. */
async function carryOut(deployment: Deployment, statements: string[]) {
  for (let i = 0; i < statements.length; i += STATEMENTS_A_CALL)
    await withRetries(() => deployment.script(statements.slice(i, i + STATEMENTS_A_CALL)))
}

/** The rows of a table that changed after a place in the notes, as they are now; those that are gone have no values. */
function changedRows(table: Table, after: number): string {
  const same = table.key
    .map(({ name }, i) => `t.${quoteIdentifier(name)} = json_extract(c.key, '$[${i}]')`)
    .join(" and ")
  return `select c.key, t.${quoteIdentifier(table.key[0]?.name ?? "")} is not null, ${typedColumns(table.columns, "t")}
    from (
      select distinct key from ${CHANGES}
      where seq > ${after} and seq <= ${after + WINDOW} and name = ${quoteText(table.name)}
    ) as c left join ${quoteIdentifier(table.name)} as t on ${same}`
}

/** The lines that changed, by the key of their row; undefined: the row is gone. */
type Changes = Map<string, Map<string, string | undefined>>

/** The state of the database at the time of the backup. */
export interface Snapshot {
  changes: Changes
  /** How many rows each table has. */
  counts: Map<string, number>
  migrations: string[]
}

/** @throws if changes were not recorded: the backup would be inconsistent */
function requireNotes(owner: ChangeLogOwner, tables: Table[], [now, triggers]: Value[]) {
  if (Number(triggers) === tables.length * EVENTS.length && Number(now) < owner.until) return
  throw new Error("The recorded changes are incomplete: the schema changed, or a day has passed. Run the backup again.")
}

/**
 * Reads the recorded changes until one call returns all that remain. Together with the rows that were read before,
 * they are a consistent snapshot.
 * @param tables those that have a key
 * @throws if rows change faster than they can be read
 */
export async function readUntilConsistent(
  deployment: Deployment,
  tables: Table[],
  owner: ChangeLogOwner,
): Promise<Snapshot> {
  const changes: Changes = new Map()
  const read = new Map<string, number>()
  let changed: Table[] = []
  let least = Number.POSITIVE_INFINITY
  for (let stalled = 0; stalled < MAX_STALLED_CALLS; stalled++) {
    const asked = fitting(changed.map((table) => ({ table, sql: changedRows(table, read.get(table.name) ?? 1) })))
    const counting = countStatements(tables.map(({ name }) => name))
    const [last = [], state = [], applied = [], ...others] = await deployment.snapshot([
      `select name, max(seq) from ${CHANGES} where seq > 1 group by name`,
      `select unixepoch(), (
        select count(*) from sqlite_master where type = 'trigger' and substr(name, 1, 7) = 'backup_'
      )`,
      "select name from d1_migrations order by id",
      ...counting,
      ...asked.map(({ sql }) => sql),
    ])
    requireNotes(owner, tables, state[0] ?? [])
    const counts = others.slice(0, counting.length).flatMap(([row = []]) => row)
    const rows = others.slice(counting.length)
    const end = Math.max(1, ...last.map(([, seq]) => Number(seq)))
    asked.forEach(({ table }, i) => {
      const lines = changes.get(table.name) ?? new Map<string, string | undefined>()
      changes.set(table.name, lines)
      for (const [at, isThere, ...values] of rows[i] ?? [])
        lines.set(canonicalKey(String(at)), Number(isThere) ? toLine(table, values) : undefined)
      read.set(table.name, Math.min(end, (read.get(table.name) ?? 1) + WINDOW))
    })
    const left = new Set(last.flatMap(([name, seq]) => (Number(seq) > (read.get(String(name)) ?? 1) ? [name] : [])))
    if (left.size === 0)
      return {
        changes,
        counts: new Map(tables.map(({ name }, i) => [name, Number(counts[i])])),
        migrations: applied.map(([name]) => String(name)),
      }
    const behind = end - Math.min(...[...left].map((name) => read.get(String(name)) ?? 1))
    if (behind < least) stalled = 0
    least = Math.min(least, behind)
    // A table that changed once is read each time. Tables with remaining changes are first.
    const names = new Set([...left, ...last.map(([name]) => name)])
    changed = [...names].flatMap((name) => tables.find((table) => table.name === name) ?? [])
  }
  throw new Error(
    "Rows change faster than they can be read. Try again at a quieter time, or set READ_ONLY during the backup " +
      "(docs/operations/backups.md).",
  )
}

/** As many statements as one call takes. */
function fitting<T extends { sql: string }>(statements: T[]): T[] {
  let capacity = MAX_SQL
  return statements.filter(({ sql }) => {
    capacity -= sql.length
    return capacity >= 0
  })
}

/** Replaces the lines of a table that changed since they were read. */
export async function applyChanges(
  folder: string,
  table: Table,
  changed: Map<string, string | undefined>,
): Promise<Lines> {
  const file = tableFile(table.name)
  const keys = (line: string) => ({ key: readKey(table, line), line })
  const added = [...changed.values()]
    .filter((line) => line !== undefined)
    .map(keys)
    .sort((one, other) => compareKeys(table, one.key, other.key))
  const writer = createWriter(folder, file)
  const lines = await writer.writeAll(async () => {
    let next = 0
    const addUntil = async (key?: Value[]) => {
      const from = next
      while (next < added.length && (!key || compareKeys(table, added[next]?.key ?? [], key) < 0)) next++
      if (next > from) await writer.add(added.slice(from, next).map(({ line }) => line))
    }
    for await (const line of streamLines(join(folder, file))) {
      const key = readKey(table, line)
      await addUntil(key)
      if (!changed.has(canonicalKey(key))) await writer.add([line])
    }
    await addUntil()
  })
  commitFile(folder, file)
  return lines
}
