// How the scripts of package.json are called: on a clone without packages, with flags that they have and have not, and
// with a state folder that is none. npm run scripts:test.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { withoutIntegrity } from "../../scripts/lib/lock.ts"

const root = join(import.meta.dirname, "../..")
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> }
const folder = mkdtempSync(join(tmpdir(), "lectern-scripts-"))
after(() => rmSync(folder, { recursive: true }))

const run = (script: string, args: string[], env: Record<string, string> = {}) => {
  const command = ["--disable-warning=ExperimentalWarning", join(root, script), ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: "utf8",
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled"), PORT: "1", ...env },
  })
  return { status, stdout, stderr }
}

/** The scripts that are called by hand, and what each is called. */
const CALLED = {
  "scripts/owner.ts": "npm run owner",
  "scripts/backup.ts": "npm run backup",
  "scripts/restore.ts": "npm run restore",
  "scripts/client.ts": "npm run client",
  "scripts/deploy.ts": "npm run deploy",
  "scripts/rollback.ts": "npm run rollback",
  "scripts/rotate.ts": "npm run rotate",
  "scripts/doctor.ts": "npm run doctor",
  "scripts/check-backup.ts": "npm run check:backup",
  "scripts/check-browser.ts": "npm run check:browser",
  "scripts/check-client.ts": "npm run check:client",
  "scripts/check-course.ts": "npm run check:course",
  "scripts/check-exploits.ts": "npm run check:exploits",
  "scripts/check-first-hour.ts": "npm run check:first-hour",
  "scripts/check-guide.ts": "npm run check:guide",
  "scripts/check-oauth.ts": "npm run check:oauth",
  "scripts/check-sso.ts": "npm run check:sso",
  "scripts/check-two-factor.ts": "npm run check:two-factor",
  "scripts/check-versions.ts": "npm run check:versions",
  "scripts/check-webhooks.ts": "npm run check:webhooks",
  "scripts/examples.ts": "npm run examples",
  "scripts/faults.ts": "npm run faults",
  "scripts/soak.ts": "npm run soak",
  "scripts/verify-openapi.ts": "npm run verify:openapi",
  "bench/academy.ts": "npm run academy",
  "bench/bench.ts": "npm run bench",
  "bench/compare.ts": "npm run compare",
  "bench/cost.ts": "npm run cost",
  "bench/first-requests.ts": "npm run first-requests",
  "bench/heartbeats.ts": "npm run heartbeats",
  "bench/lists.ts": "npm run lists",
  "bench/reports.ts": "npm run reports",
  "scripts/migrations.ts": "npm run migrations",
  "bench/learning-lists.ts": "npm run lists:learning",
  "bench/seed-users.ts": "npm run seed",
  "bench/seed-enrollments.ts": "npm run seed:enrollments",
}

describe("the scripts of package.json", () => {
  it("install the packages before anything else", () => {
    for (const [name, command] of Object.entries(scripts)) {
      const [first = ""] = command.split(" && ")
      const installs = /^node scripts\/(run|install)\.mjs( |$)/.test(first) || `pre${name}` in scripts
      const [, other] = /^npm run ([\w:-]+)/.exec(first) ?? []
      assert.ok(installs || (other && other in scripts), `${name} runs ${first} on a clone without packages`)
    }
  })

  it("that check something are all run by npm run test:all", () => {
    const source = readFileSync(join(root, "scripts/test-all.ts"), "utf8")
    const checks = Object.keys(scripts).filter((name) => /^(check|verify):|^(test|faults|soak|growth|cost)$/.test(name))
    assert.ok(checks.length > 15)
    assert.deepEqual(
      checks.filter((name) => !source.includes(`["${name}"`)),
      [],
    )
  })

  for (const [script, command] of Object.entries(CALLED))
    it(`${command} shows its flags, and names one that it does not have`, () => {
      const help = run(script, ["--help"])
      assert.deepEqual([help.status, help.stderr], [0, ""])
      assert.ok(help.stdout.startsWith(command), help.stdout)
      const wrong = run(script, ["--nonsense"])
      assert.equal(wrong.status, 2)
      assert.match(wrong.stderr, /^Unknown option '--nonsense'\n/)
      assert.doesNotMatch(wrong.stderr, /\n {4}at /)
    })

  it("npm start shows its flags", () => {
    const { status, stdout } = run("scripts/start.ts", ["--help"])
    assert.equal(status, 0)
    assert.match(stdout, /--empty/)
  })

  it("say what is wrong with a state folder", () => {
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
      ["bench/seed-users.ts", [], join(folder, "none"), /^There is no database in .*none \(STATE_DIR\)/],
      ["scripts/owner.ts", ["--local", "--email", "a@b.org"], join(folder, "none"), /^There is no database in .*none/],
    ]
    for (const [script, args, state, says] of cases) {
      const { status, stderr } = run(script, args, { STATE_DIR: state, PORT: "59160" })
      assert.match(stderr, says)
      assert.equal(status, 1)
      assert.doesNotMatch(stderr, /\n {4}at /)
    }
  })
})

describe("scripts and benchmarks", () => {
  const importsOf = (folder: string) =>
    globSync(`${folder}/**/*.ts`, { cwd: root }).flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(
        ([, imported = ""]) => ({
          path,
          to: join(path, "..", imported),
        }),
      ),
    )

  it("share what stands in scripts/lib, and import nothing else of each other, nor of the tests", () => {
    const scripts = importsOf("scripts").filter(({ to }) => /^(bench|test)\//.test(to))
    const shared = importsOf("scripts/lib").filter(({ to }) => /^(scripts\/(?!lib\/)|bench\/|test\/)/.test(to))
    const bench = importsOf("bench").filter(({ to }) => /^scripts\/(?!lib\/)/.test(to))
    assert.deepEqual([...scripts, ...shared, ...bench], [])
    assert.ok(importsOf("bench").some(({ to }) => to === "scripts/lib/client.ts"))
  })
})

describe("package-lock.json", () => {
  const lockWith = (entry: object) =>
    withoutIntegrity(JSON.stringify({ packages: { "": {}, "node_modules/a": entry } }))

  it("is refused where a package has no SHA-512 digest", () => {
    const integrity = `sha512-${"A".repeat(86)}==`
    for (const entry of [{ integrity }, { link: true }, { inBundle: true }]) assert.deepEqual(lockWith(entry), [])
    const bad = [{ optional: true }, { integrity: "" }, { integrity: `sha1-${"A".repeat(27)}=` }]
    for (const entry of bad) assert.deepEqual(lockWith(entry), ["node_modules/a"])
  })
})
