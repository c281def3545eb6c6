// What may be wrong with a deployment's account at Cloudflare.
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
    ? ok(`The database is in ${database.running_in_region ?? "its place"}, jurisdiction ${names[0]}`)
    : wrong(
        `The jurisdiction is ${names[0]} in the settings, ${names[1]} of the database, ${names[2]} of the Worker`,
        "A jurisdiction cannot be changed: restore the setting, or move (docs/operations/backups.md).",
      )
}

const isStored: Check = ({ account }) => {
  if (!account) return undefined
  const { bucket, jurisdiction } = account.settings
  const where = jurisdiction ? ` in the jurisdiction ${jurisdiction}` : ""
  return account.bucket ? ok("The bucket is there") : wrong(`There is no bucket ${bucket}${where}`, DEPLOY)
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
        ? [note(`${queue.backlog} messages failed every retry: ${name}`, "The log line `job failed` says why.")]
        : []
    const [consumer] = queue.consumers
    if (!consumer) return [wrong(`Nobody consumes ${name}`, DEPLOY)]
    const by = consumer.script ?? consumer.script_name
    if (by !== undefined && by !== account.settings.name)
      return [wrong(`Another Worker consumes ${name}: ${by}`, DEPLOY)]
    const { max_concurrency: most } = consumer.settings ?? {}
    return most && most <= MAX_CONCURRENCY ? [] : [wrong(`${name} may have any number of consumers at once`, DEPLOY)]
  })
  return found.some(({ level }) => level === "wrong") ? found : [ok("Every queue has its consumer"), ...found]
}

const isScheduled: Check = ({ account }) => {
  if (!account?.worker) return undefined
  return account.worker.crons.includes(EVERY_MINUTE) ? ok("The cron is set") : wrong("No cron is set", DEPLOY)
}

const isObserved: Check = ({ account }) => {
  if (!account?.worker) return undefined
  return account.worker.observability ? ok("Logs are kept") : wrong("Logs are not kept: observability is off", DEPLOY)
}

/** Exports and imports of large academies take long. */
const isUnlimited: Check = ({ account }) => {
  if (!account?.worker) return undefined
  const { cpuMs } = account.worker
  return (cpuMs ?? 0) >= MIN_CPU_MS
    ? ok("An invocation has the CPU time that it may need")
    : wrong(
        `An invocation has ${cpuMs === undefined ? "the default of 30" : cpuMs / 1000} seconds of CPU`,
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
      ? wrong(`The Worker does not know ${missing.join(", ")} of deployment/secrets.env`, DEPLOY)
      : ok("The Worker knows every secret of deployment/secrets.env"),
    ...(unknown.length > 0
      ? [
          wrong(
            `deployment/secrets.env has no ${unknown.join(", ")}, which the Worker has`,
            "Bring the file back from where you keep copies. Cloudflare reveals no secret.",
          ),
        ]
      : []),
  ]
}

const isDeployed: Check = ({ account }) =>
  account && account.versions > 1
    ? wrong("Two versions serve: a deployment is under way, or was stopped", "Finish it, or: npm run rollback")
    : undefined

const isTold: Check = ({ account }) =>
  account?.refusals.map((why) => note(`Cloudflare did not say all: ${why}`, "May the API token read all this?"))

export const accountChecks: Check[] = [
  ...[isReplicated, isWithin, isStored, isConsumed, isScheduled, isObserved, isUnlimited, knowsSecrets, isDeployed],
  isTold,
]
