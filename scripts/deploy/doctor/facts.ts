// Collects the facts that the checks examine.
import { type CloudflareApi, type DatabaseInfo, databaseInfo } from "../../lib/cloudflare.ts"
import type { Settings } from "../../lib/deployment.ts"
import { hasPrimary, primaryName } from "../../lib/primary.ts"
import { toRequest } from "../../lib/request.ts"

/** What `GET /api/diagnostics` answers. */
export interface Diagnostics {
  service: string
  now: number
  settings: Record<string, string>
  secrets: Record<string, number>
  bindings: Record<string, boolean>
  database: { bytes: number; readBy: string }
  files: boolean
  assets: boolean
  cron: { ranAt: number | null; failed: number }
  queues: Record<string, { messages: number | null; oldestAt: number | null }>
  backupNotes: boolean
}

/** What `/ready` answers. */
export interface Ready {
  message?: string
  errors?: Record<string, string[]>
  reads?: { by: string; region: string | null }
  mail?: { provider: string; paused: { reason: string; error: string; since: string; until: string } | null }
  backfills?: string[]
}

/** A response of the deployment; `failure` is the reason if there is none. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  failure?: string
}

/** A queue, as Cloudflare has it. */
interface Queue {
  queue_id: string
  queue_name: string
  consumers: { script?: string; script_name?: string; settings?: { max_concurrency?: number } }[]
  settings?: { delivery_paused?: boolean }
  /** How many messages wait; undefined: Cloudflare does not say. */
  backlog?: number
}

/** What Cloudflare says of the account's side. */
export interface Account {
  settings: Settings
  /** The names of the secrets that the operator keeps. */
  localSecrets: string[]
  database: DatabaseInfo | undefined
  /** Whether the bucket is there, within the jurisdiction of the settings. */
  bucket: boolean
  queues: Queue[]
  /** undefined: there is no Worker. */
  worker:
    | {
        crons: string[]
        observability: boolean
        secrets: string[]
        /** How many CPU milliseconds an invocation may take; undefined: as many as the plan has by itself. */
        cpuMs: number | undefined
      }
    | undefined
  /** The primary entry; undefined for a deployment with one Worker. */
  primary?: {
    name: string
    /** The names of its secrets; undefined: there is no such Worker. */
    secrets: string[] | undefined
    /** Whether the edge entry has the binding. */
    isBound: boolean
  }
  /** How many versions serve. */
  versions: number
  /** What Cloudflare did not say, and why. */
  refusals: string[]
}

export interface Facts {
  url: URL
  health: Answer
  ready: Answer
  /** A call of the API without a token. */
  anonymous: Answer
  /** The preflight of a page of another origin. */
  preflight: Answer
  asset: Answer
  /** The health of CONTENT_ORIGIN, where there is one. */
  content: Answer | undefined
  /** Undefined without a token, or with an invalid one. */
  diagnostics: Diagnostics | undefined
  /** Why there are no diagnostics. */
  refusal: string | undefined
  /** How far the deployment's clock is ahead of this machine's, milliseconds. */
  skew: number
  account: Account | undefined
}

export const EVERY_MINUTE = "* * * * *"
const CALL_TIMEOUT_MS = 15_000

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const answer = await fetch(url, { redirect: "manual", ...init, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error & { code?: string } }
    const failure = cause?.code ?? cause?.message ?? message
    return { status: 0, headers: new Headers(), text: "", failure }
  }
}

/** An answer's JSON; undefined where it is none. */
export function json<T>({ text }: Answer): T | undefined {
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}

/** Asks a deployment everything that the checks look at. @param token of an administrator */
export async function gatherFacts(url: URL, token: string, account: Account | undefined): Promise<Facts> {
  const at = (path: string) => new URL(path, url).href
  const before = Date.now()
  const health = await ask(at("/health"))
  const middle = (before + Date.now()) / 2
  const [ready, anonymous, preflight, asset] = await Promise.all([
    ask(at("/ready")),
    ask(at("/api/users/lookup?search_term=doctor")),
    ask(at("/api/users/lookup"), {
      method: "OPTIONS",
      headers: { origin: "https://doctor.invalid", "access-control-request-method": "GET" },
    }),
    ask(at("/assets/logo.svg")),
  ])
  const answer = token ? await ask(at("/api/diagnostics"), toRequest("GET", { token })) : undefined
  const diagnostics = answer?.status === 200 ? json<Diagnostics>(answer) : undefined
  const contentOrigin = diagnostics?.settings.CONTENT_ORIGIN
  return {
    ...{ url, health, ready, anonymous, preflight, asset, diagnostics, account },
    content: URL.canParse(contentOrigin ?? "") ? await ask(new URL("/health", contentOrigin).href) : undefined,
    refusal: answer && !diagnostics ? refusalOf(answer) : undefined,
    skew: (Date.parse(health.headers.get("date") ?? "") || middle) - middle,
  }
}

