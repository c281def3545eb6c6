// The migrations' files, and the database that they make.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { root } from "./state.ts"

export const migrationsFolder = join(root, "migrations")

/** Well below the 100 KB of SQL that D1 takes, and what it makes of them within the 30 seconds of a call. */
export const MAX_MIGRATION_BYTES = 60_000

/** The migrations' files, in their order. */
export const migrationFiles = (folder = migrationsFolder): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()

/** An empty database to which SQL was applied, piece by piece. */
export function createDatabase(pieces: string[]): DatabaseSync {
  const database = new DatabaseSync(":memory:")
  for (const piece of pieces) database.exec(piece)
  return database
}

/** An empty database to which migrations of a folder were applied: all of them by default. */
export const migratedDatabase = (names?: string[], folder = migrationsFolder): DatabaseSync =>
  createDatabase((names ?? migrationFiles(folder)).map((name) => readFileSync(join(folder, name), "utf8")))
