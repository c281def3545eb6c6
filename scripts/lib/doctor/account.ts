// What may be wrong with a deployment's account at Cloudflare.
import { json, type Ready } from "./facts.ts"
import { type Check, DEPLOY, type Finding, ok, wrong } from "./finding.ts"

const MAX_CONCURRENCY = 4

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
        "A jurisdiction cannot be changed: put the setting back, or move into a new deployment (docs/operating.md).",
      )
}

const isConsumed: Check = ({ account }) => {
  if (!account) return undefined
  const found = account.settings.queues.flatMap((name): Finding[] => {
    const queue = account.queues.find(({ queue_name }) => queue_name === name)
    if (!queue) return [wrong(`There is no queue ${name}`, DEPLOY)]
    if (queue.settings?.delivery_paused)
      return [wrong(`The delivery of ${name} is paused`, `npx wrangler queues resume-delivery ${name}`)]
    if (name.endsWith("-dead")) return []
    const [consumer] = queue.consumers
    if (!consumer) return [wrong(`Nobody consumes ${name}`, DEPLOY)]
    const { max_concurrency: most } = consumer.settings ?? {}
    return most && most <= MAX_CONCURRENCY ? [] : [wrong(`${name} may have any number of consumers at once`, DEPLOY)]
  })
  return found.length === 0 ? ok("Every queue has its consumer") : found
}

const isScheduled: Check = ({ account }) => {
  if (!account) return undefined
  return account.crons.includes("* * * * *") ? ok("The cron is set") : wrong("No cron is set", DEPLOY)
}

const isObserved: Check = ({ account }) => {
  if (!account) return undefined
  return account.observability ? ok("Logs are kept") : wrong("Logs are not kept: observability is off", DEPLOY)
}

export const accountChecks: Check[] = [isReplicated, isWithin, isConsumed, isScheduled, isObserved]
