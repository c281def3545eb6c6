// Tries single sign-on against a provider that other people wrote: oidc-provider signs people in for the service, in
// headless Chromium; then it is made to answer what it should not, and nobody may be signed in by that.
// Not part of the tests, which need npm alone. Run `npm start -- --var OUTBOUND_PRIVATE:allow` beside it; BASE_URL and
// CHROMIUM say where the service and the browser are.
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import Provider, { type Context } from "oidc-provider"
import { type Browser, type BrowserContext, chromium } from "playwright-core"
import { type Connection, call, connect, json, PASSWORD } from "./lib/client.ts"
import { conclude, expectSame } from "./lib/expect.ts"
import { flags, notRun } from "./lib/flags.ts"
import { query } from "./lib/request.ts"
import { requireService } from "./tools.ts"

const values = flags(
  "npm run check:sso",
  "Signs in with Chromium through oidc-provider, then through one that cheats.",
  { port: { type: "string", default: "0", about: "where the provider listens; 0: any port that is free" } },
  {
    BASE_URL: "where the service is (http://localhost:8787 unless set)",
    CHROMIUM: "the browser (/usr/bin/chromium unless set)",
  },
)
const BASE = process.env.BASE_URL || "http://localhost:8787"
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium"
const STAMP = Date.now()

if (!existsSync(CHROMIUM)) notRun(`no Chromium at ${CHROMIUM}. Install it (Debian package chromium), or set CHROMIUM.`)
await requireService(BASE)

type Json = Record<string, unknown>

/** The people of the provider, by what they sign in with. */
const people: Record<string, Json> = {
  ada: { email: `ada-${STAMP}@corp.example`, email_verified: true, given_name: "Ada", family_name: "Byron" },
  grace: { email: `grace-${STAMP}@corp.example`, email_verified: true, given_name: "Grace", family_name: "Hopper" },
  alan: { email: `alan-${STAMP}@corp.example`, email_verified: false, given_name: "Alan", family_name: "Turing" },
}

/** What the provider does otherwise than it should. */
type Cheat = (claims: Json, seconds: number) => { claims: Json; key?: KeyObject }
let cheat: Cheat | undefined
/** What becomes of the address that it sends the browser back to. */
let bend: ((address: URL) => void) | undefined
/** Whether the challenge that it keeps is another one than was sent. */
let otherChallenge = false

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
const key = newKey()
const jwk = { ...key.export({ format: "jwk" }), kid: "first", use: "sig", alg: "RS256" }

const base64url = (value: Json) => Buffer.from(JSON.stringify(value)).toString("base64url")
function signed(claims: Json, by: KeyObject): string {
  const text = `${base64url({ alg: "RS256", kid: "first", typ: "JWT" })}.${base64url(claims)}`
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), by).toString("base64url")}`
}

/** The ID token of an answer, made anew by whoever cheats. */
function cheated(body: unknown, how: Cheat): Json {
  const { id_token: token = "", ...rest } = body as Json & { id_token?: string }
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Json
  const made = how(claims, Math.floor(Date.now() / 1000))
  return { ...rest, id_token: signed(made.claims, made.key ?? createPrivateKey({ key: jwk, format: "jwk" })) }
}

const SLUGS = { academy: `academy-${STAMP}`, portal: `portal-${STAMP}` }
const CLIENT = { id: "lectern", secret: `secret-of-the-client-${STAMP}` }

/** Starts the provider. A port of its own each time: a service keeps for a while what it knows of an issuer. */
async function provide(): Promise<{ issuer: string; stop: () => void }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(Number(values.port), resolve))
  const address = server.address()
  const issuer = `http://localhost:${typeof address === "object" ? address?.port : values.port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: Object.values(SLUGS).map((slug) => `${BASE}/sso/${slug}/callback`),
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: [String(STAMP)] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
    pkce: { required: () => true },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  })
  provider.use(async (context: Context, next) => {
    if (otherChallenge && context.path === "/auth") context.query = { ...context.query, code_challenge: "a".repeat(43) }
    await next()
    if (cheat && context.oidc?.route === "token") context.body = cheated(context.body, cheat)
    const location = context.response.get("location") ?? ""
    if (!bend || !location.startsWith(`${BASE}/sso/`)) return
    const address = new URL(location)
    bend(address)
    context.response.set("location", address.href)
  })
  server.on("request", provider.callback())
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { issuer, stop }
}

interface Seen {
  status: number
  path: string
  text: string
  signedIn: boolean
}

/** Signs somebody in as a person does: the button, the provider's own pages, and where that leads. */
async function signIn(
  browser: Browser,
  { page: start, button, as }: { page: string; button: string; as: string },
  context?: BrowserContext,
): Promise<Seen> {
  const own = context ?? (await browser.newContext())
  const tab = await own.newPage()
  let status = 0
  tab.on("response", (response) => {
    if (/\/sso\/[^/]+\/callback/.test(response.url())) status = response.status()
  })
  await tab.goto(`${BASE}${start}`)
  await tab.getByRole("link", { name: button }).click()
  await tab.fill('input[name="login"]', as)
  await tab.fill('input[name="password"]', "any")
  await tab.click('button[type="submit"]')
  await tab.getByRole("button", { name: "Continue" }).click()
  await tab.waitForURL((url) => url.origin === new URL(BASE).origin)
  const cookies = await own.cookies(BASE)
  const seen = {
    status,
    path: new URL(tab.url()).pathname,
    text: (await tab.textContent("body")) ?? "",
    signedIn: cookies.some(({ name }) => name === "session" || name === "__Host-session"),
  }
  if (!context) await own.close()
  return seen
}

const owner = await connect(BASE, "owner@example.com", PASSWORD)
const get = async (path: string, parameters: Json = {}) =>
  json<Json>(await call(owner, "GET", `${path}${query(parameters)}`))
