import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { packagesWithoutIntegrity } from "../../scripts/lib/lock.ts"
import { everyCombination } from "./matrix.ts"

const root = join(import.meta.dirname, "../..")
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> }
const folder = mkdtempSync(join(tmpdir(), "lectern-scripts-"))
after(() => rmSync(folder, { recursive: true }))

const run = (script: string, args: string[], env: Record<string, string> = {}) => {
  const command = ["--disable-warning=ExperimentalWarning", join(root, script), ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: "utf8",
    env: { NODE_COMPILE_CACHE: join(folder, "compiled"), ...process.env, PORT: "1", ...env },
  })
  return { status, stdout, stderr }
}

/** The programs that people call, with their commands. */
const PROGRAMS = {
  "scripts/check.ts": "npm run check",
  "scripts/test-all.ts": "npm run test:all",
  "scripts/verify.ts": "npm run verify",
  "scripts/bounds.ts": "npm run verify -- bounds",
  "scripts/check-versions.ts": "npm run verify -- versions",
  "scripts/check-entries.ts": "npm run verify -- entries",
  "scripts/faults.ts": "npm run verify -- faults",
  "scripts/soak.ts": "npm run verify -- soak",
  "scripts/verify-openapi.ts": "npm run verify -- openapi",
  "scripts/backup/backup.ts": "npm run backup",
  "scripts/backup/restore.ts": "npm run restore",
  "scripts/deploy/deploy.ts": "npm run deploy",
  "scripts/deploy/doctor.ts": "npm run doctor",
  "scripts/deploy/owner.ts": "npm run owner",
  "scripts/deploy/rollback.ts": "npm run rollback",
  "scripts/deploy/rotate.ts": "npm run rotate",
  "scripts/generate/index.ts": "npm run generate",
  "scripts/generate/migrations.ts": "npm run migrations",
  "bench/index.ts": "npm run bench",
  "bench/academy.ts": "npm run bench -- academy",
  "bench/compare.ts": "npm run bench -- compare",
  "bench/cost.ts": "npm run bench -- cost",
  "bench/first-requests.ts": "npm run bench -- first-requests",
  "bench/heartbeats.ts": "npm run bench -- heartbeats",
  "bench/jobs.ts": "npm run bench -- jobs",
  "bench/learning-lists.ts": "npm run bench -- learning-lists",
  "bench/lists.ts": "npm run bench -- lists",
  "bench/operations.ts": "npm run bench -- operations",
  "bench/reports.ts": "npm run bench -- reports",
  "bench/seed-enrollments.ts": "npm run bench -- seed-enrollments",
  "bench/seed-users.ts": "npm run bench -- seed-users",
}

/** They have no flags of their own. */
const WITHOUT_HELP = ["scripts/start.ts", "scripts/test.ts"]

