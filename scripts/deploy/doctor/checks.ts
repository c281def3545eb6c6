// Checks of a deployment, and how to fix what they find.
import { accountChecks } from "./account.ts"
import { type Answer, type Facts, json, type Ready } from "./facts.ts"
import { type Check, changeSetting, DEPLOY, type Finding, note, ok, wrong } from "./finding.ts"

/** Settings that limit what one person may use (src/access/quotas.ts). */
const QUOTAS = [
  ...["MAX_UNUSED_FILES", "MAX_UNUSED_MB", "MAX_MEDIA_MB", "MAX_DEVICES"],
  ...["MAX_RUNNING_EXPORTS", "MAX_KEPT_EXPORTS"],
]

const MINUTE = 60_000
const MAX_SKEW_MS = 30_000
const CRON_LATE_MS = 5 * MINUTE
const QUEUE_LATE_MS = 10 * MINUTE
const MIN_SECRET_LENGTH = 32
/** D1 takes 10 GB. */
const LARGE_DATABASE_BYTES = 8e9
const MAIL_PROVIDERS = ["cloudflare", "resend", "postmark"]

const isLocal = ({ url }: Facts) => url.hostname === "localhost"
const display = ({ failure, status }: Answer) => failure ?? `status ${status}`

/** What to do about each part that /ready finds wrong. */
const PARTS: Record<string, string> = {
  database: "Check Cloudflare's status page and the log line `readiness not read`.",
  schema: "Run npm run deploy, which applies the migrations.",
  outbox: "Check that the cron runs, that the mail queue has a consumer, and the mail provider's quota. See below.",
  jobs:
    "Check that the cron runs and that each queue has a consumer. " +
    "See the log lines `job failed` and `sweep failed`.",
}

const isAlive: Check = ({ url, health }) => {
  if (health.failure)
    return wrong(
      `${url.origin} does not answer (${health.failure})`,
      "Check the URL, that its domain routes to the Worker (CUSTOM_DOMAIN), and its certificate.",
    )
  return json<{ status?: string }>(health)?.status === "alive"
    ? ok("The service is alive")
    : wrong(`Another service answers at ${url.origin} (${display(health)})`, "Check the URL.")
}

const isEncrypted: Check = (facts) =>
  facts.url.protocol === "https:" || isLocal(facts)
    ? ok("Requests are encrypted")
    : wrong("Requests are not encrypted", "Use https:// in BASE_URL and in every client.")

const isReady: Check = ({ ready }) => {
  const body = json<Ready>(ready)
  if (ready.status === 200 && body) return ok("The service is ready")
  const parts = Object.entries(body?.errors ?? {})
  if (parts.length === 0)
    return wrong(`/ready does not answer (${display(ready)})`, "Check the logs: npx wrangler tail")
  return parts.map(([part, messages]) =>
    wrong(`Not ready: ${messages.join(" ")}`, PARTS[part] ?? "See /ready in docs/operations/monitoring.md."),
  )
}

/** A pause for a wrong configuration is in the errors of /ready. */
const hasMailQuota: Check = ({ ready }) => {
  const { paused } = json<Ready>(ready)?.mail ?? {}
  if (!paused || paused.reason === "configuration") return undefined
  return note(
    `The mail provider has rejected mail since ${paused.since} (${paused.error}). The next attempt ` +
      `is at ${paused.until}`,
    "No mail is lost. Request a larger quota from the provider, or set another MAIL_PROVIDER.",
  )
}

const isFilledIn: Check = ({ ready }) => {
  const names = json<Ready>(ready)?.backfills ?? []
  return names.length === 0
    ? undefined
    : note(`Backfills are running: ${names.join(", ")}`, "The cron completes them. No action is needed.")
}

const hasClock: Check = ({ skew }) =>
  Math.abs(skew) <= MAX_SKEW_MS
    ? ok("The clocks match")
    : wrong(
        `This machine's clock is ${Math.round(Math.abs(skew) / 1000)} seconds ${skew > 0 ? "behind" : "ahead"}`,
        "Set the clock: authenticator codes and tokens depend on it.",
      )

const isEnforced: Check = (facts) => {
  if (facts.anonymous.status !== 200) return ok("The API requires authentication")
  const what = "The API does not require authentication: ACCESS_POLICY is not `enforced`"
  const fix = "Deploy with [env.production], as npm run deploy does."
  return isLocal(facts) ? note(what, fix) : wrong(what, fix)
}

const isOwnOrigin: Check = ({ preflight }) =>
  preflight.headers.get("access-control-allow-origin") === null
    ? ok("CORS requests from unknown origins are rejected")
    : wrong(
        "Pages from any origin can call the API: ALLOWED_ORIGINS has `*`",
        changeSetting("Set ALLOWED_ORIGINS to the origins of your applications"),
      )

const hasAssets: Check = ({ asset, diagnostics }) =>
  asset.status === 200 && /svg/.test(asset.headers.get("content-type") ?? "") && diagnostics?.assets !== false
    ? ok("Static assets are served")
    : wrong(`/assets/logo.svg was not found (${display(asset)})`, DEPLOY)

