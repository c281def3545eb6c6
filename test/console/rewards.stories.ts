import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { getDocumentProxy } from "unpdf"
import type { Stage, Story } from "../../scripts/lib/story.ts"

/** Where a text begins, how high its baseline is and how wide it is, as parts of the page. */
interface Stands {
  text: string
  x: number
  y: number
  width: number
}

const DRAWN = `document.fonts.ready.then(() => {
  const { width, height } = document.querySelector("svg.sheet").viewBox.baseVal
  return [...document.querySelectorAll("svg.sheet text")].map((text) => ({
    text: text.textContent,
    x: text.getAttribute("x") / width,
    y: text.getAttribute("y") / height,
    width: text.getComputedTextLength() / width,
  }))
})`

/** The texts of the drawing, once its fonts have come. */
const drawn = async (stage: Stage) => (await stage.page.evaluate(DRAWN)) as Stands[]

/** The texts of a PDF's first page. */
async function printed(path: string): Promise<Stands[]> {
  const page = await (await getDocumentProxy(new Uint8Array(await readFile(path)))).getPage(1)
  const { width, height } = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  return items.flatMap((item) =>
    "str" in item && item.str.trim() !== ""
      ? [
          {
            text: item.str,
            x: item.transform[4] / width,
            y: 1 - item.transform[5] / height,
            width: item.width / width,
          },
        ]
      : [],
  )
}

/** One hundredth of the page, the most by which the drawing may be off. */
const TOLERANCE = 0.01

/** Holds the drawing to the PDF that the API makes of the template. */
async function sameAsPdf(stage: Stage) {
  const [pdf] = await Promise.all([
    stage.page.waitForEvent("download"),
    stage.page.getByRole("button", { name: "Preview as PDF" }).click(),
  ])
  const texts = await printed(await pdf.path())
  const boxes = await drawn(stage)
  assert.ok(texts.length > 0)
  for (const text of texts) {
    const near = boxes.find(
      (box) =>
        box.text.trim() === text.text.trim() &&
        (["x", "y", "width"] as const).every((side) => Math.abs(box[side] - text[side]) < TOLERANCE),
    )
    assert.ok(near, `${JSON.stringify(text)} is drawn elsewhere: ${JSON.stringify(boxes)}`)
  }
}

const pick = async (stage: Stage, label: string, typed: string, option: string | RegExp) => {
  const field = stage.page.getByRole("combobox", { name: label })
  await field.fill(typed)
  await stage.page.getByRole("option", { name: option }).first().click()
}

