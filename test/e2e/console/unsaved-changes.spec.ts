import { call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
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

test("Input survives a refused change, and a change by someone else", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  const other = await connect(app.url, "admin@example.com", PASSWORD)
  const dialog = page.getByRole("dialog")
  const save = page.getByRole("button", { name: "Save" })
  const create = async (path: string, body: object) =>
    (await json<{ id: number }>(await call(other, "POST", path, body))).id
  app.allowStatus(403, 412, 422)

  await test.step("a webhook", async () => {
    const id = await create("/api/webhook/create", { url: "https://example.com/hook", events: ["user.*"] })
    await app.goto(`/webhooks/${id}`)
    await page.getByRole("button", { name: "Edit" }).click()
    await dialog.getByLabel("Endpoint URL").fill("https://localhost/hook")
    await dialog.getByLabel("Description").fill("Payroll")
    await save.click()
    await expect(dialog.getByRole("alert")).toBeVisible()
    await expect(dialog.getByLabel("Endpoint URL")).toHaveValue("https://localhost/hook")
    await expect(dialog.getByLabel("Description")).toHaveValue("Payroll")
    await page.keyboard.press("Escape")
    await answer(app, "Discard changes")
    await expect(page.getByRole("alert")).toHaveCount(0)

    await page.getByRole("button", { name: "Edit" }).click()
    await dialog.getByLabel("Description").fill("Payroll")
    await call(other, "PUT", `/api/webhook/${id}`, { url: "https://example.com/theirs" })
    await save.click()
    await expect(dialog.getByLabel("Endpoint URL")).toHaveValue("https://example.com/theirs")
    await save.click()
    await app.expectAnnouncement("Webhook updated.")
    const stored = await json<object>(await call(other, "GET", `/api/webhook/${id}`))
    expect(stored).toMatchObject({ url: "https://example.com/theirs", description: "Payroll" })
  })

  await test.step("an API key", async () => {
    const name = `Robot ${app.unique}`
    const key = { name, role: "general", access: "read" }
    const expiresAt = "2030-01-01T10:00:30.000Z"
    const id = await create("/api/api-key/create", { ...key, expires_at: expiresAt })
    await app.goto("/keys")
    await page.getByRole("button", { name: `Edit API key ${name}` }).click()
    await dialog.getByLabel("Name").fill(`${name}!`)
    await call(other, "PUT", `/api/api-key/${id}`, { role: "staff", families: ["Reports"] })
    await save.click()
    await expect(dialog.getByLabel("Role")).toHaveValue("staff")
    await save.click()
    await app.expectAnnouncement("API key updated.")
    const stored = await json<object>(await call(other, "GET", `/api/api-key/${id}`))
    expect(stored).toMatchObject({ name: `${name}!`, role: "staff", families: ["Reports"], expiresAt })
  })

  await test.step("the text of a notification", async () => {
    await app.goto("/settings/notifications/enrolled")
    const language = page.getByRole("main").getByLabel("Language")
    const portal = page.getByRole("combobox", { name: "Portal" })
    await page.getByLabel("Subject").fill("Mine")
    await language.selectOption("de")
    await answer(app, "Cancel")
    await expect(language).toHaveValue("en")
    await portal.click()
    await page.getByRole("main").getByRole("option", { name: "Northwind Academy" }).click()
    await answer(app, "Cancel")
    await expect(portal).toHaveValue("")

    await call(other, "PUT", "/api/notification-template/enrolled", {
      language: "en",
      subject: "Theirs",
      body: "Theirs",
    })
    await save.press("Enter")
    await expect(page.getByLabel("Message")).toHaveValue("Theirs")
    await expect(page.getByLabel("Subject")).toHaveValue("Mine")
    await save.press("Enter")
    await app.expectAnnouncement("Notification template updated.")
    await expect(save).toBeFocused()
    await language.focus()
    await language.selectOption("de")
    await app.expectText("Default text")
    await expect(language).toBeFocused()
    await call(other, "POST", "/api/notification-template/enrolled/reset", { language: "en" })
  })

  await test.step("a scheduled report", async () => {
    const name = `Overdue ${app.unique}`
    const id = await create("/api/report-schedule/create", {
      name,
      report: "overdue",
      interval: "weekly",
      day: 1,
      hour: 7,
    })
    await app.goto("/report-schedules")
    await page.getByRole("button", { name: `Edit ${name}` }).click()
    await dialog.getByLabel("Name").fill(`${name}!`)
    await call(other, "PUT", `/api/report-schedule/${id}`, { hour: 9 })
    await save.click()
    await expect(dialog.getByLabel("Time", { exact: true })).toHaveValue("9")
    await save.click()
    await expect(dialog).toHaveCount(0)
    await app.expectText(`${name}!`)
  })

  await test.step("an announcement", async () => {
    const heading = `Fire drill ${app.unique}`
    const id = await create("/api/announcement", { heading, content: "<p>On Monday</p>", sending_rules: "all" })
    await app.goto(`/announcements/${id}`)
    const message = page.getByRole("textbox", { name: "Message" })
    await expect(message).toHaveText("On Monday")
    await page.getByLabel("Title").fill(`${heading}!`)
    await call(other, "PUT", `/api/announcement/${id}`, { content: "<p>On Friday</p>" })
    await save.click()
    await expect(message).toHaveText("On Friday")
    await expect(page.getByLabel("Title")).toHaveValue(`${heading}!`)
    await message.fill("")
    await save.click()
    await expect(message).toBeFocused()
    await message.fill("On Sunday")
    await save.click()
    await app.expectText(`${heading}!`)
    expect(await json(await call(other, "GET", `/api/announcement/${id}`))).toMatchObject({
      content: "<p>On Sunday</p>",
    })
  })

  await page.route("**/api/portal/tabularlist?*", (route) =>
    route.fulfill({ status: 403, json: { status: "error", code: "forbidden", message: "Not allowed." } }),
  )
  await app.goto("/exports")
  await page.getByRole("combobox", { name: "Portal" }).click()
  await app.expectText("Not allowed.")
})
