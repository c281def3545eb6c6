// Replaces APP_SECRET. Data encrypted or signed with the previous secret stays valid.
import { setTimeout as sleep } from "node:timers/promises"
import { columnName, ENCRYPTED_COLUMNS } from "../../src/db/reencrypt.ts"
import { DAY, HOUR } from "../../src/lib/clock.ts"
import { secretName } from "../../src/lib/crypto/crypto.ts"
import { fail, flags, integer } from "../lib/cli.ts"
import {
  activeVersions,
  appendLog,
  DEPLOYMENT_VARIABLE,
  generateSecret,
  readJson,
  readSecrets,
  requireDeployment,
  secretsFileName,
  withSecretsFile,
  writeSecrets,
} from "../lib/deployment.ts"
import { writePrimaryConfig } from "../lib/primary.ts"
import { requireDatabase, secretsFile, stateDir } from "../lib/state.ts"
import { execute, wrangler } from "../lib/wrangler.ts"

/** Lifetimes in milliseconds. */
const SESSION = 12 * HOUR
const LINK = 2 * DAY
const DEVICE = 30 * DAY

interface Hanging {
  what: string
  /** Sessions are not counted. */
  count: number | "some"
  /** When the last one expires (epoch milliseconds); 0: never. */
  until: number
}

/**
 * Counts the data that depends on the previous secrets.
 * @param execute runs one query
 * @param name the name of the current secret, as encrypted text contains it
 * @returns since when the cron knows that secret (epoch milliseconds); 0: not yet
 */
function hangingOn(
  execute: (sql: string) => Record<string, unknown>[],
  name: string,
): { since: number; counts: Hanging[] } {
  const since = `coalesce((select max(since) from reencryptions where secret = '${name}'), ${Date.now()})`
  const of: { what: string; sql: string; lasts: number }[] = [
    ...ENCRYPTED_COLUMNS.map((sealed) => {
      const { column } = sealed
      const [table = ""] = columnName(sealed).split(".")
      const other = `substr(${column.name}, 1, 9) <> '${name}.'`
      const sql = `select count(*) from ${table} where ${column.name} is not null and ${other}`
      return { what: `texts in ${columnName(sealed)} that the cron will reencrypt`, sql, lasts: 0 }
    }),
    {
      what: "password links",
      sql: `select count(*) from password_links where created_at < ${since} and expires_at > ${Date.now()}`,
      lasts: LINK,
    },
    {
      what: "devices that have not refreshed their session",
      sql: `select count(*) from devices where refreshed_at < ${since}`,
      lasts: DEVICE,
    },
    {
      what: "unused API keys of an earlier version",
      sql: "select count(*) from api_keys where hash not like 'sha256.%'",
      lasts: 0,
    },
  ]
  const columns = of.map(({ sql }, i) => `(${sql}) as c${i}`)
  const met = `coalesce((select max(since) from reencryptions where secret = '${name}'), 0) as since`
  const [row = {}] = execute(`select ${[met, ...columns].join(", ")}`)
  const at = Number(row.since)
  const end = (lasts: number) => (at > 0 && lasts > 0 ? at + lasts : 0)
  const counts = of.map(({ what, lasts }, i) => ({ what, count: Number(row[`c${i}`]), until: end(lasts) }))
  const open = at === 0 || Date.now() < at + SESSION
  return { since: at, counts: [...counts, { what: "sessions", count: open ? "some" : 0, until: end(SESSION) }] }
}

const values = flags(
  "npm run rotate",
  "Rotates APP_SECRET. Nobody is signed out: the previous secret stays valid until --finish.",
  {
    status: { type: "boolean", default: false, about: "only show what still depends on the previous secrets" },
    finish: { type: "boolean", default: false, about: "remove the previous secrets once nothing depends on them" },
    force: { type: "boolean", default: false, about: "with --finish: remove them now, for example after a leak" },
    seconds: {
      type: "string",
      value: "n",
      default: "60",
      about: "how long to wait until every Worker has the next secret",
    },
    local: { type: "boolean", default: false, about: "rotate the secret of the local academy" },
  },
  { STATE_DIR: "with --local: the state folder (default: .state)", ...DEPLOYMENT_VARIABLE },
)
const seconds = integer("seconds", values.seconds, 0)