export const stories: readonly Story[] = [
  {
    name: "Staff design a certificate by keyboard and by dragging, and it prints as it is drawn",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      const name = `Diploma ${stage.unique}`
      await stage.go("Certificate templates")
      await stage.looks("templates")
      await page.getByRole("button", { name: "New template" }).click()
      await page.getByLabel("Name", { exact: true }).last().fill(name)
      await page.getByRole("button", { name: "Create", exact: true }).click()
      await page.getByRole("heading", { name, level: 1 }).waitFor()

      await page.getByLabel("New text").selectOption("student_full_name")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      const box = page.getByRole("button", { name: /^Student full name: Jane Doe/ })
      const at = async (label: string) => Number(await page.getByLabel(label, { exact: true }).first().inputValue())
      const [left, top] = [await at("From the left"), await at("From the top")]
      await box.focus()
      await page.keyboard.press("ArrowRight")
      await page.keyboard.press("Shift+ArrowDown")
      assert.deepEqual([await at("From the left"), await at("From the top")], [left + 1, top + 10])
      await page.getByRole("button", { name: /^Size of Student full name/ }).focus()
      await page.keyboard.press("Shift+ArrowDown")
      await page.keyboard.press("Shift+ArrowDown")
      assert.equal(await at("Height"), 50)
      await page.getByLabel("Font size").fill("40")
      await page.getByLabel("Font", { exact: true }).selectOption("Times-Bold")

      await page.getByLabel("New text").selectOption("custom_text")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page
        .getByRole("textbox", { name: "Words" })
        .fill("has read the Elements, all thirteen books of them, and found no fault in any")
      const beside = [await at("From the left"), await at("From the top")]
      assert.ok((beside[1] ?? 0) >= top + 10 + 50, `the second text is put at ${beside}, on the first`)
      const words = page.getByRole("button", { name: /^Custom text: has read/ })
      const place = await words.boundingBox()
      assert.ok(place)
      await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
      await page.mouse.down()
      await page.mouse.move(place.x + place.width / 2 + 20, place.y + place.height / 2 + 30, { steps: 4 })
      await page.mouse.up()
      const dragged = [await at("From the left"), await at("From the top")]
      assert.ok((dragged[0] ?? 0) > left && (dragged[1] ?? 0) > (beside[1] ?? 0), `dragged to ${dragged}`)
      await page.getByRole("button", { name: "Undo", exact: true }).click()
      assert.deepEqual([await at("From the left"), await at("From the top")], beside)
      await page.getByRole("button", { name: "Redo", exact: true }).click()
      assert.deepEqual([await at("From the left"), await at("From the top")], dragged)

      await stage.sees("There are changes that are not saved.")
      await page.locator(".within").click()
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await stage.hears("Certificate template updated.")
      const before = await drawn(stage)
      await page.reload()
      await stage.settled()
      await page.locator("svg.sheet text").first().waitFor()
      assert.deepEqual(
        (await drawn(stage)).map(({ text }) => text),
        before.map(({ text }) => text),
      )
      await sameAsPdf(stage)
      await stage.looks("designed")
    },
  },
  {
    name: "Staff take a certificate back, and issue it again",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.open("/certificates/issued")
      await pick(stage, "User", "Lucía", /Lucía García/)
      const row = page.getByRole("row", { name: /Working with data/ }).first()
      await row.waitFor()
      await stage.looks("of a user")
      await row.getByRole("button", { name: "Change dates" }).click()
      await page.getByLabel("Issued on").fill("2026-09-01")
      await page.getByLabel("On a day").check()
      await page.getByLabel("Expires on").fill("2026-08-01")
      stage.expectStatus(422)
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await stage.sees("Expires on must be after Issued on.")
      await page.getByLabel("Never").check()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await stage.hears("Certificate dates updated.")
      await stage.sees(/Sep 1, 2026/)
      await row.getByRole("button", { name: "Take back" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Take back" }).click()
      await stage.hears("Certificate deleted.")
      await row.waitFor({ state: "detached" })

      await pick(stage, "Course", "Working", "Working with data")
      await page.getByLabel("Choose Lucía García").check()
      await page.getByRole("button", { name: "Issue certificates" }).click()
      await stage.hears("1 certificate issued.")
      await row.waitFor()
      const [pdf] = await Promise.all([
        page.waitForEvent("download"),
        row.getByRole("button", { name: "Download" }).click(),
      ])
      assert.ok((await printed(await pdf.path())).some(({ text }) => text === "Lucía García"))
      await stage.looks("issued again")
    },
  },
  {
    name: "Staff make a badge, and award it",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      const title = `Geometer ${stage.unique}`
      await stage.go("Badges")
      await page.getByRole("button", { name: "New badge" }).click()
      await page.getByLabel("Name", { exact: true }).last().fill(title)
      await page.getByRole("radio", { name: "medal" }).check()
      await page.getByLabel("Points", { exact: true }).fill("7")
      await stage.looks("new badge")
      await page.getByRole("button", { name: "Create", exact: true }).click()
      await stage.hears("Badge created.")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.getByRole("searchbox", { name: "Name" }).fill(title)
      await stage.sees(/^1 found of/)
      await page.getByRole("button", { name: `Award ${title}` }).click()
      await page.getByLabel("Search: Users").fill("garc")
      await page.getByLabel(/^Lucía García/).check()
      await page.getByRole("dialog").getByRole("button", { name: "Award", exact: true }).click()
      await stage.hears(`${title} awarded to 1 user.`)
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await stage.looks("badges")
      await page.getByRole("link", { name: "Leaderboard" }).click()
      await page.getByRole("row", { name: /Lucía García/ }).waitFor()
      await stage.looks("leaderboard")
    },
  },
  {
    name: "Staff give points for a quiz and for a class, which they pick by name",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      const dialog = page.getByRole("dialog")
      const rule = `Quiz whiz ${stage.unique}`
      await stage.open("/badges/events")
      await page.getByRole("button", { name: "New event" }).click()
      await dialog.getByLabel("Name", { exact: true }).fill(rule)
      await dialog.getByLabel("When").selectOption("class_attended")
      await pick(stage, "Class", "Working", /^Working with data, /)
      await dialog.getByLabel("When").selectOption("quiz_passed")
      await pick(stage, "Quiz", "Safety", "Safety at work: What you know")
      await dialog.getByLabel("Points", { exact: true }).fill("5")
      await stage.looks("a rule for a quiz")
      await dialog.getByRole("button", { name: "Create" }).click()
      await dialog.waitFor({ state: "detached" })
      await page.getByRole("button", { name: `Edit ${rule}` }).click()
      await stage.holds(
        "[...document.querySelectorAll('dialog input')].some(({ value }) => value === 'Safety at work: What you know')",
      )
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
    },
  },
]
