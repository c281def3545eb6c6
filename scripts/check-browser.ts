// Calls the service from pages of other origins, in headless Chromium: from one that ALLOWED_ORIGINS lists, which signs
// in, lists, changes, refreshes and reads headers and errors, and from others, which can do none of it. No answer may
// allow credentials, and no cookie may count.
// Not part of the tests, which need npm alone. Beside it: npm start -- --var ALLOWED_ORIGINS:http://localhost:8790
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { type Browser, chromium, type Page } from "playwright-core"
import { call, connect, json, PASSWORD } from "./lib/client.ts"
import { conclude, expectSame } from "./lib/expect.ts"
import { flags, notRun } from "./lib/flags.ts"
import { requireService } from "./tools.ts"

flags(
  "npm run check:browser",
  "Calls the service from pages of other origins in Chromium: one that ALLOWED_ORIGINS lists, and others.",
  {},
  {
    BASE_URL: "where the service is (http://localhost:8787 unless set)",
    ALLOWED_ORIGIN: "the one that it lists, on this machine (http://localhost:8790 unless set)",
    CHROMIUM: "the browser (/usr/bin/chromium unless set)",
  },
)
const BASE = process.env.BASE_URL || "http://localhost:8787"
const ALLOWED = process.env.ALLOWED_ORIGIN || "http://localhost:8790"
const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium"
const { port: allowedPort } = new URL(ALLOWED)
/** Origins that are not listed: another port of the same site, and another site. */
const OTHERS = ["localhost", "127.0.0.1"].map((host) => `http://${host}:${Number(allowedPort) + 1}`)

if (!existsSync(CHROMIUM)) notRun(`no Chromium at ${CHROMIUM}. Install it (Debian package chromium), or set CHROMIUM.`)
await requireService(BASE)
const asked = await fetch(`${BASE}/api/users/tabularlist`, {
  method: "OPTIONS",
  headers: { origin: ALLOWED, "access-control-request-method": "GET" },
})
if (asked.status !== 204)
  notRun(`the service does not list ${ALLOWED}. Start it with npm start -- --var ALLOWED_ORIGINS:${ALLOWED}`)

/** What a page's `fetch` came to: what the page could read of the answer, or that it could read nothing. */
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

/** One `fetch` of the page's own. */
const fetched = (page: Page, path: string, { method = "GET", token, body, headers, credentials }: Call = {}) =>
  page.evaluate(
    async ({ url, init }): Promise<Fetched> => {
      try {
        const answer = await fetch(url, init)
        const text = await answer.text()
        const isJson = answer.headers.get("content-type")?.startsWith("application/json")
        const shown = Object.fromEntries([...answer.headers])
        return { readable: true, status: answer.status, headers: shown, body: isJson ? JSON.parse(text) : {} }
      } catch {
        return { readable: false, status: 0, headers: {}, body: {} }
      }
    },
    {
      url: `${BASE}${path}`,
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

/** Every answer of the service that the browser received, preflights and what no page may read included. */
const received: { url: string; status: number; allowsCredentials: boolean }[] = []

/** A page of an origin, in a browser of its own. */
async function pageOf(browser: Browser, origin: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  const network = await page.context().newCDPSession(page)
  const urls = new Map<string, string>()
  network.on("Network.requestWillBeSent", ({ requestId, request }) => urls.set(requestId, request.url))
  network.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode, headers }) => {
    const url = urls.get(requestId) ?? ""
    const names = Object.keys(headers).map((name) => name.toLowerCase())
    const allowsCredentials = names.includes("access-control-allow-credentials")
    if (url.startsWith(BASE)) received.push({ url, status: statusCode, allowsCredentials })
  })
  await network.send("Network.enable")
  await page.goto(`${origin}/`)
  return page
}

const list = "/api/users/tabularlist?page_size=2&page_number=1"
const credentials = { email: "owner@example.com", password: PASSWORD }
const owner = await connect(BASE, credentials.email, PASSWORD)
const nameOf = async () =>
  (await json<{ firstName: string }>(await call(owner, "GET", `/api/user/${owner.userId}`))).firstName
const rename = (page: Page, token: string, firstName: string) =>
  fetched(page, `/api/user/${owner.userId}`, { method: "PUT", token, body: { firstName } })

