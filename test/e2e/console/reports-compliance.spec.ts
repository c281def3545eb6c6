import { type Connection, call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import type { ConsolePage } from "./console-page.ts"

const DAY_MS = 86_400_000
/** Rules are evaluated, and exports written, in the background. */
const BACKGROUND_TIMEOUT = 60_000

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10)

const post = async <T>(who: Connection, path: string, body: object) => json<T>(await call(who, "POST", path, body))

/** A group of one learner whose training, which a rule assigns, is overdue. */
async function overdueTeam({ url, unique }: ConsolePage) {
  const admin = await connect(url, "admin@example.com", PASSWORD)
  const { id: userId } = await post<{ id: number }>(admin, "/api/user/create", {
    firstName: "Ines",
    lastName: `Roth ${unique}`,
    email: `ines.${unique}@example.com`.toLowerCase(),
    password: PASSWORD,
    password_confirmation: PASSWORD,
    userType: "general",
    customUserMetas: { region: "North" },
  })
  const group = `Depot ${unique}`
  const { id: groupId } = await post<{ id: number }>(admin, "/api/group/create", { name: group, user_ids: [userId] })
  const text = await post<{ id: number }>(admin, "/api/modules/text", { name: "Lifts", content: "<p>Slowly.</p>" })
  const course = `Forklift ${unique}`
  const { id: courseId } = await post<{ id: number }>(admin, "/api/course/create", {
    name: course,
    status: "publish",
    modules: [{ module_id: text.id }],
  })
  const rule = `Depot safety ${unique}`
  await post(admin, "/api/assignment-rule/create", {
    name: rule,
    courseIds: [courseId],
    audience: { group: [groupId] },
    due: { type: "date", date: toDay(Date.now() - 3 * DAY_MS) },
  })
  return { person: `Ines Roth ${unique}`, group, course, rule }
}

test("A manager finds who is overdue in the matrix, exports it, and schedules a report", async ({ page, signIn }) => {
  test.setTimeout(240_000)
  const app = await signIn("admin@example.com")
  const { person, group, course, rule } = await overdueTeam(app)
  const { unique } = app
  const dialog = page.getByRole("dialog")
  const row = page.getByRole("row", { name: person })

  await test.step("filters the matrix by rule, course and name", async () => {
    await app.navigate("Due training", "Compliance matrix")
    await app.expectAccessible("matrix")
    const rules = page.getByRole("combobox", { name: "Rule" })
    await rules.fill(rule)
    await page.getByRole("option", { name: rule }).click()
    await page.waitForURL(/rule=\d+/)
    await page.getByText("Choose courses").click()
    const courses = page.getByRole("group", { name: "Courses" })
    await courses.getByRole("searchbox").fill(course)
    await courses.getByLabel(course, { exact: true }).check()
    await expect(page.getByText("1 course selected")).toBeVisible()
    await page.getByText("1 course selected").click()
    await page.getByLabel("Search by name or email").fill(unique)
    await page.waitForURL(/nameOrEmail=/)
    await expect(async () => {
      await page.reload()
      await app.waitUntilLoaded()
      await expect(row).toContainText("Overdue", { timeout: 2000 })
    }).toPass({ timeout: BACKGROUND_TIMEOUT })
    await expect(rules).toHaveValue(rule)
    await expect(row.getByRole("link", { name: person })).toBeVisible()
    await app.expectAccessible("overdue")
  })

  await test.step("sees that the training was not assigned a week ago", async () => {
    const { path } = app
    await page.getByLabel("As of").fill(toDay(Date.now() - 7 * DAY_MS))
    await expect(row).toContainText("Not enrolled")
    await app.goto(path)
    await expect(row).toContainText("Overdue")
  })

  await test.step("clears all filters at once, and returns to them", async () => {
    await page.getByRole("button", { name: "Clear filters" }).click()
    await page.waitForURL(/\/compliance$/)
    await expect(page.getByRole("combobox", { name: "Rule" })).toHaveValue("")
    await page.goBack()
    await expect(page.getByRole("combobox", { name: "Rule" })).toHaveValue(rule)
    await expect(row).toContainText("Overdue")
  })

  await test.step("exports it as a PDF", async () => {
    await page.getByRole("button", { name: "Export PDF" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Exports" })).toBeVisible()
    const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Compliance matrix" }) })
    const link = card.getByRole("link", { name: "Download" })
    await expect(link).toBeVisible({ timeout: BACKGROUND_TIMEOUT })
    const [file] = await Promise.all([page.waitForEvent("download"), link.click()])
    expect(file.suggestedFilename()).toMatch(/^compliance-matrix-.*\.pdf$/)
  })

  const name = `Overdue ${unique}`
  const schedule = page.getByRole("row", { name })

  await test.step("schedules a weekly report of the group", async () => {
    await app.navigate("Reports", "Scheduled reports")
    await page.getByRole("button", { name: "New scheduled report" }).first().click()
    await dialog.getByLabel("Name", { exact: true }).fill(name)
    await dialog.getByLabel("Report", { exact: true }).selectOption("Overdue training")
    await dialog.getByLabel("Day", { exact: true }).selectOption("Friday")
    await dialog.getByLabel("Time", { exact: true }).selectOption("6")
    await dialog.getByRole("combobox", { name: "Group" }).fill(group)
    await dialog.getByRole("option", { name: group }).click()
    const recipients = dialog.getByRole("group", { name: "Other recipients" })
    await recipients.getByRole("searchbox").fill("staff@example.com")
    await recipients.getByLabel(/staff@example\.com/).check()
    await app.expectAccessible("new schedule")
    await dialog.getByRole("button", { name: "Create" }).click()
    await expect(schedule).toContainText("Weekly on Friday")
    await expect(schedule).toContainText("Active")
    await app.expectAccessible("schedules")
  })

  await test.step("sends it now", async () => {
    await expect(schedule).toContainText("Never")
    await page.getByRole("button", { name: `Send now ${name}` }).click()
    await app.expectAnnouncement("The report is being written. Its recipients get it by mail.")
    await expect(schedule).not.toContainText("Never")
  })

  await test.step("makes it monthly, which keeps its group and recipients", async () => {
    await page.getByRole("button", { name: `Edit ${name}` }).click()
    await expect(dialog.getByRole("combobox", { name: "Group" })).toHaveValue(group)
    await expect(dialog.getByRole("group", { name: "Other recipients" }).locator(".picked li")).toHaveCount(1)
    await dialog.getByLabel("Repeat").selectOption("Monthly")
    await dialog.getByLabel("Day", { exact: true }).selectOption("31")
    await dialog.getByRole("button", { name: "Save" }).click()
    await expect(dialog).toHaveCount(0)
    await expect(schedule).toContainText("Monthly on day 31")
    await page.getByRole("button", { name: `Edit ${name}` }).click()
    await expect(dialog.getByRole("combobox", { name: "Group" })).toHaveValue(group)
    await expect(dialog.getByRole("group", { name: "Other recipients" }).locator(".picked li")).toHaveCount(1)
    await dialog.getByRole("button", { name: "Cancel" }).click()
  })

  await test.step("pauses and deletes it", async () => {
    await page.getByRole("button", { name: `Pause ${name}` }).click()
    await expect(schedule).toContainText("Paused")
    await page.getByLabel(`Select ${name}`).check()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await dialog.getByRole("button", { name: "Delete" }).click()
    await expect(schedule).toHaveCount(0)
  })
})
