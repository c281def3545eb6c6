// npm run migrations -- --name <family>: writes the next migration from what drizzle/ declares: drizzle-kit's changes
// of tables and indexes, then those of triggers, full-text tables and views, which it does not know.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { seeds } from "../../drizzle/seeds.ts"
import { databaseObjects } from "../../drizzle/triggers/index.ts"
import { fail, flags } from "../lib/cli.ts"
import { MAX_MIGRATION_BYTES, migratedDatabase, migrationFiles, migrationsFolder } from "../lib/migrations.ts"
import { migrationOf, statementsOf } from "../lib/statements.ts"
import { migrationProblems } from "./check-migrations.ts"
import { rebuildTable, splitRebuilds } from "./rebuild.ts"
import {
  declaredDatabase,
  normalizeSql,
  runDrizzleKit,
  type SchemaObject,
  schemaObjectsIn,
  withoutRowids,
} from "./schema.ts"

const values = flags("npm run migrations", "Writes the next migration from what drizzle/ declares.", {
  name: { type: "string", about: "what the migration is called: small letters, digits and _" },
  squash: { type: "boolean", default: false, about: "rewrites all migrations: only before the first deployment" },
  check: { type: "boolean", default: false, about: "only compares the migrations with drizzle/" },
})

const pathOf = (file: string) => join(migrationsFolder, file)

/**
 * Lets drizzle-kit write its part of a migration, and takes that out of the folder again.
 * @returns its statements; none where tables and indexes are as declared
 */
function generate(name: string): string[] {
  const before = migrationFiles()
  if (!runDrizzleKit(["generate", "--name", name])) throw new Error("drizzle-kit could not write the migration.")
  const file = migrationFiles().find((name) => !before.includes(name))
  if (!file) return []
  const sql = withoutRowids(readFileSync(pathOf(file), "utf8"))
  rmSync(pathOf(file))
  changeJournal((entries) => entries.slice(0, -1))
  return statementsOf(sql).map((statement) => `${statement};`)
}

/** A change of one database object. */
interface Change {
  /** The table that it belongs to. */
  table: string
  drop?: string
  create?: string
}

/** The changes that make triggers, full-text tables and views match their declarations, in order. */
function further(): { drops: Change[]; creates: Change[] } {
  const objects = schemaObjectsIn(migratedDatabase())
  const wanted = new Map(databaseObjects.map((item) => [item.name, item]))
  const isOurs = ({ type, sql }: SchemaObject) =>
    type === "trigger" || type === "view" || sql.startsWith("CREATE VIRTUAL")
  const gone = [...objects.values()].filter((item) => {
    const declaration = wanted.get(item.name)
    return isOurs(item) && (!declaration || normalizeSql(declaration.sql) !== item.sql)
  })
  const kept = (name: string) => objects.has(name) && !gone.some((item) => item.name === name)
  // A view takes its triggers along: they go before it.
  const triggersFirst = gone.toSorted((one, other) => Number(other.type === "trigger") - Number(one.type === "trigger"))
  const tableOf = (sql: string, name: string) => /^CREATE TRIGGER [^;]*? ON (\w+)/.exec(sql)?.[1] ?? name
  return {
    drops: triggersFirst.map(({ type, name, table }) => ({ table, drop: `DROP ${type.toUpperCase()} ${name};` })),
    creates: databaseObjects
      .filter(({ name }) => !kept(name))
      .map(({ name, sql }) => ({ table: tableOf(sql, name), create: `${sql};` })),
  }
}

/** drizzle-kit's statements, with rebuilds of tables written so that no trigger and no row is lost. */
function safe(written: string[], drops: string[]): { head: string[]; statements: string[] } {
  const { tables, others } = splitRebuilds(written)
  if (tables.length === 0) return { head: [], statements: others }
  const objects = migratedDatabase()
  const wanted = declaredDatabase()
  for (const statement of [...drops, ...others]) objects.exec(statement)
  const rebuilt = tables.flatMap((table) => {
    const statements = rebuildTable(table, objects, wanted)
    for (const statement of statements) objects.exec(statement)
    return statements
  })
  const names = tables.join(", ")
  console.info(`${names}: rebuilt, with every row that refers to it. Read it, then end its first line with "reviewed."`)
  return { head: [`-- Rebuild of ${names}: to be reviewed.`], statements: [...others, ...rebuilt] }
}

