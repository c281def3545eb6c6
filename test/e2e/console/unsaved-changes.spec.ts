import { expect, test } from "../fixtures.ts"
import type { ConsolePage } from "./console-page.ts"

const QUESTION = { name: "Discard unsaved changes?" }

/** Expects the question, and answers it. */
async function answer({ page }: ConsolePage, choice: "Discard changes" | "Cancel") {
  const dialog = page.getByRole("dialog", QUESTION)
  await dialog.getByRole("button", { name: choice, exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

const tab = ({ page }: ConsolePage, name: string) =>
  page.getByRole("navigation").getByRole("link", { name, exact: true })

test("Leaving a form with unsaved changes asks first", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await app.goto("/courses")
  await page.getByRole("main").getByRole("link", { name: "Safety at work", exact: true }).click()
  await tab(app, "Settings").click()
  const name = page.getByLabel("Name", { exact: true })
  await expect(name).toBeVisible()
  const settings = app.path

  // A form without changes does not ask, even after a click into it.
  await name.click()
  await tab(app, "Content").last().click()
  await expect(page.getByRole("group", { name: "Add a module" })).toBeVisible()
  await expect(page.getByRole("dialog", QUESTION)).toHaveCount(0)

  await tab(app, "Settings").click()
  await name.fill(`Safety ${app.unique}`)
  await tab(app, "Learners").last().click()
  await expect(page.getByRole("dialog", QUESTION)).toBeVisible()
  await app.expectAccessible("question")
  await answer(app, "Cancel")
  await expect(name).toHaveValue(`Safety ${app.unique}`)

  // The browser's back button.
  const here = app.path
  await page.goBack()
  await answer(app, "Cancel")
  expect(app.path).toBe(here)
  await expect(name).toHaveValue(`Safety ${app.unique}`)
  await page.goBack()
  await answer(app, "Discard changes")
  await expect(page.getByRole("group", { name: "Add a module" })).toBeVisible()
  expect(app.path).toMatch(/tab=modules$/)

  // Restored text is not a change.
  await app.goto(settings)
  await name.fill("Something else")
  await name.fill("Safety at work")
  await tab(app, "Content").last().click()
  await expect(page.getByRole("group", { name: "Add a module" })).toBeVisible()

  // A saved form does not ask.
  await app.goto(settings)
  const minutes = page.getByLabel(/^Estimated/).first()
  await minutes.fill("45")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement(/./)
  await tab(app, "Content").last().click()
  await expect(page.getByRole("group", { name: "Add a module" })).toBeVisible()

  // The browser asks when the tab is closed or loaded again.
  await app.goto(settings)
  await name.fill(`Safety ${app.unique}`)
  const kinds: string[] = []
  page.once("dialog", async (dialog) => {
    kinds.push(dialog.type())
    await dialog.accept()
  })
  await page.reload()
  await app.waitUntilLoaded()
  expect(kinds).toEqual(["beforeunload"])
  await expect(name).toHaveValue("Safety at work")

  // Another language renders the page again.
  await name.fill(`Safety ${app.unique}`)
  await page.getByRole("button", { name: "User menu" }).click()
  await page.getByLabel("Language").selectOption("ar")
  await answer(app, "Cancel")
  await expect(page.getByLabel("Language")).toHaveValue("en")
  await expect(name).toHaveValue(`Safety ${app.unique}`)

  // So does the search.
  await page.getByRole("button", { name: "Search" }).click()
  await page.getByRole("combobox", { name: "Search" }).fill("exports")
  await page.getByRole("option", { name: "Exports" }).click()
  await answer(app, "Cancel")
  await page.keyboard.press("Escape")
  await expect(name).toHaveValue(`Safety ${app.unique}`)
})

test("Unsaved changes outside of text fields also ask first", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await app.goto("/modules/quiz/new")
  const back = page.locator("main a.within")
  await page.getByRole("button", { name: "Add question" }).click()
  await back.click()
  await answer(app, "Cancel")
  await page.getByRole("button", { name: /^Remove question/ }).click()
  // The form is unchanged again.
  await back.click()
  await expect(page.getByRole("heading", { level: 1, name: "Content library", exact: true })).toBeVisible()

  // A learner selected in a dialog.
  await app.goto("/courses")
  await page.getByRole("main").getByRole("link", { name: "Safety at work", exact: true }).click()
  await tab(app, "Learners").last().click()
  await page.getByRole("button", { name: "Invite people" }).click()
  const dialog = page.getByRole("dialog", { name: /^Invite people to/ })
  await dialog.getByRole("checkbox").first().check()
  await page.keyboard.press("Escape")
  await answer(app, "Cancel")
  await dialog.getByRole("checkbox").first().uncheck()
  await dialog.getByRole("checkbox").nth(1).check()
  await dialog.getByRole("button", { name: "Close" }).click()
  await answer(app, "Discard changes")
  await expect(dialog).toHaveCount(0)
  await page.getByRole("button", { name: "Invite people" }).click()
  await page.keyboard.press("Escape")
  await expect(dialog).toHaveCount(0)

  // A certificate's page is drawn, not filled in.
  await app.goto("/certificates")
  await page.getByRole("main").locator("tbody a").first().click()
  await page.getByRole("button", { name: "Add element", exact: true }).click()
  await page.locator("main a.within").click()
  await answer(app, "Discard changes")
  await expect(page.getByRole("heading", { level: 1, name: "Certificate templates" })).toBeVisible()
})

test("A text survives a closed tab, and is restored or discarded", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const draftCount = () => page.evaluate(() => Object.keys(localStorage).filter((key) => /draft/.test(key)).length)
  const editor = page.locator(".ProseMirror").first()
  page.on("dialog", (dialog) => dialog.accept())

  await app.goto("/modules/text/new")
  await page.getByLabel("Name", { exact: true }).fill(`Knots ${app.unique}`)
  await editor.fill("Over, under and through.")
  await expect.poll(draftCount).toBe(1)
  await page.reload()
  await app.waitUntilLoaded()
  await expect(page.getByText("You have an unsaved draft of")).toBeVisible()
  await app.expectAccessible("draft")
  await page.getByRole("button", { name: "Restore draft" }).click()
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(`Knots ${app.unique}`)
  await expect(editor).toHaveText("Over, under and through.")
  // Restored text is unsaved, too.
  await page.locator("main a.within").click()
  await answer(app, "Cancel")
  await page.getByRole("button", { name: "Create", exact: true }).click()
  await page.waitForURL(/\/modules\/text\/\d+$/)
  await app.waitUntilLoaded()
  await expect.poll(draftCount).toBe(0)

  // A draft of a saved text, which the person discards.
  await editor.fill("Only over.")
  await expect.poll(draftCount).toBe(1)
  await page.reload()
  await app.waitUntilLoaded()
  await page.getByRole("button", { name: "Discard draft" }).click()
  await expect(page.getByText("You have an unsaved draft of")).toHaveCount(0)
  await expect(editor).toHaveText("Over, under and through.")
  await page.locator("main a.within").click()
  await expect(page.getByRole("heading", { level: 1, name: "Content library", exact: true })).toBeVisible()
  expect(await draftCount()).toBe(0)
  // Who signs out leaves none in the browser.
  await app.goto("/modules/text/new")
  await page.getByLabel("Name", { exact: true }).fill("Splices")
  await expect.poll(draftCount).toBe(1)
  const signOut = async () => {
    await page.getByRole("button", { name: /User menu/ }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
  }
  await signOut()
  await answer(app, "Cancel")
  expect(await draftCount()).toBe(1)
  await signOut()
  await answer(app, "Discard changes")
  await page.waitForURL(/\/login/)
  expect(await draftCount()).toBe(0)
})
