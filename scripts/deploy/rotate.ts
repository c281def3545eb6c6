// npm run rotate: replaces APP_SECRET; what was encrypted or signed with the previous one stays valid.
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
import { requireDatabase, secretsFile, stateDir } from "../lib/state.ts"
import { execute, wrangler } from "../lib/wrangler.ts"

/** How long what is made lasts, whatever becomes of it. */
const SESSION = 12 * HOUR
const LINK = 2 * DAY
const DEVICE = 30 * DAY

interface Hanging {
  what: string
  /** Nobody counts sessions. */
  count: number | "some"
  /** When the last of them has ended by itself, epoch milliseconds; 0: it does not. */
  until: number
}

/**
 * Counts what was made under the secrets before.
 * @param execute runs one query
 * @param name of the secret that counts now, as sealed text has it
 * @returns since when the cron knows that secret, epoch milliseconds; 0: it does not yet
 */
function hangingOn(
  execute: (sql: string) => Record<string, unknown>[],
  name: string,
): { since: number; counts: Hanging[] } {
  const since = `coalesce((select max(since) from sealings where secret = '${name}'), ${Date.now()})`
  const of: { what: string; sql: string; lasts: number }[] = [
    ...ENCRYPTED_COLUMNS.map((sealed) => {
      const { column } = sealed
      const [table = ""] = columnName(sealed).split(".")
      const other = `substr(${column.name}, 1, 9) <> '${name}.'`
      const sql = `select count(*) from ${table} where ${column.name} is not null and ${other}`
      return { what: `texts in ${columnName(sealed)} that the cron seals again`, sql, lasts: 0 }
    }),
    {
      what: "links to choose a password",
      sql: `select count(*) from password_links where created_at < ${since} and expires_at > ${Date.now()}`,
      lasts: LINK,
    },
    {
      what: "devices that have not renewed their session",
      sql: `select count(*) from devices where refreshed_at < ${since}`,
      lasts: DEVICE,
    },
    {
      what: "API keys of an earlier version that were not used",
      sql: "select count(*) from api_keys where hash not like 'sha256.%'",
      lasts: 0,
    },
  ]
  const columns = of.map(({ sql }, i) => `(${sql}) as c${i}`)
  const met = `coalesce((select max(since) from sealings where secret = '${name}'), 0) as since`
  const [row = {}] = execute(`select ${[met, ...columns].join(", ")}`)
  const at = Number(row.since)
  const end = (lasts: number) => (at > 0 && lasts > 0 ? at + lasts : 0)
  const counts = of.map(({ what, lasts }, i) => ({ what, count: Number(row[`c${i}`]), until: end(lasts) }))
  const open = at === 0 || Date.now() < at + SESSION
  return { since: at, counts: [...counts, { what: "sessions", count: open ? "some" : 0, until: end(SESSION) }] }
}

const values = flags(
  "npm run rotate",
  "Gives the service another APP_SECRET. Nobody is signed out: the one before goes on beside it until --finish.",
  {
    status: { type: "boolean", default: false, about: "only tells what still hangs on the secrets before" },
    finish: { type: "boolean", default: false, about: "forgets the secrets before, once nothing hangs on them" },
    force: { type: "boolean", default: false, about: "with --finish: at once, because a secret before has leaked" },
    seconds: {
      type: "string",
      value: "n",
      default: "60",
      about: "how long every Worker is told the next secret first",
    },
    local: { type: "boolean", default: false, about: "of this machine's academy" },
  },
  { STATE_DIR: "with --local: where that academy is (.state unless set)", ...DEPLOYMENT_VARIABLE },
)
const seconds = integer("seconds", values.seconds, 0)

if (values.local) requireDatabase()
const where = values.local ? ["--local", "--persist-to", stateDir] : requireDeployment().flags
const file = values.local ? secretsFile() : secretsFileName
const { APP_SECRET: current, APP_SECRET_PREVIOUS: previous = "", ...others } = readSecrets(file)
if (!current)
  fail(`${file} has no APP_SECRET. Bring it back from where you keep copies: Cloudflare tells nobody what it is.`)

