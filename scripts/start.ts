// npm start: the whole service on this machine. STATE_DIR and PORT say where; further flags go to `wrangler dev`.
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { ancestors, endLeftovers, mark, processesOf } from "./processes.ts"
import { ACCOUNTS, loadSampleData, PASSWORD } from "./sample/index.ts"
import { contents, migrationsOf, root, secretsFile, stateDir } from "./state.ts"
import { CLI, quiet, wrangler } from "./wrangler.ts"

const MINUTE = 60_000
const STOP_WITHIN = 10_000
const PATIENCE = 5_000
/** A start of its own rate-limit client, so that waiting takes nothing from the developer's window. */
const AS_START = { "cf-connecting-ip": "192.0.2.1" }

const flags = process.argv.slice(2)
const portFlag = flags.findIndex((flag) => /^--port(=|$)/.test(flag))
const port = Number(portFlag < 0 ? process.env.PORT || 8787 : (flags[portFlag]?.split("=")[1] ?? flags[portFlag + 1]))
const url = `http://localhost:${port}`
/** There while the sample data is being loaded: a load that was interrupted goes on at the next start. */
const unfinished = join(stateDir, "sample-unfinished")

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

const portIsFree = () =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .once("listening", () => probe.close(() => resolve(true)))
      .listen(port, "localhost")
  })

async function prepare() {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) fail("PORT must be a number from 1 to 65535.")
  if (processesOf(stateDir).some(({ attended }) => attended))
    fail(`A server with this STATE_DIR is running already (${stateDir}). Stop it, or set another STATE_DIR.`)
  endLeftovers(stateDir)
  if (!(await portIsFree())) fail(`Port ${port} is taken. Choose another: PORT=9000 npm start`)
  mkdirSync(stateDir, { recursive: true })
  const { pending, foreign } = migrationsOf()
  if (foreign.length > 0)
    fail(
      `The database in ${stateDir} was made by another version of Lectern (it has ${foreign[0]}). ` +
        "Delete that folder to begin anew, or set another STATE_DIR.",
    )
  if (pending.length === 0) return
  console.info("Applying migrations …")
  const applied = wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir])
  if (applied.status !== 0) fail(`${applied.stdout}\n${applied.stderr}`)
}

/** Starts wrangler. What it says before it is ready is shown only if it never gets ready. */
function serve() {
  const child = spawn(
    process.execPath,
    [
      "--no-warnings",
      "--import",
      join(root, "scripts/stop-with-parent.mjs"),
      CLI,
      "dev",
      "--persist-to",
      stateDir,
      "--env-file",
      secretsFile(),
      "--show-interactive-dev-session=false",
      ...(portFlag < 0 ? ["--port", String(port)] : []),
      ...flags,
    ],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: {
        ...process.env,
        ...quiet,
        ...mark(stateDir),
        // Each server keeps to itself: two of them have the same Worker name.
        WRANGLER_REGISTRY_PATH: join(stateDir, "registry"),
        X_LOCAL_EXPLORER: "true",
      },
    },
  )
  const said: string[] = []
  let open = false
  const show = () => {
    if (open) return
    open = true
    for (const line of said) console.info(line)
  }
  const hear = (line: string) => {
    if (line.includes("/cdn-cgi/local/")) return
    if (open) console.info(line)
    else said.push(line)
    // A build that fails keeps wrangler waiting for a change: say so at once.
    if (line.includes("ERROR")) show()
  }
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on("line", hear)
  const isReady = () => {
    open = true
  }
  return { child, isReady, show }
}

const exitOf = (child: ChildProcess) =>
  new Promise<number>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })

async function answers(child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${url}/login`, { headers: AS_START, signal: AbortSignal.timeout(PATIENCE) }).catch(
      () => undefined,
    )
    await answer?.body?.cancel()
    if (answer?.ok) return true
    await sleep(100)
  }
  return false
}

/** `wrangler dev` never fires the cron triggers: this does, once now and then every minute. */
async function fireCron(child: ChildProcess) {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${url}/cdn-cgi/local/scheduled`).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer && !answer.ok) console.error(`The scheduled handler failed: ${answer.status}`)
    await sleep(MINUTE, undefined, { ref: false })
  }
}

function welcome(withAccounts: boolean) {
  const login = `curl -s ${url}/login -H 'content-type: application/json' -d '{"email":"owner@example.com","password":"${PASSWORD}"}'`
  console.info(`\nLectern is at ${url} (API reference: ${url}/docs). Ctrl-C stops it.\n`)
  if (!withAccounts) return
  console.info(`Accounts of the sample academy, all with the password ${PASSWORD}:`)
  for (const [email, what] of Object.entries(ACCOUNTS)) console.info(`  ${email.padEnd(20)} ${what}`)
  console.info(`
Three lines to try:
  TOKEN=$(${login} | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  curl -s -H "Authorization: Bearer $TOKEN" '${url}/api/users/tabularlist?page_size=3&page_number=1'
  curl -s -H "Authorization: Bearer $TOKEN" '${url}/api/users/lookup?search_term=garc'
`)
}

await prepare()
const { empty, sample } = contents()
const { child, isReady, show } = serve()
const exited = exitOf(child)

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  // A Ctrl-C in a terminal reached wrangler too; give it the time to act on that.
  if (!(await Promise.race([exited.then(() => true), sleep(300, false)]))) child.kill("SIGTERM")
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN)
  await exited
  clearTimeout(late)
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop)
// npm was killed and could not pass it on.
const startedBy = ancestors()
if (process.env.npm_lifecycle_event)
  setInterval(() => {
    if (ancestors() !== startedBy) stop()
  }, 1000).unref()

async function run() {
  if (!(await answers(child))) return
  if (empty || existsSync(unfinished)) {
    writeFileSync(unfinished, "")
    console.info("Loading the sample academy …")
    await loadSampleData(url)
    rmSync(unfinished)
  }
  isReady()
  welcome(empty || sample)
  await fireCron(child)
}

run().catch((error) => {
  if (stopping) return
  console.error(error)
  process.exitCode = 1
  stop()
})

const code = await exited
endLeftovers(stateDir)
if (!stopping && code !== 0) {
  show()
  console.error(`wrangler ended with ${code}.`)
}
process.exit(stopping ? (process.exitCode ?? 0) : code)
