// npm run deploy: puts the service on Cloudflare: makes what is missing, migrates, deploys. Every step can be repeated.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fail, flags, integer } from "../lib/cli.ts"
import {
  cloudflareApi,
  credentials,
  databaseInfo,
  enableReadReplication,
  hasBucket,
  hasQueue,
} from "../lib/cloudflare.ts"
import {
  accountEnv,
  activeVersions,
  appendLog,
  DEPLOYMENT_VARIABLE,
  findDatabaseId,
  generateSecret,
  readinessError,
  readJson,
  readSecrets,
  readSettings,
  type Settings,
  secretsFileName,
  withSecretsFile,
  writeSecrets,
  writeWranglerConfig,
} from "../lib/deployment.ts"
import { root } from "../lib/state.ts"
import { wrangler } from "../lib/wrangler.ts"
import { migrate } from "./migrate.ts"

const values = flags(
  "npm run deploy",
  "Puts the service on Cloudflare: makes what is missing, migrates, deploys in steps. Every step can be repeated.",
  {
    "all-at-once": { type: "boolean", default: false, about: "the new version serves every request at once" },
    minutes: { type: "string", value: "n", default: "2", about: "how long each step of 10 and 50 of 100 lasts" },
  },
  DEPLOYMENT_VARIABLE,
)
const minutes = integer("minutes", values.minutes, 0)

/** Runs a step in the open. Ends the script when it fails. */
function step(what: string, args: string[], env: Record<string, string> = {}) {
  console.info(`\n${what}`)
  const { status } = wrangler(args, { show: true, env })
  if (status !== 0) fail(`${what} failed. Nothing after it was done; run npm run deploy again.`)
}

/** wrangler.toml is not to be written into. */
const KEEP = ["--update-config=false"]

/** Makes the database, the bucket and the queues that are not there. `made`: the database is new. */
async function provide(given: Settings): Promise<{ id: string; made: boolean }> {
  const env = accountEnv(given.values)
  const { location, jurisdiction } = given
  const within = jurisdiction ? ["--jurisdiction", jurisdiction] : []
  const where = location ? ["--location", location] : within
  const known = findDatabaseId(given)
  if (known === undefined)
    step(`Making the database ${given.database}`, ["d1", "create", given.database, ...where, ...KEEP], env)
  else await requireJurisdiction(known, jurisdiction)
  if (!(await hasBucket(api, given.bucket, jurisdiction)))
    step(`Making the bucket ${given.bucket}`, ["r2", "bucket", "create", given.bucket, ...where, ...KEEP], env)
  for (const queue of given.queues)
    if (!(await hasQueue(api, queue))) step(`Making the queue ${queue}`, ["queues", "create", queue], env)
  const id = known ?? findDatabaseId(given)
  if (id === undefined) fail(`The database ${given.database} was made, but cannot be found. Run npm run deploy again.`)
  if (await enableReadReplication(api, id))
    console.info("\nRead replication is on: D1 answers reads from near the reader")
  return { id, made: known === undefined }
}

/** Ends the script where a database is bound to another place than the settings say. */
async function requireJurisdiction(id: string, wanted: string | undefined) {
  const { jurisdiction: made } = await databaseInfo(api, id)
  if ((made || undefined) === wanted) return
  const display = (where: string | null | undefined) => (where ? `JURISDICTION=${where}` : "no JURISDICTION")
  fail(`The database was made with ${display(made)}, and the settings have ${display(wanted)}.
It cannot be changed: database and bucket stay where they are, and the Durable Objects would forget which sessions have
ended. Put it back, or move the academy into a new deployment: see docs/operations/backups.md.`)
}

/** The secrets of the deployment. The first time, they are created and stored before they are used. */
function secretsFor(isFirst: boolean, where: string[]): Record<string, string> {
  const stored = readSecrets()
  if (stored.APP_SECRET) return stored
  if (!isFirst && wrangler(["secret", "list", ...where]).stdout.includes("APP_SECRET"))
    fail(`${secretsFileName} has no APP_SECRET, but the deployment has one, which Cloudflare tells nobody.
Bring back that file from where you keep copies. If it is lost, see "A lost secret" in docs/operations/operating.md.`)
  const made = { ...stored, APP_SECRET: generateSecret() }
  writeSecrets(made)
  console.info(
    `\nAPP_SECRET was made: ${secretsFileName}. Keep a copy of it in a safe place. Nobody can tell it again.`,
  )
  return made
}

