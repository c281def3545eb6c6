// npm run deploy: deploys the service to Cloudflare: creates missing resources, applies migrations, rolls out. Safe
// to rerun.
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
import { hasPrimary, writePrimaryConfig } from "../lib/primary.ts"
import { root } from "../lib/state.ts"
import { wrangler } from "../lib/wrangler.ts"
import { migrate } from "./migrate.ts"

const values = flags(
  "npm run deploy",
  "Deploys the service to Cloudflare: creates missing resources, applies migrations, and rolls out " +
    "gradually. Safe to rerun.",
  {
    "all-at-once": { type: "boolean", default: false, about: "send all traffic to the new version immediately" },
    minutes: { type: "string", value: "n", default: "2", about: "minutes to wait after the 10% and 50% steps" },
  },
  DEPLOYMENT_VARIABLE,
)
const minutes = integer("minutes", values.minutes, 0)

/** Runs a step and shows its output. Exits if it fails. */
function step(what: string, args: string[], env: Record<string, string> = {}) {
  console.info(`\n${what}`)
  const { status } = wrangler(args, { show: true, env })
  if (status !== 0) fail(`${what} failed. Later steps were skipped. Run npm run deploy again.`)
}

/** Keeps wrangler from changing wrangler.toml. */
const KEEP = ["--update-config=false"]

/** Creates the missing database, bucket and queues. */
async function provide(given: Settings): Promise<{ id: string; made: boolean }> {
  const env = accountEnv(given.values)
  const { location, jurisdiction } = given
  const within = jurisdiction ? ["--jurisdiction", jurisdiction] : []
  const where = location ? ["--location", location] : within
  const known = findDatabaseId(given)
  if (known === undefined)
    step(`Creating the D1 database ${given.database}`, ["d1", "create", given.database, ...where, ...KEEP], env)
  else await requireJurisdiction(known, jurisdiction)
  if (!(await hasBucket(api, given.bucket, jurisdiction)))
    step(`Creating the R2 bucket ${given.bucket}`, ["r2", "bucket", "create", given.bucket, ...where, ...KEEP], env)
  for (const queue of given.queues)
    if (!(await hasQueue(api, queue))) step(`Creating the queue ${queue}`, ["queues", "create", queue], env)
  const id = known ?? findDatabaseId(given)
  if (id === undefined) fail(`The database ${given.database} was created but was not found. Run npm run deploy again.`)
  if (await enableReadReplication(api, id))
    console.info("\nRead replication is on: D1 serves reads from the nearest replica.")
  return { id, made: known === undefined }
}

/** Exits if the database has another jurisdiction than the settings. */
async function requireJurisdiction(id: string, wanted: string | undefined) {
  const { jurisdiction: made } = await databaseInfo(api, id)
  if ((made || undefined) === wanted) return
  const display = (where: string | null | undefined) => (where ? `JURISDICTION=${where}` : "no JURISDICTION")
  fail(`The database was created with ${display(made)}, but the settings have ${display(wanted)}.
A jurisdiction cannot be changed. Restore the setting, or move the academy to a new deployment: see
docs/operations/backups.md.`)
}

/** The secrets of the deployment. The first time, they are created and stored before they are used. */
function secretsFor(isFirst: boolean, where: string[]): Record<string, string> {
  const stored = readSecrets()
  if (stored.APP_SECRET) return stored
  if (!isFirst && wrangler(["secret", "list", ...where]).stdout.includes("APP_SECRET"))
    fail(`${secretsFileName} has no APP_SECRET, but the deployment has one. Cloudflare does not reveal secrets.
Restore the file from your backup. If you have none, see "A lost secret" in docs/operations/operating.md.`)
  const made = { ...stored, APP_SECRET: generateSecret() }
  writeSecrets(made)
  console.info(`\nCreated APP_SECRET in ${secretsFileName}. Store a copy in a safe place: it cannot be recovered.`)
  return made
}

