// A server that speaks the part of Cloudflare's HTTP API that a copy needs, as its reference documents it
// (https://developers.cloudflare.com/api), over a D1 and an R2 of workerd's. What it stands for is not the real one:
// limits of rate and size are those that the reference names.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import type { D1Database, R2Bucket } from "@cloudflare/workers-types"
import { unstable_splitSqlQuery } from "wrangler"

/** What goes wrong with a call: told by its number, from 1. */
export type Fault = "rate" | "overload" | "lost before" | "lost after" | "cut"

const METADATA = {
  "content-type": "contentType",
  "content-disposition": "contentDisposition",
  "content-encoding": "contentEncoding",
  "content-language": "contentLanguage",
  "cache-control": "cacheControl",
} as const

export const ACCOUNT = "0123456789abcdef0123456789abcdef"
export const TOKEN = "a-token"

/** @param faultOf what goes wrong with a call */
export async function cloudflareApi(
  { DB, FILES }: { DB: D1Database; FILES: R2Bucket },
  databaseId: string,
  bucket: string,
  faultOf: (call: number) => Fault | undefined = () => undefined,
) {
  let calls = 0
  const told = { calls: 0, bookmark: "0000007b-0000b26e-00001538-0c3e87bb37b3db5cc52eedb93cd3b96b" }
  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(JSON.stringify(body))
    }
    const failed = (status: number, code: number, message: string, headers = {}) =>
      send(status, { success: false, errors: [{ code, message }], messages: [], result: null }, headers)
    told.calls = ++calls
    const fault = faultOf(calls)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return failed(403, 10000, "Authentication error")
    if (fault === "rate") return failed(429, 971, "Please wait and consider throttling", { "retry-after": "1" })
    if (fault === "overload") return failed(503, 7500, "D1 DB is overloaded. Requests queued for too long.")
    if (fault === "lost before") return response.destroy()
    const answer = (result: unknown, more: object = {}) => {
      if (fault === "lost after") return response.destroy()
      send(200, { success: true, errors: [], messages: [], result, ...more })
    }
    const url = new URL(request.url ?? "/", "http://localhost")
    const database = `/accounts/${ACCOUNT}/d1/database/${databaseId}`
    const objects = `/accounts/${ACCOUNT}/r2/buckets/${bucket}/objects`
    const path = url.pathname
    try {
      if (path === `${database}/raw` || path === `${database}/query`) {
        const { sql, params = [] } = JSON.parse(body.toString()) as { sql: string; params?: unknown[] }
        if (!params.every((value) => typeof value === "string")) return failed(400, 7400, "params: strings only")
        const statements = unstable_splitSqlQuery(sql).map((one) => DB.prepare(one))
        const [first] = statements
        if (path.endsWith("/query")) {
          await DB.batch(statements)
          return answer(statements.map(() => ({ results: [], success: true, meta: {} })))
        }
        const rows = await first?.bind(...params).raw()
        return answer([{ results: { columns: [], rows }, success: true, meta: {} }])
      }
      if (path === `${database}/time_travel/bookmark`) return answer({ bookmark: told.bookmark })
      if (path === objects) {
        const startAfter = url.searchParams.get("cursor") ?? url.searchParams.get("start_after")
        const limit = Math.min(2, Number(url.searchParams.get("per_page")))
        const page = await FILES.list({
          limit,
          include: ["httpMetadata", "customMetadata"],
          ...(startAfter && { startAfter }),
        })
        const listed = page.objects.map(({ key, size, etag, httpMetadata, customMetadata }) => ({
          key,
          size,
          etag,
          http_metadata: { ...httpMetadata },
          custom_metadata: { ...customMetadata },
          last_modified: new Date().toISOString(),
        }))
        const cursor = page.truncated ? listed.at(-1)?.key : undefined
        return answer(listed, {
          result_info: { per_page: limit, is_truncated: page.truncated, ...(cursor && { cursor }) },
        })
      }
      if (path.startsWith(`${objects}/`)) {
        const key = decodeURIComponent(path.slice(objects.length + 1))
        if (request.method === "DELETE") {
          await FILES.delete(key)
          return answer({ key })
        }
        if (request.method === "PUT") {
          const httpMetadata = Object.fromEntries(
            Object.entries(METADATA).flatMap(([header, name]) => {
              const value = request.headers[header]
              return value === undefined ? [] : [[name, String(value)]]
            }),
          )
          const { etag, size } = await FILES.put(key, body, { httpMetadata })
          return answer({ key, etag, size: String(size) })
        }
        const object = await FILES.get(key)
        if (!object) return failed(404, 10007, "The specified key does not exist.")
        response.writeHead(200, { "content-length": String(object.size) })
        if (fault === "cut") {
          response.write("x")
          return setTimeout(() => response.destroy(), 20)
        }
        Readable.fromWeb(object.body as never).pipe(response)
        return
      }
      failed(404, 7000, "No route for that URI")
    } catch (error) {
      failed(400, 7500, String(error))
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "localhost", resolve)
  })
  return {
    base: `http://localhost:${(server.address() as AddressInfo).port}`,
    told,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
