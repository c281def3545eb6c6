import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "@playwright/test"
import { call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"

const MEGABYTE = 1_000_000

/** Records two seconds of a moving square in Chromium, and adds bytes that players skip. */
async function recordVideo(page: Page, size: number): Promise<Buffer> {
  const recorded = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 180 })
    const context = canvas.getContext("2d")
    const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: "video/webm" })
    const chunks: Blob[] = []
    recorder.ondataavailable = ({ data }) => chunks.push(data)
    recorder.start()
    for (let step = 0; step < 20; step++) {
      context?.clearRect(0, 0, 320, 180)
      context?.fillRect(step * 10, 40, 80, 80)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await new Promise((resolve) => {
      recorder.onstop = resolve
      recorder.stop()
    })
    return [...new Uint8Array(await new Blob(chunks).arrayBuffer())]
  })
  // An EBML element of the kind Void with a length of eight bytes.
  const filler = Math.max(0, size - recorded.length - 9)
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE((1n << 56n) | BigInt(filler))
  return Buffer.concat([Buffer.from(recorded), Buffer.from([0xec]), length, Buffer.alloc(filler)])
}

const CAPTIONS = "WEBVTT\n\n00:00.000 --> 00:10.000\nA square moves to the right.\n"

test("An author uploads a video through a lost connection, and learners see its captions", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const name = `square-${app.unique}.webm`
  const video = await recordVideo(page, 12 * MEGABYTE)

  await app.navigate("Courses", "Media library")
  await app.expectAccessible("media library")
  let requests = 0
  await page.route(/\/api\/media\/uploads\/\d+$/, (route) => {
    const isLost = route.request().method() === "PATCH" && ++requests === 2
    return isLost ? route.abort("connectionreset") : route.continue()
  })
  await page.getByLabel("Upload a file").setInputFiles({ name, mimeType: "video/webm", buffer: video })
  await app.expectText(/Connection lost. Retrying/)
  await app.expectAccessible("a lost connection")
  await app.expectAnnouncement("Upload complete.")
  expect(requests).toBeGreaterThan(2)
  await page.getByRole("link", { name, exact: true }).click()

  await page.getByRole("button", { name: "Add captions" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Captions (WebVTT)").fill("No captions")
  app.allowStatus(422)
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect(dialog.locator(".field-error")).toContainText("line 1")
  await dialog.getByLabel("Captions (WebVTT)").fill(CAPTIONS)
  await app.expectAccessible("captions")
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect(page.getByRole("link", { name: "English" })).toBeVisible()
  await page.getByLabel("Transcript").fill("A square moves to the right.")
  await page.getByRole("button", { name: "Save", exact: true }).click()
  await app.expectAnnouncement("Media file updated.")
  await app.expectAccessible("media file")

  await app.goto("/modules/video/new")
  await page.getByLabel("Name", { exact: true }).fill(`Square ${app.unique}`)
  await page.getByRole("button", { name: "Choose a file" }).click()
  await dialog.getByLabel("Search files").fill(app.unique)
  await dialog.getByRole("button", { name }).click()
  await app.expectAccessible("video module")
  await page.getByRole("button", { name: "Create" }).click()
  await expect(page.getByText("Not used in any course.")).toBeVisible()
  const moduleId = Number(/video\/(\d+)/.exec(page.url())?.[1])

  const staff = await connect(app.url, "staff@example.com", PASSWORD)
  const learner = await connect(app.url, "learner@example.com", PASSWORD)
  const me = await json<{ id: number }>(await call(learner, "GET", "/api/me"))
  const course = await json<{ id: number }>(
    await call(staff, "POST", "/api/course/create", {
      ...{ name: `Shapes ${app.unique}`, status: "publish" },
      modules: [{ module_id: moduleId, required: true }],
    }),
  )
  await call(staff, "POST", "/api/course/enroll", { course_ids: [course.id], user_ids: [me.id] })

  await page.context().clearCookies()
  await app.signIn("learner@example.com")
  await app.goto("/learning")
  await page.getByLabel("Search courses", { exact: true }).fill(app.unique)
  await page.getByRole("link", { name: `Shapes ${app.unique}`, exact: true }).click()
  await page.getByRole("link", { name: /^Continue: / }).click()
  const player = page.locator("video")
  await expect(player).toBeVisible()
  await player.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true
    await element.play()
  })
  await expect.poll(() => player.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.5)
  const shown = () =>
    player.evaluate((element: HTMLVideoElement) =>
      [...element.textTracks]
        .filter(({ mode }) => mode === "showing")
        .flatMap(({ activeCues }) => [...(activeCues ?? [])].map((cue) => (cue as VTTCue).text)),
    )
  await expect.poll(shown).toEqual(["A square moves to the right."])
  await page.getByText("Transcript", { exact: true }).click()
  await app.expectText("A square moves to the right.")
  await app.expectAccessible("the video as its learner sees it")
})

