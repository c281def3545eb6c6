// The migrations must make what drizzle/ declares: tables, columns, indexes, triggers, searches and views alike.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { migrated, migrationFiles, migrationsFolder } from "./lib/migrations.ts"
import { lossesOf } from "./rebuild.ts"
import { declaredDatabase, differences, standingIn } from "./schema.ts"

const found = [
  ...differences(standingIn(migrated()), standingIn(declaredDatabase())),
  ...migrationFiles().flatMap((name) => lossesOf(name, readFileSync(join(migrationsFolder, name), "utf8"))),
]
if (found.length === 0) console.info("The migrations make what drizzle/ declares.")
else console.error(`The migrations do not make what drizzle/ declares.\n${found.join("\n")}`)
process.exit(found.length === 0 ? 0 : 1)