const isKnown: Check = ({ diagnostics, refusal }) => {
  if (diagnostics) return ok(`The version is ${diagnostics.service}`)
  return refusal === undefined
    ? note("Settings, bindings, cron and queues were not checked", "Pass an administrator's token: --token <token>")
    : wrong(
        `The token was rejected: ${refusal}`,
        "Use an administrator's session token, or an API key with the scope Operating.",
      )
}

/** What is wrong with a variable: its message, and the remedy. */
function settingsOf(facts: Facts): Finding[] {
  const { diagnostics, url, content } = facts
  if (!diagnostics) return []
  const { settings } = diagnostics
  const value = (name: string) => settings[name] ?? ""
  const found: Finding[] = []
  const expect = (isRight: boolean, what: string, fix: string) => found.push(isRight ? ok(what) : wrong(what, fix))
  const refuse = (isWrong: boolean, what: string, fix: string) => isWrong && found.push(wrong(what, fix))
  const inform = (isSo: boolean, what: string, fix: string) => isSo && found.push(note(what, fix))
  refuse(
    value("ENVIRONMENT") !== "production" && !isLocal(facts),
    `ENVIRONMENT is ${value("ENVIRONMENT") || "not set"}`,
    "Deploy with [env.production], as npm run deploy does.",
  )
  const base = value("BASE_URL")
  if (base === url.origin) found.push(ok("BASE_URL matches this URL"))
  else
    expect(
      false,
      `BASE_URL is ${base || "empty"}, but the service is at ${url.origin}: links in mails will not work`,
      changeSetting(`Set BASE_URL=${url.origin}`),
    )
  const origin = value("CONTENT_ORIGIN")
  refuse(
    origin !== "" && (!URL.canParse(origin) || new URL(origin).origin !== origin),
    `CONTENT_ORIGIN is ${origin}, which is not a valid origin: packages do not run`,
    changeSetting("Use a value such as https://content.example.org"),
  )
  refuse(
    origin === url.origin,
    "CONTENT_ORIGIN is the same as BASE_URL: packages could use the session of the person who opens them",
    changeSetting("Set CONTENT_ORIGIN to another host"),
  )
  inform(
    origin === "" && !isLocal(facts),
    "SCORM packages do not run: CONTENT_ORIGIN is empty",
    changeSetting("To use packages, route another host to this Worker and set CONTENT_ORIGIN to it"),
  )
  refuse(
    content !== undefined && content.status !== 200,
    `${origin} (CONTENT_ORIGIN) does not answer (${content ? display(content) : ""})`,
    "Route that domain to the same Worker.",
  )
  refuse(
    /\.example$/.test(value("MAIL_FROM")) && !isLocal(facts),
    `MAIL_FROM is ${value("MAIL_FROM")}, which cannot send mail`,
    changeSetting("Set MAIL_FROM to an address on a domain that you send mail from"),
  )
  const provider = value("MAIL_PROVIDER") || "cloudflare"
  refuse(
    !MAIL_PROVIDERS.includes(provider),
    `MAIL_PROVIDER is ${provider}, which is not supported`,
    changeSetting(`Set MAIL_PROVIDER to one of ${MAIL_PROVIDERS.join(", ")}`),
  )
  refuse(
    provider !== "cloudflare" && MAIL_PROVIDERS.includes(provider) && !diagnostics.secrets.MAIL_API_KEY,
    `${provider} requires MAIL_API_KEY`,
    'Add MAIL_API_KEY="…" to deployment/secrets.env, then run npm run deploy.',
  )
  refuse(
    !(Number(value("RATE_LIMIT")) >= 1 && Number(value("RATE_WINDOW_SECONDS")) >= 1),
    `The rate limit is not a number (RATE_LIMIT=${value("RATE_LIMIT")} in ${value("RATE_WINDOW_SECONDS")} seconds)`,
    changeSetting("Remove RATE_LIMIT and RATE_WINDOW_SECONDS, or set them to numbers"),
  )
  for (const name of QUOTAS)
    refuse(
      value(name) !== "" && !(Number.isInteger(Number(value(name))) && Number(value(name)) > 0),
      `${name} is ${value(name)}, which is not a number: the quota is not enforced`,
      changeSetting(`Remove ${name}, or set it to an integer`),
    )
  const retention = Number(value("EVENT_RETENTION_DAYS"))
  refuse(
    value("EVENT_RETENTION_DAYS") !== "" && !(Number.isInteger(retention) && retention >= 30 && retention <= 400),
    `EVENT_RETENTION_DAYS is ${value("EVENT_RETENTION_DAYS")}: events are kept for 30 days`,
    changeSetting("Remove EVENT_RETENTION_DAYS, or set it to a number from 30 to 400"),
  )
  refuse(
    !isZone(value("TIME_ZONE")),
    `TIME_ZONE is ${value("TIME_ZONE")}, which is not a time zone`,
    changeSetting("Set TIME_ZONE to an IANA time zone"),
  )
  const ended = value("SESSIONS_AFTER")
  refuse(
    ended !== "" && !(Date.parse(ended) <= Date.now()),
    `SESSIONS_AFTER is ${ended}: nobody can sign in until then`,
    changeSetting("Set SESSIONS_AFTER to a time in the past, or remove it"),
  )
  refuse(
    !isLocal(facts) && (value("OUTBOUND_PRIVATE") !== "" || value("METER") !== ""),
    "METER or OUTBOUND_PRIVATE is set: both are for development only",
    changeSetting("Remove them"),
  )
  inform(
    value("READ_ONLY") !== "",
    "READ_ONLY is on: changes return 503, and queues and the cron wait",
    changeSetting("Remove READ_ONLY to allow changes again"),
  )
  inform(value("LOG") === "" && !isLocal(facts), "Requests are not logged", changeSetting("Set LOG=requests"))
  return found
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== ""
  } catch {
    return false
  }
}