test("An author pauses an upload, and continues it after the page was loaded again", async ({
  page,
  signIn,
  folder,
}) => {
  const app = await signIn("staff@example.com")
  const file = join(folder, `long-${app.unique}.webm`)
  writeFileSync(file, await recordVideo(page, 25 * MEGABYTE))
  const upload = page.getByLabel("Upload a file")
  await app.navigate("Courses", "Media library")
  let isHeld = true
  const offsets: number[] = []
  await page.route(/\/api\/media\/uploads\/\d+$/, async (route) => {
    const offset = Number(route.request().headers()["upload-offset"])
    if (route.request().method() === "PATCH") offsets.push(offset)
    if (isHeld && offset > 0) return
    await route.continue()
  })
  await upload.setInputFiles(file)
  await expect.poll(() => offsets.at(-1) ?? 0).toBeGreaterThan(0)
  await page.getByRole("button", { name: "Pause" }).click()
  await app.expectText(/Paused at/)
  isHeld = false
  const before = offsets.length
  await page.getByRole("link", { name: "Courses", exact: true }).first().click()
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Discard/ })
    .click()
  await app.goto("/media")
  await upload.setInputFiles(file)
  await app.expectAnnouncement("Upload complete.")
  expect(offsets[before]).toBeGreaterThan(0)
  // The browser reports the same file only if the field is empty.
  await upload.click()
  await expect(upload).toHaveValue("")
})

test("An author writes a text with the editor, which the service stores unchanged", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  await app.goto("/modules/text/new")
  await page.getByLabel("Name", { exact: true }).fill(`Knots ${app.unique}`)
  const editor = page.getByRole("textbox", { name: "Text" })
  const toolbar = page.getByRole("toolbar")
  const tool = (name: string) => toolbar.getByRole("button", { name, exact: true }).click()
  const type = (text: string) => page.keyboard.type(text)
  const enter = () => page.keyboard.press("Enter")
  await editor.click()
  await tool("Heading")
  await type("Bends & hitches <3")
  await enter()
  await type("A ")
  await tool("Bold")
  await type("sheet bend")
  await tool("Bold")
  await type(" joins two ropes: ")
  await tool("Link")
  await page.getByRole("dialog").getByLabel("Address").fill('example.com/knots?a=1&b="2"')
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
  await page.keyboard.press("End")
  await enter()
  await tool("Link")
  await page.getByRole("dialog").getByLabel("Address").fill("ada@example.com")
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
  await page.keyboard.press("End")
  await enter()
  await tool("Bulleted list")
  await type("one")
  await enter()
  await type("two")
  await enter()
  await enter()
  await tool("Quote")
  await type("Hold fast.")
  await enter()
  await enter()
  await tool("Code block")
  await type("if (a < b && c > d) tie()")
  await page.keyboard.press("ArrowDown")
  await tool("Table")
  for (const title of ["Knot", "Use", "Rope"]) {
    await type(title)
    await page.keyboard.press("Tab")
  }
  await app.expectAccessible("the editor")
  const written = await page.locator("[name=content]").inputValue()
  for (const part of [
    '<a href="mailto:ada@example.com">ada@example.com</a>',
    "<h2>Bends &amp; hitches &lt;3</h2>",
    "<strong>sheet bend</strong>",
    "<blockquote>",
    "<th>",
    "<li>",
  ])
    expect(written).toContain(part)
  await page.getByRole("button", { name: "Create" }).click()
  await expect(page.getByText("Not used in any course.")).toBeVisible()

  const staff = await connect(app.url, "staff@example.com", PASSWORD)
  const path = `/api/modules/text/${/text\/(\d+)/.exec(page.url())?.[1]}`
  const contentOf = async () => (await json<{ content: string }>(await call(staff, "GET", path))).content
  expect(await contentOf()).toBe(written)
  // The editor shows it as it was written.
  await page.reload()
  await editor.click()
  await page.keyboard.press("Control+End")
  await type("!")
  await page.keyboard.press("Backspace")
  expect(await page.locator("[name=content]").inputValue()).toBe(written)
})