/** Has the service know these secrets. The file is written first: what a Worker uses is never known to it alone. */
function publish(next: { APP_SECRET: string; APP_SECRET_PREVIOUS?: string }) {
  writeSecrets({ ...others, ...next }, file)
  if (values.local) return
  const published = { APP_SECRET_PREVIOUS: null, ...others, ...next }
  const { status, stdout, stderr } = withSecretsFile(published, (json) => wrangler(["secret", "bulk", json, ...where]))
  if (status !== 0)
    fail(`${stdout}${stderr}\nCloudflare did not take the secrets. ${file} has them: npm run deploy tells them again.`)
}

/** Ends the script where an older version serves, or two do: Cloudflare changes the newest version's secrets alone. */
function requireNewest() {
  const versions = activeVersions(where)
  if (!versions) fail("Nothing is deployed yet: npm run deploy")
  if (versions.length > 1)
    fail("A deployment is on its way: two versions serve. Finish it, or npm run rollback, first.")
  const { status, stdout, stderr } = wrangler(["versions", "list", "--json", ...where])
  if (status !== 0) fail(`The versions cannot be listed:\n${stdout}${stderr}`)
  const all = readJson(stdout) as { id: string; number: number }[]
  const newest = all.toSorted((one, other) => other.number - one.number)[0]?.id
  if (newest !== versions[0]?.version_id)
    fail(`The version that serves is not the newest one, whose secrets alone Cloudflare changes.
Deploy first: npm run deploy. Or have the newest one serve: npm run rollback -- --to ${newest}`)
}

const list = (...all: string[]) => all.filter(Boolean).join(",")

const status = () =>
  hangingOn((sql) => execute(values.local ? where : ["--remote", ...where], sql), secretName({ APP_SECRET: current }))

function show({ since, counts }: ReturnType<typeof status>) {
  const at = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ")
  console.info(
    since === 0
      ? "The cron has not met this secret yet; it runs each minute."
      : `This secret counts since ${at(since)} UTC.`,
  )
  for (const { what, count: number, until } of counts)
    console.info(`  ${String(number).padStart(7)}  ${what}${until > 0 ? `; the last is gone by ${at(until)} UTC` : ""}`)
}

if (values.status) {
  console.info(`Secrets beside APP_SECRET: ${previous ? previous.split(",").length : 0}.`)
  show(status())
} else if (values.finish) {
  if (!previous) fail("There is no secret before: nothing is to be forgotten.")
  const found = status()
  show(found)
  if (!values.force && (found.since === 0 || found.counts.some(({ count: number }) => number !== 0)))
    fail(`Something hangs on the secrets before. It would be lost: "A lost secret" in docs/operations/operating.md.
Wait, or add --force where a secret before has leaked.`)
  if (!values.local) requireNewest()
  publish({ APP_SECRET: current })
  if (!values.local) appendLog({ did: "rotate" })
  console.info("The secrets before are forgotten.")
} else {
  if (!values.local) requireNewest()
  const next = generateSecret()
  if (!values.local) {
    // Every Worker knows the next secret before the first makes anything under it.
    publish({ APP_SECRET: current, APP_SECRET_PREVIOUS: list(next, previous) })
    console.info(`Every Worker is being told the next secret. It counts in ${seconds} seconds.`)
    await sleep(seconds * 1000)
  }
  publish({ APP_SECRET: next, APP_SECRET_PREVIOUS: list(current, previous) })
  if (!values.local) appendLog({ did: "rotate" })
  console.info(`The secret is rotated: ${file}. Keep a copy of it in a safe place.
${values.local ? "It counts from the next npm start." : "The cron seals again what is sealed, from five minutes on."}
See what hangs on the one before with --status, and forget it with --finish.`)
}
