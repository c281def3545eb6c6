import { expect, test } from "../fixtures.ts"

test("An administrator finds a learner, a course and a page with the keyboard", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  const dialog = page.getByRole("dialog")
  const input = dialog.getByRole("combobox")

  await page.keyboard.press("Control+k")
  await expect(input).toBeFocused()
  await page.keyboard.type("Lucía García")
  await expect(dialog.getByRole("option", { name: /Lucía García/ })).toBeVisible()
  await app.expectAccessible("found")
  await input.press("Enter")
  await expect(app.heading).toHaveText(/Lucía García/)
  expect(app.path).toMatch(/^\/users\/\d+$/)

  await page.keyboard.press("Control+k")
  await input.fill("leading")
  await dialog.getByRole("group", { name: "Courses" }).getByRole("option").first().click()
  await app.waitUntilLoaded()
  expect(app.path).toMatch(/^\/courses\/\d+/)

  await page.getByRole("button", { name: "Search" }).click()
  await input.fill("audit")
  await input.press("Enter")
  await app.waitUntilLoaded()
  expect(app.path).toBe("/audit")

  await page.keyboard.press("Control+k")
  await input.fill("no such thing")
  await expect(dialog.getByText("No results")).toBeVisible()
})

test("A learner finds their own courses, and nothing of the administration", async ({ page, signIn }) => {
  const app = await signIn("learner@example.com")
  const dialog = page.getByRole("dialog")
  await page.keyboard.press("Control+k")
  await expect(dialog.getByRole("option", { name: "Audit log" })).toHaveCount(0)
  await dialog.getByRole("combobox").fill("e")
  const course = dialog.getByRole("group", { name: "My courses" }).getByRole("option").first()
  await expect(course).toBeVisible()
  await course.click()
  await app.waitUntilLoaded()
  expect(app.path).toMatch(/^\/learning\/\d+\/\d+/)
  expect(app.calls.filter(({ path }) => path === "/api/users/tabularlist")).toEqual([])

  // From a course in progress to one that was completed earlier: nothing is new.
  await app.goto("/learning")
  await page.getByRole("link", { name: "Leading a team", exact: true }).click()
  await app.waitUntilLoaded()
  await page.keyboard.press("Control+k")
  await dialog.getByRole("combobox").fill("working with")
  await dialog.getByRole("option", { name: "Working with data" }).click()
  await app.expectText("You completed Working with data")
  await expect(dialog).toHaveCount(0)
})
