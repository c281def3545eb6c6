// Calls of the API from pages of other origins: the browser enforces what the headers allow.
import { createServer, type Server } from "node:http"
import type { Browser, Page } from "@playwright/test"
import { connect, PASSWORD } from "../../../scripts/lib/client.ts"
import { freePort } from "../../../scripts/lib/ports.ts"
import { expect, test } from "../fixtures.ts"
import { get } from "../support/api.ts"

const LIST = "/api/users/tabularlist?page_size=2&page_number=1"
const credentials = { email: "owner@example.com", password: PASSWORD }

/** What a page could read of an answer, if anything. */
interface Fetched {
  readable: boolean
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

interface Call {
  method?: string
  token?: string
  body?: object
  headers?: Record<string, string>
  credentials?: "include"
}

/** A page of another origin, with a server of its own. */
class ForeignPage {
  /** Every answer that the browser received, also preflights and those that no page may read. */
  readonly received: { url: string; status: number; allowsCredentials: boolean }[] = []
  readonly page: Page
  private readonly url: string
  private readonly server: Server

  private constructor(page: Page, url: string, server: Server) {
    this.page = page
    this.url = url
    this.server = server
  }

  static async open(browser: Browser, origin: string, url: string): Promise<ForeignPage> {
    const page = await (await browser.newContext()).newPage()
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html")
      response.end("<!doctype html><title>A page of another origin</title>")
    })
    await new Promise<void>((resolve) => server.listen(Number(new URL(origin).port), resolve))
    const self = new ForeignPage(page, url, server)
    const network = await page.context().newCDPSession(page)
    const urls = new Map<string, string>()
    network.on("Network.requestWillBeSent", ({ requestId, request }) => urls.set(requestId, request.url))
    network.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode, headers }) => {
      const requested = urls.get(requestId) ?? ""
      const names = Object.keys(headers).map((name) => name.toLowerCase())
      const allowsCredentials = names.includes("access-control-allow-credentials")
      if (requested.startsWith(url)) self.received.push({ url: requested, status: statusCode, allowsCredentials })
    })
    await network.send("Network.enable")
    await page.goto(`${origin}/`)
    return self
  }

  /** Calls `fetch` in the page. */
  fetch(path: string, { method = "GET", token, body, headers, credentials }: Call = {}): Promise<Fetched> {
    return this.page.evaluate(
      async ({ url, init }) => {
        try {
          const answer = await fetch(url, init)
          const text = await answer.text()
          const isJson = answer.headers.get("content-type")?.startsWith("application/json")
          const headers = Object.fromEntries([...answer.headers])
          return { readable: true, status: answer.status, headers, body: isJson ? JSON.parse(text) : {} }
        } catch {
          return { readable: false, status: 0, headers: {}, body: {} }
        }
      },
      {
        url: `${this.url}${path}`,
        init: {
          method,
          headers: {
            ...(token && { authorization: `Bearer ${token}` }),
            ...(body && { "content-type": "application/json" }),
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
          ...(credentials && { credentials }),
        },
      },
    )
  }

  async signIn(): Promise<{ token: string; refreshToken: string }> {
    const { status, body } = await this.fetch("/login", { method: "POST", body: { ...credentials, device: "A page" } })
    expect(status).toBe(200)
    return { token: String(body.token), refreshToken: String(body.refreshToken) }
  }

  async close() {
    expect(this.received.filter(({ allowsCredentials }) => allowsCredentials)).toEqual([])
    await this.page.context().close()
    this.server.closeAllConnections()
    this.server.close()
  }
}