test("Text pasted from Word and Google Docs is clean, and HTML that the editor can't show stays", async ({
  page,
  signIn,
}) => {
  const app = await signIn("staff@example.com")
  await app.goto("/modules/text/new")
  const editor = page.getByRole("textbox", { name: "Text" })
  const paste = (html: string) =>
    editor.evaluate((element, html) => {
      const data = new DataTransfer()
      data.setData("text/html", html)
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))
    }, html)
  const item = (level: number, marker: string, text: string) =>
    `<p class="MsoListParagraph" style="mso-list:l0 level${level} lfo1"><span style="mso-list:Ignore">${marker}` +
    `<span style="font:7pt">&nbsp;&nbsp;</span></span>${text}<o:p></o:p></p>`
  await editor.click()
  app.allowStatus(415)
  await editor.evaluate((element) => {
    const data = new DataTransfer()
    data.items.add(new File(["no image"], "broken.png", { type: "image/png" }))
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await app.expectAnnouncement(/^broken\.png couldn't be uploaded\. /)
  await paste(
    `<html><head><style>p{color:red}</style></head><body><!--[if gte mso 9]><xml>x</xml><![endif]-->` +
      `<p class="MsoNormal" style="margin:0"><b><span style="font-family:Arial">Steps</span></b><o:p></o:p></p>` +
      `${item(1, "1.", "Cross")}${item(2, "·", "left over right")}${item(1, "2.", "Pull")}` +
      `<p class="MsoNormal">Done<img src="file:///C:/a.png"></p></body></html>`,
  )
  const content = page.locator("[name=content]")
  await expect(content).toHaveValue(
    "<p><strong>Steps</strong></p><ol><li><p>Cross</p><ul><li><p>left over right</p></li></ul></li>" +
      "<li><p>Pull</p></li></ol><p>Done</p>",
  )
  await page.keyboard.press("Control+A")
  await paste(
    '<meta charset="utf-8"><b style="font-weight:normal" id="docs-internal-guid-1">' +
      '<p dir="ltr" style="line-height:1.4">' +
      '<span style="font-size:11pt">Plain and </span><span style="font-weight:700">bold</span></p></b>',
  )
  await expect(content).toHaveValue("<p>Plain and <strong>bold</strong></p>")

  const staff = await connect(app.url, "staff@example.com", PASSWORD)
  const html = '<figure><img src="/assets/logo.svg" alt="Logo"><figcaption>Our logo</figcaption></figure>'
  const { id } = await json<{ id: number }>(
    await call(staff, "POST", "/api/modules/text", { name: `Figure ${app.unique}`, content: html }),
  )
  await page.getByRole("button", { name: "Edit HTML" }).click()
  await page.reload()
  await app.goto(`/modules/text/${id}`)
  await app.expectText(/can't show/)
  await expect(page.locator("[name=content]")).toHaveValue(html)
  await app.expectAccessible("HTML that the editor can't show")
  await page.getByRole("button", { name: "Save", exact: true }).click()
  await app.expectAnnouncement("Module updated.")
  expect((await json<{ content: string }>(await call(staff, "GET", `/api/modules/text/${id}`))).content).toBe(html)
})

test("Videos of YouTube and Vimeo play in place", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const staff = await connect(app.url, "staff@example.com", PASSWORD)
  const me = await json<{ id: number }>(await call(staff, "GET", "/api/me"))
  const module = await json<{ id: number }>(
    await call(staff, "POST", "/api/modules/video", {
      ...{ name: "Film", content: "", videoUrl: "https://youtu.be/dQw4w9WgXcQ?t=3" },
    }),
  )
  const course = await json<{ id: number }>(
    await call(staff, "POST", "/api/course/create", {
      ...{ name: `Films ${app.unique}`, status: "publish", modules: [{ module_id: module.id }] },
    }),
  )
  await call(staff, "POST", "/api/course/enroll", { course_ids: [course.id], user_ids: [me.id] })
  // The network of the tests ends here.
  const framed: string[] = []
  await page.route(/youtube-nocookie|vimeo/, (route) => {
    framed.push(route.request().url())
    return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Player</title>" })
  })
  await app.goto("/learning")
  await page.getByLabel("Search courses", { exact: true }).fill(app.unique)
  await page.getByRole("link", { name: `Films ${app.unique}`, exact: true }).click()
  await page.getByRole("link", { name: /^Continue: / }).click()
  await expect(page.locator("iframe.video")).toHaveAttribute(
    "src",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
  )
  await expect.poll(() => framed).toEqual(["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"])
  const others = app.problems.filter((problem) => !problem.startsWith("other origin: https://www.youtube-nocookie.com"))
  expect(others).toEqual([])
  app.problems.length = 0
})
