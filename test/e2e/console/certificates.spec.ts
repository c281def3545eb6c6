import { readFile } from "node:fs/promises"
import { getDocumentProxy } from "unpdf"
import { expect, test } from "../fixtures.ts"
import type { ConsolePage } from "./console-page.ts"

const ICON = new URL("../../../src/pages/icons/icon-192.png", import.meta.url)

/** The start, the baseline and the width of a text, as fractions of the page. */
interface PlacedText {
  text: string
  x: number
  y: number
  width: number
}

/** The texts of the drawing, after its fonts have loaded. */
const drawnTexts = ({ page }: ConsolePage): Promise<PlacedText[]> =>
  page.evaluate(async () => {
    await document.fonts.ready
    const { width, height } = document.querySelector<SVGSVGElement>("svg.sheet")?.viewBox.baseVal ?? new DOMRect()
    return [...document.querySelectorAll<SVGTextElement>("svg.sheet text")].map((text) => ({
      text: text.textContent ?? "",
      x: Number(text.getAttribute("x")) / width,
      y: Number(text.getAttribute("y")) / height,
      width: text.getComputedTextLength() / width,
    }))
  })

/** The texts of a PDF's first page. */
async function pdfTexts(path: string): Promise<PlacedText[]> {
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

/** As a fraction of the page. */
const TOLERANCE = 0.01

/** Compares the drawing with the PDF that the API renders from the template. */
async function expectSameAsPdf(app: ConsolePage) {
  const { page } = app
  const [pdf] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Preview PDF" }).click(),
  ])
  const texts = await pdfTexts(await pdf.path())
  const boxes = await drawnTexts(app)
  expect(texts.length).toBeGreaterThan(0)
  for (const text of texts) {
    const near = boxes.find(
      (box) =>
        box.text.trim() === text.text.trim() &&
        (["x", "y", "width"] as const).every((side) => Math.abs(box[side] - text[side]) < TOLERANCE),
    )
    expect(near, `${JSON.stringify(text)} is not drawn there: ${JSON.stringify(boxes)}`).toBeTruthy()
  }
}

const pick = async ({ page }: ConsolePage, label: string, typed: string, option: string | RegExp) => {
  const field = page.getByRole("combobox", { name: label })
  await field.fill(typed)
  await page.getByRole("option", { name: option }).first().click()
}

test("Staff design a certificate by keyboard and mouse, and the PDF matches the drawing", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  const name = `Diploma ${app.unique}`
  await app.navigate("Certificates")
  await app.expectAccessible("templates")
  await page.getByRole("button", { name: "New template" }).first().click()
  await page.getByLabel("Name", { exact: true }).last().fill(name)
  await page.getByRole("button", { name: "Create", exact: true }).click()
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible()

  await page.getByLabel("New element").selectOption("student_full_name")
  await page.getByRole("button", { name: "Add element", exact: true }).click()
  const textBox = page.getByRole("button", { name: /^Student full name: Jane Doe/ })
  const at = async (label: string) => Number(await page.getByLabel(label, { exact: true }).first().inputValue())
  const [left, top] = [await at("X"), await at("Y")]
  await textBox.focus()
  await page.keyboard.press("ArrowRight")
  await page.keyboard.press("Shift+ArrowDown")
  expect([await at("X"), await at("Y")]).toEqual([left + 1, top + 10])
  await page.getByRole("button", { name: /^Resize Student full name/ }).focus()
  await page.keyboard.press("Shift+ArrowDown")
  await page.keyboard.press("Shift+ArrowDown")
  expect(await at("Height")).toBe(50)
  await page.getByLabel("Font size").fill("40")
  await page.getByLabel("Font", { exact: true }).selectOption("Times-Bold")

  await page.getByLabel("New element").selectOption("custom_text")
  await page.getByRole("button", { name: "Add element", exact: true }).click()
  await page
    .getByRole("textbox", { name: "Text" })
    .fill("has read the Elements, all thirteen books of them, and found no error in any")
  const second = [await at("X"), await at("Y")]
  expect((second[1] ?? 0) >= top + 10 + 50, `the second text overlaps the first, at ${second}`).toBeTruthy()
  const words = page.getByRole("button", { name: /^Custom text: has read/ })
  const box = await words.boundingBox()
  if (!box) throw new Error("The text is not visible.")
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 + 20, box.y + box.height / 2 + 30, { steps: 4 })
  await page.mouse.up()
  const dragged = [await at("X"), await at("Y")]
  expect((dragged[0] ?? 0) > left && (dragged[1] ?? 0) > (second[1] ?? 0), `dragged to ${dragged}`).toBeTruthy()
  await page.getByRole("button", { name: "Undo", exact: true }).click()
  expect([await at("X"), await at("Y")]).toEqual(second)
  await page.getByRole("button", { name: "Redo", exact: true }).click()
  expect([await at("X"), await at("Y")]).toEqual(dragged)

  await app.expectText("Unsaved changes.")
  await page.locator(".within").click()
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
  await page.getByRole("button", { name: "Save", exact: true }).click()
  await app.expectAnnouncement("Certificate template updated.")
  const before = await drawnTexts(app)
  await page.reload()
  await app.waitUntilLoaded()
  await expect(page.locator("svg.sheet text").first()).toBeVisible()
  expect((await drawnTexts(app)).map(({ text }) => text)).toEqual(before.map(({ text }) => text))
  await expectSameAsPdf(app)
  await app.expectAccessible("designed")
})