if (values.local) requireDatabase()
const deployment = values.local ? undefined : requireDeployment()
const where = deployment?.flags ?? ["--local", "--persist-to", stateDir]
const primary = deployment && writePrimaryConfig(deployment.settings)
/** Every Worker of the deployment: each needs the secrets. */
const workers = primary ? [primary, where] : [where]
const file = values.local ? secretsFile() : secretsFileName
const { APP_SECRET: current, APP_SECRET_PREVIOUS: previous = "", ...others } = readSecrets(file)
if (!current) fail(`${file} has no APP_SECRET. Restore the file from your backup: Cloudflare does not reveal secrets.`)

/** Uploads the secrets. The file is written first, so that no secret exists only at Cloudflare. */
function publish(next: { APP_SECRET: string; APP_SECRET_PREVIOUS?: string }) {
  writeSecrets({ ...others, ...next }, file)
  if (values.local) return
  const published = { APP_SECRET_PREVIOUS: null, ...others, ...next }
  for (const worker of workers) {
    const { status, stdout, stderr } = withSecretsFile(published, (json) =>
      wrangler(["secret", "bulk", json, ...worker]),
    )
    if (status !== 0)
      fail(
        `${stdout}${stderr}\nCloudflare rejected the secrets. ` +
          `They are stored in ${file}: run npm run deploy to upload them.`,
      )
  }
}

/** Exits unless the newest version of each Worker serves all traffic: Cloudflare changes only its secrets. */
const requireNewest = () => workers.forEach(requireNewestOf)

function requireNewestOf(where: string[]) {
  const versions = activeVersions(where)
  if (!versions) fail("Nothing is deployed yet. Run npm run deploy.")
  if (versions.length > 1)
    fail("A deployment is in progress: two versions are active. Finish it or run npm run rollback first.")
  const { status, stdout, stderr } = wrangler(["versions", "list", "--json", ...where])
  if (status !== 0) fail(`Listing versions failed:\n${stdout}${stderr}`)
  const all = readJson(stdout) as { id: string; number: number }[]
  const newest = all.toSorted((one, other) => other.number - one.number)[0]?.id
  if (newest !== versions[0]?.version_id)
    fail(`The active version is not the newest one. Cloudflare changes the secrets of the newest version only.
Run npm run deploy first, or activate the newest version: npm run rollback -- --to ${newest}`)
}

const list = (...all: string[]) => all.filter(Boolean).join(",")

const status = () =>
  hangingOn((sql) => execute(values.local ? where : ["--remote", ...where], sql), secretName({ APP_SECRET: current }))

function show({ since, counts }: ReturnType<typeof status>) {
  const at = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ")
  console.info(
    since === 0
      ? "The cron has not seen this secret yet. It runs every minute."
      : `This secret is in use since ${at(since)} UTC.`,
  )
  for (const { what, count: number, until } of counts)
    console.info(
      `  ${String(number).padStart(7)}  ${what}${until > 0 ? `; the last one expires at ${at(until)} UTC` : ""}`,
    )
}

if (values.status) {
  console.info(`Previous secrets: ${previous ? previous.split(",").length : 0}.`)
  show(status())
} else if (values.finish) {
  if (!previous) fail("There is no previous secret to remove.")
  const found = status()
  show(found)
  if (!values.force && (found.since === 0 || found.counts.some(({ count: number }) => number !== 0)))
    fail(`Some data still depends on the previous secrets and would be lost:
see "A lost secret" in docs/operations/operating.md.
Wait, or add --force if a previous secret has leaked.`)
  if (!values.local) requireNewest()
  publish({ APP_SECRET: current })
  if (!values.local) appendLog({ did: "rotate" })
  console.info("Removed the previous secrets.")
} else {
  if (!values.local) requireNewest()
  const next = generateSecret()
  if (!values.local) {
    // Every Worker accepts the next secret before any uses it.
    publish({ APP_SECRET: current, APP_SECRET_PREVIOUS: list(next, previous) })
    console.info(`Distributing the next secret to every Worker. It takes effect in ${seconds} seconds.`)
    await sleep(seconds * 1000)
  }
  publish({ APP_SECRET: next, APP_SECRET_PREVIOUS: list(current, previous) })
  if (!values.local) appendLog({ did: "rotate" })
  console.info(`Rotated APP_SECRET in ${file}. Store a copy in a safe place.
${values.local ? "It takes effect at the next npm start." : "The cron starts to reencrypt stored data in five minutes."}
Check what depends on the previous secret with --status, and remove it with --finish.`)
}
