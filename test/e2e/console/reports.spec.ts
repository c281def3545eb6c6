import { expect, test } from "../fixtures.ts"
import type { ConsolePage } from "./console-page.ts"

/** The labels of a figure's marks, which have the numbers. */
const marksOf = ({ page }: ConsolePage, figure: string) =>
  page
    .locator(`[data-figure="${figure}"] .canvas [aria-label]`)
    .evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-label") ?? "").filter((label) => /: \d+$/.test(label)),
    )

/** The numbers of a figure's table, in the form of the labels of its marks. */
async function tableOf({ page }: ConsolePage, figure: string): Promise<string[]> {
  const table = page.locator(`[data-figure="${figure}"] table`)
  const [, ...series] = await table.locator("thead th").allTextContents()
  const rows = await table
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? "")))
  return series.flatMap((name, at) => rows.map(([place = "", ...values]) => `${place}, ${name}: ${values[at]}`))
}

/** Calls the API as the signed-in user. */
async function report<T>({ page, url }: ConsolePage, path: string): Promise<T> {
  const answer = await page.request.get(`${url}${path}`)
  expect(answer.status()).toBe(200)
  return (await answer.json()) as T
}

interface Days {
  days: string[]
  enrolled: number[]
  started: number[]
  completed: number[]
}

interface Overview {
  labels: string[]
  totalCompleted: number[]
  totalInProgress: number[]
  totalNotStarted: number[]
}

test("Charts and their tables show the numbers of the reports", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await app.navigate("Reports")
  const course = page.getByRole("combobox", { name: "Course" })
  await course.fill("data")
  await expect(page.getByRole("option", { name: "Working with data" })).toBeVisible()
  await course.press("Enter")
  await app.waitUntilLoaded()
  await page.getByLabel("From (UTC)").fill("2026-09-01")
  await page.getByLabel("To (UTC)").fill("2026-10-01")
  await expect(page.locator('[data-figure="quiz-scores"] svg.plot')).toBeVisible()
  await page.waitForURL(/to=2026-10-01/)
  await app.waitUntilLoaded()
  await expect(page.locator('[data-figure="enrollments-by-day"] [aria-label^="2026-10-01"]').first()).toBeVisible()
  await app.expectAccessible("reports")

  const days = await report<Days>(app, "/api/course/reports/by-day?course_id=1&between=2026-09-01,2026-10-01")
  const expected = [
    ["Enrolled", days.enrolled] as const,
    ["Started", days.started] as const,
    ["Completed", days.completed] as const,
  ].flatMap(([name, counts]) => days.days.map((day, at) => `${day}, ${name}: ${counts[at]}`))
  expect(await marksOf(app, "enrollments-by-day")).toEqual(expected)
  expect(await tableOf(app, "enrollments-by-day")).toEqual(expected)

  const overview = await report<Overview>(app, "/api/course/reports/overview")
  const progress = [
    ["Completed", overview.totalCompleted] as const,
    ["In progress", overview.totalInProgress] as const,
    ["Not started", overview.totalNotStarted] as const,
  ].flatMap(([name, counts]) => overview.labels.map((label, at) => `${label}, ${name}: ${counts[at]}`))
  expect((await marksOf(app, "progress-by-course")).sort()).toEqual([...progress].sort())
  expect(await tableOf(app, "progress-by-course")).toEqual(progress)
})

test("An administrator exports a gradebook, follows its progress and downloads it", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")

  await app.navigate("Reports", "Exports")
  const data = page.getByLabel("Data")
  await data.focus()
  for (const kind of ["insight", "quizzes", "gradebook"]) {
    await page.keyboard.press("ArrowDown")
    await expect(page).toHaveURL(new RegExp(`kind=${kind}$`))
  }
  await expect(data).toBeFocused()
  await page.getByLabel("Search by name or email").fill(app.unique)
  await page.getByLabel("Completed", { exact: true }).check()
  await page.getByRole("button", { name: "Start export" }).click()
  const link = page.getByRole("link", { name: "Download" })
  await expect(link).toBeVisible({ timeout: 60_000 })
  await app.expectAccessible("export")
  const [file] = await Promise.all([page.waitForEvent("download"), link.click()])
  expect(file.suggestedFilename()).toMatch(/^gradebook-.*\.xlsx$/)
  await page.reload()
  await app.waitUntilLoaded()
  await expect(link).toBeVisible()
  await page.getByRole("button", { name: "Remove from list" }).click()
  await app.expectText("No exports yet.")

  await app.navigate("Audit log")
  await page.getByLabel("Object type").selectOption("export")
  await app.expectText(app.unique)
  await app.expectAccessible("audit")
  // A year is not applied while it is typed.
  await page.getByLabel("From (UTC)").focus()
  await page.keyboard.type("01012026", { delay: 300 })
  await expect(page).toHaveURL(/from=2026-01-01/)
})

test("An owner creates an API key, which is shown once, and revokes it", async ({ page, signIn }) => {
  const app = await signIn("owner@example.com")

  const name = `Robot ${app.unique}`
  await app.navigate("Developers")
  await page.getByRole("button", { name: "New API key" }).first().click()
  await page.getByRole("textbox", { name: "Name" }).fill(name)
  await page.getByLabel("Expires").fill("2030-01-01T10:00")
  await page.getByLabel("Role").selectOption("staff")
  await expect(page.getByLabel("Expires")).toHaveValue("2030-01-01T10:00")
  await page.getByLabel("Reports", { exact: true }).check()
  await app.expectAccessible("new key")
  await page.getByRole("button", { name: "Create", exact: true }).click()
  const key = page.getByRole("textbox", { name: "Key" })
  await expect(key).toBeVisible()
  expect(await key.inputValue()).toMatch(/^lk_\d+_/)
  await app.expectAccessible("new key with its secret")
  await page.keyboard.press("Escape")
  await app.waitUntilLoaded()
  await page.getByRole("button", { name: `Revoke API key ${name}` }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
  await expect(page.getByRole("button", { name: `Revoke API key ${name}` })).toHaveCount(0)
  await app.expectAccessible("keys")

  await app.navigate("Developers", "API usage")
  await app.expectText("POST /api/api-key/create")
  await app.expectAccessible("usage")
})
