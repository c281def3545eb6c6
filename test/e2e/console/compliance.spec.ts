import { readFileSync } from "node:fs"
import { type Connection, call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import { expectLoaded } from "../support/expect-loaded.ts"
import { mailsWith } from "../support/mails.ts"
import type { ConsolePage } from "./console-page.ts"

const LOGO = new URL("../../../src/pages/icons/icon-192.png", import.meta.url)
const DAY_MS = 86_400_000
const MAIL_TIMEOUT = 60_000
/** Rules are evaluated in the background. */
const RULE_TIMEOUT = 60_000

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10)

/** A time zone in which it is noon, so that reminders do not wait for the end of the night. */
function noonZone(): string {
  const offset = 12 - new Date().getUTCHours()
  return offset === 0 ? "UTC" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`
}

const post = async <T>(who: Connection, path: string, body: object) => json<T>(await call(who, "POST", path, body))

/** A group of two learners, and a course for them. */
async function team(app: ConsolePage) {
  const admin = await connect(app.url, "admin@example.com", PASSWORD)
  const { unique } = app
  const learner = async (firstName: string) => {
    const email = `${firstName}.${unique}@example.com`.toLowerCase()
    const name = { firstName, lastName: `Quist ${unique}` }
    const password = { password: PASSWORD, password_confirmation: PASSWORD }
    const fields = { userType: "general", customUserMetas: { region: "North" }, timeZone: noonZone() }
    const { id } = await post<{ id: number }>(admin, "/api/user/create", { ...name, email, ...password, ...fields })
    return { id, email, name: `${name.firstName} ${name.lastName}` }
  }
  const [ada, bo] = [await learner("Ada"), await learner("Bo")]
  const group = `Warehouse ${unique}`
  await post(admin, "/api/group/create", { name: group, user_ids: [ada.id, bo.id] })
  const text = await post<{ id: number }>(admin, "/api/modules/text", { name: "Exits", content: "<p>Know them.</p>" })
  const course = `Fire drill ${unique}`
  const { id } = await post<{ id: number }>(admin, "/api/course/create", {
    name: course,
    status: "publish",
    modules: [{ module_id: text.id }],
  })
  return { admin, ada, bo, group, course, courseId: id }
}

test("A compliance manager assigns training, reminds, exempts and extends, and proves it", async ({
  page,
  signIn,
  service,
}) => {
  test.setTimeout(240_000)
  const app = await signIn("admin@example.com")
  const { ada, bo, group, course } = await team(app)
  const { unique } = app
  const dialog = page.getByRole("dialog")
  const rule = `Fire safety ${unique}`

  await test.step("previews a rule before saving it", async () => {
    await app.navigate("Due training", "Assignment rules")
    await page.getByRole("link", { name: "New rule" }).first().click()
    await app.waitUntilLoaded()
    await page.getByLabel("Name", { exact: true }).fill(rule)
    const courses = page.getByRole("group", { name: "Courses" })
    await courses.getByRole("searchbox").fill(course)
    await courses.getByLabel(course, { exact: true }).check()
    await page.getByRole("button", { name: "Add condition" }).click()
    await page.getByLabel("By", { exact: true }).selectOption("Group")
    const groups = page.getByRole("group", { name: "Groups" })
    await groups.getByRole("searchbox").fill(group)
    await groups.getByLabel(group, { exact: true }).check()
    await page.getByRole("button", { name: "Add condition" }).click()
    await page.getByLabel("People", { exact: true }).last().selectOption("Exclude")
    await page.getByLabel("By", { exact: true }).last().selectOption("Category")
    const categories = page.getByRole("group", { name: "Categories" })
    await categories.getByRole("searchbox").fill("scholar")
    await expect(categories.getByRole("checkbox")).toHaveCount(1)
    await categories.getByLabel("Scholarship").check()
    // Among everyone, only the exclusion counts.
    await page.getByLabel("Everyone", { exact: true }).check()
    await expect(page.getByLabel("People", { exact: true })).toHaveText("Exclude")
    await expect(groups).toHaveCount(0)
    await page.getByLabel("People who match all conditions").check()
    await expect(groups).toBeVisible()
    await page.getByLabel("Due date", { exact: true }).selectOption("On a date")
    await page.getByLabel("Date", { exact: true }).fill(toDay(Date.now() - 2 * DAY_MS))
    await app.expectAccessible("rule")
    const size = page.viewportSize() ?? { width: 1280, height: 860 }
    await page.setViewportSize({ ...size, width: 360 })
    await app.expectAccessible("rule on a small phone")
    await page.setViewportSize(size)
    await page.getByRole("button", { name: "Preview and save" }).click()
    await expect(dialog.getByRole("button", { name: "Assigned 2" })).toBeVisible()
    await expect(dialog.getByText("2 enrollments are created.")).toBeVisible()
    await expect(dialog.getByText("2 people are notified.")).toBeVisible()
    await expect(dialog.getByText(ada.name)).toBeVisible()
    await app.expectAccessible("preview")
    await dialog.getByRole("button", { name: "Cancel" }).click()
    expect(app.path).toBe("/rules/new")
    await page.getByRole("button", { name: "Preview and save" }).click()
    await dialog.getByRole("button", { name: "Save rule" }).click()
    await expect(page.getByRole("heading", { level: 1, name: rule })).toBeVisible()
    await page.getByLabel("Remind when overdue, every (days)").fill("14")
    await page.getByRole("button", { name: "Preview and save" }).click()
    await dialog.getByRole("button", { name: "Save rule" }).click()
    await app.expectAnnouncement("Assignment rule updated.")
    await page.getByRole("button", { name: "Run now" }).click()
    await app.expectAnnouncement("The rule is being evaluated for everyone.")
    await app.navigate("Courses")
    expect(app.path, "nothing is left to save").toBe("/courses")
  })

  await test.step("sees who is overdue, from the home page", async () => {
    await expect(async () => {
      await app.goto(`/due?dueStatus=overdue&nameOrEmail=${unique}`)
      await expect(page.getByRole("link", { name: /Quist/ })).toHaveCount(2, { timeout: 2000 })
    }).toPass({ timeout: RULE_TIMEOUT })
    await app.goto("")
    await app.expectAccessible("home")
    await page
      .getByRole("link", { name: /^Overdue/ })
      .first()
      .click()
    await app.waitUntilLoaded()
    await page.getByLabel("Search by name or email").fill(unique)
    await expect(page.getByRole("link", { name: /Quist/ })).toHaveCount(2)
    await app.expectAccessible("overdue")
  })

  await test.step("changes the text of the reminder, with a preview", async () => {
    await app.navigate("Academy", "Notification templates")
    await app.expectAccessible("templates")
    await page.getByRole("link", { name: "Overdue", exact: true }).click()
    await app.waitUntilLoaded()
    await page.getByLabel("Subject").fill(`Please finish {{course}} (${unique})`)
    const body = page.getByLabel("Message")
    await body.fill(`Dear {{first_name}},\n\nthe insurance of ${unique} needs you.\n\n[Start now]({{url}})\n\n`)
    await body.press("End")
    await page.getByRole("button", { name: "Insert variable due_date" }).click()
    await expect(body).toHaveValue(/\{\{due_date\}\}$/)
    const preview = page.getByRole("complementary", { name: "Preview" })
    await expect(preview.getByText(`Please finish Workplace safety (${unique})`)).toBeVisible()
    await expect(preview.getByText("Dear Henrik,")).toBeVisible()
    await expect(preview.getByRole("link", { name: "Start now" })).toBeVisible()
    await app.expectAccessible("template")
    await page.getByRole("button", { name: "Send test to me" }).click()
    await app.expectAnnouncement("Test sent to admin@example.com.")
    await page.getByRole("button", { name: "Save" }).click()
    await app.expectAnnouncement("Notification template updated.")
    await app.expectText("Customized")
  })

  const act = async (person: string, action: string, fill?: () => Promise<void>) => {
    await app.goto(`/due?nameOrEmail=${unique}`)
    await page.getByLabel(`Select ${person}, ${course}`).check()
    await page.getByRole("button", { name: action, exact: true }).click()
    await fill?.()
    await app.expectAccessible(action)
    await dialog.getByRole("button", { name: action }).click()
    await expect(dialog).toHaveCount(0)
  }

  await test.step("reminds, and the mail has the new text", async () => {
    await act(ada.name, "Send reminder")
    const subject = `Please finish ${course} (${unique})`
    await expect.poll(() => mailsWith(service.stateDir, subject), { timeout: MAIL_TIMEOUT }).toHaveLength(1)
    expect(mailsWith(service.stateDir, subject)[0]).toContain(`the insurance of ${unique} needs you.`)
  })

  await test.step("exempts one learner and extends the date of the other", async () => {
    await act(ada.name, "Exempt", () => dialog.getByLabel("Reason").fill("Parental leave"))
    await act(bo.name, "Extend due date", async () => {
      await dialog.getByLabel("New due date").fill(toDay(Date.now() + 20 * DAY_MS))
      await dialog.getByLabel("Reason").fill("New to the team")
    })
    await app.goto(`/due?nameOrEmail=${unique}`)
    await expect(page.getByRole("row", { name: ada.name })).toContainText("Exempt")
    await expect(page.getByRole("row", { name: bo.name })).toContainText(/On track|Due soon/)
  })

  await test.step("finds both decisions in the transcripts", async () => {
    await page.getByRole("link", { name: ada.name }).click()
    await app.expectText(/Parental leave/)
    await app.expectAccessible("transcript")
    await page.getByRole("button", { name: "Issue transcript" }).click()
    await expect(page.getByRole("link", { name: "PDF" })).toBeVisible()
    await app.goto(`/users/${bo.id}?tab=transcript`)
    await app.expectText(/New to the team/)
  })

  await test.step("resets the text", async () => {
    await app.goto("/settings/notifications/overdue")
    await page.getByRole("button", { name: "Reset to default" }).click()
    await dialog.getByRole("button", { name: "Reset to default" }).click()
    await app.expectText("Default text")
  })

  await test.step("the learner is notified, and sees the new date", async () => {
    await app.signIn(bo.email)
    await app.expectAccessible("learner's home")
    await page.getByRole("button", { name: /^Notifications, \d+ unread$/ }).click()
    const panel = page.getByRole("dialog", { name: "Notifications" })
    await expect(panel.getByRole("link", { name: new RegExp(course) }).first()).toBeVisible()
    await app.expectAccessible("notifications")
    await panel
      .getByRole("link", { name: new RegExp(course) })
      .first()
      .click()
    await expect(page.getByRole("heading", { level: 1, name: course })).toBeVisible()
    await expect(page.locator(".due")).toContainText(/^Due .+20\d\d/)
    await page.getByRole("button", { name: /^Notifications/ }).click()
    await panel.getByRole("button", { name: "Mark all as read" }).click()
    await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible()
  })
})

test("An administrator names the academy, and a learner chooses how to be notified", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  await app.navigate("Academy")
  const name = `Northwind ${app.unique}`
  const preview = page.getByRole("complementary", { name: "Preview" })
  app.allowStatus(422)
  await page.getByLabel("Academy name").fill(name)
  await page.getByLabel("Primary color").fill("#ffff00")
  await expect(preview.getByText(`Sign in to ${name}`)).toBeVisible()
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectText(/Primary color must have a contrast of 4.5:1/)
  await page.getByLabel("Primary color").fill("#0b5d1e")
  const file = { name: `logo-${app.unique}.png`, mimeType: "image/png", buffer: readFileSync(LOGO) }
  await page.getByRole("button", { name: "Choose or upload image" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Upload a file").setInputFiles(file)
  await dialog.getByRole("button", { name: file.name }).click()
  await expect(page.getByLabel("Logo", { exact: true })).toHaveValue(/^\/api\/media\/\d+\/file$/)
  await expect(preview.getByRole("img", { name })).toHaveCount(2)
  await page.getByLabel("Time zone").fill("Europe/Madrid")
  await app.expectAccessible("settings")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement("Settings updated.")
  await expect(page.locator(".brand")).toContainText(name)
  const logo = page.locator(".brand img")
  await expect(logo).toHaveAttribute("src", new RegExp(`^${app.url}/logo/\\d+$`))
  await expectLoaded(logo)
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", (await logo.getAttribute("src")) ?? "")

  await page.goto(`${app.url}/login`)
  await expect(page.getByRole("heading", { level: 1, name: `Sign in to ${name}` })).toBeVisible()
  await expectLoaded(logo)
  const button = page.getByRole("button", { name: "Sign in" })
  expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe("rgb(11, 93, 30)")

  await app.signIn("learner@example.com")
  await app.goto("/account")
  const preferences = page.getByRole("region", { name: "Notifications" })
  await preferences.getByLabel("Email: Due soon").selectOption("Daily digest")
  await preferences.getByLabel("In app: Enrollment").uncheck()
  await preferences.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement("Preferences saved.")
  await app.expectAccessible("account")
  await page.reload()
  await app.waitUntilLoaded()
  await expect(preferences.getByLabel("Email: Due soon")).toHaveValue("daily")
  await expect(preferences.getByLabel("In app: Enrollment")).not.toBeChecked()

  const region = page.getByRole("region", { name: "Language and time zone" })
  await region.getByLabel("Language").selectOption("Spanish")
  await region.getByRole("button", { name: "Save" }).click()
  await expect(page.locator("html")).toHaveAttribute("lang", "es")
  const inSpanish = page.getByRole("region", { name: "Idioma y zona horaria" })
  await expect(inSpanish.getByLabel("Idioma")).toHaveValue("es")
  await inSpanish.getByLabel("Idioma").selectOption("Predeterminado de la academia")
  await inSpanish.getByRole("button", { name: "Guardar" }).click()
  await expect(page.locator("html")).toHaveAttribute("lang", "en")

  // Other tests expect the default name.
  const admin = await connect(app.url, "admin@example.com", PASSWORD)
  const unset = { name: "", logoUrl: "", primaryColor: "", timeZone: "" }
  expect((await call(admin, "PUT", "/api/settings", unset)).status).toBe(200)
})
