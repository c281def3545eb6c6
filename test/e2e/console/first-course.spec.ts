import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "@playwright/test"
import { type Service, startService, toVarFlags } from "../../../scripts/lib/service.ts"
import { expect, testWithoutService } from "../fixtures.ts"
import { countEffort } from "../support/effort.ts"
import { createOwner, findMail } from "../support/empty-academy.ts"
import { ConsolePage } from "./console-page.ts"

const MAX_CLICKS = 18
const MAX_FIELDS = 10
const OWNER = "olivia@example.com"
const LEARNER_PASSWORD = "a long enough password"
const MAIL_TIMEOUT = 60_000

interface Academy {
  service: Service
  stateDir: string
  app: ConsolePage
}

/** An academy without any data, whose owner has just signed in. */
const test = testWithoutService.extend<{ academy: Academy }>({
  academy: [
    async ({ page }, use) => {
      const stateDir = mkdtempSync(join(tmpdir(), "lectern-e2e-"))
      const vars = toVarFlags({ RATE_LIMIT: "1000000", ACCESS_POLICY: "enforced" })
      const service = await startService(stateDir, ["--empty", ...vars])
      const app = new ConsolePage(page, service.url)
      await app.signIn(OWNER, createOwner(stateDir, OWNER))
      await use({ service, stateDir, app })
      await service.stop()
      rmSync(stateDir, { recursive: true, force: true })
      expect(app.problems, "errors, unexpected answers and requests to other origins").toEqual([])
    },
    { timeout: 240_000 },
  ],
})

/** Chooses a password by the link in the invitation, which signs in. */
async function acceptInvitation(page: Page, stateDir: string) {
  const find = () => findMail(stateDir, ">Accept invitation</a>")
  await expect.poll(find, { message: "an invitation", timeout: MAIL_TIMEOUT }).toBeDefined()
  await page.goto(find() ?? "")
  await page.getByRole("link", { name: "Accept invitation" }).click()
  await page.getByLabel("New password").fill(LEARNER_PASSWORD)
  await page.getByLabel("Confirm password").fill(LEARNER_PASSWORD)
  await page.getByRole("button", { name: "Set password" }).click()
  await page.waitForURL(/\/console/)
}

