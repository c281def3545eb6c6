import { expect, test } from "../fixtures.ts"

const REFUSED = { status: "error", code: "rate_limited", message: "Too many requests. Try again in 2 seconds." }

test("A list over the rate limit shows a notice, and loads after the wait", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  app.allowStatus(429)
  const refusals = ["first", "second"]
  await page.route("**/api/users/tabularlist?*", async (route) => {
    if (!refusals.pop()) return route.continue()
    return route.fulfill({ status: 429, headers: { "retry-after": "2" }, json: REFUSED })
  })
  const link = page.locator("#navigation").getByRole("link", { name: "Users", exact: true })
  if (app.isPhone) await page.getByRole("button", { name: "Menu", exact: true }).click()
  await link.click()
  await app.expectText("Too many requests. Retrying in a moment…")
  await app.expectText(/ total$/)
  await expect(page.getByText("Too many requests.")).toHaveCount(0)
  const loads = app.calls.filter(({ path }) => path === "/api/users/tabularlist")
  expect(loads.map(({ status }) => status)).toEqual([429, 429, 200])
  await app.expectAccessible("after the wait")

  // The first page of notifications loads, and the second one only when the user tries again.
  app.allowStatus(400)
  const failures = ["once"]
  await page.route(/\/api\/notifications(\?|$)/, async (route) => {
    const isSecond = route.request().url().includes("cursor=")
    if (isSecond && failures.pop()) return route.fulfill({ status: 400, json: { ...REFUSED, code: "invalid_cursor" } })
    const times = { readAt: null, createdAt: "2026-01-05T10:00:00.000Z" }
    const record = { id: 1, kind: "enrollment", title: isSecond ? "Older" : "Newer", path: "/console", message: null }
    const nextCursor = isSecond ? null : "1"
    return route.fulfill({ json: { records: [{ ...record, ...times, id: isSecond ? 1 : 2 }], nextCursor, unread: 2 } })
  })
  await app.goto("/notifications")
  await page.getByRole("button", { name: "Load more" }).click()
  await app.expectText("Too many requests. Try again in 2 seconds.")
  await app.expectText("Newer")
  await page.getByRole("button", { name: "Try again" }).click()
  await app.expectText("Older")
  await expect(page.getByRole("alert")).toHaveCount(0)
})

test("A broken connection shows a notice, and the view loads when it is back", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await app.navigate("Users")
  await page.context().setOffline(true)
  await page.getByLabel("Search by name or email").fill("garc")
  await app.expectText("You're offline. Changes will be sent when you reconnect.")
  await page.context().setOffline(false)
  await app.expectText(/^1 of \d/)
  await expect(page.getByText("You're offline.")).toHaveCount(0)
})

test("A filter keeps what is typed while the list loads, and is cleared with the others", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await app.goto("/reports/learners?status=Completed")
  const search = page.getByLabel("Search by name or email")
  // The next letter arrives between the change of the address and its rendering.
  await page.evaluate(`(() => {
    const replaceState = history.replaceState
    history.replaceState = (...args) => {
      history.replaceState = replaceState
      history.replaceState(...args)
      document.activeElement.value += "c"
      document.activeElement.dispatchEvent(new Event("input", { bubbles: true }))
    }
  })()`)
  await search.pressSequentially("gar")
  await expect(page).toHaveURL(/nameOrEmail=garc$/)
  await expect(search).toHaveValue("garc")

  await search.fill("garcia")
  await page.getByRole("button", { name: "Clear filters" }).click()
  await expect(search).toHaveValue("")
  await expect(page).toHaveURL(/\/reports\/learners$/)

  // A page whose records were deleted.
  await app.goto("/reports/learners?page=999")
  await expect(page).toHaveURL(/\/reports\/learners$/)
  await expect(page.locator("tbody tr").first()).toBeVisible()
})

test.describe("in Arabic", () => {
  test.use({ locale: "ar" })

  test("Staff find a learner with the keyboard only", async ({ page, signIn }) => {
    const app = await signIn("staff@example.com")

    expect(await page.evaluate("document.documentElement.dir + ' ' + document.documentElement.lang")).toBe("rtl ar")
    await app.expectAccessible("home")
    await page.evaluate("document.body.focus()")
    await page.keyboard.press("Tab")
    await expect(page.locator(".skip:focus")).toBeVisible()
    await page.keyboard.press("Enter")
    await expect(page.locator("main:focus")).toBeVisible()
    if (app.isPhone) await page.getByRole("button", { name: "القائمة" }).press("Enter")
    await page.locator("#navigation").getByRole("link", { name: "المستخدمون" }).press("Enter")
    await expect(page.locator("h1:focus").getByText("المستخدمون")).toBeVisible()
    await page.keyboard.press("Tab")
    // The links of the page come before the filters.
    while (await page.evaluate("document.activeElement.localName !== 'input'")) await page.keyboard.press("Tab")
    await page.keyboard.type("garc")
    await app.expectText("نتيجة واحدة من")
    await app.expectAccessible("found")
    await page.getByRole("link", { name: "Lucía García" }).press("Enter")
    await expect(page.locator("h1:focus").getByText("Lucía García")).toBeVisible()
    await app.expectAccessible("person")
  })
})

test("A printed list has only the table, without controls and broken words", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await app.navigate("Users")
  await app.expectText(/ total$/)
  await page.emulateMedia({ media: "print" })
  // A word has one box per line: an unbroken word has one.
  const broken = await page.evaluate(`(() => {
        const found = []
        const walker = document.createTreeWalker(document.querySelector(".table tbody"), NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode())
          for (const { index, 0: word } of node.data.matchAll(/\\S+/g)) {
            const range = document.createRange()
            range.setStart(node, index)
            range.setEnd(node, index + word.length)
            if (range.getClientRects().length > 1 && !/[@.-]/.test(word)) found.push(word)
          }
        return found
      })()`)
  expect(broken, "words broken in the table").toEqual([])
  for (const part of [".top", ".navigation", ".filters", "main button:not(.sort)"])
    await expect(page.locator(part).filter({ visible: true }), `${part} is not printed`).toHaveCount(0)
  expect(await page.evaluate("getComputedStyle(document.querySelector('.table thead')).display")).toBe(
    "table-header-group",
  )
  expect(await page.locator(".table").isVisible()).toBeTruthy()
})
