// npm run migrations -- --name <family>: writes the next migration from what drizzle/ declares: drizzle-kit's changes of
// tables and indexes, then those of triggers, full-text tables and views, which it does not know.
// npm run migrations -- --squash: writes the whole schema anew as two files, while nothing is deployed.
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { alwaysThere, declared } from "../drizzle/triggers/index.ts"
import { rebuildsIn, safely } from "./rebuild.ts"
import {
  BREAKPOINT,
  declaredDatabase,
  drizzleKit,
  migrated,
  migrationFiles,
  migrationsFolder,
  plain,
  type Standing,
  standingIn,
} from "./schema.ts"

const { values } = parseArgs({ options: { name: { type: "string" }, squash: { type: "boolean", default: false } } })

function generate(name: string): string[] {
  const before = migrationFiles()
  const { done, printed } = drizzleKit(["generate", "--name", name])
  if (!done) {
    console.error(printed)
    process.exit(1)
  }
  return migrationFiles().filter((file) => !before.includes(file))
}

/** The statements that bring triggers, full-text tables and views from what stands to what is declared. */
function further(): string[] {
  const standing = standingIn(migrated())
  const wanted = new Map(declared.map((item) => [item.name, item]))
  const isOurs = ({ type, sql }: Standing) => type === "trigger" || type === "view" || sql.startsWith("CREATE VIRTUAL")
  const gone = [...standing.values()].filter((item) => {
    const declaration = wanted.get(item.name)
    return isOurs(item) && (!declaration || plain(declaration.sql) !== item.sql)
  })
  const kept = (name: string) => standing.has(name) && !gone.some((item) => item.name === name)
  return [
    ...gone.map(({ type, name }) => `DROP ${type.toUpperCase()} ${name};`),
    ...declared.filter(({ name }) => !kept(name)).map(({ sql }) => `${sql};`),
  ]
}

/** Writes drizzle-kit's rebuilds of tables anew, so that no trigger and no row is lost. */
function made(file: string): void {
  const path = join(migrationsFolder, file)
  const { tables, others } = rebuildsIn(readFileSync(path, "utf8"))
  if (tables.length === 0) return
  rmSync(path)
  const standing = migrated()
  const wanted = declaredDatabase()
  for (const statement of others) standing.exec(statement)
  const rebuilt = tables.flatMap((table) => {
    const statements = safely(table, standing, wanted)
    for (const statement of statements) standing.exec(statement)
    return statements
  })
  writeFileSync(path, [`-- Rebuild of ${tables.join(", ")}: to be reviewed.`, ...others, ...rebuilt].join(BREAKPOINT))
  console.info(
    `migrations/${file} makes ${tables.join(", ")} anew, with every row that refers to it. Read it, then end its first ` +
      `line with "reviewed."`,
  )
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

if (values.squash) {
  for (const file of readdirSync(migrationsFolder)) rmSync(join(migrationsFolder, file), { recursive: true })
  generate("schema")
  const file = enter("triggers")
  writeFileSync(join(migrationsFolder, file), `${[...further(), ...alwaysThere].join(BREAKPOINT)}\n`)
  console.info("The schema stands in two migrations: 0000_schema.sql and 0001_triggers.sql.")
} else if (values.name && /^[a-z0-9_]+$/.test(values.name)) {
  const [generated] = generate(values.name)
  if (generated) made(generated)
  const statements = further()
  if (statements.length > 0) {
    const file = generated ?? enter(values.name)
    const path = join(migrationsFolder, file)
    appendFileSync(path, `${existsSync(path) ? BREAKPOINT : ""}${statements.join(BREAKPOINT)}\n`)
    console.info(`migrations/${file} holds ${statements.length} statements for triggers, searches and views.`)
  } else if (!generated) console.info("Nothing to migrate: the migrations are what drizzle/ declares.")
} else {
  console.error("Name the migration, in small letters, digits and _: npm run migrations -- --name courses_credit")
  process.exit(1)
}
