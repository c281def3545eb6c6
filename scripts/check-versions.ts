// Runs the tests of an earlier commit on the migrations of this one: during a deployment both versions serve.
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, globSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fail, flags } from "./lib/cli.ts"
import { root } from "./lib/state.ts"

/** Tests of the earlier commit that check its source rather than the service, with the reason. */
const EXCLUDED: Record<string, string> = {
  "test/platform/conventions.test.ts": "it reads the source",
}

const values = flags(
  "npm run verify -- versions",
  "Runs the tests of an earlier commit on the migrations of this one.",
  {
    from: { type: "string", value: "commit", default: "", about: "the earlier commit; the last tag by default" },
    only: {
      type: "string",
      value: "words",
      default: "",
      about: "the test files whose name has one of these, with commas",
    },
  },
)

const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
const lastTag = () => {
  const { status, stdout } = spawnSync("git", ["describe", "--tags", "--abbrev=0"], { cwd: root, encoding: "utf8" })
  return status === 0 ? stdout.trim() : fail("There is no tag: --from <commit>")
}
const from = git("rev-parse", "--short", values.from || lastTag())
const old = mkdtempSync(join(tmpdir(), "lectern-versions-"))
const end = (code: number): never => {
  spawnSync("git", ["worktree", "remove", "--force", old], { cwd: root })
  rmSync(old, { recursive: true, force: true })
  process.exit(code)
}
process.once("SIGINT", () => end(130))

git("worktree", "add", "--quiet", "--detach", old, from)
const own = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"))
const gone = readdirSync(join(old, "migrations")).filter((name) => name.endsWith(".sql") && !own.includes(name))
if (gone.length > 0) {
  console.error(`${from} has migrations that this commit lacks: ${gone.join(", ")}.`)
  end(1)
}
const added = own.filter((name) => !existsSync(join(old, "migrations", name)))
for (const name of own) cpSync(join(root, "migrations", name), join(old, "migrations", name))
console.info(
  `${from} on the schema of ${git("rev-parse", "--short", "HEAD")}: ${added.join(", ") || "no new migration"}`,
)
for (const [file, why] of Object.entries(EXCLUDED)) console.info(`Excluded: ${file}: ${why}.`)

const installed = spawnSync("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"], {
  cwd: old,
  stdio: "inherit",
})
if (installed.status !== 0) fail("The packages of the earlier commit cannot be installed.")
const words = values.only.split(",").filter(Boolean)
const files = globSync("test/*/*.test.ts", { cwd: old }).filter(
  (file) =>
    !/^test\/(scripts|e2e)\//.test(file) &&
    !(file in EXCLUDED) &&
    (words.length === 0 || words.some((word) => file.includes(word))),
)
const vitest = join(old, "node_modules/vitest/vitest.mjs")
const args = [vitest, "run", "--config", "test/vitest.config.ts", ...files]
const { status } = spawnSync(process.execPath, args, { cwd: old, stdio: "inherit" })
end(status ?? 1)
