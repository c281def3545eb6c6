// What each index costs: the entries that one of each act writes in it, found by comparing the database before and
// after; and which acts' statements read by it, as SQLite plans them.
import { DatabaseSync } from "node:sqlite"
import { PRICES } from "./prices.ts"

/** What is compared: a table, or an index of it, as a query of its entries. */
interface Tree {
  name: string
  table: string
  /** Selects its entries from the table of a schema. */
  select: (schema: string) => string
}

type Row = Record<string, unknown>
const all = (db: DatabaseSync, sql: string): Row[] => db.prepare(sql).all() as Row[]
const quoted = (name: unknown) => `"${name}"`

/** The text between brackets, and the rest. */
function bracketed(text: string): { inner: string; rest: string } {
  const from = text.indexOf("(")
  let depth = 0
  for (let i = from; i < text.length; i++) {
    if (text[i] === "(") depth++
    if (text[i] === ")" && --depth === 0) return { inner: text.slice(from + 1, i), rest: text.slice(i + 1) }
  }
  throw new Error(`No closing bracket: ${text}`)
}

/** Splits at the commas outside of brackets. */
function parts(list: string): string[] {
  const found = [""]
  let depth = 0
  for (const letter of list) {
    if (letter === "(") depth++
    if (letter === ")") depth--
    if (letter === "," && depth === 0) found.push("")
    else found[found.length - 1] += letter
  }
  return found.map((part) => part.trim().replace(/\s+(asc|desc)$/i, ""))
}

/** Every table, then its indexes; the indexes that are their table (the key of one without rowid) are left out. */
function treesOf(db: DatabaseSync): Tree[] {
  const tables = all(db, "select name, sql from sqlite_master where type = 'table'").filter(
    ({ name, sql }) => !/^(sqlite_|_cf_|d1_)/.test(String(name)) && !/^create virtual/i.test(String(sql)),
  )
  return tables.flatMap(({ name: table, sql }) => {
    const clustered = /without rowid\W*$/i.test(String(sql))
    const columns = all(db, `pragma table_info(${quoted(table)})`)
    const key = clustered
      ? columns.filter(({ pk }) => Number(pk) > 0).map(({ name }) => quoted(name))
      : [columns.some(({ name }) => name === "rowid") ? "_rowid_" : "rowid"]
    const from = (schema: string) => `from ${schema}.${quoted(table)}`
    const whole: Tree = {
      name: String(table),
      table: String(table),
      select: (schema) => `select ${key.join(", ")}, * ${from(schema)}`,
    }
    const indexes = all(db, `pragma index_list(${quoted(table)})`).flatMap(({ name, origin }): Tree[] => {
      if (clustered && origin === "pk") return []
      const [made] = all(db, `select sql from sqlite_master where name = '${name}'`)
      const { inner, rest } = made?.sql
        ? bracketed(String(made.sql))
        : {
            inner: all(db, `pragma index_info(${quoted(name)})`)
              .map((column) => quoted(column.name))
              .join(", "),
            rest: "",
          }
      const expressions = [...key, ...parts(inner)].map((part, i) => `${part} as c${i}`).join(", ")
      return [
        {
          name: String(name),
          table: String(table),
          select: (schema) => `select ${expressions} ${from(schema)}${rest}`,
        },
      ]
    })
    return [whole, ...indexes]
  })
}

/** How many entries of each table and index are in `after` and were not in `before`: those that were written. */
export function countWrittenEntries(before: string, after: string): Map<string, number> {
  const db = new DatabaseSync(after, { readOnly: true })
  db.exec(`attach '${before}' as old`)
  const found = new Map<string, number>()
  const changed = new Set<string>()
  for (const { name, table, select } of treesOf(db)) {
    if (name !== table && !changed.has(table)) continue
    const [{ n } = { n: 0 }] = all(db, `select count(*) as n from (${select("main")} except ${select("old")})`)
    if (Number(n) === 0) continue
    changed.add(table)
    found.set(name, Number(n))
  }
  db.close()
  return found
}

/** The indexes by which SQLite would read for a statement; none of one that it does not take. */
function plannedIn(db: DatabaseSync, sql: string): string[] {
  try {
    return all(db, `explain query plan ${sql}`).flatMap(({ detail }) => {
      const found = /USING (?:COVERING )?INDEX (\S+)/.exec(String(detail))?.[1]
      return found ? [found] : []
    })
  } catch {
    return []
  }
}

export interface IndexCost {
  name: string
  table: string
  entries: number
  bytes: number
  /** Entries written in a learner-year, and dollars for that. */
  written: number
  dollars: number
  /** The acts whose statements read by it. */
  serves: string[]
  /** How often these happen in a learner-year. */
  uses: number
}

/** @param acts each with the entries that it wrote, and the SQL of its statements */
export function toIndexCosts(
  file: string,
  acts: { name: string; count: number; written: Map<string, number>; statements: string[] }[],
): IndexCost[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const sizes = new Map(
    all(db, "select name, sum(pgsize) as bytes, sum(ncell) as cells from dbstat group by name").map((row) => [
      String(row.name),
      row,
    ]),
  )
  const plans = acts.map(({ statements }) => new Set(statements.flatMap((sql) => plannedIn(db, sql))))
  const costs = treesOf(db)
    .filter(({ name, table }) => name !== table)
    .map(({ name, table }) => {
      const written = acts.reduce((sum, act) => sum + act.count * (act.written.get(name) ?? 0), 0)
      const serving = acts.filter((_, i) => plans[i]?.has(name))
      const size = sizes.get(name)
      return {
        name,
        table,
        entries: Number(size?.cells ?? 0),
        bytes: Number(size?.bytes ?? 0),
        written,
        dollars: written * PRICES.written,
        serves: serving.map((act) => act.name),
        uses: serving.reduce((sum, { count }) => sum + count, 0),
      }
    })
  db.close()
  return costs.sort((a, b) => b.written - a.written || a.name.localeCompare(b.name))
}

/** One line an act: the entries that it writes in each table and index. */
export function printEntries(acts: { name: string; written: Map<string, number> }[]) {
  for (const { name, written } of acts) {
    const entries = [...written].sort(([, a], [, b]) => b - a).map(([tree, count]) => `${tree} ${+count.toFixed(1)}`)
    const sum = [...written.values()].reduce((total, count) => total + count, 0)
    if (entries.length > 0) console.info(`${name}, ${sum.toFixed(1)}: ${entries.join(", ")}`)
  }
}

/** One line an index; those that no act writes or reads by are counted. */
export function printIndexes(costs: IndexCost[]) {
  const head = ["entries", "KiB", "written", "$ a year", "must save"].map((title) => title.padStart(10)).join("")
  console.info(`${"index".padEnd(52)}${head}  read by`)
  for (const { name, entries, bytes, written, dollars, serves, uses } of costs) {
    if (written === 0 && uses === 0) continue
    // An index pays where each of its uses would read more rows than this without it.
    const mustSave = uses > 0 ? (dollars / PRICES.read / uses).toFixed(0) : "–"
    const cells = [entries, Math.round(bytes / 1024), written.toFixed(1), dollars.toFixed(6), mustSave]
    console.info(`${name.padEnd(52)}${cells.map((cell) => String(cell).padStart(10)).join("")}  ${serves.join("; ")}`)
  }
  const idle = costs.filter(({ written, uses }) => written === 0 && uses === 0)
  console.info(`${costs.length} indexes; ${idle.length} that no act of the mix writes in or reads by`)
}
