// A database with rows in every table, without an academy's sense.
import assert from "node:assert/strict"
import type { DatabaseSync } from "node:sqlite"
import { schemaObjectsIn } from "../../scripts/generate/schema.ts"
import { migratedDatabase } from "../../scripts/lib/migrations.ts"

interface Column {
  name: string
  type: string
  pk: number
}

/** The tables that are no full-text tables. */
export const ordinaryTables = (database: DatabaseSync): string[] =>
  [...schemaObjectsIn(database).values()]
    .filter(({ type, sql }) => type === "table" && !sql.startsWith("CREATE VIRTUAL"))
    .map(({ name }) => name)

/** The first value of each column of an enumeration, by the column's name. */
export function firstValues(database: DatabaseSync, table: string): Map<string, string> {
  const { sql } = database.prepare("select sql from sqlite_master where name = ?").get(table) ?? {}
  return new Map(
    [...String(sql).matchAll(/CHECK\((\w+) in \('([^']*)'/g)].map(([, name = "", value = ""]) => [name, value]),
  )
}

/** Two rows in every table, which refer to each other as the keys have it. Kept counts are not looked at here. */
export function seededDatabase(): DatabaseSync {
  const database = migratedDatabase()
  database.exec("PRAGMA foreign_keys = OFF")
  const triggers = [...schemaObjectsIn(database).values()].filter(({ type }) => type === "trigger")
  const made = database.prepare("select name, sql from sqlite_master where type = 'trigger'").all()
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`)
  for (const table of ordinaryTables(database)) {
    if (table === "guards") continue
    const columns = database
      .prepare("select name, type, pk from pragma_table_xinfo(?) where hidden = 0")
      .all(table) as unknown as Column[]
    const keys = new Map(
      database
        .prepare('select "from" as name, "table" || \' \' || "to" as parent from pragma_foreign_key_list(?)')
        .all(table)
        .map(({ name, parent }) => [String(name), String(parent)]),
    )
    const enumerated = firstValues(database, table)
    database.exec(`DELETE FROM ${table}`)
    for (const row of [1, 2]) {
      const value = ({ name, type }: Column) => {
        const first = enumerated.get(name)
        if (first !== undefined) return `'${first}'`
        return /int|real|numeric/i.test(type) ? String(row) : `'["${keys.get(name) ?? `${table} ${name}`} ${row}"]'`
      }
      database.exec(
        `INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join(", ")})
        VALUES (${columns.map(value).join(", ")})`,
      )
    }
  }
  for (const { sql } of made) database.exec(String(sql))
  database.exec("PRAGMA foreign_keys = ON")
  assert.deepEqual(database.prepare("PRAGMA foreign_key_check").all(), [])
  return database
}
