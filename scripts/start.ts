// npm start: the whole service on this machine. Unknown flags go to `wrangler dev`.
import { spawn } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { basename, join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fail } from "./lib/cli.ts"
import { PASSWORD } from "./lib/client.ts"
import { freePort } from "./lib/ports.ts"
import { ancestorIds, killLeftovers, processesOf, processMarkers } from "./lib/processes.ts"
import {
  compareMigrations,
  databaseContents,
  isRestoreUnfinished,
  makeStateDir,
  root,
  secretsFile,
  stateDir,
} from "./lib/state.ts"
import { CLI, WRANGLER_ENV, wrangler } from "./lib/wrangler.ts"
import { ACCOUNTS, loadSampleData } from "./sample/index.ts"

const MINUTE = 60_000
const STOP_WITHIN = 10_000
const HEALTH_TIMEOUT_MS = 5_000
/** After this time, the cron sends the remaining mails of the sample. */
const MAILED_WITHIN = 60_000

const given = process.argv.slice(2)
if (given.includes("--help")) {
  console.info(`npm start [-- flags]
Runs the service locally. An empty database is filled with a sample academy.

  --empty      start without the sample academy; create the first owner with npm run owner -- --local
  --port <n>   same as PORT
  --help       show this help
  PORT         the port (default: 8787)
  STATE_DIR    the folder for all data (default: .state)

Other flags are passed to wrangler dev, such as --var RATE_LIMIT:1000000.`)
  process.exit(0)
}
const flags = given.filter((flag) => flag !== "--empty")
const withSample = flags.length === given.length
const portFlag = flags.findIndex((flag) => /^--port(=|$)/.test(flag))
const port = Number(portFlag < 0 ? process.env.PORT || 8787 : (flags[portFlag]?.split("=")[1] ?? flags[portFlag + 1]))
const url = `http://localhost:${port}`
/** The flags without the port's. */
const others = flags.filter((_, at) => at !== portFlag && !(at - 1 === portFlag && flags[portFlag] === "--port"))
/** Exists while the sample data is being loaded: the next start continues an interrupted load. */
const unfinished = join(stateDir, "sample-unfinished")

const portIsFree = () =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .once("listening", () => probe.close(() => resolve(true)))
      .listen(port, "localhost")
  })

async function prepare() {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) fail("PORT must be a number from 1 to 65535.")
  makeStateDir()
  if (processesOf(stateDir).some(({ attended }) => attended))
    fail(`A server is already running with STATE_DIR=${stateDir}. Stop it, or set another STATE_DIR.`)
  killLeftovers(stateDir)
  if (!(await portIsFree())) fail(`Port ${port} is in use. Choose another port: PORT=9000 npm start`)
  if (isRestoreUnfinished())
    fail(
      `A restore into ${stateDir} is unfinished. Run it again (npm run restore -- --local), or set another STATE_DIR.`,
    )
  const { pending, foreign } = compareMigrations()
  if (foreign.length > 0)
    fail(
      `The database in ${stateDir} was created by another version of Lectern (it has ${foreign[0]}). ` +
        "Delete that folder to start over, or set another STATE_DIR.",
    )
  if (pending.length === 0) return
  console.info("Applying migrations …")
  const applied = wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir])
  if (applied.status !== 0) fail(`${applied.stdout}\n${applied.stderr}`)
}

const mailFolder = join(stateDir, "mails")

/** Copies a mail's file to the state folder: wrangler deletes its own at the next start. @returns the path */
function keepMail(path: string): string {
  const copy = join(mailFolder, `${new Date().toISOString().replace(/[:.]/g, "-")}-${basename(path)}`)
  try {
    mkdirSync(mailFolder, { recursive: true })
    copyFileSync(path, copy)
    return copy
  } catch {
    return path
  }
}

/** Prints each mail in one line instead of wrangler's seven. @returns whether it consumed the line */
function mailLog(say: (line: string) => void): (line: string) => boolean {
  let current: Map<string, string> | undefined
  return (line) => {
    if (line.includes("send_email binding called with")) {
      current = new Map()
      return true
    }
    const [, name, value] = /^(From|To|Cc|Bcc|Reply-To|Subject|Text|HTML): (.*)$/.exec(line) ?? []
    if (!current || !(name || line === "")) return false
    if (name && value !== undefined)
      current.set(name, name === "Text" || name === "HTML" ? keepMail(value.trim()) : value)
    if (name === "HTML" || (name === "Text" && !current.has("Subject"))) {
      say(`Mail to ${current.get("To")}: ${current.get("Subject")} (${current.get("Text") ?? value})`)
      current = undefined
    }
    return true
  }
}

/**
 * Starts wrangler. What it says before it is ready is shown only if it never gets ready.
 * @param mails whether mails are printed
 */
