import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Page } from "@playwright/test"
import { connect, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import { get, type Json, post } from "../support/api.ts"

const MAIL_TIMEOUT = 30_000

/** The HTML parts of the mails since a moment, the newest first. `npm start` writes them to files. */
function mailsSince(folder: string, moment: number): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .filter(({ at }) => at >= moment)
    .sort((a, b) => b.at - a.at)
    .map(({ path }) => path)
}

async function choosePassword(page: Page, password: string) {
  await page.getByLabel("New password").fill(password)
  await page.getByLabel("Confirm password").fill(password)
  await page.getByRole("button", { name: "Set password" }).click()
}

async function signIn(page: Page, email: string, password: string) {
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
}

test.use({ javaScriptEnabled: false })

test("a new learner accepts an invitation and earns a certificate with JavaScript disabled", async ({
  service: { url, stateDir },
  page,
}) => {
  const stamp = Date.now()
  const email = `first-hour-${stamp}@learners.example.com`
  const owner = await connect(url, "owner@example.com", PASSWORD)
  const expectText = (text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible()

  /** A published course with one text, and the certificate of the sample. */
  async function createCourse(name: string, more: Json = {}) {
    const [template] = await get<Json[]>(owner, "/api/certificate_templates/lookup")
    const text = await post(owner, "/api/modules/text", { name: `${name} text`, content: "<p>Read me.</p>" })
    const modules = [{ module_id: text.id }]
    const course = { name, status: "publish", modules, certificateTemplateId: template?.id, ...more }
    return { id: (await post(owner, "/api/course/create", course)).id, moduleId: text.id, name }
  }

  /** Opens the mail with a link of this name as a mail program would, and follows the link. */
  async function followMail(since: number, name: string) {
    const find = () =>
      mailsSince(join(stateDir, "mails"), since).find((path) => readFileSync(path, "utf8").includes(`>${name}</a>`))
    await expect.poll(find, { message: `a mail with "${name}"`, timeout: MAIL_TIMEOUT }).toBeDefined()
    await page.goto(pathToFileURL(find() ?? "").href)
    await page.getByRole("link", { name }).click()
  }

  const knots = await createCourse(`Knots ${stamp}`)
  const sails = await createCourse(`Sails ${stamp}`, { selfEnroll: true, slug: `sails-${stamp}` })

  await test.step("chooses a password after an invitation by mail", async () => {
    const since = Date.now()
    await post(owner, "/api/user/bulkUpload", {
      userList: [{ email, first_name: "Grace", last_name: "Hopper" }],
      selectedCourses: [knots.id],
    })
    await followMail(since, "Accept invitation")
    await expectText(`For ${email}`)
    await choosePassword(page, "a first good password")
  })

  await test.step("is signed in, and sees the courses", async () => {
    await expectText("Welcome back, Grace")
    await expectText("Not Started, 0% complete")
  })

  await test.step("opens the course", async () => {
    await page.getByRole("link", { name: knots.name }).click()
    await expect(page.getByRole("heading", { name: knots.name })).toBeVisible()
    const row = page.getByRole("listitem").filter({ hasText: `${knots.name} text (Text)` })
    await expect(row).toContainText("Not Started")
  })

  await test.step("enrolls in another course", async () => {
    await page.goto(`${url}/course/sails-${stamp}`)
    await page.getByRole("button", { name: "Enroll" }).click()
    await expectText("Not Started, 0% complete")
    await page.getByRole("link", { name: "My learning" }).click()
    await expect(page.getByRole("link", { name: sails.name })).toBeVisible()
  })

  await test.step("signs out", async () => {
    await page.getByRole("button", { name: "Sign out" }).click()
    await expect(page.getByRole("heading", { name: /^Sign in to/ })).toBeVisible()
  })

  await test.step("resets a forgotten password", async () => {
    const since = Date.now()
    await page.getByRole("link", { name: "Forgot password?" }).click()
    await page.getByLabel("Email address").fill(email)
    await page.getByRole("button", { name: "Send reset link" }).click()
    await expectText("Check your email")
    await followMail(since, "Reset password")
    await choosePassword(page, "a second good password")
    await page.getByRole("link", { name: "Sign in" }).click()
    await signIn(page, email, "a first good password")
    await expect(page.getByRole("alert")).toBeVisible()
    await signIn(page, email, "a second good password")
    await expectText("Welcome back, Grace")
  })

  await test.step("completes the course over the API, and downloads the certificate", async () => {
    const learner = await connect(url, email, "a second good password")
    const parameters = { user_id: learner.userId, page_size: 10, page_number: 1 }
    const { records } = await get<{ records: Json[] }>(learner, "/api/users/enrolled-courses", parameters)
    const registration = records.find((record) => Object.values(record).includes(knots.name))
    const progress = { registrationId: registration?.id, moduleId: knots.moduleId, status: "Completed" }
    await post(learner, "/api/module/progress", progress)
    await page.getByRole("link", { name: "My learning" }).click()
    await expectText("Completed, 100% complete")
    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: `Download the certificate for ${knots.name}` }).click()
    const file = readFileSync(await (await download).path())
    expect(file.subarray(0, 5).toString()).toBe("%PDF-")
  })

  await test.step("opens the public page of the certificate, which names the issuer", async () => {
    const certificates = page.getByRole("region", { name: "Certificates" })
    await certificates.getByRole("link", { name: knots.name, exact: true }).click()
    await expect(page.getByRole("heading", { name: "Certificate: Valid" })).toBeVisible()
    await expectText("Issued by")
    await expectText("Grace Hopper")
  })

  await test.step("signs out there, and has to sign in again", async () => {
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.goto(`${url}/learn`)
    await expect(page.getByRole("heading", { name: /^Sign in to/ })).toBeVisible()
  })
})
