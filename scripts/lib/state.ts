// The local state of a development server: where it is, its secret, its database file.
import { randomBytes } from "node:crypto"
import { accessSync, constants, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fail } from "./cli.ts"

export const root = join(import.meta.dirname, "../..")

/** The data of the local server: `STATE_DIR`, by default `.state`. */
export const stateDir = resolve(process.env.STATE_DIR || join(root, ".state"))

/** Creates the state folder. Ends the program when it cannot be one. */
export function makeStateDir() {
  try {
    mkdirSync(stateDir, { recursive: true })
    accessSync(stateDir, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === "EEXIST" || code === "ENOTDIR" ? "it is a file or inside a file" : (code ?? String(error))
    fail(`STATE_DIR is ${stateDir}, which cannot be used as a folder (${why}). Set another STATE_DIR.`)
  }
}

/** The file with the local server's APP_SECRET: created once, readable by its owner only. */
export function secretsFile(): string {
  const path = join(stateDir, "secrets.env")
  if (!existsSync(path)) {
    makeStateDir()
    writeFileSync(path, `APP_SECRET=${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 })
  }
  return path
}

/** The file of the local D1 database of a state folder; undefined before the first statement. */
export function findDatabaseFile(state: string): string | undefined {
  const folder = join(state, "v3/d1/miniflare-D1DatabaseObject")
  if (!existsSync(folder)) return undefined
  const name = readdirSync(folder).find((entry) => /^[0-9a-f]{64}\.sqlite$/.test(entry))
  return name && join(folder, name)
}

const databaseFile = () => findDatabaseFile(stateDir)

/** Ends the script where there is no local database. @returns its file */
export function requireDatabase(): string {
  return databaseFile() ?? fail(`No database was found in ${stateDir} (STATE_DIR). Run npm start first.`)
}

/** Opens the local database. Ends the script where there is none, and where it is damaged. */
export function openLocal(options: { readOnly?: boolean } = {}): DatabaseSync {
  const file = requireDatabase()
  try {
    const db = new DatabaseSync(file, { timeout: 5000, ...options })
    // A file is read when the first statement asks for it.
    db.prepare("select count(*) from sqlite_master").get()
    return db
  } catch (error) {
    return fail(unreadable(error))
  }
}

const unreadable = (error: unknown) =>
  `The database in ${stateDir} (STATE_DIR) cannot be read: ${error instanceof Error ? error.message : error}. ` +
  "Delete that folder to start over, or set another STATE_DIR."

/**
 * The pending migrations of the local database, and applied migrations that this checkout
 * does not have, because another version created it.
 */
export function compareMigrations(): { pending: string[]; foreign: string[] } {
  const own = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"))
  if (!databaseFile()) return { pending: own, foreign: [] }
  const db = openLocal({ readOnly: true })
  try {
    const ledger = db.prepare("select 1 from sqlite_master where name = 'd1_migrations'").get()
    const applied = ledger
      ? db
          .prepare("select name from d1_migrations")
          .all()
          .map(({ name }) => String(name))
      : []
    return {
      pending: own.filter((name) => !applied.includes(name)),
      foreign: applied.filter((name) => !own.includes(name)),
    }
  } catch (error) {
    return fail(unreadable(error))
  } finally {
    db.close()
  }
}

/** Whether the local database has an unfinished restore. */
export function isRestoreUnfinished(): boolean {
  if (!databaseFile()) return false
  const db = openLocal({ readOnly: true })
  try {
    return db.prepare("select 1 from sqlite_master where name = 'restore_unfinished'").get() !== undefined
  } finally {
    db.close()
  }
}

/** The content of the database before the server starts. `sample`: it has the owner of the sample academy. */
export function databaseContents(): { empty: boolean; sample: boolean } {
  const db = openLocal({ readOnly: true })
  try {
    const has = (condition: string) => db.prepare(`select 1 from users ${condition} limit 1`).get() !== undefined
    return { empty: !has(""), sample: has("where email collate nocase = 'owner@example.com'") }
  } catch (error) {
    return fail(unreadable(error))
  } finally {
    db.close()
  }
}
