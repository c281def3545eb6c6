import assert from "node:assert/strict"
import type { Stage, Story } from "../../scripts/lib/story.ts"

/** The numbers that the marks of a figure carry, each as its label. */
const marksOf = ({ page }: Stage, figure: string) =>
  page
    .locator(`[data-figure="${figure}"] .canvas [aria-label]`)
    .evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-label") ?? "").filter((label) => /: \d+$/.test(label)),
    )

/** The numbers in a figure's table, each with the labels that its mark has. */
async function tableOf({ page }: Stage, figure: string): Promise<string[]> {
  const table = page.locator(`[data-figure="${figure}"] table`)
  const [, ...series] = await table.locator("thead th").allTextContents()
  const rows = await table
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? "")))
  return series.flatMap((name, at) => rows.map(([place = "", ...values]) => `${place}, ${name}: ${values[at]}`))
}

/** What the API answers to whoever is signed in. */
async function report<T>({ page, base }: Stage, path: string): Promise<T> {
  const answer = await page.request.get(`${base}${path}`)
  assert.equal(answer.status(), 200)
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

export const stories: readonly Story[] = [
  {
    name: "A member of staff sees in pictures what the reports say",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.go("Figures")
      const course = page.getByRole("combobox", { name: "Course" })
      await course.fill("data")
      await page.getByRole("option", { name: "Working with data" }).waitFor()
      await course.press("Enter")
      await stage.settled()
      await page.getByLabel("From (UTC)").fill("2026-09-01")
      await page.getByLabel("To (UTC)").fill("2026-10-01")
      await page.locator('[data-figure="quiz-scores"] svg.plot').waitFor()
      await page.waitForURL(/to=2026-10-01/)
      await stage.settled()
      await page.locator('[data-figure="enrollments-by-day"] [aria-label^="2026-10-01"]').first().waitFor()
      await stage.looks("figures")

      const days = await report<Days>(stage, "/api/course/reports/by-day?course_id=1&between=2026-09-01,2026-10-01")
      const wanted = [
        ["Enrollments", days.enrolled] as const,
        ["Starts", days.started] as const,
        ["Completions", days.completed] as const,
      ].flatMap(([name, counts]) => days.days.map((day, at) => `${day}, ${name}: ${counts[at]}`))
      assert.deepEqual(await marksOf(stage, "enrollments-by-day"), wanted)
      assert.deepEqual(await tableOf(stage, "enrollments-by-day"), wanted)

      const overview = await report<Overview>(stage, "/api/course/reports/overview")
      const progress = [
        ["Completed", overview.totalCompleted] as const,
        ["In progress", overview.totalInProgress] as const,
        ["Not started", overview.totalNotStarted] as const,
      ].flatMap(([name, counts]) => overview.labels.map((label, at) => `${label}, ${name}: ${counts[at]}`))
      assert.deepEqual((await marksOf(stage, "progress-by-course")).sort(), [...progress].sort())
      assert.deepEqual(await tableOf(stage, "progress-by-course"), progress)
    },
  },
  {
    name: "An administrator exports a gradebook, watches it and downloads it",
    who: "admin@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.go("Exports")
      await page.getByLabel("What is exported").selectOption("gradebook")
      await page.getByLabel("Name or email address").fill(stage.unique)
      await page.getByLabel("Completed", { exact: true }).check()
      await page.getByRole("button", { name: "Begin the export" }).click()
      const link = page.getByRole("link", { name: "Download" })
      await link.waitFor({ timeout: 60_000 })
      await stage.looks("export")
      const [file] = await Promise.all([page.waitForEvent("download"), link.click()])
      assert.match(file.suggestedFilename(), /^gradebook-.*\.xlsx$/)
      await page.reload()
      await stage.settled()
      await link.waitFor()
      await page.getByRole("button", { name: "Take off this list" }).click()
      await stage.sees("You have begun no export in this browser.")

      await stage.go("Audit log")
      await page.getByLabel("Kind of record").selectOption("export")
      await stage.sees(stage.unique)
      await stage.looks("audit")
    },
  },
  {
    name: "An owner makes a key that is told once, and revokes it",
    who: "owner@example.com",
    play: async (stage) => {
      const { page } = stage
      const name = `Robot ${stage.unique}`
      await stage.go("API keys")
      await page.getByRole("button", { name: "New key" }).click()
      await page.getByRole("textbox", { name: "Name" }).fill(name)
      await page.getByLabel("Role").selectOption("staff")
      await page.getByLabel("Reports", { exact: true }).check()
      await stage.looks("new key")
      await page.getByRole("button", { name: "Create", exact: true }).click()
      const key = page.getByRole("textbox", { name: "Key" })
      await key.waitFor()
      assert.match(await key.inputValue(), /^lk_\d+_/)
      await stage.looks("key told")
      await page.keyboard.press("Escape")
      await stage.settled()
      await page.getByRole("button", { name: `Revoke the key ${name}` }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
      await page.getByRole("button", { name: `Revoke the key ${name}` }).waitFor({ state: "detached" })
      await stage.looks("keys")

      await stage.go("Limits and cost")
      await stage.sees("POST /api/api-key/create")
      await stage.looks("usage")
    },
  },
]
