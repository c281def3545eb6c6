// Cloudflare's HTTP API (https://developers.cloudflare.com/api), for what wrangler has no command for.
import { setTimeout as sleep } from "node:timers/promises"
import { fail } from "./cli.ts"
import { NonRetryableError } from "./non-retryable-error.ts"
import { wrangler } from "./wrangler.ts"

const API = "https://api.cloudflare.com/client/v4"

export interface Credentials {
  token: string
  account: string
  /** Where the API begins. */
  base: string
}

/** How an answer of the API is made. */
interface Answer<T> {
  success: boolean
  errors?: { code: number; message: string }[]
  result: T
  result_info?: { cursor?: string; is_truncated?: boolean }
}

/** The API allows 1,200 calls in five minutes per user, and says with a 429 when to continue. */
const MAX_WAIT_SECONDS = 300
const RATE_WAIT_SECONDS = 10
/** How often a call is made that is allowed to be repeated. */
const MAX_TRIES = 6
const CALL_TIMEOUT_MS = 120_000

/**
 * What wrangler is signed in with: `CLOUDFLARE_API_TOKEN`, or `wrangler login`. Ends the script where it is not.
 * @param account the id of the settings, where they name one
 */
export function credentials(account: string | undefined): Credentials {
  const notSignedIn = () =>
    fail("wrangler is not signed in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN and ACCOUNT_ID.")
  const token = process.env.CLOUDFLARE_API_TOKEN || wrangler(["auth", "token"]).stdout.trim()
  if (!token || /\s/.test(token)) notSignedIn()
  const base = process.env.CLOUDFLARE_API_BASE_URL || API
  const known = account || process.env.CLOUDFLARE_ACCOUNT_ID
  if (known) return { token, account: known, base }
  const { accounts = [] } = JSON.parse(wrangler(["whoami", "--json"]).stdout || "{}") as { accounts?: { id: string }[] }
  const [only, ...others] = accounts
  if (!only || others.length > 0)
    fail("Set ACCOUNT_ID in settings.env: wrangler is signed in to no account or to several.")
  return { token, account: only.id, base }
}

const secondsToWait = (answer: Response) =>
  Math.min(MAX_WAIT_SECONDS, Number(answer.headers.get("retry-after")) || RATE_WAIT_SECONDS)

/** The message of an error answer. */
async function messageOf(answer: Response): Promise<string> {
  const text = await answer.text()
  try {
    const { errors = [] } = JSON.parse(text) as Answer<unknown>
    return errors.map(({ code, message }) => `${message} (${code})`).join("; ") || text
  } catch {
    return text.slice(0, 500)
  }
}

export interface CallOptions {
  method?: string
  headers?: Record<string, string>
  body?: Blob
  /** Sent as JSON, by POST unless `method` says otherwise. */
  json?: unknown
  /** Whether the call can be retried when its answer was lost. */
  repeatable: boolean
  /** Whether a 404 is an answer. */
  mayBeMissing?: boolean
}

export type CloudflareApi = ReturnType<typeof cloudflareApi>

/** The API of an account. A path begins below `/accounts/<account>`. */
export function cloudflareApi({ token, account, base }: Credentials) {
  /**
   * One call. A refusal for the rate is waited out: nothing was done. All else that may pass is tried again where that
   * does no harm.
   * @throws NonRetryableError
   */
  async function call(
    path: string,
    { json, repeatable, mayBeMissing, headers, ...rest }: CallOptions,
  ): Promise<Response> {
    const init: RequestInit = {
      ...(json === undefined ? {} : { method: "POST", body: JSON.stringify(json) }),
      ...rest,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
    }
    for (let tries = 1; ; tries++) {
      try {
        const answer = await fetch(`${base}/accounts/${account}${path}`, {
          ...init,
          signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        })
        if (answer.ok || (mayBeMissing && answer.status === 404)) return answer
        const message = `${answer.status}: ${await messageOf(answer)}`
        if (answer.status === 429) {
          await sleep(secondsToWait(answer) * 1000)
          continue
        }
        if (answer.status < 500)
          throw new NonRetryableError(`Cloudflare rejected ${init.method ?? "GET"} ${path}: ${message}`)
        throw new Error(`Cloudflare returned an error for ${init.method ?? "GET"} ${path}: ${message}`)
      } catch (error) {
        if (error instanceof NonRetryableError || !repeatable || tries === MAX_TRIES) throw error
        await sleep(500 * 2 ** tries)
      }
    }
  }
  /** One call that answers JSON. @throws NonRetryableError */
  async function result<T>(path: string, options: CallOptions): Promise<Answer<T>> {
    const answer = (await (await call(path, options)).json()) as Answer<T>
    if (!answer.success) throw new NonRetryableError((answer.errors ?? []).map(({ message }) => message).join("; "))
    return answer
  }
  return { call, result }
}

/** A D1 database, as the API describes it. */
export interface DatabaseInfo {
  uuid: string
  name: string
  jurisdiction?: string | null
  read_replication?: { mode: "auto" | "disabled" } | null
  running_in_region?: string
}

export const databaseInfo = async (api: CloudflareApi, id: string): Promise<DatabaseInfo> =>
  (await api.result<DatabaseInfo>(`/d1/database/${id}`, { repeatable: true })).result

/**
 * Switches read replication on, which wrangler has no flag for, and asks whether it is.
 * @returns whether it had been off
 * @throws where it stays off
 */
export async function enableReadReplication(api: CloudflareApi, id: string): Promise<boolean> {
  const isOn = async () => (await databaseInfo(api, id)).read_replication?.mode === "auto"
  if (await isOn()) return false
  await api.result(`/d1/database/${id}`, {
    method: "PUT",
    json: { read_replication: { mode: "auto" } },
    repeatable: true,
  })
  if (!(await isOn())) throw new Error("Read replication is still off after it was turned on.")
  return true
}

/** Whether an account has a bucket, within a jurisdiction where one is given. */
export async function hasBucket(api: CloudflareApi, name: string, jurisdiction: string | undefined): Promise<boolean> {
  const headers: Record<string, string> = jurisdiction ? { "cf-r2-jurisdiction": jurisdiction } : {}
  const { ok } = await api.call(`/r2/buckets/${name}`, { headers, repeatable: true, mayBeMissing: true })
  return ok
}

export async function hasQueue(api: CloudflareApi, name: string): Promise<boolean> {
  const path = `/queues?name=${encodeURIComponent(name)}`
  const { result } = await api.result<{ queue_name: string }[]>(path, { repeatable: true })
  return result.some(({ queue_name }) => queue_name === name)
}
