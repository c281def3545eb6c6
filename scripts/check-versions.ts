// Runs the tests of an earlier commit on the migrations of this one: during a deployment both versions serve.
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, globSync } from "node:fs"
import { join } from "node:path"
import { fail, flags } from "./lib/cli.ts"
import { checkOutEarlier, FROM, git } from "./lib/earlier-version.ts"
import { migrationFiles, migrationsFolder } from "./lib/migrations.ts"

/** Tests of the earlier commit that check its source rather than the service, with the reason. */
const EXCLUDED: Record<string, string> = {
  "test/platform/conventions.test.ts": "it reads the source",
}

const values = flags(
  "npm run verify -- versions",
  "Runs the tests of an earlier commit on the migrations of this one.",
  {
    from: FROM,
    only: {
      type: "string",
      value: "words",
      default: "",
      about: "the test files whose name has one of these, with commas",
    },
  },
)

const { commit, folder } = checkOutEarlier(values.from)
const own = migrationFiles()
const gone = migrationFiles(join(folder, "migrations")).filter((name) => !own.includes(name))
if (gone.length > 0) fail(`${commit} has migrations that this commit lacks: ${gone.join(", ")}.`)
const added = own.filter((name) => !existsSync(join(folder, "migrations", name)))
for (const name of own) cpSync(join(migrationsFolder, name), join(folder, "migrations", name))
console.info(
  `${commit} on the schema of ${git("rev-parse", "--short", "HEAD")}: ${added.join(", ") || "no new migration"}`,
)
for (const [file, why] of Object.entries(EXCLUDED)) console.info(`Excluded: ${file}: ${why}.`)

const words = values.only.split(",").filter(Boolean)
const files = globSync("test/*/*.test.ts", { cwd: folder }).filter(
  (file) =>
    !/^test\/(scripts|e2e)\//.test(file) &&
    !(file in EXCLUDED) &&
    (words.length === 0 || words.some((word) => file.includes(word))),
)
const vitest = join(folder, "node_modules/vitest/vitest.mjs")
const args = [vitest, "run", "--config", "test/vitest.config.ts", ...files]
const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: "inherit" })
process.exit(status ?? 1)