test("a page of an allowed origin signs in, lists, changes, downloads and signs out", async ({
  service: { url, allowedOrigin },
  browser,
}) => {
  const page = await ForeignPage.open(browser, allowedOrigin, url)
  const { token } = await page.signIn()
  const listed = await page.fetch(LIST, { token })
  expect(listed.body.records).toHaveLength(2)
  expect(listed.headers.link).toContain('rel="next"')
  expect(Object.keys(listed.headers)).toEqual(
    expect.arrayContaining([
      ...["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "ratelimit-policy"],
      ...["x-request-id", "x-d1-bookmark"],
    ]),
  )

  const owner = await connect(url, credentials.email, PASSWORD)
  const user = `/api/user/${owner.userId}`
  const { firstName } = await get(owner, user)
  const rename = (firstName: unknown) => page.fetch(user, { method: "PUT", token, body: { firstName } })
  expect((await rename("Grace")).status).toBe(200)
  expect(await get(owner, user)).toMatchObject({ firstName: "Grace" })
  const { headers } = await page.fetch(user, { token })
  expect(headers.etag).toBeTruthy()
  const unchanged = await page.fetch(user, { token, headers: { "if-none-match": headers.etag ?? "" } })
  expect(unchanged.status).toBe(304)
  expect((await rename(firstName)).status).toBe(200)

  const job = await page.fetch("/api/users/export", { method: "POST", token, body: {} })
  const download = () => page.fetch(`/api/users/export/download/${job.body.export_id}`, { token })
  await expect.poll(async () => (await download()).status, { timeout: 30_000 }).toBe(200)
  expect((await download()).headers["content-disposition"]).toContain(".xlsx")

  expect((await page.fetch("/logout", { method: "POST", token })).status).toBe(200)
  expect((await page.fetch(LIST, { token })).status).toBe(401)
  await page.close()
})

test("a page of an allowed origin reads the code of every error", async ({
  service: { url, allowedOrigin },
  browser,
}) => {
  const page = await ForeignPage.open(browser, allowedOrigin, url)
  const { token } = await page.signIn()
  const errors: [string, Call, number][] = [
    ["/api/users/tabularlist", { token }, 422],
    ["/api/no/such/path", { token }, 404],
    [LIST, { token: "nonsense" }, 401],
    ["/api/user/create", { method: "POST", token, body: {} }, 422],
  ]
  for (const [path, call, status] of errors) {
    const answer = await page.fetch(path, call)
    expect(answer, path).toMatchObject({ status, body: { status: "error", code: expect.any(String) } })
  }
  await page.close()
})

test("a page of an allowed origin refreshes its session, and retries with the same idempotency key", async ({
  service: { url, allowedOrigin },
  browser,
}) => {
  const page = await ForeignPage.open(browser, allowedOrigin, url)
  const { token, refreshToken } = await page.signIn()
  const headers = { "idempotency-key": crypto.randomUUID() }
  const refresh = { method: "POST", body: { refreshToken }, headers }
  const first = await page.fetch("/session/refresh", refresh)
  expect(first.status).toBe(200)
  const again = await page.fetch("/session/refresh", refresh)
  expect(again.body.refreshToken).toBe(first.body.refreshToken)
  expect(again.headers["idempotency-replayed"]).toBe("true")
  const latest = String(first.body.token)
  expect((await page.fetch("/logout", { method: "POST", token: latest })).status).toBe(200)
  expect((await page.fetch(LIST, { token })).status).toBe(401)
  await page.close()
})

test("the session cookie does not authenticate calls from another origin", async ({
  service: { url, allowedOrigin },
  browser,
}) => {
  const page = await ForeignPage.open(browser, allowedOrigin, url)
  const login = await page.page.context().newPage()
  await login.goto(`${url}/login`)
  await login.getByLabel("Email address").fill(credentials.email)
  await login.getByLabel("Password").fill(PASSWORD)
  await login.getByRole("button", { name: "Sign in" }).click()
  await login.waitForURL((at) => at.pathname !== "/login")
  expect((await page.fetch(LIST, { credentials: "include" })).readable).toBe(false)
  const statuses = page.received.filter((answer) => answer.url.endsWith(LIST)).map(({ status }) => status)
  expect(statuses).toEqual([403])
  await page.close()
})

for (const [site, host] of [
  ["the same site", "localhost"],
  ["another site", "127.0.0.1"],
])
  test(`a page of ${site} whose origin is not allowed can neither read nor change anything`, async ({
    service: { url },
    browser,
  }) => {
    const owner = await connect(url, credentials.email, PASSWORD)
    const user = `/api/user/${owner.userId}`
    const before = await get(owner, user)
    const page = await ForeignPage.open(browser, `http://${host}:${await freePort()}`, url)
    const { token } = owner
    const attempts = {
      "signing in": await page.fetch("/login", { method: "POST", body: credentials }),
      listing: await page.fetch(LIST, { token }),
      changing: await page.fetch(user, { method: "PUT", token, body: { firstName: "Eve" } }),
      "reading what is public": await page.fetch("/openapi.json"),
      refreshing: await page.fetch("/session/refresh", { method: "POST", body: { refreshToken: "lr_1" } }),
    }
    for (const [what, { readable }] of Object.entries(attempts)) expect(readable, what).toBe(false)
    expect(await get(owner, user)).toMatchObject({ firstName: before.firstName })
    await page.close()
  })
