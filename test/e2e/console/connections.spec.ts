import { expect, test } from "../fixtures.ts"

test("A learner subscribes to their classes, and resets the link", async ({ page, signIn }) => {
  const app = await signIn("learner@example.com")
  const dialog = page.getByRole("dialog")
  const link = page.getByLabel("Calendar link")
  const download = async (webcal: string) => (await page.request.get(webcal.replace(/^webcal:/, "http:"))).status()

  await app.goto("/account")
  await page.getByRole("button", { name: "Create link" }).click()
  await expect(link).toHaveValue(/^webcal:\/\//)
  const first = await link.inputValue()
  expect(await download(first)).toBe(200)
  await app.expectAccessible("calendar link")

  await page.getByRole("button", { name: "Reset link" }).click()
  await dialog.getByRole("button", { name: "Reset link" }).click()
  await expect(link).not.toHaveValue(first)
  expect(await download(first)).toBe(404)
  expect(await download(await link.inputValue())).toBe(200)

  await page.getByRole("button", { name: "Turn off" }).click()
  await dialog.getByRole("button", { name: "Turn off" }).click()
  await expect(page.getByRole("button", { name: "Create link" })).toBeVisible()
})
