import { expect, test } from "../fixtures.ts"

test("Staff see trends and tasks on the home page, and open the people behind a bar", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const numbers = page.getByRole("region", { name: "Key figures" })
  await expect(numbers.getByRole("link", { name: /^Completions \d+ / })).toBeVisible()
  const toDo = page.getByRole("region", { name: "To do" })
  await expect(toDo.getByRole("link", { name: /^Submissions to grade \d+$/ })).toBeVisible()
  const chart = page.getByRole("figure", { name: "Learners by course" })
  const bar = chart.locator(".plot a").first()
  await app.expectAccessible("home of staff")
  expect(app.calls.filter(({ path }) => path === "/api/home").length, "one request for the numbers").toBe(1)

  if (!app.isPhone) {
    await bar.hover({ force: true })
    await expect(chart.locator(".chart-tip").getByText(/, Completed: \d+$/)).toBeVisible()
  }
  await chart.getByText("View as table").click()
  const people = await chart.locator("tbody tr").first().locator("a").first().textContent()
  await bar.click({ force: true })
  await page.waitForURL(/\/courses\/\d+\?tab=learners&status=Completed$/)
  await app.waitUntilLoaded()
  await expect(page.locator("main tbody tr")).toHaveCount(Number(people))
  await app.goto("")
  await toDo.getByRole("link", { name: /^Submissions to grade/ }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Grading" })).toBeVisible()
})