describe("the scripts of package.json", () => {
  it("install the packages first", () => {
    for (const [name, command] of Object.entries(scripts))
      assert.ok(/^node scripts\/(run|install)\.mjs( |$)/.test(command) || `pre${name}` in scripts, name)
  })

  it("are all listed here", () => {
    const called = Object.values(scripts).flatMap((command) => /(?:scripts|bench)\/\S+\.ts/.exec(command) ?? [])
    assert.ok(called.length > 12)
    assert.deepEqual(
      called.filter((path) => !(path in PROGRAMS) && !WITHOUT_HELP.includes(path)),
      [],
    )
  })

  it("are all in the table of CONTRIBUTING.md", () => {
    const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")
    const names = Object.keys(scripts).filter((name) => !name.startsWith("pre"))
    const commands = names.map((name) => (/^(start|test)$/.test(name) ? `npm ${name}` : `npm run ${name}`))
    assert.deepEqual(
      commands.filter((command) => !text.includes(`| \`${command}\``)),
      [],
    )
  })

  it("npm run test:all runs every folder of test/e2e and every program of npm run verify", () => {
    const all = readFileSync(join(root, "scripts/test-all.ts"), "utf8")
    const folders = globSync("test/e2e/*/*.spec.ts", { cwd: root }).map((path) => path.split("/")[2] ?? "")
    const verified = readFileSync(join(root, "scripts/verify.ts"), "utf8")
    const programs = [...verified.matchAll(/^ {2}(\w+): \{/gm)].map(([, name = ""]) => name)
    assert.ok(folders.length > 10 && programs.length > 5)
    assert.deepEqual(
      [...new Set([...folders, ...programs])].filter((name) => !all.includes(`"${name}"`)),
      [],
    )
  })

  // All programs read their flags with the same function.
  const programs = Object.entries(PROGRAMS).filter((_, at) => everyCombination || at % 12 === 0)
  for (const [script, command] of programs)
    it(`${command} prints its flags, and refuses an unknown one`, () => {
      const help = run(script, ["--help"])
      assert.deepEqual([help.status, help.stderr], [0, ""])
      assert.ok(help.stdout.startsWith(command), help.stdout)
      const wrong = run(script, ["--nonsense"])
      assert.equal(wrong.status, 2)
      assert.match(wrong.stderr, /^Unknown (option|name) '--nonsense'\n/)
      assert.doesNotMatch(wrong.stderr, /\n {4}at /)
    })

  it("npm start prints its flags", () => {
    const { status, stdout } = run("scripts/start.ts", ["--help"])
    assert.equal(status, 0)
    assert.match(stdout, /--empty/)
  })

  it("report an unusable state folder in one line", () => {
    const file = join(folder, "a-file")
    writeFileSync(file, "")
    const damaged = join(folder, "damaged")
    const databases = join(damaged, "v3/d1/miniflare-D1DatabaseObject")
    mkdirSync(databases, { recursive: true })
    writeFileSync(join(databases, `${"a".repeat(64)}.sqlite`), "This is no database. ".repeat(500))
    const cases: [script: string, args: string[], state: string, says: RegExp][] = [
      ["scripts/start.ts", [], file, /^STATE_DIR is .*a-file, which cannot be used as a folder/],
      ["scripts/start.ts", [], join(file, "within"), /^STATE_DIR is .*within, which cannot be used/],
      ["scripts/start.ts", [], damaged, /^The database in .*damaged \(STATE_DIR\) cannot be read/],
      ["bench/seed-users.ts", [], damaged, /^The database in .*damaged \(STATE_DIR\) cannot be read/],
      ["bench/seed-users.ts", [], join(folder, "none"), /^No database was found in .*none \(STATE_DIR\)/],
      [
        "scripts/deploy/owner.ts",
        ["--local", "--email", "a@b.org"],
        join(folder, "none"),
        /^No database was found in .*none/,
      ],
    ]
    // A port above the range from which systems choose ports of connections.
    for (const [script, args, state, says] of cases) {
      const { status, stderr } = run(script, args, { STATE_DIR: state, PORT: "61160" })
      assert.match(stderr, says)
      assert.equal(status, 1)
      assert.doesNotMatch(stderr, /\n {4}at /)
    }
  })
})

describe("the imports of scripts and benchmarks", () => {
  const importsOf = (folder: string) =>
    globSync(`${folder}/**/*.ts`, { cwd: root }).flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(
        ([, imported = ""]) => ({
          path,
          to: join(path, "..", imported),
        }),
      ),
    )

  it("lead from benchmarks and scripts to scripts/lib, and never to the tests", () => {
    const scripts = importsOf("scripts").filter(({ to }) => /^(bench|test)\//.test(to))
    const shared = importsOf("scripts/lib").filter(({ to }) => /^(scripts\/(?!lib\/)|bench\/|test\/)/.test(to))
    const bench = importsOf("bench").filter(({ to }) => /^scripts\/(?!lib\/)/.test(to))
    assert.deepEqual([...scripts, ...shared, ...bench], [])
    assert.ok(importsOf("bench").some(({ to }) => to === "scripts/lib/client.ts"))
  })
})

describe("package-lock.json", () => {
  const lockWith = (entry: object) =>
    packagesWithoutIntegrity(JSON.stringify({ packages: { "": {}, "node_modules/a": entry } }))

  it("fails the check when a package has no SHA-512 digest", () => {
    const integrity = `sha512-${"A".repeat(86)}==`
    for (const entry of [{ integrity }, { link: true }, { inBundle: true }]) assert.deepEqual(lockWith(entry), [])
    const bad = [{ optional: true }, { integrity: "" }, { integrity: `sha1-${"A".repeat(27)}=` }]
    for (const entry of bad) assert.deepEqual(lockWith(entry), ["node_modules/a"])
  })
})
