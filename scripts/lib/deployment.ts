// The operator's folder of a deployment, which git ignores: its settings, secrets and log.
import { randomBytes } from "node:crypto"
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseEnv } from "node:util"
import { fail } from "./cli.ts"
import { root } from "./state.ts"
import { wrangler } from "./wrangler.ts"

/** `DEPLOYMENT_VARIABLE`, `deployment` unless set: one folder for each deployment that this clone looks after. */
const folder = resolve(process.env.DEPLOYMENT || join(root, "deployment"))
const SETTINGS = join(folder, "settings.env")
const SECRETS = join(folder, "secrets.env")
const LOG = join(folder, "log.jsonl")
/** In the folder of wrangler.toml, because its paths are relative. Each command rewrites it. */
export const CONFIG = join(root, "wrangler.deployment.toml")

/** The help text of the variable. */
export const DEPLOYMENT_VARIABLE = {
  DEPLOYMENT: "the folder with settings.env and secrets.env (default: deployment)",
}

/** The settings in addition to the variables of [env.production.vars]. */
const OWN = [
  "ACCOUNT_ID",
  "NAME",
  "DATABASE_NAME",
  "DATABASE_ID",
  "BUCKET_NAME",
  "LOCATION",
  "CUSTOM_DOMAIN",
  "PLACEMENT",
  "PRIMARY_PLACEMENT",
]
const JURISDICTIONS = ["eu", "us", "fedramp"]
const LOCATIONS = ["weur", "eeur", "apac", "oc", "wnam", "enam"]

export interface Settings {
  /** The Worker's name, with which those of the queues begin. */
  name: string
  database: string
  bucket: string
  queues: string[]
  baseUrl: string
  location: string | undefined
  /** The jurisdiction of the database, bucket and Durable Objects, if any. */
  jurisdiction: string | undefined
  /** As given, by name. */
  values: Record<string, string>
}

type Values = Record<string, string>

const readValues = (file: string): Values =>
  Object.fromEntries(Object.entries(parseEnv(readFileSync(file, "utf8"))).map(([key, value]) => [key, value ?? ""]))