/** Where Time Travel finds the database as it is now. */
function bookmarkOf(where: string[]): string {
  const { status, stdout, stderr } = wrangler(["d1", "time-travel", "info", "DB", "--json", ...where])
  if (status !== 0) fail(`Time Travel tells no bookmark:\n${stdout}${stderr}`)
  return (readJson(stdout) as { bookmark: string }).bookmark
}

function commitOf(): string {
  try {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
    return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") ? "-changed" : ""}`
  } catch {
    return "unknown"
  }
}

/** Uploads the version without a request for it. @returns its id */
function upload(where: string[], values: Record<string, string>, commit: string): string {
  const at = mkdtempSync(join(tmpdir(), "lectern-version-"))
  try {
    const output = join(at, "output.jsonl")
    console.info("\nUploading the version")
    const { status, stdout, stderr } = withSecretsFile(values, (file) =>
      wrangler(["versions", "upload", "--secrets-file", file, "--tag", commit, ...where], {
        env: { WRANGLER_OUTPUT_FILE_PATH: output },
      }),
    )
    if (/pending Durable Object migration/.test(stderr + stdout))
      fail(`This version brings a migration of Durable Objects, which Cloudflare takes all at once only. Nothing but the
database's migrations was done. Run npm run deploy -- --all-at-once`)
    if (status !== 0) fail(`${stdout}${stderr}\nUploading failed. Nothing after it was done; run npm run deploy again.`)
    const entries = readFileSync(output, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { type: string; version_id?: string })
    const version = entries.find(({ type }) => type === "version-upload")?.version_id
    return version ?? fail("wrangler did not tell the version's id. Run npm run deploy again.")
  } finally {
    rmSync(at, { recursive: true })
  }
}

const share = (version: string, percentage: number) => `${version}@${percentage}`

/** Gives the new version more and more of the requests. Goes back when it is not ready. */
async function inSteps(given: Settings, where: string[], version: string, before: string) {
  for (const percentage of [10, 50, 100]) {
    const shares =
      percentage === 100 ? [share(version, 100)] : [share(version, percentage), share(before, 100 - percentage)]
    step(`The new version serves ${percentage} of 100`, ["versions", "deploy", ...shares, "--yes", ...where])
    const why = await readinessError(given, version)
    if (why !== undefined) {
      step("The version before serves again", ["versions", "deploy", share(before, 100), "--yes", ...where])
      fail(`The new version was not ready: ${why}
The version before serves every request again. The database keeps what was migrated, which that version works with.`)
    }
    if (percentage < 100 && minutes > 0) {
      console.info(`It is ready. The next step comes in ${minutes} minutes.`)
      await sleep(minutes * 60_000)
    }
  }
}

const given = readSettings()
if (wrangler(["whoami", "--json"]).status !== 0)
  fail("wrangler is not signed in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.")
const api = cloudflareApi(credentials(given.values.ACCOUNT_ID))
const { id, made } = await provide(given)
const where = writeWranglerConfig(given, id)
const before = activeVersions(where)
const secretValues = secretsFor(before === undefined, where)
const commit = commitOf()
const bookmark = made ? undefined : bookmarkOf(where)
if (bookmark) console.info(`\nThe database as it is now: bookmark ${bookmark}`)

console.info("\nApplying migrations")
await migrate(["--remote", ...where])

const isAtOnce = before === undefined || values["all-at-once"]
if (!isAtOnce && before.length > 1)
  fail("Two versions serve at this moment: another deployment is on its way, or was left. Finish it: npm run rollback")
const earlier = before?.at(0)?.version_id
if (isAtOnce)
  withSecretsFile(secretValues, (file) =>
    step("Deploying", ["deploy", "--secrets-file", file, "--tag", commit, ...where]),
  )
else await inSteps(given, where, upload(where, secretValues, commit), earlier ?? "")
const version = activeVersions(where)?.at(0)?.version_id
appendLog({
  did: "deploy",
  commit,
  ...(version && { version }),
  ...(earlier && { before: earlier }),
  ...(bookmark && { bookmark }),
})
// The cron, the queues' consumers and the domain are no part of a version.
if (!isAtOnce) step("Setting cron, queues and domain", ["triggers", "deploy", ...where])
const why = await readinessError(given)
if (why !== undefined) fail(`It is deployed, but not ready: ${why}${earlier ? "\nTo go back: npm run rollback" : ""}`)

console.info(`
Deployed and ready: ${given.baseUrl}
${earlier ? "To go back: npm run rollback" : "Now make the owner: npm run owner -- --email you@example.org"}`)