const bytesOf = (statements: string[]) => Buffer.byteLength(migrationOf(statements))

/** Splits statements into as few files as D1's API accepts. @param units statements that must stay together */
function packed(units: string[][]): string[][] {
  const files: string[][] = []
  for (const unit of units) {
    const last = files.at(-1)
    if (last && bytesOf([...last, ...unit]) <= MAX_MIGRATION_BYTES) last.push(...unit)
    else files.push([...unit])
  }
  return files
}

/** What must not be torn apart: no table is without a trigger that it had, not even between two files. */
function byTable({ drops, creates }: ReturnType<typeof further>): string[][] {
  const tables = [...new Set([...creates, ...drops].map(({ table }) => table))]
  const of = (changes: Change[], table: string) => changes.filter((change) => change.table === table)
  return tables.map((table) =>
    [...of(drops, table), ...of(creates, table)].map(({ drop, create }) => drop ?? create ?? ""),
  )
}

interface Entry {
  idx: number
  version: string
  when: number
  tag: string
  breakpoints: boolean
}

/** Changes drizzle-kit's list of migrations, by which it numbers its next one. */
function changeJournal(change: (entries: Entry[]) => Entry[]) {
  const path = pathOf("meta/_journal.json")
  const journal = JSON.parse(readFileSync(path, "utf8")) as { entries: Entry[] }
  journal.entries = change(journal.entries)
  writeFileSync(path, `${JSON.stringify(journal, null, 2)}\n`)
}

/** Writes the next migration. */
function write(name: string, statements: string[]) {
  changeJournal((entries) => {
    const idx = entries.length
    const tag = `${String(idx).padStart(4, "0")}_${name}`
    writeFileSync(pathOf(`${tag}.sql`), migrationOf(statements))
    console.info(`migrations/${tag}.sql: ${statements.length} statements.`)
    return [...entries, { idx, version: "6", when: Date.now(), tag, breakpoints: true }]
  })
}

function next(name: string) {
  const changes = further()
  const drops = changes.drops.map(({ drop }) => drop ?? "")
  const creates = changes.creates.map(({ create }) => create ?? "")
  const { head, statements } = safe(generate(name), drops)
  const all = [...head, ...drops, ...statements, ...creates]
  if (all.length === 0) console.info("Nothing to migrate: the migrations are what drizzle/ declares.")
  else if (head.length > 0 || bytesOf(all) <= MAX_MIGRATION_BYTES) write(name, all)
  else for (const file of packed([...statements.map((one) => [one]), ...byTable(changes)])) write(name, file)
}

/** Rewrites all migrations. Restores the folder if that fails. */
function squash() {
  const aside = `${migrationsFolder}.before`
  renameSync(migrationsFolder, aside)
  try {
    mkdirSync(migrationsFolder)
    const units = (statements: string[]) => statements.map((statement) => [statement])
    for (const file of packed(units(generate("schema")))) write("schema", file)
    for (const file of packed(units(databaseObjects.map(({ sql }) => `${sql};`)))) write("triggers", file)
    write(
      "seeds",
      seeds.map((sql) => `${sql};`),
    )
  } catch (error) {
    rmSync(migrationsFolder, { recursive: true })
    renameSync(aside, migrationsFolder)
    throw error
  }
  rmSync(aside, { recursive: true })
}

function check() {
  const problems = migrationProblems()
  if (problems.length > 0) fail(problems.join("\n"))
  console.info("The migrations create what drizzle/ declares, and D1 can apply them.")
}

if (values.check) check()
else if (values.squash) squash()
else if (values.name && /^[a-z0-9_]+$/.test(values.name)) next(values.name)
else fail("Name the migration, in small letters, digits and _: npm run migrations -- --name courses_credit")
