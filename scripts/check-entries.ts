// Runs the edge entry of this commit with the primary entry of an earlier one, and the reverse, on the schema of this
// commit: a deployment replaces the two Workers one after the other. The bundles are those of a deployment.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { flags } from "./lib/cli.ts"
import { call, connect, json, PASSWORD } from "./lib/client.ts"
import { findInconsistencies } from "./lib/consistency.ts"
import { checkOutEarlier, FROM } from "./lib/earlier-version.ts"
import { expectSame, finish } from "./lib/expect.ts"
import { startWorker } from "./lib/service.ts"
import { root } from "./lib/state.ts"
import { requireDatabaseFile } from "./lib/workerd.ts"
import { WRANGLER_ENV, wrangler } from "./lib/wrangler.ts"

const values = flags(
  "npm run verify -- entries",
  "Runs the edge entry of one version with the primary entry of another.",
  { from: FROM },
)
const LOST_ANSWERS = 20
// The sample academy has data that no operation writes: it is loaded with SQL.
process.env.X_LOCAL_EXPLORER = "true"

const folder = mkdtempSync(join(tmpdir(), "lectern-entries-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

interface Version {
  name: string
  checkout: string
}

type Entry = "edge" | "primary"
const MAIN: Record<Entry, string> = { edge: "index", primary: "primary" }
const outputOf = ({ name }: Version, entry: Entry) => join(folder, `${name}-${entry}`)
const configOf = ({ checkout }: Version) => readFileSync(join(checkout, "wrangler.toml"), "utf8")

/** The Durable Objects are the edge entry's. */
const withEdgeObjects = (config: string) =>
  config.replace(/^\[\[(env\.production\.)?durable_objects\.bindings\]\]$/gm, '$&\nscript_name = "lectern"')

/** Builds an entry as `npm run deploy` does. */
function build(version: Version, entry: Entry) {
  const { checkout } = version
  // The paths in it are relative to it.
  const file = join(checkout, "wrangler.deployment-check.toml")
  const config = configOf(version).replace(/^main = .*$/m, `main = "src/${MAIN[entry]}.ts"`)
  writeFileSync(file, entry === "primary" ? withEdgeObjects(config) : config)
  const cli = join(checkout, "node_modules/wrangler/wrangler-dist/cli.js")
  const flags = ["--dry-run", "--config", file, "--env", "production", "--outdir", outputOf(version, entry)]
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", cli, "deploy", ...flags], {
    cwd: checkout,
    env: { ...process.env, ...WRANGLER_ENV },
    encoding: "utf8",
  })
  rmSync(file)
  if (status !== 0) throw new Error(`${version.name}, ${entry}: the build failed.\n${stdout}${stderr}`)
}

/**
 * Stands between the two entries: prints the status of each answer of the primary, and loses the first answer to each
 * key that asks for it.
 */
const TAP = `const lost = new Set()
export default {
  async fetch(request, env) {
    const key = request.headers.get("x-lose-answer")
    const answer = await env.PRIMARY.fetch(request)
    console.log("crossed " + answer.status)
    if (key === null || lost.has(key)) return answer
    lost.add(key)
    await answer.arrayBuffer()
    throw new Error("The answer was lost.")
  },
}
`

const RULES = `
[[rules]]
type = "ESModule"
globs = ["**/*.js"]
fallthrough = false

[[rules]]
type = "CompiledWasm"
globs = ["**/*.wasm"]
fallthrough = false
`

