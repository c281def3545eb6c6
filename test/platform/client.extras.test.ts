import { exports } from "cloudflare:workers"
import { Hono } from "hono"
import { Webhook } from "standardwebhooks"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  type ClientOptions,
  createClient,
  expressWebhook,
  handleWebhook,
  honoWebhook,
  type LecternEvent,
  VERSION,
} from "../../src/client/index.ts"
import { version } from "../../src/client/package.json"
import { signedIn, user } from "../factories/index.ts"

const BASE = "https://lectern.test"
const DAY = 86_400_000

function clientOf(token: string, options: Partial<ClientOptions> = {}) {
  return createClient({
    baseUrl: BASE,
    tokens: { token, expiresAt: new Date(Date.now() + 100 * DAY).toISOString() },
    fetch: (request) => exports.default.fetch(request),
    ...options,
  })
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe("a request of the client", () => {
  it("names the version of the package, and passes the hooks at every attempt", async () => {
    expect(VERSION).toBe(version)
    const admin = await signedIn("admin")
    const seen: string[] = []
    let isFirst = true
    const client = clientOf(admin.token, {
      fetch: (request) => {
        seen.push(request.headers.get("x-client-version") ?? "", request.headers.get("x-team") ?? "")
        if (!isFirst) return exports.default.fetch(request)
        isFirst = false
        return Promise.resolve(new Response("", { status: 502 }))
      },
      onRequest: (request) => request.headers.set("x-team", "blue"),
      onResponse: async ({ status }, { method, url }) => void seen.push(`${method} ${new URL(url).pathname} ${status}`),
    })
    await client.GET("/api/user/{id}", { params: { path: { id: admin.id } } })
    const sent = ["lectern-client/0.2.0", "blue"]
    const path = `GET /api/user/${admin.id}`
    expect(seen).toEqual([...sent, `${path} 502`, ...sent, `${path} 200`])
  })

  it("has attempts and timeouts of its own", async () => {
    const { token } = await signedIn("admin")
    let calls = 0
    const silent = clientOf(token, {
      fetch: () => {
        calls++
        return new Promise(() => {})
      },
    })
    const retry = { attempts: 2, timeoutMs: 20 }
    const list = { params: { query: { page_size: 1, page_number: 1 } } }
    await expect(silent.GET("/api/users/tabularlist", { ...list, retry })).rejects.toMatchObject({ code: "timed_out" })
    expect(calls).toBe(2)
    const once = { attempts: 1, timeoutMs: 20 }
    await expect(silent.fetch("/api/me", { retry: once })).rejects.toMatchObject({ code: "timed_out" })
    await expect(silent.POST("/api/group/create", { body: { name: "A" }, retry: once })).rejects.toMatchObject({
      code: "timed_out",
    })
    expect(calls).toBe(4)
  })
})

describe("a list as an array", () => {
  it("has at most the wanted number of records, and reads no further page", async () => {
    const { token } = await signedIn("admin")
    for (let n = 0; n < 5; n++) await user()
    let calls = 0
    const client = clientOf(token, {
      fetch: (request) => {
        calls++
        return exports.default.fetch(request)
      },
    })
    const list = client.list("/api/users/tabularlist", { pageSize: 2 })
    expect(await list.toArray(3)).toHaveLength(3)
    expect(calls).toBe(2)
    expect(await list.toArray(100)).toHaveLength(6)
    expect(await list.toArray(0)).toEqual([])
  })
})

describe("a webhook handler", () => {
  const SECRET = `whsec_${btoa("a secret of twenty-four b")}`
  const BODY = JSON.stringify({ id: "evt_1", type: "user.created", occurredAt: "2026-11-26T10:00:00Z", data: {} })
  const signedHeaders = () => {
    const at = new Date()
    return {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(SECRET).sign("evt_1", at, BODY),
    }
  }
  const request = (headers: Record<string, string>) =>
    new Request("https://receiver.test/hooks", { method: "POST", headers, body: BODY })

  it("of Hono passes the event, and answers 401 to a forged one", async () => {
    const events: LecternEvent[] = []
    const app = new Hono()
    app.post("/hooks", honoWebhook({ secret: SECRET, onEvent: (event) => void events.push(event) }))
    expect((await app.request(request(signedHeaders()))).status).toBe(204)
    expect(events).toEqual([JSON.parse(BODY)])
    const forged = await app.request(request({ ...signedHeaders(), "webhook-id": "evt_2" }))
    expect(forged.status).toBe(401)
    expect(await forged.text()).toContain("No signature")
    expect(events).toHaveLength(1)
  })

  it("lets errors of the receiver through, so that the message is delivered again", async () => {
    const failing = { secret: SECRET, onEvent: () => Promise.reject(new Error("no database")) }
    await expect(handleWebhook(request(signedHeaders()), failing)).rejects.toThrow("no database")
  })

  it("of Express reads the raw body, and passes errors on", async () => {
    async function called(body: unknown, headers: Record<string, string>, onEvent = (_: LecternEvent) => {}) {
      const stream = async function* () {
        yield new TextEncoder().encode(BODY.slice(0, 10))
        yield new TextEncoder().encode(BODY.slice(10))
      }
      const answered: unknown[] = []
      const response = { status: (code: number) => ({ end: (text?: string) => void answered.push(code, text) }) }
      const incoming = { headers, body, [Symbol.asyncIterator]: stream }
      const next = (error: unknown) => void answered.push(String(error))
      await expressWebhook({ secret: SECRET, onEvent, toleranceSeconds: 10 })(incoming, response, next)
      return answered
    }
    const events: LecternEvent[] = []
    const note = (event: LecternEvent) => void events.push(event)
    expect(await called(undefined, signedHeaders(), note)).toEqual([204, undefined])
    expect(await called(new TextEncoder().encode(BODY), signedHeaders(), note)).toEqual([204, undefined])
    expect(events).toEqual([JSON.parse(BODY), JSON.parse(BODY)])
    expect(await called(undefined, {})).toEqual([401, "The header webhook-id is missing."])
    expect(await called(JSON.parse(BODY), signedHeaders())).toEqual([expect.stringContaining("parsed already")])
    const fail = () => {
      throw new Error("no database")
    }
    expect(await called(undefined, signedHeaders(), fail)).toEqual(["Error: no database"])
  })
})
