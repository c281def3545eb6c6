// A deployment by Cloudflare's HTTP API: D1's /raw and /query, R2's objects. https://developers.cloudflare.com/api
import { openAsBlob } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { type Deployment, Refused, type Resources, type StoredFile, type Value } from "./deployment.ts"

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

interface ListedObject {
  key: string
  size: number
  etag: string
  http_metadata?: Record<string, string>
  custom_metadata?: Record<string, string>
}

/** The API allows 1,200 calls in five minutes for each user, and tells with a 429 when to go on. */
const MOST_WAIT = 300
const RATE_WAIT = 10
/** How often a call is made that is allowed to be repeated. */
const TRIES = 6
const SILENCE = 120_000
const PER_PAGE = "1000"

/** The headers by which R2 is told a file's metadata. */
const HEADERS: Record<string, string> = {
  contentType: "content-type",
  contentDisposition: "content-disposition",
  contentEncoding: "content-encoding",
  contentLanguage: "content-language",
  cacheControl: "cache-control",
  cacheExpiry: "expires",
}

const seconds = (answer: Response) => Math.min(MOST_WAIT, Number(answer.headers.get("retry-after")) || RATE_WAIT)

/** An error answer's words. */
async function wordsOf(answer: Response): Promise<string> {
  const text = await answer.text()
  try {
    const { errors = [] } = JSON.parse(text) as Answer<unknown>
    return errors.map(({ code, message }) => `${message} (${code})`).join("; ") || text
  } catch {
    return text.slice(0, 500)
  }
}

/** A deployment's database and bucket. */
export function cloudflareDeployment(resources: Resources, { token, account, base }: Credentials): Deployment {
  const root = `${base}/accounts/${account}`
  const database = `${root}/d1/database/${resources.databaseId}`
  const objects = `${root}/r2/buckets/${resources.bucket}/objects`
  const objectAt = (key: string) => `${objects}/${key.split("/").map(encodeURIComponent).join("/")}`

  /**
   * One call. A refusal for the rate is waited out: nothing was done. All else that may pass is tried again where that
   * does no harm.
   */
  async function call(url: string, init: RequestInit, repeatable: boolean): Promise<Response> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await fetch(url, {
          ...init,
          headers: { authorization: `Bearer ${token}`, ...init.headers },
          signal: AbortSignal.timeout(SILENCE),
        })
        if (answer.ok) return answer
        const words = `${answer.status}: ${await wordsOf(answer)}`
        if (answer.status === 429) {
          await sleep(seconds(answer) * 1000)
          continue
        }
        if (answer.status < 500)
          throw new Refused(`Cloudflare refused ${init.method} ${url.slice(root.length)}: ${words}`)
        throw new Error(`Cloudflare failed at ${init.method} ${url.slice(root.length)}: ${words}`)
      } catch (error) {
        if (error instanceof Refused || !repeatable || tries === TRIES) throw error
        await sleep(500 * 2 ** tries)
      }
    }
  }
  async function json<T>(url: string, init: RequestInit, repeatable: boolean): Promise<Answer<T>> {
    const answer = (await (await call(url, init, repeatable)).json()) as Answer<T>
    if (!answer.success) throw new Refused((answer.errors ?? []).map(({ message }) => message).join("; "))
    return answer
  }
  const post = (body: unknown): RequestInit => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })

  return {
    name: `the deployment's database ${resources.database} and bucket ${resources.bucket}`,
    query: async (sql, parameters = []) => {
      const reads = /^\s*select\b/i.test(sql)
      const { result } = await json<{ results: { rows: Value[][] } }[]>(
        `${database}/raw`,
        post({ sql, params: parameters.map(String) }),
        reads,
      )
      return result[0]?.results.rows ?? []
    },
    script: async (statements) => {
      await json(`${database}/query`, post({ sql: `${statements.join(";\n")};` }), false)
    },
    bookmark: async () => {
      const { result } = await json<{ bookmark: string }>(`${database}/time_travel/bookmark`, { method: "GET" }, true)
      return result.bookmark
    },
    async *files(after): AsyncGenerator<StoredFile> {
      const query = new URLSearchParams({ per_page: PER_PAGE, ...(after !== undefined && { start_after: after }) })
      for (;;) {
        const { result, result_info: info } = await json<ListedObject[]>(`${objects}?${query}`, { method: "GET" }, true)
        for (const { key, size, etag, http_metadata = {}, custom_metadata = {} } of result)
          yield { key, size: Number(size), etag, httpMetadata: http_metadata, customMetadata: custom_metadata }
        if (!info?.is_truncated || !info.cursor) return
        query.set("cursor", info.cursor)
      }
    },
    read: async (key) => {
      const { body } = await call(objectAt(key), { method: "GET" }, true)
      if (!body) throw new Error(`The file ${key} came without content.`)
      return body
    },
    write: async (key, path, { httpMetadata, customMetadata }) => {
      if (Object.keys(customMetadata).length > 0)
        throw new Refused(`The file ${key} has metadata of its own, which Cloudflare's API does not take.`)
      const headers = Object.fromEntries(
        Object.entries(httpMetadata).map(([name, value]) => [
          HEADERS[name] ?? name,
          name === "cacheExpiry" ? new Date(value).toUTCString() : value,
        ]),
      )
      const init = { method: "PUT", headers, body: await openAsBlob(path) }
      return (await json<{ etag: string }>(objectAt(key), init, true)).result.etag
    },
    remove: async (key) => {
      await json(objectAt(key), { method: "DELETE" }, true)
    },
    close: async () => {},
  }
}