test("An owner of an empty academy publishes a course with a certificate, and a learner earns it", async ({
  page,
  browser,
  academy: { app, stateDir },
}) => {
  test.setTimeout(300_000)
  const learner = "grace.hopper@example.com"
  const course = "First aid"
  const dialog = page.getByRole("dialog")
  const setup = page.getByRole("region", { name: "Set up your academy" })
  await expect(setup).toContainText("0 of 4 steps done")
  await app.expectAccessible("empty home")
  const effort = await countEffort(page)

  await test.step("names the academy", async () => {
    await setup.getByRole("link", { name: "Open settings" }).click()
    await page.getByLabel("Academy name").fill("Northwind")
    await page.getByRole("button", { name: "Save" }).click()
    await expect(page.locator(".brand")).toContainText("Northwind")
    await app.waitUntilLoaded()
    await page.locator(".brand").click()
    await expect(setup).toContainText("1 of 4 steps done")
  })

  await test.step("creates a course by its name", async () => {
    await setup.getByRole("link", { name: "Start from scratch" }).click()
    await page.getByLabel("Name", { exact: true }).fill(course)
    await page.getByRole("button", { name: "Create" }).click()
    await expect(page.getByRole("heading", { level: 1, name: course })).toBeVisible()
    await app.expectText("This course is a draft.")
    await app.expectAccessible("empty course")
  })

  await test.step("adds a text and a quiz in place", async () => {
    await page.getByRole("button", { name: "Text", exact: true }).click()
    await dialog.getByLabel("Name", { exact: true }).fill("Call for help")
    await dialog.locator("[contenteditable]").first().pressSequentially("Call 112 first.")
    await app.expectAccessible("new text")
    await dialog.getByRole("button", { name: "Create" }).click()
    await expect(dialog).toHaveCount(0)
    await page.getByRole("button", { name: "Quiz", exact: true }).click()
    await dialog.getByLabel("Name", { exact: true }).fill("What do you do?")
    await dialog.getByRole("button", { name: "Add question" }).click()
    await dialog.getByLabel("Question", { exact: true }).fill("Which number do you call?")
    await dialog.getByLabel("Choice 1").fill("112")
    await dialog.getByLabel("Choice 2").fill("555")
    await dialog.getByRole("button", { name: "Create" }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.locator(".ordered .module-row")).toHaveCount(2)
  })

  await test.step("chooses a certificate, and publishes", async () => {
    await page.getByRole("button", { name: "Classic" }).click()
    await app.expectText("Everyone who completes the course receives “Classic”.")
    await app.expectAccessible("course with content")
    await page.getByRole("button", { name: "Publish" }).click()
    await expect(page.getByRole("button", { name: "Unpublish" })).toBeVisible()
  })

  await test.step("invites and enrolls a learner in one dialog", async () => {
    await page.getByRole("button", { name: "Invite people" }).click()
    await dialog.getByLabel("Email addresses").fill(`Grace Hopper <${learner}>`)
    await app.expectAccessible("invitation")
    await dialog.getByRole("button", { name: "Invite and enroll" }).click()
    await expect(dialog.getByText("Invited and enrolled")).toBeVisible({ timeout: MAIL_TIMEOUT })
    await app.expectAccessible("invited")
    await dialog.getByRole("button", { name: "Close" }).last().click()
  })

  test.info().annotations.push({ type: "effort", description: JSON.stringify(effort) })
  expect(effort.clicks, "clicks of the owner").toBeGreaterThan(0)
  expect(effort.clicks, "clicks of the owner").toBeLessThanOrEqual(MAX_CLICKS)
  expect(effort.fields, "fields that the owner fills").toBeGreaterThan(0)
  expect(effort.fields, "fields that the owner fills").toBeLessThanOrEqual(MAX_FIELDS)

  await test.step("finds every step done", async () => {
    await app.goto("")
    await expect(setup).toHaveCount(0)
    await app.expectAccessible("home with one learner")
  })

  await test.step("the learner earns the certificate", async () => {
    const context = await browser.newContext({ viewport: page.viewportSize() })
    const phone = await context.newPage()
    await acceptInvitation(phone, stateDir)
    const next = phone.getByRole("link", { name: course }).first()
    await next.click()
    const completed = phone.getByText(/You completed|course is completed/i).first()
    const forward = phone
      .getByRole("link", { name: /^(Continue|Start|Next)/ })
      .or(phone.getByRole("button", { name: /^(Mark as complete|Complete|Start|Continue|Next|Submit)/ }))
    await expect(async () => {
      if (await completed.isVisible()) return
      const right = phone.getByLabel("112", { exact: true })
      if (await right.isVisible()) await right.check()
      await forward.filter({ visible: true }).first().click({ timeout: 2000 })
      await expect(completed).toBeVisible({ timeout: 1500 })
    }).toPass({ timeout: 90_000 })
    const certificates = await phone.evaluate(async () => {
      const me = await (await fetch("/api/me")).json()
      const query = "page_size=5&page_number=1"
      return await (await fetch(`/api/user-certificates/${me.id}?${query}`)).json()
    })
    expect(certificates.records).toMatchObject([{ courseName: course }])
    await context.close()
  })
})

test("An owner starts from the sample course, in one click", async ({ page, academy: { app } }) => {
  test.setTimeout(300_000)
  const setup = page.getByRole("region", { name: "Set up your academy" })
  await setup.getByRole("button", { name: "Use the sample course" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Welcome to Lectern" })).toBeVisible({ timeout: 30_000 })
  await expect(page.locator(".ordered .module-row")).toHaveCount(3)
  await app.expectText("Everyone who completes the course receives “Classic”.")

  await test.step("previews it as a learner", async () => {
    await page.getByRole("link", { name: "Preview" }).click()
    await app.expectText("This is a preview.")
    await page.getByRole("link", { name: "Next: Welcome" }).click()
    await app.expectText("Complete and continue")
    await app.expectAccessible("preview")
  })

  await test.step("finds the step done, and dismisses the others", async () => {
    await app.goto("")
    await expect(setup).toContainText("1 of 4 steps done")
    await app.expectAccessible("home with a draft")
    await setup.getByRole("button", { name: "Dismiss" }).click()
    await expect(setup).toHaveCount(0)
    await page.reload()
    await app.waitUntilLoaded()
    await expect(setup).toHaveCount(0)
  })
})