test("Staff revoke a certificate, and issue it again", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await app.goto("/certificates/issued")
  await pick(app, "User", "Lucía", /Lucía García/)
  const row = page.getByRole("row", { name: /Working with data/ }).first()
  await expect(row).toBeVisible()
  await app.expectAccessible("of a user")
  await row.getByRole("button", { name: "Edit dates" }).click()
  await page.getByLabel("Issued on").fill("2026-09-01")
  await page.getByLabel("On date").check()
  await page.getByLabel("Expires on").fill("2026-08-01")
  app.allowStatus(422)
  await page.getByRole("button", { name: "Save", exact: true }).click()
  await app.expectText("Expires on must be after Issued on.")
  await page.getByLabel("Never").check()
  await page.getByRole("button", { name: "Save", exact: true }).click()
  await app.expectAnnouncement("Certificate dates updated.")
  await app.expectText(/Sep 1, 2026/)
  await row.getByRole("button", { name: "Revoke" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
  await app.expectAnnouncement("Certificate deleted.")
  await expect(row).toHaveCount(0)

  await app.goto(`${app.path}&learners-page=2`)
  await pick(app, "Course", "Working", "Working with data")
  await page.getByLabel("Select Lucía García").check()
  await page.getByRole("button", { name: "Issue certificates" }).click()
  await app.expectAnnouncement("1 certificate issued.")
  await expect(row).toBeVisible()
  const [pdf] = await Promise.all([
    page.waitForEvent("download"),
    row.getByRole("button", { name: "Download" }).click(),
  ])
  expect((await pdfTexts(await pdf.path())).some(({ text }) => text === "Lucía García")).toBeTruthy()
  await app.expectAccessible("issued again")
})

test("Staff create a badge, and award it", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  const title = `Geometer ${app.unique}`
  await app.navigate("Badges & points")
  await page.getByRole("button", { name: "New badge" }).first().click()
  await page.getByLabel("Name", { exact: true }).last().fill(title)
  await page.getByRole("radio", { name: "medal" }).check()
  const icon = { name: `triangle-${app.unique}.png`, mimeType: "image/png", buffer: await readFile(ICON) }
  await page.getByRole("button", { name: "Choose or upload image" }).click()
  await page.getByRole("dialog").getByLabel("Upload a file").setInputFiles(icon)
  await page.getByRole("dialog").getByRole("button", { name: icon.name }).click()
  await expect(page.getByLabel("Icon URL")).toHaveValue(/^\/api\/media\/\d+\/file$/)
  await page.getByLabel("Points", { exact: true }).fill("7")
  await app.expectAccessible("new badge")
  await page.getByRole("button", { name: "Create", exact: true }).click()
  await app.expectAnnouncement("Badge created.")
  await expect(page.getByRole("dialog")).toHaveCount(0)
  await page.getByRole("searchbox", { name: "Name" }).fill(title)
  await app.expectText(/^1 of \d/)
  const shown = page.getByRole("row", { name: title }).locator("img")
  await expect(shown).toHaveJSProperty("naturalWidth", 192)
  await page.getByRole("button", { name: `Award ${title}` }).click()
  await page.getByLabel("Search Users").fill("garc")
  await page.getByLabel(/^Lucía García/).check()
  await page.getByRole("dialog").getByRole("button", { name: "Award", exact: true }).click()
  await app.expectAnnouncement(`${title} awarded to 1 user.`)
  await expect(page.getByRole("dialog")).toHaveCount(0)
  await app.expectAccessible("badges")
  await page.getByRole("link", { name: "Leaderboard" }).click()
  await expect(page.getByRole("row", { name: /Lucía García/ })).toBeVisible()
  await app.expectAccessible("leaderboard")

  // The API names tiers and the fields of certificates in English.
  await page.evaluate(() => localStorage.setItem("lectern.language", "de"))
  await app.goto("/badges/leaderboard")
  await app.expectText(/^Rang \d+ · (?!Platinum|Silver|Newcomer)/)
  await app.goto("/certificates")
  await page.getByRole("main").locator("tbody a").first().click()
  const field = page.locator("#designer-key option")
  await expect(field.and(page.locator("[value=custom_text]"))).not.toHaveText("Custom text")
  await expect(field.and(page.locator("[value=academy_name]"))).not.toHaveText(/academy/i)
})

test("Staff create a points rule for a quiz and a class, which they pick by name", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  const dialog = page.getByRole("dialog")
  const rule = `Quiz whiz ${app.unique}`
  await app.goto("/badges/events")
  await page.getByRole("button", { name: "New rule" }).first().click()
  await dialog.getByLabel("Name", { exact: true }).fill(rule)
  await dialog.getByLabel("Trigger").selectOption("class_attended")
  await pick(app, "Class", "Working", /^Working with data, /)
  await dialog.getByLabel("Trigger").selectOption("quiz_passed")
  await pick(app, "Quiz", "Safety", "Safety at work: What you know")
  await dialog.getByLabel("Points", { exact: true }).fill("5")
  await app.expectAccessible("a rule for a quiz")
  await dialog.getByRole("button", { name: "Create" }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole("button", { name: `Edit ${rule}` }).click()
  await expect(dialog.getByRole("combobox", { name: "Quiz" })).toHaveValue("Safety at work: What you know")
  await dialog.getByLabel("Trigger").selectOption("class_attended")
  await pick(app, "Class", "Working", /^Working with data, /)
  const chosen = await dialog.getByRole("combobox", { name: "Class" }).inputValue()
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole("button", { name: `Edit ${rule}` }).click()
  await expect(dialog.getByRole("combobox", { name: "Class" })).toHaveValue(chosen)
  await page.keyboard.press("Escape")
  await expect(dialog).toHaveCount(0)
})
