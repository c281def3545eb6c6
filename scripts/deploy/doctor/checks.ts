// What may be wrong with a deployment, and how it is put right.
import { accountChecks } from "./account.ts"
import { type Answer, type Facts, json, type Ready } from "./facts.ts"
import { type Check, changeSetting, DEPLOY, type Finding, note, ok, wrong } from "./finding.ts"

/** Settings that limit what one person may use (src/access/quotas.ts). */
const QUOTAS = ["MAX_UNUSED_FILES", "MAX_UNUSED_MB", "MAX_DEVICES", "MAX_RUNNING_EXPORTS", "MAX_KEPT_EXPORTS"]

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
  database: "Look at Cloudflare's status page, and at the log line `readiness not read`.",
  schema: "Run npm run deploy, which applies the migrations.",
  outbox: "Does the cron run, has the queue of mails a consumer, is the mail provider's quota spent? See below.",
  jobs: "Does the cron run, has each queue a consumer? See below, and the log lines `job failed` and `sweep failed`.",
}

const isAlive: Check = ({ url, health }) => {
  if (health.failure)
    return wrong(
      `${url.origin} does not answer (${health.failure})`,
      "Is that the address? Does its domain lead to the Worker (CUSTOM_DOMAIN), and is its certificate valid?",
    )
  return json<{ status?: string }>(health)?.status === "alive"
    ? ok("It is alive")
    : wrong(`Something else answers at ${url.origin} (${display(health)})`, "Is that the address of the service?")
}

const isEncrypted: Check = (facts) =>
  facts.url.protocol === "https:" || isLocal(facts)
    ? ok("Calls are encrypted")
    : wrong("Calls are not encrypted", "Use https:// in BASE_URL and wherever the service is called.")

const isReady: Check = ({ ready }) => {
  const body = json<Ready>(ready)
  if (ready.status === 200 && body) return ok("It is ready")
  const parts = Object.entries(body?.errors ?? {})
  if (parts.length === 0)
    return wrong(`/ready does not answer (${display(ready)})`, "Look at the log: npx wrangler tail")
  return parts.map(([part, messages]) =>
    wrong(`Not ready: ${messages.join(" ")}`, PARTS[part] ?? "See /ready in docs/operations/monitoring.md."),
  )
}

/** A pause for a wrong configuration is in the errors of /ready. */
const hasMailQuota: Check = ({ ready }) => {
  const { paused } = json<Ready>(ready)?.mail ?? {}
  if (!paused || paused.reason === "configuration") return undefined
  return note(
    `The mail provider has taken no mail since ${paused.since} (${paused.error}); the next try is at ${paused.until}`,
    "Nothing is lost. Ask the provider for a larger quota, or set another MAIL_PROVIDER.",
  )
}

const isFilledIn: Check = ({ ready }) => {
  const names = json<Ready>(ready)?.backfills ?? []
  return names.length === 0
    ? undefined
    : note(`Rows are still filled in: ${names.join(", ")}`, "The cron goes on with it. Nothing is to be done.")
}

const hasClock: Check = ({ skew }) =>
  Math.abs(skew) <= MAX_SKEW_MS
    ? ok("The clocks agree")
    : wrong(
        `This machine's clock is ${Math.round(Math.abs(skew) / 1000)} seconds ${skew > 0 ? "behind" : "ahead"}`,
        "Set it: codes of authenticators, and tokens made here, depend on it.",
      )

const isEnforced: Check = (facts) => {
  if (facts.anonymous.status !== 200) return ok("Nobody is let in without signing in")
  const what = "The API answers callers who are not signed in: ACCESS_POLICY is not `enforced`"
  const fix = "Deploy with [env.production], as npm run deploy does."
  return isLocal(facts) ? note(what, fix) : wrong(what, fix)
}

const isOwnOrigin: Check = ({ preflight }) =>
  preflight.headers.get("access-control-allow-origin") === null
    ? ok("Pages of strange origins are refused")
    : wrong(
        "Pages of any origin may call the API: ALLOWED_ORIGINS has `*`",
        changeSetting("Name the origins of your own applications as ALLOWED_ORIGINS"),
      )

