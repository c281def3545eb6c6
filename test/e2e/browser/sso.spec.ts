import type { Browser } from "@playwright/test"
import { type Connection, call, connect, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import { get, type Json, post, put } from "../support/api.ts"
import { newKey, type SsoProvider, startProvider, type Tampering } from "../support/sso-provider.ts"

const STAMP = Date.now()
const SLUGS = { academy: `academy-${STAMP}`, portal: `portal-${STAMP}` }
const CLIENT = { id: "lectern", secret: `client-secret-${STAMP}`, slugs: Object.values(SLUGS) }
const PAGING = { page_size: 10, page_number: 1 }

const account = (name: string, given_name: string, family_name: string, email_verified = true) => ({
  email: `${name}-${STAMP}@corp.example`,
  ...{ email_verified, given_name, family_name },
})

let owner: Connection
let provider: SsoProvider
let ids: { academy: unknown; portal: unknown; portalProvider: unknown }

test.beforeAll(async ({ service: { url } }) => {
  owner = await connect(url, "owner@example.com", PASSWORD)
  provider = await startProvider(url, CLIENT)
  provider.accounts = {
    ada: account("ada", "Ada", "Byron"),
    grace: account("grace", "Grace", "Hopper"),
    alan: account("alan", "Alan", "Turing", false),
  }
  const { id: portal } = await post(owner, "/api/portal/create", { name: `Portal ${STAMP}`, totalSeat: 1 })
  const record = { issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, create: true }
  const academy = { ...record, name: `Academy ${STAMP}`, slug: SLUGS.academy, domains: ["corp.example"] }
  const portalRecord = { ...record, name: `Portal ${STAMP}`, slug: SLUGS.portal, portalId: portal }
  ids = {
    portal,
    academy: (await post(owner, "/api/sso-provider/create", academy)).id,
    portalProvider: (await post(owner, "/api/sso-provider/create", portalRecord)).id,
  }
})

test.afterAll(async () => {
  await post(owner, "/api/sso-provider/delete", { delete_ids: [ids.academy, ids.portalProvider] })
  provider.stop()
})

test.afterEach(() => {
  provider.tampering = {}
})

/** Signs in through the pages of the service and of the provider, in a browser context of its own. */
async function signIn(browser: Browser, url: string, user: string, { path = "/login", name = "Academy" } = {}) {
  const context = await browser.newContext()
  const page = await context.newPage()
  let status = 0
  page.on("response", (response) => {
    if (/\/sso\/[^/]+\/callback/.test(response.url())) status = response.status()
  })
  await page.goto(`${url}${path}`)
  await page.getByRole("link", { name: `Sign in with ${name} ${STAMP}` }).click()
  await page.fill('input[name="login"]', user)
  await page.fill('input[name="password"]', "any")
  await page.click('button[type="submit"]')
  await page.getByRole("button", { name: "Continue" }).click()
  await page.waitForURL((at) => at.origin === url)
  const cookies = await context.cookies(url)
  const outcome = {
    status,
    path: new URL(page.url()).pathname,
    text: (await page.textContent("body")) ?? "",
    signedIn: cookies.some(({ name }) => name === "session" || name === "__Host-session"),
  }
  await context.close()
  return outcome
}

const findUsers = async (email: unknown) => {
  const parameters = { ...PAGING, search_param: { nameOrEmail: email } }
  return (await get<{ records: Json[] }>(owner, "/api/users/tabularlist", parameters)).records
}

test("the first sign-in creates the account, and the next one finds it after an email change", async ({
  service: { url },
  browser,
}) => {
  expect(await signIn(browser, url, "ada")).toMatchObject({ status: 303, path: "/console", signedIn: true })
  const ada = provider.accounts.ada ?? {}
  expect(await findUsers(ada.email)).toMatchObject([{ first_name: "Ada", last_name: "Byron" }])

  ada.email = `countess-${STAMP}@corp.example`
  expect(await signIn(browser, url, "ada", { path: "/login?next=/docs" })).toMatchObject({ status: 303, path: "/docs" })
  expect(await findUsers(ada.email)).toEqual([])
})

test("sign-in fails if the provider has not verified the email address", async ({ service: { url }, browser }) => {
  const outcome = await signIn(browser, url, "alan")
  expect(outcome).toMatchObject({ status: 403, signedIn: false })
  expect(outcome.text).toContain("isn't verified at")
})

const refused: [what: string, status: number, tampering: Tampering][] = [
  ["another state", 400, { redirect: ({ searchParams }) => searchParams.set("state", "another") }],
  ["another issuer in the address", 401, { redirect: ({ searchParams }) => searchParams.set("iss", "http://a.b") }],
  ["no issuer in the address", 401, { redirect: ({ searchParams }) => searchParams.delete("iss") }],
  ["another PKCE challenge", 401, { challenge: "a".repeat(43) }],
  ["another nonce", 401, { token: (claims) => ({ claims: { ...claims, nonce: "another" } }) }],
  ["another issuer", 401, { token: (claims) => ({ claims: { ...claims, iss: "http://elsewhere.example" } }) }],
  ["another audience", 401, { token: (claims) => ({ claims: { ...claims, aud: "another" } }) }],
  ["an expired ID token", 401, { token: (claims, now) => ({ claims: { ...claims, exp: now - 3600 } }) }],
  ["an ID token signed by another key", 401, { token: (claims) => ({ claims, key: newKey() }) }],
]
for (const [what, status, tampering] of refused)
  test(`sign-in fails with ${what}`, async ({ service: { url }, browser }) => {
    provider.tampering = tampering
    const outcome = await signIn(browser, url, "ada")
    expect(outcome).toMatchObject({ status, signedIn: false })
    expect(outcome.text).toContain("Sign-in failed")
  })

test("a portal's provider adds members until no seat is left", async ({ service: { url }, browser }) => {
  const portal = { path: `/login?portal=${ids.portal}`, name: "Portal" }
  expect(await signIn(browser, url, "grace", portal)).toMatchObject({ status: 303, signedIn: true })
  const [grace] = await findUsers(provider.accounts.grace?.email)
  const members = await get(owner, "/api/users/tabularlist", { ...PAGING, portalId: ids.portal })
  expect(members.records).toMatchObject([{ id: grace?.id }])
  expect(await signIn(browser, url, "ada", portal)).toMatchObject({ status: 409, signedIn: false })
})

test("an enforced provider rejects passwords, except those of owners", async ({ service: { url }, page }) => {
  const email = `edsger-${STAMP}@corp.example`
  const password = { password: PASSWORD, password_confirmation: PASSWORD }
  await post(owner, "/api/user/create", { firstName: "Edsger", email, ...password })
  await put(owner, `/api/sso-provider/${ids.academy}`, { force: true })
  const answer = await call(owner, "POST", "/login", { email, password: PASSWORD })
  expect(answer.status).toBe(403)
  const body = (await answer.json()) as Json
  expect(body).toMatchObject({ code: "sso_required", signInUrl: `/sso/${SLUGS.academy}/start` })

  await page.goto(`${url}/login`)
  await page.fill("#email", email)
  await page.fill("#password", PASSWORD)
  await page.click('button[type="submit"]')
  await expect(page.getByRole("alert")).toHaveText(String(body.message))
  expect((await connect(url, "owner@example.com", PASSWORD)).token).toBeTruthy()

  await put(owner, `/api/sso-provider/${ids.academy}`, { domains: [] })
  await page.goto(`${url}/login`)
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
  await expect(page.locator("#email")).toBeHidden()
})