/** wrangler.toml without its comments: the part for deployments. */
const production = (toml: string) => toml.slice(beginOf(toml))
const beginOf = (toml: string) => toml.indexOf("\n[env.production]\n") + 1
const valuesOf = (toml: string, key: string) => [
  ...new Set([...production(toml).matchAll(new RegExp(`^${key} = "(.*)"`, "gm"))].map(([, value = ""]) => value)),
]
const variables = (toml: string) => {
  const [, table = ""] = /\[env\.production\.vars\]\n([^[]*)/.exec(toml) ?? []
  return [...table.matchAll(/^(\w+) = /gm)].map(([, name = ""]) => name)
}

/** Without settings, some commands use the local academy. */
export const hasSettings = () => existsSync(SETTINGS)

/** Reads settings.env. Exits with a message if it is missing or invalid. */
export function readSettings(): Settings {
  if (!existsSync(SETTINGS)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    copyFileSync(join(root, "deployment.example.env"), SETTINGS)
    fail(`Created ${SETTINGS}. Set BASE_URL and MAIL_FROM in it, then run this command again.`)
  }
  const given = readValues(SETTINGS)
  const toml = readFileSync(join(root, "wrangler.toml"), "utf8")
  const known = [...OWN, ...variables(toml)]
  const unknown = Object.keys(given).filter((key) => !known.includes(key))
  const name = given.NAME || "lectern"
  const { BASE_URL: baseUrl = "", MAIL_FROM: from = "", CUSTOM_DOMAIN: domain } = given
  const { LOCATION: location, JURISDICTION: jurisdiction, CONTENT_ORIGIN: content } = given
  const wrong = [
    ...unknown.map((key) => `${key} is not a known setting. Known settings: ${known.join(", ")}.`),
    ...(/^(https:\/\/|http:\/\/localhost)[^/]+$/.test(baseUrl)
      ? []
      : ["BASE_URL must be the URL of the service, such as https://academy.example.org."]),
    ...(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(from) && !from.endsWith(".example")
      ? []
      : ["MAIL_FROM must be an address on a domain that you send mail from."]),
    ...(location && !LOCATIONS.includes(location) ? [`LOCATION must be one of ${LOCATIONS.join(", ")}.`] : []),
    ...(jurisdiction && !JURISDICTIONS.includes(jurisdiction)
      ? [`JURISDICTION must be one of ${JURISDICTIONS.join(", ")}.`]
      : []),
    ...(jurisdiction && location ? ["LOCATION cannot be combined with JURISDICTION. Remove it."] : []),
    ...(/^[a-z0-9][a-z0-9-]{0,40}$/.test(name)
      ? []
      : ["NAME must have at most 41 lowercase letters, digits and hyphens."]),
    ...(domain && new URL(baseUrl || "https://x").hostname !== domain
      ? ["CUSTOM_DOMAIN must be the host of BASE_URL."]
      : []),
    ...(content && (!/^https:\/\/[^/]+$/.test(content) || content === baseUrl)
      ? ["CONTENT_ORIGIN must be a different URL than BASE_URL, such as https://content.example.org."]
      : []),
    ...(given.PRIMARY_PLACEMENT && !/^(smart|(aws|gcp|azure):[a-z0-9-]+)$/.test(given.PRIMARY_PLACEMENT)
      ? ["PRIMARY_PLACEMENT must be smart, or a cloud region near the database, such as aws:eu-central-1."]
      : []),
    ...(given.PRIMARY_PLACEMENT && given.PLACEMENT
      ? ["PLACEMENT cannot be combined with PRIMARY_PLACEMENT. Remove it."]
      : []),
    ...(given.ENVIRONMENT || given.ACCESS_POLICY
      ? ["ENVIRONMENT and ACCESS_POLICY cannot be changed for a deployment."]
      : []),
  ]
  if (wrong.length > 0) fail(`${SETTINGS}:\n${wrong.map((line) => `  ${line}`).join("\n")}`)
  return {
    name,
    database: given.DATABASE_NAME || name,
    bucket: given.BUCKET_NAME || `${name}-files`,
    queues: [...valuesOf(toml, "queue"), ...valuesOf(toml, "dead_letter_queue")].map((queue) => named(name, queue)),
    baseUrl,
    location: location || undefined,
    jurisdiction: jurisdiction || undefined,
    values: given,
  }
}

/** The name of a queue of wrangler.toml in a deployment. */
const named = (name: string, queue: string) => queue.replace(/^lectern-/, `${name}-`)

/**
 * Writes wrangler's configuration: wrangler.toml with the settings in it.
 * @param findDatabaseId returns the ID that Cloudflare reports
 * @returns the flags that select it
 */
export function writeWranglerConfig(
  { name, database, bucket, jurisdiction, values: given }: Settings,
  databaseId: string,
): string[] {
  const toml = readFileSync(join(root, "wrangler.toml"), "utf8")
  const { ACCOUNT_ID: account, CUSTOM_DOMAIN: domain, CONTENT_ORIGIN: content, PLACEMENT: placement } = given
  const hosts = domain ? [domain, ...(content ? [new URL(content).hostname] : [])] : []
  const text = (value: string) => JSON.stringify(value)
  const set = (line: string): string => {
    const [, key = "", value = ""] = /^(\w+) = "(.*)"$/.exec(line) ?? []
    if (key === "name" && value === "lectern") return `name = ${text(name)}`
    if (key === "database_name") return `${key} = ${text(database)}`
    if (key === "database_id") return `${key} = ${text(databaseId)}`
    if (key === "dataset") return `${key} = ${text(name.replaceAll("-", "_"))}`
    if (key === "bucket_name")
      return [`${key} = ${text(bucket)}`, ...(jurisdiction ? [`jurisdiction = ${text(jurisdiction)}`] : [])].join("\n")
    if (key === "queue" || key === "dead_letter_queue") return `${key} = ${text(named(name, value))}`
    const changed = /^[A-Z]/.test(key) ? given[key] : undefined
    return changed === undefined ? line : `${key} = ${text(changed)}`
  }
  const own = [
    ...(account ? [`account_id = ${text(account)}`] : []),
    ...(domain
      ? [
          `routes = [${hosts.map((host) => `{ pattern = ${text(host)}, custom_domain = true }`).join(", ")}]`,
          "workers_dev = false",
        ]
      : []),
    ...(placement ? [`placement = { mode = ${text(placement)} }`] : []),
  ]
  const lines = production(toml).split("\n").map(set)
  const config = [
    "# Generated by npm run deploy from wrangler.toml and the deployment's settings. Do not edit.",
    // The binding of development.
    toml.slice(0, beginOf(toml)).replace(/^\[\[services\]\]\n(.+\n)+/m, ""),
  ]
  writeFileSync(CONFIG, [...config, lines[0], ...own, ...lines.slice(1)].join("\n"))
  return ["--config", CONFIG, "--env", "production"]
}

/**
 * The database's id: of the settings, or as Cloudflare lists it; undefined where there is no such database. It is not
 * asked for by its name, which wrangler would look up in wrangler.toml.
 */
export function findDatabaseId({ database, values: given }: Settings): string | undefined {
  if (given.DATABASE_ID) return given.DATABASE_ID
  const { status, stdout, stderr } = wrangler(["d1", "list", "--json"], { env: accountEnv(given) })
  if (status !== 0) fail(`Listing databases failed:\n${stdout}${stderr}`)
  return (readJson(stdout) as { name: string; uuid: string }[]).find(({ name }) => name === database)?.uuid
}

/** The environment that selects the account for commands without a configuration. */
export const accountEnv = ({ ACCOUNT_ID }: Values): Record<string, string> =>
  ACCOUNT_ID ? { CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID } : {}

/** Parses wrangler's JSON output, and skips text before it. */
export const readJson = (stdout: string): unknown => JSON.parse(stdout.slice(Math.max(0, stdout.search(/^[[{]/m))))

/** Finds the deployment and writes its configuration. Exits if it does not exist. */
export function requireDeployment(): { settings: Settings; id: string; flags: string[] } {
  const found = readSettings()
  const id = findDatabaseId(found)
  if (id === undefined) fail(`The database ${found.database} does not exist yet. Run npm run deploy.`)
  return { settings: found, id, flags: writeWranglerConfig(found, id) }
}

/** The secrets by name; empty if the file does not exist. */
export const readSecrets = (file = SECRETS): Values => (existsSync(file) ? readValues(file) : {})

export const secretsFileName = SECRETS

/** Writes the secrets atomically, readable only by the owner. */
export function writeSecrets(values: Values, file = SECRETS) {
  for (const [key, value] of Object.entries(values))
    if (/["'`\n]/.test(value)) fail(`${key} in ${file} must not contain quotes or line breaks.`)
  const lines = Object.entries(values).map(([key, value]) => `${key}="${value}"\n`)
  writeFileSync(`${file}.new`, lines.join(""), { mode: 0o600 })
  chmodSync(`${file}.new`, 0o600)
  renameSync(`${file}.new`, file)
}

/** 32 random bytes. */
export const generateSecret = (): string => randomBytes(32).toString("base64url")

/** Passes the secrets as a temporary JSON file. `null` deletes a secret. */
export function withSecretsFile<T>(values: Record<string, string | null>, run: (file: string) => T): T {
  const at = mkdtempSync(join(tmpdir(), "lectern-secrets-"))
  try {
    const file = join(at, "secrets.json")
    writeFileSync(file, JSON.stringify(values), { mode: 0o600 })
    return run(file)
  } finally {
    rmSync(at, { recursive: true })
  }
}

/** An entry of the deployment log. */
export interface LogEntry {
  at: string
  did: "deploy" | "rollback" | "rotate"
  /** The version that became active, and the previous one. */
  version?: string
  before?: string
  /** The same of the primary entry, in a deployment with two Workers. */
  primary?: { version: string; before?: string }
  /** The commit of the version. */
  commit?: string
  /** The Time Travel bookmark before the deployment. */
  bookmark?: string
}

export function appendLog(entry: Omit<LogEntry, "at">) {
  appendFileSync(LOG, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`)
}

/** The log entries, oldest first. */
export const readLog = (): LogEntry[] =>
  existsSync(LOG)
    ? readFileSync(LOG, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as LogEntry)
    : []

/** A version of the Worker, and its percentage of traffic. */
export interface VersionShare {
  version_id: string
  percentage: number
}

/** The active versions; undefined if there is no Worker yet. */
export function activeVersions(flags: string[]): VersionShare[] | undefined {
  const { status, stdout, stderr } = wrangler(["deployments", "status", "--json", ...flags])
  if (status === 0) return (readJson(stdout) as { versions: VersionShare[] }).versions
  if (/no deployments|does not exist|10007/i.test(stdout + stderr)) return undefined
  return fail(`Reading the active version failed:\n${stdout}${stderr}`)
}

const WAITS = Number(process.env.READY_WAITS ?? 3000)

/**
 * Polls `/ready`.
 * @param version the version to check, with any percentage of traffic
 * @returns the last error; undefined when the service is ready
 */
export async function readinessError({ name, baseUrl }: Settings, version?: string): Promise<string | undefined> {
  let said = ""
  for (let tries = 0; tries < 10; tries++) {
    if (tries > 0) await new Promise((done) => setTimeout(done, WAITS))
    try {
      const headers = version ? { "cloudflare-workers-version-overrides": `${name}="${version}"` } : undefined
      const answer = await fetch(`${baseUrl}/ready`, {
        signal: AbortSignal.timeout(10_000),
        ...(headers && { headers }),
      })
      const body = await answer.text()
      if (answer.status === 200) return undefined
      said = `${answer.status} ${body}`
    } catch (error) {
      said =
        error instanceof Error ? `${error.message} ${(error.cause as Error | undefined)?.message ?? ""}` : String(error)
    }
  }
  return said
}
