// npm run migrations -- --name <family>: writes the next migration from what drizzle/ declares: drizzle-kit's changes
// of tables and indexes, then those of triggers, full-text tables and views, which it does not know.
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { declared } from "../drizzle/triggers/index.ts"
import { fail, flags } from "./lib/flags.ts"
import { migrated, migrationFiles, migrationsFolder } from "./lib/migrations.ts"
import { rebuildsIn, safely } from "./rebuild.ts"
import {
  BREAKPOINT,
  declaredDatabase,
  drizzleKitHere,
  inOrderOfKeys,
  plain,
  type Standing,
  standingIn,
} from "./schema.ts"

const values = flags("npm run migrations", "Writes the next migration from what drizzle/ declares.", {
  name: { type: "string", about: "what the migration is called: small letters, digits and _" },
})

/**
 * Lets drizzle-kit write its part of a migration.
 * @returns the file's name; none where tables and indexes are as declared
 */
function generate(name: string): string | undefined {
  const before = migrationFiles()
  if (!drizzleKitHere(["generate", "--name", name])) process.exit(1)
  const file = migrationFiles().find((name) => !before.includes(name))
  if (file) {
    const path = join(migrationsFolder, file)
    writeFileSync(path, inOrderOfKeys(readFileSync(path, "utf8")))
  }
  return file
}

/** What brings triggers, full-text tables and views from what stands to what is declared. */
function further(): { drops: string[]; creates: string[] } {
  const standing = standingIn(migrated())
  const wanted = new Map(declared.map((item) => [item.name, item]))
  const isOurs = ({ type, sql }: Standing) => type === "trigger" || type === "view" || sql.startsWith("CREATE VIRTUAL")
  const gone = [...standing.values()].filter((item) => {
    const declaration = wanted.get(item.name)
    return isOurs(item) && (!declaration || plain(declaration.sql) !== item.sql)
  })
  const kept = (name: string) => standing.has(name) && !gone.some((item) => item.name === name)
  // A view takes its triggers along: they go before it.
  const triggersFirst = gone.toSorted((one, other) => Number(other.type === "trigger") - Number(one.type === "trigger"))
  return {
    drops: triggersFirst.map(({ type, name }) => `DROP ${type.toUpperCase()} ${name};`),
    creates: declared.filter(({ name }) => !kept(name)).map(({ sql }) => `${sql};`),
  }
}

/**
 * drizzle-kit's statements, with rebuilds of tables written so that no trigger and no row is lost.
 * @param drops the triggers that go before
 */
function safe(sql: string, drops: string[]): { head: string[]; statements: string[] } {
  const { tables, others } = rebuildsIn(sql)
  if (tables.length === 0) return { head: [], statements: others }
  const standing = migrated()
  const wanted = declaredDatabase()
  for (const statement of [...drops, ...others]) standing.exec(statement)
  const rebuilt = tables.flatMap((table) => {
    const statements = safely(table, standing, wanted)
    for (const statement of statements) standing.exec(statement)
    return statements
  })
  const names = tables.join(", ")
  console.info(
    `${names}: made anew, with every row that refers to it. Read it, then end its first line with "reviewed."`,
  )
  return { head: [`-- Rebuild of ${names}: to be reviewed.`], statements: [...others, ...rebuilt] }
}

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
}

/** A migration of ours in drizzle-kit's journal, so that it numbers its next one right. */
function enter(name: string): string {
  const path = join(migrationsFolder, "meta/_journal.json")
  const journal = JSON.parse(readFileSync(path, "utf8")) as Journal
  const idx = journal.entries.length
  const tag = `${String(idx).padStart(4, "0")}_${name}`
  journal.entries.push({ idx, version: "6", when: Date.now(), tag, breakpoints: true })
  writeFileSync(path, `${JSON.stringify(journal, null, 2)}\n`)
  return `${tag}.sql`
}

const write = (file: string, statements: string[]) =>
  writeFileSync(join(migrationsFolder, file), `${statements.join(BREAKPOINT)}\n`)

if (values.name && /^[a-z0-9_]+$/.test(values.name)) {
  const { drops, creates } = further()
  const generated = generate(values.name)
  const path = generated && join(migrationsFolder, generated)
  const sql = path ? readFileSync(path, "utf8") : ""
  // What stands is read anew for a rebuild: without the file that is being written.
  if (path) rmSync(path)
  const { head, statements } = safe(sql, drops)
  const all = [...head, ...drops, ...statements, ...creates]
  if (all.length === 0) console.info("Nothing to migrate: the migrations are what drizzle/ declares.")
  else {
    const file = generated ?? enter(values.name)
    write(file, all)
    console.info(`migrations/${file}: ${all.length} statements.`)
  }
} else {
  fail("Name the migration, in small letters, digits and _: npm run migrations -- --name courses_credit")
}
