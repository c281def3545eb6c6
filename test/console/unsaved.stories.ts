import assert from "node:assert/strict"
import type { Stage, Story } from "../../scripts/lib/story.ts"

const QUESTION = { name: "Leave without saving?" }

/** Expects to be asked, and answers. */
async function answers({ page }: Stage, answer: "Leave without saving" | "Cancel") {
  const dialog = page.getByRole("dialog", QUESTION)
  await dialog.getByRole("button", { name: answer, exact: true }).click()
  await dialog.waitFor({ state: "detached" })
}

const isAsked = async ({ page }: Stage) => (await page.getByRole("dialog", QUESTION).count()) > 0

const tab = ({ page }: Stage, name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true })

/** Where the page is, within the console. */
const at = ({ page, base }: Stage) => page.url().slice(`${base}/console`.length)

export const stories: readonly Story[] = [
  {
    name: "A teacher who leaves a form is asked before unsaved changes are lost",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.open("/courses")
      await page.getByRole("main").getByRole("link", { name: "Safety at work", exact: true }).click()
      const name = page.getByLabel("Name", { exact: true })
      await name.waitFor()
      const settings = at(stage)

      // An untouched form does not ask, a click into it included.
      await name.click()
      await tab(stage, "Modules").last().click()
      await page.getByRole("heading", { name: "Add modules" }).waitFor()
      assert.equal(await isAsked(stage), false)

      await tab(stage, "Settings").click()
      await name.fill(`Safety ${stage.unique}`)
      await tab(stage, "Learners").last().click()
      await page.getByRole("dialog", QUESTION).waitFor()
      await stage.looks("asked")
      await answers(stage, "Cancel")
      assert.equal(await name.inputValue(), `Safety ${stage.unique}`)

      // The browser's back button.
      const here = at(stage)
      await page.goBack()
      await answers(stage, "Cancel")
      assert.equal(at(stage), here)
      assert.equal(await name.inputValue(), `Safety ${stage.unique}`)
      await page.goBack()
      await answers(stage, "Leave without saving")
      await page.getByRole("heading", { name: "Add modules" }).waitFor()
      assert.match(at(stage), /tab=modules$/)

      // Text that was changed back is no change.
      await stage.open(settings)
      await name.fill("Something else")
      await name.fill("Safety at work")
      await tab(stage, "Modules").last().click()
      await page.getByRole("heading", { name: "Add modules" }).waitFor()

      // A saved form does not ask.
      await stage.open(settings)
      const minutes = page.getByLabel(/^Estimated/).first()
      await minutes.fill("45")
      await page.getByRole("button", { name: "Save" }).click()
      await stage.hears(/./)
      await tab(stage, "Modules").last().click()
      await page.getByRole("heading", { name: "Add modules" }).waitFor()

      // The browser asks when the tab is closed or loaded again.
      await stage.open(settings)
      await name.fill(`Safety ${stage.unique}`)
      const kinds: string[] = []
      page.once("dialog", async (dialog) => {
        kinds.push(dialog.type())
        await dialog.accept()
      })
      await page.reload()
      await stage.settled()
      assert.deepEqual(kinds, ["beforeunload"])
      assert.equal(await name.inputValue(), "Safety at work")

      // The language makes the page again.
      await name.fill(`Safety ${stage.unique}`)
      await page.getByLabel("Language").selectOption("ar")
      await answers(stage, "Cancel")
      assert.equal(await page.getByLabel("Language").inputValue(), "en")
      assert.equal(await name.inputValue(), `Safety ${stage.unique}`)
    },
  },
  {
    name: "A teacher is asked about changes that stand in no text field",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.open("/modules/quiz/new")
      const back = page.locator("main a.within")
      await page.getByRole("button", { name: "Add a question" }).click()
      await back.click()
      await answers(stage, "Cancel")
      await page.getByRole("button", { name: /^Remove question/ }).click()
      // As it was at first.
      await back.click()
      await page.getByRole("heading", { level: 1, name: "Modules", exact: true }).waitFor()

      // A learner who was picked, in a dialog.
      await stage.open("/courses")
      await page.getByRole("main").getByRole("link", { name: "Safety at work", exact: true }).click()
      await tab(stage, "Learners").last().click()
      await page.getByRole("button", { name: "Enroll", exact: true }).click()
      const dialog = page.getByRole("dialog", { name: /^Enroll/ })
      await dialog.getByRole("checkbox").first().check()
      await page.keyboard.press("Escape")
      await answers(stage, "Cancel")
      await dialog.getByRole("checkbox").first().uncheck()
      await dialog.getByRole("checkbox").nth(1).check()
      await dialog.getByRole("button", { name: "Close" }).click()
      await answers(stage, "Leave without saving")
      await dialog.waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Enroll", exact: true }).first().click()
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })

      // A certificate's page is drawn, not filled in.
      await stage.open("/certificates")
      await page.getByRole("main").locator("tbody a").first().click()
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page.locator("main a.within").click()
      await answers(stage, "Leave without saving")
      await page.getByRole("heading", { level: 1, name: "Certificate templates" }).waitFor()
    },
  },
]
