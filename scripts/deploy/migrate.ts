// Applies pending migrations. wrangler sends each in one call, which D1 ends after 30 seconds, and
// which it splits into statements. If that fails, the rest is imported, which has neither limit.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import {
  createdObjects,
  MIGRATIONS_TABLE,
  type SchemaObject,
  schemaObjectsOf,
  UNFINISHED_RESTORE,
} from "../backup/lib/tables.ts"
import { fail } from "../lib/cli.ts"
import { migratedDatabase, migrationFiles, migrationsFolder } from "../lib/migrations.ts"
import { modifiesRows, statementsOf } from "../lib/statements.ts"
import { execute, wrangler } from "../lib/wrangler.ts"

/** How a call fails whose SQL D1 has cut wrongly, or has not finished in time. */
const NOT_IN_ONE_CALL = /incomplete input|\b50[234]\b|time-?d? ?out|connection lost|fetch failed|internal error/i
const MAX_TRIES = 3
/** How long an abandoned call may continue. */
const RETRY_DELAY_MS = Number(process.env.RETRY_DELAY_MS ?? 30_000)

/** The objects of a schema by their names, with normalized spaces and quotes. */
function shapeOf(objects: SchemaObject[]): Map<string, string> {
  const ours = createdObjects(objects).filter(({ name }) => name !== MIGRATIONS_TABLE && name !== UNFINISHED_RESTORE)
  return new Map(ours.map(({ name, sql }) => [name, sql.replaceAll(/[\s"`;]+/g, " ").trim()]))
}

const isSame = (one: Map<string, string>, other: Map<string, string>) =>
  one.size === other.size && [...one].every(([name, sql]) => other.get(name) === sql)

/**
 * The statements of a migration that were not applied yet.
 * @param applied the migrations before it
 * @returns undefined if the database matches no intermediate state
 */
export function remainingStatements(name: string, applied: string[], objects: SchemaObject[]): string[] | undefined {
  const wanted = shapeOf(objects)
  const statements = statementsOf(readFileSync(join(migrationsFolder, name), "utf8"))
  const database = migratedDatabase(applied)
  // Rows do not show how far a migration changed them: either it has not started, or this is unknown.
  const steps = statements.some(modifiesRows) ? 0 : statements.length
  for (let done = 0; done <= steps; done++) {
    if (isSame(shapeOf(schemaObjectsOf(database)), wanted)) return statements.slice(done)
    database.exec(statements[done] ?? "")
  }
  return undefined
}

/** Imports the remaining statements and the migration's row in one transaction. */
function importRest(name: string, applied: string[], where: string[]) {
  const objects = execute(
    where,
    `select type, name, sql from sqlite_master where sql is not null and substr(name, 1, 7) <> 'sqlite_'
      and substr(name, 1, 4) <> '_cf_' order by rowid`,
  ) as unknown as SchemaObject[]
  const rest = remainingStatements(name, applied, objects)
  if (!rest)
    fail(`${name} was applied partially, and the database matches no intermediate state of it.
Restore the previous bookmark with Time Travel (docs/operations/backups.md), then run npm run deploy again.`)
  const folder = mkdtempSync(join(tmpdir(), "lectern-migration-"))
  try {
    const file = join(folder, name)
    const row = `INSERT INTO ${MIGRATIONS_TABLE} (name) VALUES ('${name}')`
    writeFileSync(file, [...rest, row].map((statement) => `${statement};\n`).join(""))
    return wrangler(["d1", "execute", "DB", ...where, "--yes", "--file", file])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Applies pending migrations. Exits if that fails; a rerun resumes.
 * @param where the flags by which wrangler finds the database, `--remote` or `--local` among them
 */
export async function migrate(where: string[]): Promise<void> {
  const { status, stdout, stderr } = wrangler(["d1", "migrations", "apply", "DB", ...where])
  if (status === 0) return
  const output = `${stdout}${stderr}`
  const failed = (what: string) => fail(`${what}\nApplying migrations failed. Run the same command again.`)
  if (!NOT_IN_ONE_CALL.test(output)) failed(output)
  console.info(`D1 did not apply a migration in one call. Importing the remaining statements.`)
  for (let tries = 0; ; ) {
    const applied = execute(where, `select name from ${MIGRATIONS_TABLE} order by id`).map(({ name }) => String(name))
    const name = migrationFiles().find((file) => !applied.includes(file))
    if (name === undefined) return
    const imported = importRest(name, applied, where)
    if (imported.status === 0) {
      console.info(`Imported ${name}.`)
      tries = 0
      continue
    }
    // A call that timed out may have been committed: then the import finds the objects that it creates.
    if (++tries === MAX_TRIES) failed(`${imported.stdout}${imported.stderr}`)
    await sleep(RETRY_DELAY_MS)
  }
}
