// Checks of a deployment's Cloudflare account.
import { EVERY_MINUTE, json, type Ready } from "./facts.ts"
import { type Check, DEPLOY, type Finding, note, ok, wrong } from "./finding.ts"

const MAX_CONCURRENCY = 4
const MIN_CPU_MS = 300_000

const isReplicated: Check = ({ account, ready }) => {
  if (account?.database)
    return account.database.read_replication?.mode === "auto"
      ? ok("Read replication is on")
      : wrong("Read replication is off", DEPLOY)
  const { by, region } = json<Ready>(ready)?.reads ?? {}
  return by === "replica" ? ok(`A replica answers reads (${region})`) : undefined
}

const isWithin: Check = ({ account, diagnostics }) => {
  if (!account) return undefined
  const { settings, database } = account
  if (!database) return wrong(`There is no database ${settings.database}`, DEPLOY)
  const places = [
    settings.jurisdiction,
    database.jurisdiction,
    diagnostics?.settings.JURISDICTION ?? settings.jurisdiction,
  ]
  const names = places.map((place) => place || "none")
  return new Set(names).size === 1
    ? ok(`The database is in ${database.running_in_region ?? "an unknown region"}, jurisdiction ${names[0]}`)
    : wrong(
        `The jurisdiction is ${names[0]} in the settings, ${names[1]} for the database and ${names[2]} for the Worker`,
        "A jurisdiction cannot be changed: restore the setting, or move (docs/operations/backups.md).",
      )
}

const isStored: Check = ({ account }) => {
  if (!account) return undefined
  const { bucket, jurisdiction } = account.settings
  const where = jurisdiction ? ` in the jurisdiction ${jurisdiction}` : ""
  return account.bucket ? ok("The bucket exists") : wrong(`There is no bucket ${bucket}${where}`, DEPLOY)
}

const isConsumed: Check = ({ account }) => {
  if (!account) return undefined
  const found = account.settings.queues.flatMap((name): Finding[] => {
    const queue = account.queues.find(({ queue_name }) => queue_name === name)
    if (!queue) return [wrong(`There is no queue ${name}`, DEPLOY)]
    if (queue.settings?.delivery_paused)
      return [wrong(`The delivery of ${name} is paused`, `npx wrangler queues resume-delivery ${name}`)]
    if (name.endsWith("-dead"))
      return queue.backlog
        ? [note(`${queue.backlog} messages failed every retry: ${name}`, "See the log line `job failed`.")]
        : []
    const [consumer] = queue.consumers
    if (!consumer) return [wrong(`The queue ${name} has no consumer`, DEPLOY)]
    const by = consumer.script ?? consumer.script_name
    if (by !== undefined && by !== account.settings.name)
      return [wrong(`Another Worker consumes ${name}: ${by}`, DEPLOY)]
    const { max_concurrency: most } = consumer.settings ?? {}
    return most && most <= MAX_CONCURRENCY ? [] : [wrong(`${name} has no limit on concurrent consumers`, DEPLOY)]
  })
  return found.some(({ level }) => level === "wrong") ? found : [ok("Every queue has a consumer"), ...found]
}

const isScheduled: Check = ({ account }) => {
  if (!account?.worker) return undefined
  return account.worker.crons.includes(EVERY_MINUTE) ? ok("The cron is set") : wrong("No cron is set", DEPLOY)
}

const isObserved: Check = ({ account }) => {
  if (!account?.worker) return undefined
  return account.worker.observability
    ? ok("Observability is on")
    : wrong("Observability is off: no logs are stored", DEPLOY)
}

/** Exports and imports of large academies take long. */
const isUnlimited: Check = ({ account }) => {
  if (!account?.worker) return undefined
  const { cpuMs } = account.worker
  return (cpuMs ?? 0) >= MIN_CPU_MS
    ? ok("The CPU limit is sufficient")
    : wrong(
        `The CPU limit is ${cpuMs === undefined ? "the default of 30" : cpuMs / 1000} seconds`,
        "Set limits.cpu_ms of [env.production] to 300000 in wrangler.toml, on a paid plan. Then npm run deploy.",
      )
}

const knowsSecrets: Check = ({ account }) => {
  if (!account) return undefined
  if (!account.worker) return wrong(`There is no Worker ${account.settings.name}`, DEPLOY)
  const known = account.worker.secrets
  const missing = account.localSecrets.filter((name) => !known.includes(name))
  const unknown = known.filter((name) => !account.localSecrets.includes(name))
  return [
    missing.length > 0
      ? wrong(`The Worker is missing secrets from deployment/secrets.env: ${missing.join(", ")}`, DEPLOY)
      : ok("The Worker has every secret in deployment/secrets.env"),
    ...(unknown.length > 0
      ? [
          wrong(
            `deployment/secrets.env is missing secrets of the Worker: ${unknown.join(", ")}`,
            "Restore the file from your backup. Cloudflare does not reveal secrets.",
          ),
        ]
      : []),
  ]
}

const runsChangesNearDatabase: Check = ({ account }) => {
  if (!account?.primary) return undefined
  const { name, secrets, isBound } = account.primary
  if (!secrets) return wrong(`There is no Worker ${name}, which runs changes near the database`, DEPLOY)
  const missing = account.localSecrets.filter((secret) => !secrets.includes(secret))
  if (missing.length > 0) return wrong(`The Worker ${name} is missing secrets: ${missing.join(", ")}`, DEPLOY)
  return isBound
    ? ok(`Changes run near the database, in ${name}`)
    : wrong(`The Worker ${account.settings.name} has no binding PRIMARY to ${name}`, DEPLOY)
}

const isDeployed: Check = ({ account }) =>
  account && account.versions > 1
    ? wrong(
        "Two versions are active: a deployment is in progress or was interrupted",
        "Finish it or run npm run rollback.",
      )
    : undefined

const isReadable: Check = ({ account }) =>
  account?.refusals.map((why) => note(`A Cloudflare check failed: ${why}`, "Check the permissions of the API token."))

export const accountChecks: Check[] = [
  ...[isReplicated, isWithin, isStored, isConsumed, isScheduled, isObserved, isUnlimited, knowsSecrets, isDeployed],
  runsChangesNearDatabase,
  isReadable,
]