const hasAssets: Check = ({ asset, diagnostics }) =>
  asset.status === 200 && /svg/.test(asset.headers.get("content-type") ?? "") && diagnostics?.assets !== false
    ? ok("Static files are there")
    : wrong(`/assets/logo.svg is not there (${display(asset)})`, DEPLOY)

const isKnown: Check = ({ diagnostics, refusal }) => {
  if (diagnostics) return ok(`It is version ${diagnostics.service}`)
  return refusal === undefined
    ? note("Settings, bindings, cron and queues were not asked for", "Give an administrator's token: --token <token>")
    : wrong(
        `The token was refused: ${refusal}`,
        "Give a session token or API key of an administrator, with the scope Operating.",
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
  if (base === url.origin) found.push(ok("BASE_URL is this address"))
  else
    expect(
      false,
      `BASE_URL is ${base || "empty"}: links in mails lead there, not to ${url.origin}`,
      changeSetting(`Set BASE_URL=${url.origin}`),
    )
  const origin = value("CONTENT_ORIGIN")
  refuse(
    origin !== "" && (!URL.canParse(origin) || new URL(origin).origin !== origin),
    `CONTENT_ORIGIN is ${origin}, which is no origin: packages do not run`,
    changeSetting("Write it as https://content.example.org"),
  )
  refuse(
    origin === url.origin,
    "CONTENT_ORIGIN is the service's own address: packages could act for whoever opens them",
    changeSetting("Name another host as CONTENT_ORIGIN"),
  )
  inform(
    origin === "" && !isLocal(facts),
    "SCORM and HTML packages do not run: CONTENT_ORIGIN is empty",
    changeSetting("Lead another host to this Worker and name it as CONTENT_ORIGIN, if you want packages"),
  )
  refuse(
    content !== undefined && content.status !== 200,
    `${origin} (CONTENT_ORIGIN) does not answer (${content ? display(content) : ""})`,
    "Lead that domain to the same Worker.",
  )
  refuse(
    /\.example$/.test(value("MAIL_FROM")) && !isLocal(facts),
    `MAIL_FROM is ${value("MAIL_FROM")}, from which no mail is delivered`,
    changeSetting("Name an address of a domain that sends mail for you as MAIL_FROM"),
  )
  const provider = value("MAIL_PROVIDER") || "cloudflare"
  refuse(
    !MAIL_PROVIDERS.includes(provider),
    `MAIL_PROVIDER is ${provider}, by which no mail is sent`,
    changeSetting(`Set MAIL_PROVIDER to one of ${MAIL_PROVIDERS.join(", ")}`),
  )
  refuse(
    provider !== "cloudflare" && MAIL_PROVIDERS.includes(provider) && !diagnostics.secrets.MAIL_API_KEY,
    `${provider} sends no mail without MAIL_API_KEY`,
    'Write MAIL_API_KEY="…" into deployment/secrets.env, then npm run deploy.',
  )
  refuse(
    !(Number(value("RATE_LIMIT")) >= 1 && Number(value("RATE_WINDOW_SECONDS")) >= 1),
    `The rate limit is no number (RATE_LIMIT=${value("RATE_LIMIT")} in ${value("RATE_WINDOW_SECONDS")} seconds)`,
    changeSetting("Take RATE_LIMIT and RATE_WINDOW_SECONDS out, or write numbers"),
  )
  for (const name of QUOTAS)
    refuse(
      value(name) !== "" && !(Number.isInteger(Number(value(name))) && Number(value(name)) > 0),
      `${name} is ${value(name)}, which is no quota: there is none`,
      changeSetting(`Take ${name} out, or write a whole number`),
    )
  refuse(
    !isZone(value("TIME_ZONE")),
    `TIME_ZONE is ${value("TIME_ZONE")}, which is no zone`,
    changeSetting("Name an IANA zone"),
  )
  const ended = value("SESSIONS_AFTER")
  refuse(
    ended !== "" && !(Date.parse(ended) <= Date.now()),
    `SESSIONS_AFTER is ${ended}: nobody can sign in before`,
    changeSetting("Write a time that has passed, or take SESSIONS_AFTER out"),
  )
  refuse(
    !isLocal(facts) && (value("OUTBOUND_PRIVATE") !== "" || value("METER") !== ""),
    "METER or OUTBOUND_PRIVATE is set, which are for developers",
    changeSetting("Take them out"),
  )
  inform(
    value("READ_ONLY") !== "",
    "READ_ONLY is on: changes answer 503, queues and cron wait",
    changeSetting("Take READ_ONLY out once the academy may be written again"),
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
          length === 0 ? "APP_SECRET is not set" : `APP_SECRET has ${length} characters, which can be guessed`,
          'Write 43 random characters into deployment/secrets.env: "A lost secret" in docs/operations/operating.md.',
        )
  return previous === 0
    ? found
    : [found, note("A rotation of the secret is not finished", "npm run rotate -- --status, then --finish")]
}

const hasBindings: Check = (facts) => {
  if (!facts.diagnostics) return undefined
  const missing = Object.entries(facts.diagnostics.bindings).flatMap(([name, isThere]) => (isThere ? [] : [name]))
  const needed = missing.filter((name) => name !== "METRICS")
  const found = needed.length === 0 ? ok("Every binding is there") : wrong(`There is no ${needed.join(", ")}`, DEPLOY)
  return missing.includes("METRICS") && !isLocal(facts)
    ? [found, note("Metrics are not kept", "Bind METRICS in wrangler.toml where you want them.")]
    : found
}

const hasFiles: Check = ({ diagnostics }) => {
  if (!diagnostics) return undefined
  return diagnostics.files ? ok("The bucket answers") : wrong("The bucket does not answer", DEPLOY)
}

const hasCron: Check = ({ diagnostics }) => {
  if (!diagnostics || diagnostics.settings.READ_ONLY) return undefined
  const { ranAt, failed } = diagnostics.cron
  const since = diagnostics.now - (ranAt ?? 0)
  const fix = "Run npm run deploy, which sets the cron. Then look at its runs: npx wrangler tail"
  if (ranAt === null) return wrong("The cron has never run", fix)
  if (since > CRON_LATE_MS) return wrong(`The cron has not run for ${Math.round(since / MINUTE)} minutes`, fix)
  return failed === 0
    ? ok("The cron runs")
    : wrong(`${failed} sweeps of the cron's last run failed`, "The log line `sweep failed` says why.")
}

const hasRoom: Check = ({ diagnostics }) => {
  const bytes = diagnostics?.database.bytes ?? 0
  return bytes < LARGE_DATABASE_BYTES
    ? undefined
    : wrong(`The database has ${(bytes / 1e9).toFixed(1)} of 10 GB`, "See docs/operations/scaling.md.")
}

const hasQueues: Check = ({ diagnostics }) => {
  if (!diagnostics || diagnostics.settings.READ_ONLY) return undefined
  const late = Object.entries(diagnostics.queues).filter(
    ([, { oldestAt }]) => oldestAt !== null && diagnostics.now - oldestAt > QUEUE_LATE_MS,
  )
  return late.length === 0
    ? ok("No message waits for long")
    : late.map(([name, { messages }]) =>
        wrong(
          `${messages} messages wait in ${name}`,
          "Has it a consumer, is its delivery paused? npx wrangler queues info",
        ),
      )
}

const isBackedUp: Check = ({ diagnostics }) =>
  diagnostics?.backupNotes
    ? note("A backup is under way, or was left unfinished", "Finish it, or end it: npm run backup -- --again")
    : undefined

const CHECKS: Check[] = [
  ...[isAlive, isEncrypted, isReady, hasMailQuota, isFilledIn, hasClock, isEnforced, isOwnOrigin, hasAssets, isKnown],
  ...[settingsOf, hasSecrets, hasBindings, hasFiles, hasCron, hasQueues, hasRoom, isBackedUp],
  ...accountChecks,
]

/** All that there is to say of a deployment. Of one that does not answer, that alone. */
export function runChecks(facts: Facts): Finding[] {
  const alive = isAlive(facts)
  if (alive && !Array.isArray(alive) && alive.level === "wrong") return [alive]
  return CHECKS.flatMap((check) => check(facts) ?? [])
}