const send = async (method: "POST" | "PUT", path: string, body: Json, who: Connection = owner) =>
  json<Json>(await call(who, method, path, body))
const usersOf = async (email: unknown) => {
  const search_param = { nameOrEmail: email }
  const { records } = await get("/api/users/tabularlist", { page_size: 10, page_number: 1, search_param })
  return records as Json[]
}

const { id: portalId } = await send("POST", "/api/portal/create", { name: `Check ${STAMP}`, totalSeat: 1 })
const { issuer, stop } = await provide()
const record = { issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, create: true }
const academy = { name: `Academy ${STAMP}`, slug: SLUGS.academy, domains: ["corp.example"] }
const { id: academyId } = await send("POST", "/api/sso-provider/create", { ...record, ...academy })
const ofPortal = { name: `Portal ${STAMP}`, slug: SLUGS.portal, portalId }
const { id: portalProviderId } = await send("POST", "/api/sso-provider/create", { ...record, ...ofPortal })

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] })
const atAcademy = { page: "/login", button: `Sign in with ${academy.name}` }
const atPortal = { page: `/login?portal=${portalId}`, button: `Sign in with ${ofPortal.name}` }
try {
  const first = await signIn(browser, { ...atAcademy, as: "ada" })
  expectSame("the first sign-in", [first.status, first.path, first.signedIn], [303, "/console", true])
  const [ada] = await usersOf(people.ada?.email)
  expectSame("the account that it made", [ada?.first_name, ada?.last_name], ["Ada", "Byron"])

  Object.assign(people.ada ?? {}, { email: `countess-${STAMP}@corp.example` })
  const second = await signIn(browser, { ...atAcademy, page: "/login?next=/docs", as: "ada" })
  expectSame("the second sign-in, of another address", [second.status, second.path], [303, "/docs"])
  expectSame("the accounts of the new address", (await usersOf(people.ada?.email)).length, 0)

  const unverified = await signIn(browser, { ...atAcademy, as: "alan" })
  expectSame("an unverified address", [unverified.status, unverified.signedIn], [403, false])
  expectSame("what its page says", unverified.text.includes("has not verified your email address"), true)

  const refusals: [what: string, status: number, () => void][] = [
    ["another state", 400, () => (bend = ({ searchParams }) => searchParams.set("state", "another"))],
    ["another issuer in the answer", 401, () => (bend = ({ searchParams }) => searchParams.set("iss", "http://a.b"))],
    ["no issuer in the answer", 401, () => (bend = ({ searchParams }) => searchParams.delete("iss"))],
    ["another PKCE challenge", 401, () => (otherChallenge = true)],
    ["another nonce", 401, () => (cheat = (claims) => ({ claims: { ...claims, nonce: "another" } }))],
    ["another issuer", 401, () => (cheat = (claims) => ({ claims: { ...claims, iss: "http://elsewhere.example" } }))],
    ["another audience", 401, () => (cheat = (claims) => ({ claims: { ...claims, aud: "another" } }))],
    ["an ID token that has expired", 401, () => (cheat = (claims, at) => ({ claims: { ...claims, exp: at - 3600 } }))],
    ["another key", 401, () => (cheat = (claims) => ({ claims, key: newKey() }))],
  ]
  for (const [what, status, prepare] of refusals) {
    prepare()
    const seen = await signIn(browser, { ...atAcademy, as: "ada" })
    expectSame(what, [seen.status, seen.signedIn, seen.text.includes("Sign-in failed")], [status, false, true])
    cheat = undefined
    bend = undefined
    otherChallenge = false
  }

  const inPortal = await signIn(browser, { ...atPortal, as: "grace" })
  expectSame("a portal's provider", [inPortal.status, inPortal.signedIn], [303, true])
  const [grace] = await usersOf(people.grace?.email)
  const { records: members } = await get("/api/users/tabularlist", { page_size: 10, page_number: 1, portalId })
  expectSame(
    "the portal's people",
    (members as Json[]).map(({ id }) => id),
    [grace?.id],
  )
  const outside = await signIn(browser, { ...atPortal, as: "ada" })
  expectSame("a portal without seats", [outside.status, outside.signedIn], [409, false])

  const password = { password: PASSWORD, password_confirmation: PASSWORD }
  const colleague = { firstName: "Edsger", email: `edsger-${STAMP}@corp.example`, ...password }
  await send("POST", "/api/user/create", colleague)
  await send("PUT", `/api/sso-provider/${academyId}`, { force: true })
  const refused = await call(owner, "POST", "/login", { email: colleague.email, password: PASSWORD })
  const said = (await refused.json()) as Json
  expectSame("a password where the provider is forced", [refused.status, said.code], [403, "sso_required"])
  expectSame("where it leads", said.signInUrl, `/sso/${SLUGS.academy}/start`)
  const tab = await browser.newPage()
  await tab.goto(`${BASE}/login`)
  await tab.fill("#email", colleague.email)
  await tab.fill("#password", PASSWORD)
  await tab.click('button[type="submit"]')
  expectSame("the form's answer", await tab.textContent("[role=alert]"), said.message)
  expectSame("an owner's password", (await connect(BASE, "owner@example.com", PASSWORD)).token !== "", true)
  await send("PUT", `/api/sso-provider/${academyId}`, { domains: [] })
  await tab.goto(`${BASE}/login`)
  expectSame("the form where it is forced for all", await tab.isVisible("#email"), false)
} finally {
  await send("POST", "/api/sso-provider/delete", { delete_ids: [academyId, portalProviderId] })
  await browser.close()
  stop()
}
conclude("People were signed in by oidc-provider, and by none of nine ways to cheat.")
