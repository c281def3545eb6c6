// A deployment by Cloudflare's HTTP API: D1's /raw and /query, R2's objects. https://developers.cloudflare.com/api
import { openAsBlob } from "node:fs"
import { type Credentials, cloudflareApi } from "../../lib/cloudflare.ts"
import { NonRetryableError } from "../../lib/non-retryable-error.ts"
import type { Deployment, Resources, StoredFile, Value } from "./deployment.ts"

interface ListedObject {
  key: string
  size: number
  etag: string
  http_metadata?: Record<string, string>
  custom_metadata?: Record<string, string>
}

/** A statement's rows as /raw answers them. */
interface Rows {
  results: { rows: Value[][] }
}

const PER_PAGE = "1000"

/** The headers with a file's metadata for R2. */
const HEADERS: Record<string, string> = {
  contentType: "content-type",
  contentDisposition: "content-disposition",
  contentEncoding: "content-encoding",
  contentLanguage: "content-language",
  cacheControl: "cache-control",
  cacheExpiry: "expires",
}

/** A deployment's database and bucket. */
export function cloudflareDeployment(resources: Resources, credentials: Credentials): Deployment {
  const api = cloudflareApi(credentials)
  const database = `/d1/database/${resources.databaseId}`
  const objects = `/r2/buckets/${resources.bucket}/objects`
  const where: Record<string, string> = resources.jurisdiction ? { "cf-r2-jurisdiction": resources.jurisdiction } : {}
  const objectAt = (key: string) => `${objects}/${key.split("/").map(encodeURIComponent).join("/")}`

  return {
    name: `the deployment's database ${resources.database} and bucket ${resources.bucket}`,
    query: async (sql, parameters = []) => {
      const reads = /^\s*select\b/i.test(sql)
      const json = { sql, params: parameters.map(String) }
      const { result } = await api.result<Rows[]>(`${database}/raw`, { json, repeatable: reads })
      return result[0]?.results.rows ?? []
    },
    script: async (statements) => {
      await api.result(`${database}/query`, { json: { sql: `${statements.join(";\n")};` }, repeatable: false })
    },
    snapshot: async (statements) => {
      const json = { sql: `${statements.join(";\n")};` }
      const { result } = await api.result<Rows[]>(`${database}/raw`, { json, repeatable: true })
      return result.map(({ results }) => results.rows)
    },
    bookmark: async () => {
      const { result } = await api.result<{ bookmark: string }>(`${database}/time_travel/bookmark`, {
        repeatable: true,
      })
      return result.bookmark
    },
    async *files(after): AsyncGenerator<StoredFile> {
      const query = new URLSearchParams({ per_page: PER_PAGE, ...(after !== undefined && { start_after: after }) })
      for (;;) {
        const page = { headers: where, repeatable: true }
        const { result, result_info: info } = await api.result<ListedObject[]>(`${objects}?${query}`, page)
        for (const { key, size, etag, http_metadata = {}, custom_metadata = {} } of result)
          yield { key, size: Number(size), etag, httpMetadata: http_metadata, customMetadata: custom_metadata }
        if (!info?.is_truncated || !info.cursor) return
        query.set("cursor", info.cursor)
      }
    },
    read: async (key) => {
      const { status, body } = await api.call(objectAt(key), { headers: where, repeatable: true, mayBeMissing: true })
      if (status === 404) return undefined
      if (!body) throw new Error(`The file ${key} has no content.`)
      return body
    },
    write: async (key, path, { httpMetadata, customMetadata }) => {
      if (Object.keys(customMetadata).length > 0)
        throw new NonRetryableError(`The file ${key} has custom metadata, which Cloudflare's API does not accept.`)
      const headers = Object.fromEntries(
        Object.entries(httpMetadata).map(([name, value]) => [
          HEADERS[name] ?? name,
          name === "cacheExpiry" ? new Date(value).toUTCString() : value,
        ]),
      )
      const body = await openAsBlob(path)
      const options = { method: "PUT", headers: { ...headers, ...where }, body, repeatable: true }
      return (await api.result<{ etag: string }>(objectAt(key), options)).result.etag
    },
    remove: async (key) => {
      await api.result(objectAt(key), { method: "DELETE", headers: where, repeatable: true })
    },
    close: async () => {},
  }
}
