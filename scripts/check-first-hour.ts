// A person's first hour, by clicking in headless Chromium: invited by mail, a password chosen, signed in, the course
// seen and opened, another course joined, a forgotten password reset, the certificate and its public page, signed out.
// The mails are those that `npm start` writes to files (STATE_DIR). Not part of the tests, which need npm alone.
// Run `npm start` beside it, in this folder; BASE_URL and CHROMIUM say where the service and the browser are.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { chromium, type Page } from "playwright-core"
import { call, connect, json, PASSWORD } from "./lib/client.ts"
import { fail, flags, notRun } from "./lib/flags.ts"
import { query } from "./lib/request.ts"
import { stateDir } from "./lib/state.ts"
import { requireService } from "./tools.ts"

flags(
  "npm run check:first-hour",
  "Plays a person's first hour in Chromium, from the mail that invites them to their certificate.",
  {},
  {
    BASE_URL: "where the service is (http://localhost:8787 unless set)",
    CHROMIUM: "the browser (/usr/bin/chromium unless set)",
  },
)
const BASE = process.env.BASE_URL || "http://localhost:8787"
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium"
const MAILS = join(stateDir, "mails")
const MAIL_WITHIN = 30_000

if (!existsSync(CHROMIUM)) notRun(`no Chromium at ${CHROMIUM}. Install it (Debian package chromium), or set CHROMIUM.`)
await requireService(BASE)

type Json = Record<string, unknown>

const stamp = Date.now()
const email = `first-hour-${stamp}@learners.example.com`
const owner = await connect(BASE, "owner@example.com", PASSWORD)
const send = async (path: string, body: object) => json<Json>(await call(owner, "POST", path, body))

/** A published course of one text, with the sample's certificate. */
async function courseOf(name: string, more: Json = {}) {
  const [template] = await json<Json[]>(await call(owner, "GET", "/api/certificate_templates/lookup"))
  const module = await send("/api/modules/text", { name: `${name} text`, content: "<p>Read me.</p>" })
  const modules = [{ module_id: module.id }]
  const course = { name, status: "publish", modules, certificateTemplateId: template?.id, ...more }
  return { id: (await send("/api/course/create", course)).id, moduleId: module.id, name }
}

const knots = await courseOf(`Knots ${stamp}`)
const sails = await courseOf(`Sails ${stamp}`, { selfEnroll: true, slug: `sails-${stamp}` })

/** The parts in HTML of the mails that were written since a moment, the newest first. */
function mailsSince(moment: number): string[] {
  if (!existsSync(MAILS)) return []
  return readdirSync(MAILS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .map((name) => ({ path: join(MAILS, name), at: statSync(join(MAILS, name)).mtimeMs }))
    .filter(({ at }) => at >= moment)
    .sort((a, b) => b.at - a.at)
    .map(({ path }) => path)
}

/** Opens the mail with a link of this label as a mail program would, and clicks on it. */
async function follow(page: Page, since: number, label: string) {
  for (const until = Date.now() + MAIL_WITHIN; Date.now() < until; await sleep(250)) {
    const mail = mailsSince(since).find((path) => readFileSync(path, "utf8").includes(`>${label}</a>`))
    if (!mail) continue
    await page.goto(pathToFileURL(mail).href)
    await page.getByRole("link", { name: label }).click()
    return
  }
  fail(`No mail with "${label}" came within ${MAIL_WITHIN / 1000} seconds. Mails are looked for in ${MAILS}.`)
}

async function choosePassword(page: Page, password: string) {
  await page.getByLabel("New password").fill(password)
  await page.getByLabel("Confirm password").fill(password)
  await page.getByRole("button", { name: "Set password" }).click()
}

async function signIn(page: Page, password: string) {
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
}

const invited = Date.now()
await send("/api/user/bulkUpload", {
  userList: [{ email, first_name: "Grace", last_name: "Hopper" }],
  selectedCourses: [knots.id],
})

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] })
const done: string[] = []
try {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const step = async (what: string, run: () => Promise<unknown>) => {
    await run().catch((error: unknown) => fail(`${what}: ${error}\nThe page is ${page.url()}`))
    done.push(what)
  }
  const shows = (text: string | RegExp) => page.getByText(text).first().waitFor()

  await step("invited by mail, chooses a password", async () => {
    await follow(page, invited, "Choose a password")
    await shows(`For ${email}`)
    await choosePassword(page, "a first good password")
    await shows("Your password is set")
  })
  await step("signs in, and lands on their courses", async () => {
    await page.getByRole("link", { name: "Sign in" }).click()
    await signIn(page, "a first good password")
    await shows("Hello Grace")
    await shows("Not Started, 0 percent")
  })
  await step("opens the course", async () => {
    await page.getByRole("link", { name: knots.name }).click()
    await page.getByRole("heading", { name: knots.name }).waitFor()
    await shows(`${knots.name} text (text): Not Started`)
  })
  await step("enrolls in another course", async () => {
    await page.goto(`${BASE}/course/sails-${stamp}`)
    await page.getByRole("button", { name: "Enroll me" }).click()
    await shows("Not Started, 0 percent")
    await page.getByRole("link", { name: "My learning" }).click()
    await page.getByRole("link", { name: sails.name }).waitFor()
  })
  await step("signs out", async () => {
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: /^Sign in to/ }).waitFor()
  })
  await step("resets a forgotten password", async () => {
    const since = Date.now()
    await page.getByRole("link", { name: "Forgot password?" }).click()
    await page.getByLabel("Email address").fill(email)
    await page.getByRole("button", { name: "Send reset link" }).click()
    await shows("a link is on its way")
    await follow(page, since, "Choose a new password")
    await choosePassword(page, "a second good password")
    await page.getByRole("link", { name: "Sign in" }).click()
    await signIn(page, "a first good password")
    await page.getByRole("alert").waitFor()
    await signIn(page, "a second good password")
    await shows("Hello Grace")
  })
  await step("completes the course, as an application would, and gets the certificate", async () => {
    const learner = await connect(BASE, email, "a second good password")
    const paging = { user_id: learner.userId, page_size: 10, page_number: 1 }
    const { records } = await json<{ records: Json[] }>(
      await call(learner, "GET", `/api/users/enrolled-courses${query(paging)}`),
    )
    const registration = records.find((record) => Object.values(record).includes(knots.name))
    const progress = { registrationId: registration?.id, moduleId: knots.moduleId, status: "Completed" }
    await json(await call(learner, "POST", "/api/module/progress", progress))
    await page.getByRole("link", { name: "My learning" }).click()
    await shows("Completed, 100 percent")
    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: `Download the certificate for ${knots.name}` }).click()
    const file = readFileSync(await (await download).path())
    if (file.subarray(0, 5).toString() !== "%PDF-") throw new Error("The certificate is no PDF.")
  })
  await step("opens the certificate's public page, which names who issued it", async () => {
    const certificates = page.getByRole("region", { name: "Certificates" })
    await certificates.getByRole("link", { name: knots.name, exact: true }).click()
    await page.getByRole("heading", { name: "Certificate: Valid" }).waitFor()
    await shows("Issued by")
    await shows("Grace Hopper")
  })
  await step("signs out from there, and is a stranger again", async () => {
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.goto(`${BASE}/learn`)
    await page.getByRole("heading", { name: /^Sign in to/ }).waitFor()
  })
} finally {
  await browser.close()
}
console.info(`A person's first hour, without a script on a page: ${done.join("; ")}.`)