const hasSecrets: Check = ({ diagnostics }) => {
  if (!diagnostics) return undefined
  const { APP_SECRET: length = 0, APP_SECRET_PREVIOUS: previous = 0 } = diagnostics.secrets
  const found =
    length >= MIN_SECRET_LENGTH
      ? ok("APP_SECRET is set")
      : wrong(
          length === 0 ? "APP_SECRET is not set" : `APP_SECRET has ${length} characters: it is too short`,
          'Set APP_SECRET to 43 random characters: see "A lost secret" in docs/operations/operating.md.',
        )
  return previous === 0
    ? found
    : [
        found,
        note("A secret rotation is not finished", "Run npm run rotate -- --status, then npm run rotate -- --finish."),
      ]
}

const hasBindings: Check = (facts) => {
  if (!facts.diagnostics) return undefined
  const missing = Object.entries(facts.diagnostics.bindings).flatMap(([name, isThere]) => (isThere ? [] : [name]))
  const needed = missing.filter((name) => name !== "METRICS")
  const found =
    needed.length === 0 ? ok("Every binding exists") : wrong(`Missing bindings: ${needed.join(", ")}`, DEPLOY)
  return missing.includes("METRICS") && !isLocal(facts)
    ? [found, note("Metrics are not stored", "To store metrics, bind METRICS in wrangler.toml.")]
    : found
}

const hasFiles: Check = ({ diagnostics }) => {
  if (!diagnostics) return undefined
  return diagnostics.files ? ok("The bucket is reachable") : wrong("The bucket is not reachable", DEPLOY)
}

const hasCron: Check = ({ diagnostics }) => {
  if (!diagnostics || diagnostics.settings.READ_ONLY) return undefined
  const { ranAt, failed } = diagnostics.cron
  const since = diagnostics.now - (ranAt ?? 0)
  const fix = "Run npm run deploy, which sets the cron trigger. Then check its runs: npx wrangler tail"
  if (ranAt === null) return wrong("The cron has never run", fix)
  if (since > CRON_LATE_MS) return wrong(`The cron has not run for ${Math.round(since / MINUTE)} minutes`, fix)
  return failed === 0
    ? ok("The cron runs")
    : wrong(`${failed} sweeps of the cron's last run failed`, "See the log line `sweep failed`.")
}

const hasRoom: Check = ({ diagnostics }) => {
  const bytes = diagnostics?.database.bytes ?? 0
  return bytes < LARGE_DATABASE_BYTES
    ? undefined
    : wrong(`The database uses ${(bytes / 1e9).toFixed(1)} of 10 GB`, "See docs/operations/scaling.md.")
}

const hasQueues: Check = ({ diagnostics }) => {
  if (!diagnostics || diagnostics.settings.READ_ONLY) return undefined
  const late = Object.entries(diagnostics.queues).filter(
    ([, { oldestAt }]) => oldestAt !== null && diagnostics.now - oldestAt > QUEUE_LATE_MS,
  )
  return late.length === 0
    ? ok("No message has been waiting for long")
    : late.map(([name, { messages }]) =>
        wrong(
          `${messages} messages are waiting in ${name}`,
          "Check its consumer and whether delivery is paused: npx wrangler queues info",
        ),
      )
}

const isBackedUp: Check = ({ diagnostics }) =>
  diagnostics?.backupNotes
    ? note("A backup is running or was interrupted", "Finish it, or discard it: npm run backup -- --again")
    : undefined

const CHECKS: Check[] = [
  ...[isAlive, isEncrypted, isReady, hasMailQuota, isFilledIn, hasClock, isEnforced, isOwnOrigin, hasAssets, isKnown],
  ...[settingsOf, hasSecrets, hasBindings, hasFiles, hasCron, hasQueues, hasRoom, isBackedUp],
  ...accountChecks,
]

/** Runs all checks, or only the first if the deployment does not answer. */
export function runChecks(facts: Facts): Finding[] {
  const alive = isAlive(facts)
  if (alive && !Array.isArray(alive) && alive.level === "wrong") return [alive]
  return CHECKS.flatMap((check) => check(facts) ?? [])
}
