// A rebuild of a table that loses nothing. SQLite cannot change a column, so drizzle-kit rebuilds the table, copies
// the rows and drops the old one. Inside D1's transaction foreign keys stay on: with the old table go its triggers, and
// by cascade the rows that refer to it. Here its rows and all that refer to them, however far, are set aside first.
import type { DatabaseSync } from "node:sqlite"

/** The first line of a reviewed migration that drops or rebuilds a table. */
const REVIEWED = /^-- Rebuild of [\w, ]+: reviewed\.$/m

/** Whether a migration is a reviewed rebuild of a table: its statements belong together, and copy rows. */
export const isRebuild = (sql: string): boolean => REVIEWED.test(sql)

/** What a migration would lose: said of one that drops or rebuilds a table and was not reviewed. */
export function findLosses(name: string, sql: string): string[] {
  const drops = /\bDROP TABLE\b(?! \w+_search\b)|__new_/i.test(sql)
  return drops && !isRebuild(sql)
    ? [
        `${name} drops or rebuilds a table: its triggers go, and by cascade the rows that refer to it. ` +
          "Let npm run migrations write it, read it, and head it with: -- Rebuild of <table>: reviewed.",
      ]
    : []
}

const quoted = (name: string) => `"${name}"`

/** The tables that reference a table, directly or indirectly, each after the tables that it references. */
export function descendants(database: DatabaseSync, table: string): string[] {
  const references = database
    .prepare(
      `select child.name as child, key."table" as parent
      from sqlite_master as child join pragma_foreign_key_list(child.name) as key
      where child.type = 'table'`,
    )
    .all() as unknown as { child: string; parent: string }[]
  const found = new Set([table])
  for (const parent of found)
    for (const { child, parent: of } of references) if (of === parent && child !== parent) found.add(child)
  const ordered: string[] = []
  const place = (name: string, above: string[]) => {
    if (ordered.includes(name) || above.includes(name)) return
    for (const { child, parent } of references)
      if (child === name && parent !== name && found.has(parent)) place(parent, [...above, name])
    ordered.push(name)
  }
  for (const name of found) place(name, [])
  return ordered.filter((name) => name !== table)
}

/** The columns that are stored, and not made from others. */
const storedColumns = (database: DatabaseSync, table: string): string[] =>
  database
    .prepare("select name from pragma_table_xinfo(?) where hidden = 0")
    .all(table)
    .map(({ name }) => String(name))

/** The objects of a kind on some tables, in the order of their creation. */
const made = (database: DatabaseSync, type: "table" | "index" | "trigger", tables: string[]) =>
  database
    .prepare(
      `select name, sql from sqlite_master
      where type = ? and sql is not null and tbl_name in (select value from json_each(?))
      order by rowid`,
    )
    .all(type, JSON.stringify(tables)) as unknown as { name: string; sql: string }[]

/**
 * The statements of a rebuild that loses nothing, for one transaction with foreign keys on.
 * @param objects the database as it is before
 * @param wanted a database in which the table is as it is to be
 */
export function rebuildTable(table: string, objects: DatabaseSync, wanted: DatabaseSync): string[] {
  const others = descendants(objects, table)
  const all = [table, ...others]
  const aside = (name: string) => quoted(`aside_${name}`)
  const triggers = made(objects, "trigger", all)
  const before = storedColumns(objects, table)
  const kept = storedColumns(wanted, table).filter((name) => before.includes(name))
  const copy = (name: string, columns: string[]) => {
    const listed = columns.map(quoted).join(", ")
    return `INSERT INTO ${quoted(name)} (${listed}) SELECT ${listed} FROM ${aside(name)};`
  }
  return [
    ...triggers.map(({ name }) => `DROP TRIGGER ${quoted(name)};`),
    ...all.map((name) => `CREATE TABLE ${aside(name)} AS SELECT * FROM ${quoted(name)};`),
    // Referencing tables are dropped first, so that no foreign key acts.
    ...[...all].reverse().map((name) => `DELETE FROM ${quoted(name)};`),
    `DROP TABLE ${quoted(table)};`,
    ...made(wanted, "table", [table]).map(({ sql }) => `${sql};`),
    copy(table, kept),
    ...made(wanted, "index", [table]).map(({ sql }) => `${sql};`),
    ...others.map((name) => copy(name, storedColumns(objects, name))),
    ...all.map((name) => `DROP TABLE ${aside(name)};`),
    ...triggers.map(({ sql }) => `${sql};`),
  ]
}

/** The tables that a migration of drizzle-kit's rebuilds, and its statements that have nothing to do with that. */
export function splitRebuilds(statements: string[]): { tables: string[]; others: string[] } {
  const tables = statements.flatMap((statement) => /^CREATE TABLE `__new_(\w+)`/.exec(statement)?.[1] ?? [])
  const isOfRebuild = (statement: string) =>
    /^PRAGMA foreign_keys=/i.test(statement) ||
    statement.includes("`__new_") ||
    tables.some((table) => new RegExp(`^(DROP TABLE|CREATE (UNIQUE )?INDEX .* ON) \`${table}\``, "s").test(statement))
  return { tables, others: statements.filter((statement) => !isOfRebuild(statement)) }
}