function serve(at: number, { mails, more = [] }: { mails: boolean; more?: string[] }) {
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
      "--port",
      String(at),
      ...others,
      ...more,
    ],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: {
        ...process.env,
        ...WRANGLER_ENV,
        ...processMarkers(stateDir),
        // Servers must not find each other: two of them have the same Worker name.
        WRANGLER_REGISTRY_PATH: join(stateDir, "registry"),
        X_LOCAL_EXPLORER: "true",
        // Its trace store would contain every URL, including links with tokens, and is never cleaned up.
        X_LOCAL_OBSERVABILITY: process.env.X_LOCAL_OBSERVABILITY ?? "false",
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
  const say = (line: string) => {
    if (open) console.info(line)
    else said.push(line)
  }
  const mail = mailLog((line) => {
    if (mails) say(line)
  })
  const hear = (line: string) => {
    if (line.includes("/cdn-cgi/local/") || mail(line)) return
    say(line)
    // After a failed build, wrangler waits for a change: report the failure immediately.
    if (line.includes("ERROR")) show()
  }
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on("line", hear)
  const isReady = () => {
    open = true
  }
  const exited = new Promise<number>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })
  return { child, exited, isReady, show }
}

type Server = ReturnType<typeof serve>

async function answers({ child }: Server, at: number): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`http://localhost:${at}/health`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return true
    await sleep(100)
  }
  return false
}

/** `wrangler dev` never fires cron triggers: this does, now and every minute. */
async function fireCron({ child }: Server) {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${url}/cdn-cgi/local/scheduled`).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer && !answer.ok) console.error(`The scheduled handler failed: ${answer.status}`)
    await sleep(MINUTE, undefined, { ref: false })
  }
}

/** The state folder as a command line has it; empty for the one that is meant without. */
const where = process.env.STATE_DIR ? `STATE_DIR=${process.env.STATE_DIR} ` : ""

function welcome(withAccounts: boolean) {
  const credentials = JSON.stringify({ email: "owner@example.com", password: PASSWORD })
  const login = `curl -s ${url}/login -H 'content-type: application/json' -d '${credentials}'`
  console.info(`\nLectern is at ${url} (API reference: ${url}/docs). Ctrl-C stops it.\n`)
  if (!withAccounts) {
    if (empty)
      console.info(
        `The academy has no users yet. Run this in another terminal:\n` +
          `  ${where}npm run owner -- --local --email you@example.org\n`,
      )
    return
  }
  console.info(`Accounts of the sample academy, all with the password ${PASSWORD}:`)
  for (const [email, what] of Object.entries(ACCOUNTS)) console.info(`  ${email.padEnd(20)} ${what}`)
  console.info(`
Try it:
  TOKEN=$(${login} | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  curl -s -H "Authorization: Bearer $TOKEN" '${url}/api/users/tabularlist?page_size=3&page_number=1'
  curl -s -H "Authorization: Bearer $TOKEN" '${url}/api/users/lookup?search_term=garc'
`)
}

await prepare()
const { empty, sample } = databaseContents()
const loads = withSample && (empty || existsSync(unfinished))
let server: Server | undefined
let stopping = false

async function end({ child, exited }: Server) {
  child.kill("SIGTERM")
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN)
  await exited
  clearTimeout(late)
}

async function stop() {
  if (stopping) return
  stopping = true
  // A Ctrl-C in a terminal reached wrangler too; give it the time to act on that.
  if (server && !(await Promise.race([server.exited.then(() => true), sleep(300, false)]))) await end(server)
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop)
// npm was killed and could not pass it on.
const startedBy = ancestorIds()
if (process.env.npm_lifecycle_event)
  setInterval(() => {
    if (ancestorIds() !== startedBy) stop()
  }, 1000).unref()

/**
 * Loads the sample academy on another port, so that the service is complete when it answers on its own. Links
 * of its mails lead to the service's own.
 * @returns whether the server lived to the end of it
 */
async function loadSample(): Promise<boolean> {
  const at = await freePort()
  const more = others.some((flag) => flag.startsWith("BASE_URL:")) ? [] : ["--var", `BASE_URL:${url}`]
  server = serve(at, { mails: false, more })
  if (!(await answers(server, at))) return false
  writeFileSync(unfinished, "")
  console.info("Loading the sample academy …")
  const { mailed } = await loadSampleData(`http://localhost:${at}`)
  rmSync(unfinished)
  await Promise.race([mailed.catch(() => {}), sleep(MAILED_WITHIN, undefined, { ref: false })])
  if (stopping) return false
  await end(server)
  killLeftovers(stateDir)
  return !stopping
}

/** Supervises the service until it ends. */
async function supervise(service: Server) {
  if (!(await answers(service, port))) return
  service.isReady()
  welcome(sample || loads)
  await fireCron(service)
}

function broken(error: unknown) {
  if (stopping) return
  console.error(error)
  process.exitCode = 1
  stop()
}

if (!loads || (await loadSample().catch(broken))) {
  server = serve(port, { mails: true })
  supervise(server).catch(broken)
}
const code = (await server?.exited) ?? 0
killLeftovers(stateDir)
if (!stopping && code !== 0) {
  server?.show()
  console.error(`wrangler exited with code ${code}.`)
}
process.exit(stopping ? (process.exitCode ?? 0) : code)
