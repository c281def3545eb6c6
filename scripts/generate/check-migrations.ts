import { readFileSync } from "node:fs"
import { join } from "node:path"
import { MAX_MIGRATION_BYTES, migratedDatabase, migrationFiles, migrationsFolder } from "../lib/migrations.ts"
import { findSplitErrors } from "../lib/splitters.ts"
import { modifiesRows, statementsOf } from "../lib/statements.ts"
import { findLosses, isRebuild } from "./rebuild.ts"
import { declaredDatabase, differences, schemaObjectsIn } from "./schema.ts"

/** Why D1 could not apply a migration in one call. */
function obstaclesIn(name: string, sql: string): string[] {
  const bytes = Buffer.byteLength(sql)
  // Rows that are written out are few.
  const change = statementsOf(sql).find(
    (statement) => modifiesRows(statement) && !/^INSERT INTO [^;]* VALUES\b/.test(statement),
  )
  return [
    ...findSplitErrors(name, sql),
    ...(sql.includes("\r")
      ? [`${name} has Windows line endings, which D1's splitter misreads: write it with LF.`]
      : []),
    ...(bytes > MAX_MIGRATION_BYTES && !isRebuild(sql)
      ? [`${name} has ${bytes} bytes: split it into files of at most ${MAX_MIGRATION_BYTES}.`]
      : []),
    ...(change && !isRebuild(sql)
      ? [
          `${name} changes rows (${change.split("\n")[0]}): a migration changes the schema only.\n` +
            '  For rows that are there already, see "Fill in existing rows" in CONTRIBUTING.md.',
        ]
      : []),
  ]
}

/** What is wrong with the migrations: where they differ from drizzle/, and why D1 could not apply them. */
export const migrationProblems = (): string[] => [
  ...differences(schemaObjectsIn(migratedDatabase()), schemaObjectsIn(declaredDatabase())),
  ...migrationFiles().flatMap((name) => {
    const sql = readFileSync(join(migrationsFolder, name), "utf8")
    return [...findLosses(name, sql), ...obstaclesIn(name, sql)]
  }),
]
