import { execFileSync } from "node:child_process"
import { type Connection, call, connect, expectOk, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import { mailsWith } from "../support/mails.ts"
import { requireTools } from "../support/tools.ts"
import type { ConsolePage } from "./console-page.ts"

const MAIL_TIMEOUT = 60_000
/** A delivery is attempted by the cron. */
const DELIVERY_TIMEOUT = 60_000

test.beforeAll(() => requireTools({ oathtool: "oathtool" }))

const post = async <T>(who: Connection, path: string, body: object) => json<T>(await call(who, "POST", path, body))

/** A learner with two-factor authentication and a phone that stays signed in. */
async function lockedOut({ url, unique }: ConsolePage) {
  const admin = await connect(url, "admin@example.com", PASSWORD)
  const email = `lena.${unique}@example.com`.toLowerCase()
  const { id } = await post<{ id: number }>(admin, "/api/user/create", {
    firstName: "Lena",
    lastName: `Stone ${unique}`,
    email,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    userType: "general",
    customUserMetas: { region: "North" },
  })
  const learner = await connect(url, email, PASSWORD)
  const secret = await post<{ as_qr_code: string; as_string: string }>(learner, "/api/user/prepareTwoFactorAuth", {
    user_id: id,
  })
  const code = () => execFileSync("oathtool", ["--totp", "--base32", secret.as_string], { encoding: "utf8" }).trim()
  await post(learner, "/api/user/confirmTwoFactorAuth", {
    user_id: id,
    secretCode: code(),
    qrCode: secret.as_qr_code,
    stringCode: secret.as_string,
  })
  return { email, name: `Lena Stone ${unique}` }
}

test("Support helps a learner who lost their phone, and explains a webhook that fails", async ({
  page,
  signIn,
  service,
}) => {
  test.setTimeout(240_000)
  const app = await signIn("admin@example.com")
  const { email, name } = await lockedOut(app)
  const { unique } = app
  const dialog = page.getByRole("dialog")
  const tab = (title: string) =>
    page.getByRole("navigation", { name: "User details" }).getByRole("link", { name: title }).click()

  await test.step("finds the learner by email", async () => {
    await app.navigate("Users")
    await page.getByLabel("Search by name or email").fill(email)
    await app.expectText(/^1 of \d/)
    await page.getByRole("link", { name }).click()
    await app.waitUntilLoaded()
    await app.expectAccessible("learner")
  })

  await test.step("resets two-factor authentication", async () => {
    await page.getByRole("button", { name: "Reset two-factor authentication" }).click()
    await app.expectAccessible("reset")
    await dialog.getByRole("button", { name: "Reset two-factor authentication" }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole("button", { name: "Reset two-factor authentication" })).toHaveCount(0)
    const phone = { email, password: PASSWORD, device: "Lena's phone" }
    await expectOk(await call({ url: app.url, token: "" }, "POST", "/login", phone))
  })

  await test.step("signs out the lost phone", async () => {
    await tab("Sessions")
    await app.waitUntilLoaded()
    await page.getByLabel("Select Lena's phone").check()
    await app.expectAccessible("devices")
    await page.getByRole("button", { name: "Sign out", exact: true }).click()
    await dialog.getByRole("button", { name: "Sign out", exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText("Lena's phone")).toHaveCount(0)
  })

  await test.step("resends the invitation, which arrives", async () => {
    await tab("Overview")
    await page.getByRole("button", { name: "Resend invitation" }).click()
    await app.expectAccessible("invitation")
    await dialog.getByRole("button", { name: "Send", exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect
      .poll(() => mailsWith(service.stateDir, "Lena").filter((html) => html.includes("temporary password")), {
        timeout: MAIL_TIMEOUT,
      })
      .not.toEqual([])
  })

  await test.step("reads in the audit log what was done", async () => {
    await app.navigate("Audit log")
    await page.getByLabel("Search by user name, email or ID").fill("admin@example.com")
    await page.waitForURL(/performed_by=/)
    await expect(page.getByRole("row").filter({ hasText: name }).first()).toBeVisible()
    await app.expectAccessible("audit log")
  })

  await test.step("sees why a webhook fails, and sends the event again", async () => {
    await app.navigate("Developers", "Webhooks")
    await page.getByRole("button", { name: "New webhook" }).first().click()
    await dialog.getByLabel("URL").fill(`https://hooks.invalid/${unique}`)
    await dialog.getByLabel("user.updated", { exact: true }).check()
    await dialog.getByRole("button", { name: "Create" }).click()
    await dialog.getByText("Close", { exact: true }).click()
    await page.getByRole("link", { name: `https://hooks.invalid/${unique}` }).click()
    await app.waitUntilLoaded()
    await page.getByRole("button", { name: "Send test event" }).click()
    const delivery = page.getByRole("row").filter({ hasText: "webhook.test" })
    await expect(delivery).toContainText(/Pending|Failed/, { timeout: DELIVERY_TIMEOUT })
    await expect(delivery.locator("td").last()).not.toHaveText("", { timeout: DELIVERY_TIMEOUT })
    await app.expectAccessible("failed delivery")
    await delivery.getByRole("checkbox").check()
    await page.getByRole("button", { name: "Resend" }).click()
    await app.expectAnnouncement(/.+/)
  })
})
