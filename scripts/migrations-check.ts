// The migrations must make what drizzle/ declares: tables, columns, indexes, triggers, searches and views alike.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { declaredDatabase, differences, migrated, migrationFiles, migrationsFolder, standingIn } from "./schema.ts"

/** What a migration that drops or rebuilds a table says once somebody has read it. */
const REVIEWED = /^-- Rebuild of \w+, reviewed\.$/m

const unsafe = migrationFiles().filter((name) => {
  const sql = readFileSync(join(migrationsFolder, name), "utf8")
  return /\bDROP TABLE\b(?! \w+_search\b)|__new_/i.test(sql) && !REVIEWED.test(sql)
})
const found = [
  ...differences(standingIn(migrated()), standingIn(declaredDatabase())),
  ...unsafe.map(
    (name) =>
      `${name} drops or rebuilds a table: its triggers go, and by cascade the rows that refer to it. ` +
      "Set those rows aside, write the triggers again, and head the file with: -- Rebuild of <table>, reviewed.",
  ),
]
if (found.length === 0) console.info("The migrations make what drizzle/ declares.")
else {
  console.error(`The migrations do not make what drizzle/ declares.\n${found.join("\n")}`)
  console.error("\nRun: npm run migrations -- --name <family>")
}
process.exit(found.length === 0 ? 0 : 1)