async function fromAllowed(browser: Browser, page: Page) {
  const signIn = { method: "POST", body: { ...credentials, device: "check:browser" } }
  const opened = await fetched(page, "/login", signIn)
  expectSame("signing in", [opened.readable, opened.status, typeof opened.body.refreshToken], [true, 200, "string"])
  const token = String(opened.body.token)

  const listed = await fetched(page, list, { token })
  expectSame("listing", [listed.status, (listed.body.records as unknown[] | undefined)?.length], [200, 2])
  expectSame("the Link header", listed.headers.link?.includes('rel="next"'), true)
  for (const name of [
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "ratelimit",
    "ratelimit-policy",
  ])
    expectSame(`the header ${name}`, Boolean(listed.headers[name]), true)
  for (const name of ["x-request-id", "x-d1-bookmark"])
    expectSame(`the header ${name}`, Boolean(listed.headers[name]), true)

  const before = await nameOf()
  expectSame("changing", (await rename(page, token, "Grace")).status, 200)
  expectSame("what was changed", await nameOf(), "Grace")
  const record = await fetched(page, `/api/user/${owner.userId}`, { token })
  expectSame("the ETag", Boolean(record.headers.etag), true)
  const unchanged = { token, headers: { "if-none-match": record.headers.etag ?? "" } }
  expectSame("a read with If-None-Match", (await fetched(page, `/api/user/${owner.userId}`, unchanged)).status, 304)
  expectSame("changing back", (await rename(page, token, before)).status, 200)
  const job = await fetched(page, "/api/users/export", { method: "POST", token, body: {} })
  const download = `/api/users/export/download/${job.body.export_id}`
  let file = await fetched(page, download, { token })
  for (let waited = 0; file.status === 409 && waited < 60; waited++) {
    await sleep(500)
    file = await fetched(page, download, { token })
  }
  expectSame("a file", [file.status, file.headers["content-disposition"]?.includes(".xlsx")], [200, true])

  const errors: [string, Call, number][] = [
    ["/api/users/tabularlist", { token }, 422],
    ["/api/no/such/path", { token }, 404],
    [list, { token: "nonsense" }, 401],
    ["/api/user/create", { method: "POST", token, body: {} }, 422],
  ]
  for (const [path, given, status] of errors) {
    const answer = await fetched(page, path, given)
    expectSame(`an error of ${path}`, [answer.readable, answer.status, answer.body.status], [true, status, "error"])
    expectSame(`the code of an error of ${path}`, typeof answer.body.code, "string")
  }

  const refresh = {
    method: "POST",
    body: { refreshToken: opened.body.refreshToken },
    headers: { "idempotency-key": crypto.randomUUID() },
  }
  const [renewed, again] = [
    await fetched(page, "/session/refresh", refresh),
    await fetched(page, "/session/refresh", refresh),
  ]
  expectSame("refreshing", renewed.status, 200)
  expectSame(
    "refreshing again under the same key",
    [again.body.refreshToken, again.headers["idempotency-replayed"]],
    [renewed.body.refreshToken, "true"],
  )
  const last = String(renewed.body.token)

  // The same browser is signed in by a cookie as well: hosts of the same site send it along with such a call.
  const own = await page.context().newPage()
  await own.goto(`${BASE}/login`)
  await own.fill("#email", credentials.email)
  await own.fill("#password", PASSWORD)
  await Promise.all([own.waitForURL((url) => url.pathname !== "/login"), own.press("#password", "Enter")])
  const before403 = received.length
  const withCookie = await fetched(page, list, { credentials: "include" })
  expectSame("a call with the cookie", withCookie.readable, false)
  expectSame(
    "what the service answered to the cookie",
    received
      .slice(before403)
      .filter(({ url }) => url.endsWith(list))
      .map(({ status }) => status),
    [403],
  )

  for (const origin of OTHERS) await fromAnother(browser, origin, last)

  expectSame("signing out", (await fetched(page, "/logout", { method: "POST", token: last })).status, 200)
  expectSame("after signing out", (await fetched(page, list, { token: last })).status, 401)
  expectSame("the first token then", (await fetched(page, list, { token })).status, 401)
}

/** A page that is not listed, with a token that holds. */
async function fromAnother(browser: Browser, origin: string, token: string) {
  const page = await pageOf(browser, origin)
  const before = await nameOf()
  const tried = {
    "signing in": await fetched(page, "/login", { method: "POST", body: credentials }),
    listing: await fetched(page, list, { token }),
    changing: await rename(page, token, "Eve"),
    "reading what is open": await fetched(page, "/openapi.json"),
    refreshing: await fetched(page, "/session/refresh", { method: "POST", body: { refreshToken: "lr_1" } }),
  }
  for (const [what, { readable }] of Object.entries(tried)) expectSame(`${what} from ${origin}`, readable, false)
  expectSame(`the name that ${origin} was to change`, await nameOf(), before)
  await page.context().close()
}

const pages = [new URL(ALLOWED).port, new URL(OTHERS[0] ?? "").port].map((port) =>
  createServer((_, answer) => {
    answer.setHeader("content-type", "text/html")
    answer.end("<!doctype html><title>A page of another origin</title>")
  }).listen(Number(port)),
)
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] })
try {
  await fromAllowed(browser, await pageOf(browser, ALLOWED))
} finally {
  await browser.close()
  for (const server of pages) server.close()
}
expectSame(
  "answers that allow credentials",
  received.filter(({ allowsCredentials }) => allowsCredentials),
  [],
)
conclude(
  `A page of ${ALLOWED} signs in, lists, changes, refreshes and reads headers and errors; pages of ` +
    `${OTHERS.join(" and ")} do none of it; of ${received.length} answers none allows credentials.`,
)