/** The current Time Travel bookmark. */
function bookmarkOf(where: string[]): string {
  const { status, stdout, stderr } = wrangler(["d1", "time-travel", "info", "DB", "--json", ...where])
  if (status !== 0) fail(`Time Travel returned no bookmark:\n${stdout}${stderr}`)
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
      fail(`This version has a Durable Object migration, which cannot be rolled out gradually. Only the database
migrations were applied. Run npm run deploy -- --all-at-once`)
    if (status !== 0) fail(`${stdout}${stderr}\nUploading failed. Later steps were skipped. Run npm run deploy again.`)
    const entries = readFileSync(output, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { type: string; version_id?: string })
    const version = entries.find(({ type }) => type === "version-upload")?.version_id
    return version ?? fail("wrangler did not report the version ID. Run npm run deploy again.")
  } finally {
    rmSync(at, { recursive: true })
  }
}

/** A Worker of the deployment that gets a new version. */
interface Target {
  where: string[]
  version: string
  before: string
}

const share = (version: string, percentage: number) => `${version}@${percentage}`

/**
 * Rolls out the new versions gradually: the primary entry's first, which also serves the previous edge entry. Rolls
 * back if the new version is not ready.
 */
async function inSteps(given: Settings, targets: Target[], version: string) {
  for (const percentage of [10, 50, 100]) {
    for (const { where, version, before } of targets) {
      const shares =
        percentage === 100 ? [share(version, 100)] : [share(version, percentage), share(before, 100 - percentage)]
      step(`Sending ${percentage}% of traffic to the new version`, ["versions", "deploy", ...shares, "--yes", ...where])
    }
    const why = await readinessError(given, version)
    if (why !== undefined) {
      for (const { where, before } of targets)
        step("Rolling back to the previous version", ["versions", "deploy", share(before, 100), "--yes", ...where])
      fail(`The new version was not ready: ${why}
The previous version serves all traffic again. The migrations stay applied; that version is compatible with them.`)
    }
    if (percentage < 100 && minutes > 0) {
      console.info(`The new version is ready. Next step in ${minutes} minutes.`)
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
if (bookmark) console.info(`\nDatabase bookmark before this deployment: ${bookmark}`)

console.info("\nApplying migrations")
await migrate(["--remote", ...where])

const isAtOnce = before === undefined || values["all-at-once"]
if (!isAtOnce && before.length > 1)
  fail("Two versions are active: another deployment is in progress or was interrupted. Run npm run rollback first.")
const earlier = before?.at(0)?.version_id
const deployAtOnce = (what: string, at: string[]) =>
  withSecretsFile(secretValues, (file) => step(what, ["deploy", "--secrets-file", file, "--tag", commit, ...at]))
// The primary entry uses this Worker's Durable Objects: this Worker is deployed first, and gets its binding last.
if (before === undefined && hasPrimary(given)) deployAtOnce("Deploying the Durable Objects", where)
const primary = writePrimaryConfig(given)
const primaryBefore = primary && activeVersions(primary)?.at(0)?.version_id
if (primary && (isAtOnce || !primaryBefore)) deployAtOnce("Deploying the primary entry", primary)
if (isAtOnce) deployAtOnce("Deploying", where)
else {
  const newVersion = (at: string[], before = "") => ({ where: at, version: upload(at, secretValues, commit), before })
  const own = newVersion(where, earlier)
  await inSteps(given, [...(primary && primaryBefore ? [newVersion(primary, primaryBefore)] : []), own], own.version)
}
const version = activeVersions(where)?.at(0)?.version_id
const primaryVersion = primary && activeVersions(primary)?.at(0)?.version_id
appendLog({
  did: "deploy",
  commit,
  ...(version && { version }),
  ...(earlier && { before: earlier }),
  ...(primaryVersion && {
    primary: { version: primaryVersion, ...(primaryBefore && { before: primaryBefore }) },
  }),
  ...(bookmark && { bookmark }),
})
// Cron triggers, queue consumers and routes are not part of a version.
if (!isAtOnce) step("Deploying cron triggers, queue consumers and routes", ["triggers", "deploy", ...where])
const why = await readinessError(given)
if (why !== undefined) fail(`Deployed, but not ready: ${why}${earlier ? "\nTo roll back: npm run rollback" : ""}`)

console.info(`
Deployed and ready: ${given.baseUrl}
${earlier ? "To roll back: npm run rollback" : "Next, create the owner: npm run owner -- --email you@example.org"}`)
