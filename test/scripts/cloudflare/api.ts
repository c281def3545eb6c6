// A server that speaks the part of Cloudflare's HTTP API (https://developers.cloudflare.com/api) that wrangler and the
// scripts call, with the limits that its documentation names. What it stands for is not the real one.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { DatabaseSync } from "node:sqlite"
import { Readable } from "node:stream"
import { D1 } from "./d1.ts"
import { Failure, type Handler, type Reply, type Route } from "./http.ts"
import { type Queue, queueRoutes } from "./queues.ts"
import { R2, type Store } from "./r2.ts"
import { Workers } from "./workers.ts"

/** The fault of a call. */
export type Fault = "rate" | "overload" | "lost before" | "lost after" | "cut"

export const ACCOUNT = "0123456789abcdef0123456789abcdef"
export const TOKEN = "a-token"

interface Options {
  databaseErrorKind?: (call: number) => Fault | undefined
  /** Makes the database behind an id; in memory unless given. */
  open?: (id: string) => DatabaseSync | Promise<DatabaseSync>
  /** Where the objects of a bucket are; in memory unless given. */
  storeOf?: (bucket: string) => Store
  port?: number
}

/** An account with nothing in it, and the server of its API. */
export async function cloudflareAccount({
  databaseErrorKind = () => undefined,
  open,
  storeOf,
  port = 0,
}: Options = {}) {
  const d1 = new D1(open)
  const r2 = new R2(storeOf)
  const queues = new Map<string, Queue>()
  const workers = new Workers({
    d1: ({ id }) => d1.databases.has(String(id)),
    r2_bucket: ({ bucket_name, jurisdiction }) => r2.has(String(bucket_name), jurisdiction as string | undefined),
    queue: ({ queue_name }) => [...queues.values()].some((queue) => queue.queue_name === queue_name),
  })
  const log = { calls: 0, unknown: [] as string[] }
  /** The paths that the token may not call. */
  let forbidden: RegExp | undefined
  const routes: Route[] = [
    ["GET", "/user/tokens/verify", () => ({ id: "t", status: "active" })],
    ["GET", "/user", () => ({ id: "u", email: "you@example.org" })],
    ["GET", "/accounts", () => [{ id: ACCOUNT, name: "An account" }]],
    ["GET", "/memberships", () => [{ account: { id: ACCOUNT, name: "An account" } }]],
    ...[...d1.routes(), ...r2.routes(), ...queueRoutes(queues), ...workers.routes()].map(
      ([method, path, handler]): Route => [method, `/accounts/${ACCOUNT}${path}`, handler],
    ),
  ]
  const matchers = routes.map(([method, path, handler]): [string, RegExp, Handler] => [
    method,
    new RegExp(`^/client/v4${path.replaceAll("*", "(.+)").replaceAll(/:\w+/g, "([^/]+)")}$`),
    handler,
  ])

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(JSON.stringify(body))
    }
    const failed = ({ status, code, message, headers = {} }: Failure) =>
      send(status, { success: false, errors: [{ code, message }], messages: [], result: null }, headers)
    const fault = databaseErrorKind(++log.calls)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? "/", "http://localhost")
    const isUpload = url.pathname.startsWith("/upload/")
    if (!isUpload && !/^Bearer (a-token|assets-.*)$/.test(String(request.headers.authorization)))
      return failed(new Failure(403, 10000, "Authentication error"))
    if (forbidden?.test(url.pathname)) return failed(new Failure(403, 10000, "Authentication error"))
    if (fault === "rate")
      return failed(new Failure(429, 971, "Please wait and consider throttling", { "retry-after": "1" }))
    if (fault === "overload") return failed(new Failure(503, 7500, "D1 DB is overloaded."))
    if (fault === "lost before") return response.destroy()
    try {
      if (isUpload) {
        const etag = d1.upload(url.pathname, Buffer.concat(chunks))
        response.writeHead(200, { etag: `"${etag}"` }).end()
        return
      }
      const [found] = matchers.flatMap(([method, pattern, handler]) => {
        const match = method === request.method && pattern.exec(url.pathname)
        return match ? [{ handler, params: match.slice(1).map(decodeURIComponent) }] : []
      })
      if (!found) {
        log.unknown.push(`${request.method} ${url.pathname}`)
        throw new Failure(404, 7003, "Could not route to the resource")
      }
      const body = Buffer.concat(chunks)
      const { host = "", "content-type": type = "" } = request.headers
      const reply = await found.handler({
        params: found.params,
        query: url.searchParams,
        headers: request.headers,
        body,
        json: () => JSON.parse(body.toString()),
        form: () => new Response(body, { headers: { "content-type": type } }).formData(),
        origin: `http://${host}`,
      })
      if (fault === "lost after") return response.destroy()
      const { content, info } = (reply ?? {}) as Reply
      if (content) {
        response.writeHead(200, { "content-length": String(content.length) })
        if (fault === "cut") {
          response.write("x")
          setTimeout(() => response.destroy(), 20)
        } else Readable.from([content]).pipe(response)
        return
      }
      const result = info ? (reply as Reply).result : reply
      send(200, { success: true, errors: [], messages: [], result: result ?? null, ...(info && { result_info: info }) })
    } catch (error) {
      failed(error instanceof Failure ? error : new Failure(400, 7500, String(error)))
    }
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve))
  return {
    base: `http://localhost:${(server.address() as AddressInfo).port}/client/v4`,
    log,
    d1,
    r2,
    queues,
    workers,
    refuse: (paths: RegExp) => {
      forbidden = paths
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

export type CloudflareAccount = Awaited<ReturnType<typeof cloudflareAccount>>
