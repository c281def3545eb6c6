import assert from "node:assert/strict"
import type { Story } from "../../scripts/lib/story.ts"

const REFUSED = { status: "error", code: "rate_limited", message: "Too many requests. Try again in 2 seconds." }

export const stories: readonly Story[] = [
  {
    name: "Somebody over the rate limit is told to wait, and has their list without another click",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      stage.expectStatus(429)
      const refusals = ["first", "second"]
      await page.route("**/api/users/tabularlist?*", async (route) => {
        if (!refusals.pop()) return route.continue()
        return route.fulfill({ status: 429, headers: { "retry-after": "2" }, json: REFUSED })
      })
      const link = page.locator("#navigation").getByRole("link", { name: "Users", exact: true })
      if (stage.isPhone) await page.getByRole("button", { name: "Menu" }).click()
      await link.click()
      await stage.sees("The service asks for a short wait. Your call is sent again by itself.")
      await stage.sees(/in all$/)
      await page.getByText("The service asks for a short wait").waitFor({ state: "detached" })
      const asked = stage.calls.filter(({ path }) => path === "/api/users/tabularlist")
      assert.deepEqual(
        asked.map(({ status }) => status),
        [429, 429, 200],
      )
      await stage.looks("after-the-wait")
    },
  },
  {
    name: "Somebody whose connection breaks is told so, and goes on when it is back",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.go("Users")
      await page.context().setOffline(true)
      await page.getByLabel("Name or email address").fill("garc")
      await stage.sees("There is no connection. Your calls wait, and are sent when it is back.")
      await page.context().setOffline(false)
      await stage.sees(/^1 found of/)
      await page.getByText("There is no connection").waitFor({ state: "detached" })
    },
  },
  {
    name: "Somebody on the staff finds a learner in Arabic, by keyboard alone",
    who: "staff@example.com",
    locale: "ar",
    play: async (stage) => {
      const { page } = stage
      assert.equal(await page.evaluate("document.documentElement.dir + ' ' + document.documentElement.lang"), "rtl ar")
      await stage.looks("home")
      await page.evaluate("document.body.focus()")
      await page.keyboard.press("Tab")
      await page.locator(".skip:focus").waitFor()
      await page.keyboard.press("Enter")
      await page.locator("main:focus").waitFor()
      if (stage.isPhone) await page.getByRole("button", { name: "القائمة" }).press("Enter")
      await page.locator("#navigation").getByRole("link", { name: "المستخدمون" }).press("Enter")
      await page.locator("h1:focus").getByText("المستخدمون").waitFor()
      await page.keyboard.press("Tab")
      // Beside the heading stand the links for the whole page.
      while (await page.evaluate("document.activeElement.localName !== 'input'")) await page.keyboard.press("Tab")
      await page.keyboard.type("garc")
      await stage.sees("عُثر على واحد من")
      await stage.looks("found")
      await page.getByRole("link", { name: "Lucía García" }).press("Enter")
      await page.locator("h1:focus").getByText("Lucía García").waitFor()
      await stage.looks("person")
    },
  },
  {
    name: "Staff print a list: the table alone, with no word broken and nothing to press",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.go("Users")
      await stage.sees(/in all$/)
      // Each line of a word has a box of its own: an unbroken word has one.
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
      assert.deepEqual(broken, [], "words broken in the table")
      await page.emulateMedia({ media: "print" })
      for (const part of [".top", ".navigation", ".filters", "main button:not(.sort)"])
        assert.equal(await page.locator(part).filter({ visible: true }).count(), 0, `${part} is not printed`)
      assert.equal(
        await page.evaluate("getComputedStyle(document.querySelector('.table thead')).display"),
        "table-header-group",
      )
      assert.ok(await page.locator(".table").isVisible())
    },
  },
]