const refusalOf = (answer: Answer) =>
  answer.failure ?? json<{ message?: string }>(answer)?.message ?? `it answered ${answer.status}`

/** Reads the account's settings from Cloudflare. @param kept the names of the secrets that the operator keeps */
export async function fetchAccount(
  api: CloudflareApi,
  settings: Settings,
  id: string | undefined,
  kept: string[],
): Promise<Account> {
  const refusals: string[] = []
  /** @returns undefined: there is none; `refused` where Cloudflare does not say */
  async function ask<T, R>(path: string, refused: R, headers: Record<string, string> = {}): Promise<T | R | undefined> {
    try {
      const answer = await api.call(path, { headers, repeatable: true, mayBeMissing: true })
      return answer.status === 404 ? undefined : ((await answer.json()) as { result: T }).result
    } catch (error) {
      refusals.push(error instanceof Error ? error.message : String(error))
      return refused
    }
  }
  const script = `/workers/scripts/${settings.name}`
  const queues: Queue[] = []
  for (const name of settings.queues) {
    const asIfWell: Queue = { queue_id: "", queue_name: name, consumers: [{ settings: { max_concurrency: 1 } }] }
    const [queue] = (await ask<Queue[], Queue[]>(`/queues?name=${encodeURIComponent(name)}`, [asIfWell])) ?? []
    if (!queue) continue
    const metrics =
      queue.queue_id && (await ask<{ backlog_count?: number }, "">(`/queues/${queue.queue_id}/metrics`, ""))
    queues.push({ ...queue, ...(metrics && { backlog: metrics.backlog_count ?? 0 }) })
  }
  const { jurisdiction } = settings
  const within: Record<string, string> = jurisdiction ? { "cf-r2-jurisdiction": jurisdiction } : {}
  const bucket = await ask<object, true>(`/r2/buckets/${settings.bucket}`, true, within)
  const secrets = await ask<{ name: string }[], { name: string }[]>(
    `${script}/secrets`,
    kept.map((name) => ({ name })),
  )
  const about = async () => {
    const always = { schedules: [{ cron: EVERY_MINUTE }] }
    const schedules = await ask<typeof always, typeof always>(`${script}/schedules`, always)
    const on = { observability: { enabled: true } }
    const settled = await ask<Partial<typeof on>, typeof on>(`${script}/script-settings`, on)
    const wide = { limits: { cpu_ms: Number.POSITIVE_INFINITY } }
    const version = await ask<Partial<typeof wide>, typeof wide>(`${script}/settings`, wide)
    return {
      crons: schedules?.schedules.map(({ cron }) => cron) ?? [],
      observability: settled?.observability?.enabled === true,
      cpuMs: version?.limits?.cpu_ms,
    }
  }
  const aboutPrimary = async () => {
    const name = primaryName(settings)
    const asIfWell = kept.map((secret) => ({ name: secret }))
    const found = await ask<typeof asIfWell, typeof asIfWell>(`/workers/scripts/${name}/secrets`, asIfWell)
    const bound = { bindings: [{ type: "service", name: "PRIMARY", service: name }] }
    const edge = await ask<Partial<typeof bound>, typeof bound>(`${script}/settings`, bound)
    const isBound = edge?.bindings?.some((binding) => binding.name === "PRIMARY" && binding.service === name)
    return { name, secrets: found?.map((secret) => secret.name), isBound: isBound ?? false }
  }
  const served = await ask<{ deployments: { versions: unknown[] }[] }, undefined>(`${script}/deployments`, undefined)
  return {
    settings,
    localSecrets: kept,
    database: id === undefined ? undefined : await databaseInfo(api, id),
    bucket: bucket !== undefined,
    queues,
    worker: secrets && { ...(await about()), secrets: secrets.map(({ name }) => name) },
    ...(hasPrimary(settings) && { primary: await aboutPrimary() }),
    versions: served?.deployments[0]?.versions.length ?? 0,
    refusals,
  }
}
