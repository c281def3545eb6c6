// The migrations must be what drizzle/ says: generating once more, in a copy, finds nothing to do.
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "./state.ts"

const copy = mkdtempSync(join(tmpdir(), "lectern-migrations-"))
for (const name of ["drizzle", "migrations", "package.json", "tsconfig.json"])
  cpSync(join(root, name), join(copy, name), { recursive: true })
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [join(root, "node_modules/drizzle-kit/bin.cjs"), "generate", "--config", "drizzle/config.ts"],
  { cwd: copy, encoding: "utf8" },
)
const added = readdirSync(join(copy, "migrations")).filter(
  (name) => !readdirSync(join(root, "migrations")).includes(name),
)
rmSync(copy, { recursive: true })

const matches = status === 0 && added.length === 0 && /nothing to migrate/i.test(stdout)
if (matches) console.info("The migrations match the schema.")
else
  console.error(
    `The migrations do not match the schema. Run: npm run migrations -- --name <family>\n${stdout}${stderr}`,
  )
process.exit(matches ? 0 : 1)
