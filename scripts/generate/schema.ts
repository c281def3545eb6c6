// Applies the migrations and the declarations to separate databases, to compare their schemas.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { databaseObjects } from "../../drizzle/triggers/index.ts"
import { createDatabase } from "../lib/migrations.ts"
import { root } from "../lib/state.ts"

/** The arguments that run drizzle-kit under this Node. */
const drizzleKitArguments = (command: string[]) => [
  join(root, "node_modules/drizzle-kit/bin.cjs"),
  ...command,
  "--config",
  "drizzle/config.ts",
]

/**
 * Runs drizzle-kit in this terminal: it asks whether a column was renamed or is another one.
 * @returns whether it succeeded
 */
export const runDrizzleKit = (command: string[]): boolean =>
  spawnSync(process.execPath, drizzleKitArguments(command), { cwd: root, stdio: "inherit" }).status === 0

/** drizzle-kit, with the arguments of one of its commands. @returns what it printed, and whether it succeeded */
export function drizzleKit(command: string[], cwd = root) {
  const { status, stdout, stderr } = spawnSync(process.execPath, drizzleKitArguments(command), {
    cwd,
    encoding: "utf8",
  })
  return { done: status === 0, stdout, printed: `${stdout}${stderr}` }
}

/**
 * drizzle-kit's SQL, with each new table whose key is not a lone integer kept in the order of that key: without a rowid
 * and a second tree for the key, a row costs one write less (docs/adr/0004).
 */
export const withoutRowids = (sql: string): string =>
  sql.replaceAll(/CREATE TABLE `\w+` \(.*?\n\);/gs, (table) =>
    table.includes("PRIMARY KEY") && !table.includes("integer PRIMARY KEY")
      ? table.replace(/;$/, " WITHOUT ROWID;")
      : table,
  )

/** An empty database made from the declarations alone. */
export function declaredDatabase(): DatabaseSync {
  const { done, stdout, printed } = drizzleKit(["export"])
  if (!done) throw new Error(`drizzle-kit could not read the schema:\n${printed}`)
  const tables = withoutRowids(stdout.slice(stdout.indexOf("CREATE")))
  return createDatabase([tables, ...databaseObjects.map(({ sql }) => `${sql};`)])
}

/** A named object of a database. */
export interface SchemaObject {
  type: "table" | "index" | "trigger" | "view"
  name: string
  table: string
  /** How it is made; of an ordinary table its columns and keys, since their order in time does not matter. */
  sql: string
}

interface MasterRow {
  type: SchemaObject["type"]
  name: string
  tbl_name: string
  sql: string
}

/** SQL without insignificant parts: spaces, quotes around names, and the last semicolon of a trigger. */
export const normalizeSql = (sql: string) =>
  sql
    .replace(/;\s*END$/, " END")
    .replaceAll(/[`"]/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([(),]) ?/g, "$1")
    .trim()

const isVirtual = (sql: string) => sql.startsWith("CREATE VIRTUAL TABLE")
/** SQLite's own tables of a full-text table. */
const SHADOWS = ["config", "content", "data", "docsize", "idx"]

function tableShape(database: DatabaseSync, name: string): string {
  const rows = (pragma: string) => database.prepare(`select * from pragma_${pragma}(?)`).all(name)
  const checks = database.prepare("select sql from sqlite_master where name = ?").get(name)
  const constraints = [
    ...String(checks?.sql).matchAll(/CHECK\s*\(.*\)|GENERATED ALWAYS AS \(.*?\) (?:VIRTUAL|STORED)/gi),
  ]
  return [
    ...rows("table_list").map(({ wr }) => (wr ? "WITHOUT ROWID" : "")),
    ...rows("table_xinfo").map(({ cid: _, ...column }) => JSON.stringify(column)),
    ...rows("foreign_key_list").map(({ id: _, ...key }) => JSON.stringify(key)),
    ...constraints.map(([constraint]) => normalizeSql(constraint)),
  ]
    .sort()
    .join("\n")
}

/** All objects of a database by name. */
export function schemaObjectsIn(database: DatabaseSync): Map<string, SchemaObject> {
  const rows = database
    .prepare("select type, name, tbl_name, sql from sqlite_master where sql is not null")
    .all() as unknown as MasterRow[]
  const behind = new Set(
    rows.filter(({ sql }) => isVirtual(sql)).flatMap(({ name }) => SHADOWS.map((shadow) => `${name}_${shadow}`)),
  )
  return new Map(
    rows
      .filter(({ name, tbl_name }) => !behind.has(tbl_name) && !name.startsWith("sqlite_"))
      .map(({ type, name, tbl_name: table, sql }) => [
        name,
        {
          type,
          name,
          table,
          sql: type === "table" && !isVirtual(sql) ? tableShape(database, name) : normalizeSql(sql),
        },
      ]),
  )
}

/** The differences between the database and the declarations: missing, extra, or different objects. */
export function differences(objects: Map<string, SchemaObject>, wanted: Map<string, SchemaObject>): string[] {
  const describeObject = ({ type, name, table }: SchemaObject) =>
    type === "table" ? `table ${name}` : `${type} ${name} on ${table}`
  return [
    ...[...wanted.values()].flatMap((item) => {
      const found = objects.get(item.name)
      if (!found) return [`missing from the migrations: ${describeObject(item)}`]
      return found.sql === item.sql
        ? []
        : [`defined differently: ${describeObject(item)}\n  migrations:   ${found.sql}\n  declarations: ${item.sql}`]
    }),
    ...[...objects.values()].flatMap((item) =>
      wanted.has(item.name) ? [] : [`not declared: ${describeObject(item)}`],
    ),
  ]
}