/** The tables that only the edge entry has. */
const EDGE_ONLY = /^\[(\[queues\.consumers|\[migrations|triggers)\]/
/** The tables of the source and of the deployment, and the binding that this program sets. */
const REPLACED = /^\[(alias|build|env\.|\[env\.|\[services)/

/** The configuration of a built entry, made of that of its own version. @returns the file, in a folder */
function configure(version: Version, entry: Entry, at: string): string {
  const change = (table: string): string => {
    if (table.startsWith("[assets]"))
      return table.replace(/^directory = .*$/m, `directory = ${JSON.stringify(join(version.checkout, ".assets"))}`)
    if (table.startsWith("[vars]"))
      return table
        .replace(/^RATE_LIMIT = .*$/m, `RATE_LIMIT = "1000000"`)
        .replace("[vars]\n", `[vars]\nAPP_SECRET = "both entries of the check have this secret"\n`)
    return entry === "primary" ? withEdgeObjects(table) : table
  }
  const tables = configOf(version)
    .replace(/^main = .*$/m, `main = ${JSON.stringify(join(outputOf(version, entry), `${MAIN[entry]}.js`))}`)
    .replace(/^name = .*$/m, `name = "${entry === "edge" ? "lectern" : "lectern-primary"}"\nno_bundle = true`)
    .split(/^(?=\[)/m)
    .filter((table) => !REPLACED.test(table) && !(entry === "primary" && EDGE_ONLY.test(table)))
    .map(change)
  const service = entry === "edge" ? `\n[[services]]\nbinding = "PRIMARY"\nservice = "lectern-tap"\n` : ""
  const file = join(at, `${entry}.toml`)
  writeFileSync(file, `${tables.join("")}${RULES}${service}`)
  return file
}
function configureTap(at: string): string {
  writeFileSync(join(at, "tap.js"), TAP)
  const file = join(at, "tap.toml")
  writeFileSync(
    file,
    `name = "lectern-tap"\nmain = "tap.js"\nno_bundle = true\ncompatibility_date = "2026-11-01"\n
[[services]]\nbinding = "PRIMARY"\nservice = "lectern-primary"\n`,
  )
  return file
}

/** The version of the format that a checkout sends; its primary serves this one and the previous one. */
const crossingVersion = ({ checkout }: Version) =>
  Number(
    /CROSSING_VERSION = (\d+)/.exec(readFileSync(join(checkout, "src/lib/web/crossing.ts"), "utf8"))?.[1] ?? Number.NaN,
  )

/** Changes whose answer is lost between the entries: each is made once, and its stored answer is sent. */
async function loseAnswers(url: string): Promise<number[]> {
  const owner = await connect(url, "owner@example.com", PASSWORD)
  const ids: number[] = []
  for (let n = 0; n < LOST_ANSWERS; n++) {
    const headers = { "idempotency-key": `lost-${n}`, "x-lose-answer": `lost-${n}` }
    const answer = await call(owner, "POST", "/api/group/create", { name: `Lost ${n}` }, headers)
    expectSame(`whether the lost answer ${n} is repeated`, answer.headers.has("idempotency-replayed"), true)
    ids.push((await json<{ id: number }>(answer)).id)
  }
  return ids
}

/** The number of rows of each table. */
function countRows(db: DatabaseSync): Record<string, number> {
  const tables = db.prepare("select name from sqlite_master where type = 'table' and sql not like '%virtual%'").all()
  return Object.fromEntries(
    tables
      .map(({ name }) => String(name))
      .filter((name) => !/^(_cf|sqlite|d1)_|_search_|_search$|_terms$/.test(name))
      .map((name) => [name, Number(db.prepare(`select count(*) as n from "${name}"`).get()?.n)]),
  )
}

type Sample = Pick<typeof import("./sample/index.ts"), "loadSampleData">

/** Loads the sample academy by an edge and a primary entry. @returns the rows that it made */
async function check(sample: Sample, edge: Version, primary: Version): Promise<Record<string, number>> {
  const title = `edge ${edge.name}, primary ${primary.name}`
  const at = join(folder, title.replace(/\W+/g, "-"))
  // Wrangler watches the folder of a Worker, and must not see the database change.
  const [state, workers] = [join(at, "state"), join(at, "workers")]
  mkdirSync(state, { recursive: true })
  mkdirSync(workers)
  const applied = wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", state])
  if (applied.status !== 0) throw new Error(`${applied.stdout}${applied.stderr}`)
  const log = join(at, "log")
  writeFileSync(log, "")
  const configs = [configure(edge, "edge", workers), configureTap(workers), configure(primary, "primary", workers)]
  const server = await startWorker(configs, state, { log })
  const { mailed } = await sample.loadSampleData(server.url)
  await mailed
  const ids = await loseAnswers(server.url)
  await server.stop()

  const crossed = readFileSync(log, "utf8").match(/^crossed \d+$/gm) ?? []
  const refused = crossed.filter((line) => line === "crossed 421").length
  const serves = crossingVersion(primary) >= crossingVersion(edge)
  expectSame(`${title}: whether the primary runs the changes`, refused === 0, serves)
  const db = new DatabaseSync(requireDatabaseFile(state), { readOnly: true })
  const groups = db.prepare("select id from groups where name like 'Lost %' order by id").all()
  expectSame(
    `${title}: the groups of lost answers`,
    groups.map(({ id }) => id),
    ids,
  )
  expectSame(`${title}: what is inconsistent`, findInconsistencies(db), [])
  const rows = countRows(db)
  db.close()
  const sum = Object.values(rows).reduce((all, count) => all + count, 0)
  console.info(`${title}: ${crossed.length} changes crossed, ${refused} were refused; ${sum} rows.`)
  return rows
}

const { commit, folder: earlier } = checkOutEarlier(values.from)
const now: Version = { name: "now", checkout: root }
const before: Version = { name: commit, checkout: earlier }
for (const version of [now, before]) for (const entry of ["edge", "primary"] as const) build(version, entry)
// Both versions have the operations of the earlier one.
const sample: Sample = await import(pathToFileURL(join(earlier, "scripts/sample/index.ts")).href)
const expected = await check(sample, now, now)
for (const [edge, primary] of [
  [now, before],
  [before, now],
] as const)
  expectSame(`edge ${edge.name}, primary ${primary.name}: the rows`, await check(sample, edge, primary), expected)
finish(`Both entries of ${commit} work with those of this commit: nothing was lost or made twice.`)
process.exit()
