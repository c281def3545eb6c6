import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Locator, Page } from "@playwright/test"
import { connect, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import { get, type Json, post } from "../support/api.ts"
import { ConsolePage } from "./console-page.ts"

const MAIL_TIMEOUT = 60_000
const MAX_TAPS = 7

interface Module extends Json {
  module_id: number
  status: string
}

/** A published course of two texts, with the certificate of the sample academy. */
async function createCourse(app: ConsolePage, name = `Knots ${app.unique}`, isLocked = false) {
  const owner = await connect(app.url, "owner@example.com", PASSWORD)
  const [template] = await get<Json[]>(owner, "/api/certificate_templates/lookup")
  const text = (name: string, content: string) => post(owner, "/api/modules/text", { name, content })
  const texts = [
    await text("Why knots hold", "<p>Friction.</p>"),
    await text("How knots fail", "<p>A sharp bend weakens the rope.</p>"),
  ]
  const modules = texts.map(({ id }, index) => ({ module_id: id, required: true, isLocked: isLocked && index > 0 }))
  const course = { name, status: "publish", certificateTemplateId: template?.id, modules }
  const { id } = await post<{ id: number }>(owner, "/api/course/create", course)
  return { owner, id, name }
}

/** The mail that contains a text. `npm start` writes mails to files. */
async function findMail(stateDir: string, text: string): Promise<string> {
  const folder = join(stateDir, "mails")
  const find = () =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".html"))
          .map((name) => join(folder, name))
          .find((path) => readFileSync(path, "utf8").includes(text))
      : undefined
  await expect.poll(find, { message: `a mail with "${text}"`, timeout: MAIL_TIMEOUT }).toBeDefined()
  return find() ?? ""
}

/** Touches the screen, and counts how often. */
class Finger {
  taps = 0

  async tap(target: Locator) {
    await target.tap()
    this.taps++
  }
}

/** Types into the field that has the focus, as the keyboard of a phone does. */
async function type(page: Page, label: string, text: string) {
  await expect(page.getByLabel(label)).toBeFocused()
  await page.keyboard.type(text)
}

test("An invited learner earns a certificate with at most seven taps", async ({ page, service }) => {
  const app = new ConsolePage(page, service.url)
  const { owner, id, name } = await createCourse(app)
  const firstName = `Grace${app.unique}`
  await post(owner, "/api/user/bulkUpload", {
    userList: [
      { email: `${firstName}@learners.example.com`.toLowerCase(), first_name: firstName, last_name: "Hopper" },
    ],
    selectedCourses: [id],
  })
  const mail = await findMail(service.stateDir, firstName)
  expect(readFileSync(mail, "utf8")).toContain("Accept invitation")
  await page.goto(pathToFileURL(mail).href)

  const finger = new Finger()
  await finger.tap(page.getByRole("link", { name: "Accept invitation" }))
  await type(page, "New password", "a first good password")
  await finger.tap(page.getByLabel("Confirm password"))
  await type(page, "Confirm password", "a first good password")
  await finger.tap(page.getByRole("button", { name: "Set password" }))
  await page.waitForURL(`${app.url}/console`)
  await app.expectAccessible("home")
  await finger.tap(page.getByRole("link", { name: `Start ${name}` }))
  await app.expectText("Friction.")
  await app.expectAccessible("first lesson")
  await finger.tap(page.getByRole("button", { name: "Complete and continue" }))
  await app.expectText("A sharp bend weakens the rope.")
  await finger.tap(page.getByRole("button", { name: "Mark as complete" }))
  await app.expectText(`You completed ${name}`)
  const picture = page.getByRole("dialog").getByRole("img", { name: `Certificate for ${name}` })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await app.expectAccessible("completed")
  const download = page.waitForEvent("download")
  await finger.tap(page.getByRole("dialog").getByRole("link", { name: "Download certificate" }))
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
  expect(finger.taps).toBeLessThanOrEqual(MAX_TAPS)
  expect(app.problems).toEqual([])
})

test.describe("in Arabic", () => {
  test.use({ locale: "ar" })

  test("A learner finds the list of lessons at the left edge", async ({ page, signIn }) => {
    const app = await signIn("learner@example.com")

    const { owner, id, name } = await createCourse(app, undefined, true)
    const { userId } = await connect(app.url, "learner@example.com", PASSWORD)
    await post(owner, "/api/course/enroll", { course_ids: [id], user_ids: [userId] })
    await app.goto("")
    await page.getByRole("link", { name: `ابدأ ${name}` }).tap()
    await app.expectText("Friction.")
    await app.expectAccessible("lesson")
    await page.getByRole("button", { name: /^الدروس/ }).tap()
    await app.expectText("محتوى الدورة")
    await app.expectText("أكمل Why knots hold أولًا.")
    expect((await page.locator("#lessons").boundingBox())?.x).toBe(0)
    await app.expectAccessible("list of lessons")
  })
})

test.describe("in German", () => {
  test.use({ locale: "de" })

  test("A learner opens the settings of notifications from the bell", async ({ page, signIn }) => {
    const app = await signIn("learner@example.com")

    const { owner, id } = await createCourse(app, `${"Safety".repeat(8)} ${app.unique}`)
    const { userId } = await connect(app.url, "learner@example.com", PASSWORD)
    await post(owner, "/api/course/enroll", { course_ids: [id], user_ids: [userId] })
    await app.goto("")
    await app.expectAccessible("home with a long word")
    await page.locator(".bell > button").tap()
    const panel = page.locator("#notifications")
    await expect(panel.getByText("SafetySafety").first()).toBeVisible()
    expect(await panel.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    await panel.locator("a[href*='preferences']").tap()
    await expect(panel).toBeHidden()
    await expect(page.locator("#notification-preferences")).toBeFocused()
    await app.expectAccessible("settings of notifications")
  })
})

test("A learner runs a package that fills the screen, and leaves it without an error", async ({ page, service }) => {
  const app = new ConsolePage(page, service.url)
  await app.signIn("learner@example.com")
  await app.goto("/learning")
  await page.getByRole("link", { name: "Fire safety", exact: true }).tap()
  await page.getByRole("link", { name: "Fire safety, a tour" }).tap()
  // A second tap must not end what the first one starts.
  await page.getByRole("button", { name: "Launch" }).dblclick()
  const content = page.frameLocator("iframe.package").frameLocator("iframe")
  await expect(content.getByText("Where do you meet after the alarm?")).toBeVisible()
  const frame = await page.locator("iframe.package").boundingBox()
  expect(frame?.height).toBeGreaterThan(0.8 * (page.viewportSize()?.height ?? 0))
  await app.expectAccessible("package")
  await page.getByRole("button", { name: "Exit full screen" }).tap()
  await page.getByRole("link", { name: "Back to course" }).tap()
  await expect(app.heading).toHaveText("Fire safety")
  await app.expectAccessible("course page")
  // Packages come from the content origin.
  expect(app.problems.filter((problem) => !problem.startsWith("other origin"))).toEqual([])
})

test.describe("without a connection", () => {
  /** Enrolls the learner in a new course, and opens both of its lessons. */
  async function openLessons(app: ConsolePage) {
    const { page } = app
    const { owner, id, name } = await createCourse(app)
    const { userId } = await connect(app.url, "learner@example.com", PASSWORD)
    await post(owner, "/api/course/enroll", { course_ids: [id], user_ids: [userId] })
    const { cursor } = await get<{ cursor: string }>(owner, "/api/events", { after: "latest" })
    await app.goto("")
    await page.getByRole("link", { name: `Start ${name}` }).tap()
    await app.expectText("Friction.")
    await page.getByRole("button", { name: /^Lessons: 0 of 2/ }).tap()
    await app.expectAccessible("list of lessons")
    await page.getByRole("link", { name: "How knots fail" }).tap()
    await app.expectText("A sharp bend weakens the rope.")
    // The service worker has the files that were loaded before it ran, and the device the responses.
    const countStored = () =>
      page.evaluate(async () => {
        const files = await caches.open("lectern-files")
        return (await files.match("/console")) ? (await files.keys()).length : 0
      })
    await expect.poll(countStored).toBeGreaterThan(20)
    const parameters = { user_id: userId, page_size: 1, page_number: 1, "search_param[courseId]": id }
    const enrollment = async () => {
      const { records } = await get<{ records: Json[] }>(owner, "/api/users/enrolled-courses", parameters)
      return records[0]
    }
    const registrationId = (await enrollment())?.id
    const modules = () => get<Module[]>(owner, "/api/course/modules", { registrationId })
    const completions = async () => {
      const types = "module.completed"
      const { events } = await get<{ events: { data: Json }[] }>(owner, "/api/events", { after: cursor, types })
      return events.filter(({ data }) => JSON.stringify(data).includes(String(registrationId)))
    }
    return { name, enrollment, modules, completions }
  }

  test("A learner reads two opened lessons and completes one, which counts once", async ({ page, signIn }) => {
    const app = await signIn("learner@example.com")

    const { name, enrollment, modules, completions } = await openLessons(app)
    await page.context().setOffline(true)
    await page.reload()
    await app.expectText("A sharp bend weakens the rope.")
    await app.expectText("You're offline. Changes will be sent when you reconnect.")
    await app.expectAccessible("offline")
    await page.getByRole("link", { name: "Previous", exact: true }).tap()
    await app.expectText("Friction.")
    await page.getByRole("button", { name: "Complete and continue" }).tap()
    await app.expectAnnouncement("Why knots hold completed. It's sent when you're back online.")
    await app.expectText("A sharp bend weakens the rope.")
    await app.expectText("Lessons: 1 of 2 completed")
    await page.reload()
    await app.expectText("Lessons: 1 of 2 completed")
    await app.expectText(/changes? (is|are) waiting\./)
    expect((await modules()).map(({ status }) => status)).toEqual(["In Progress", "In Progress"])

    // The connection breaks again before the first response arrives: the report is sent twice.
    let lost = 0
    await page.route(
      "**/api/module/progress",
      async (route) => {
        await route.fetch()
        lost++
        await route.abort()
      },
      { times: 1 },
    )
    await page.context().setOffline(false)
    await expect(page.getByText("You're offline.")).toHaveCount(0)
    await expect.poll(async () => (await enrollment())?.percentComplete).toBe(50)
    expect((await modules()).map(({ status }) => status)).toEqual(["Completed", "In Progress"])
    await app.goto("")
    await page.getByRole("link", { name: `Continue ${name}` }).tap()
    await app.expectText("A sharp bend weakens the rope.")
    expect(lost).toBe(1)
    expect(await completions()).toHaveLength(1)
  })

  test("A device keeps nothing for the next person after a learner signs out", async ({ page, signIn }) => {
    const app = await signIn("learner@example.com")

    await openLessons(app)
    await page.getByRole("button", { name: "User menu" }).tap()
    await page.getByRole("button", { name: "Sign out" }).tap()
    await page.waitForURL(`${app.url}/login`)
    const stored = () =>
      page.evaluate(async () => [
        ...(await caches.keys()),
        ...(await indexedDB.databases()).map(({ name }) => name),
        ...Object.keys(localStorage),
        ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
      ])
    await expect.poll(stored).toEqual([])
    await page.context().setOffline(true)
    await expect(page.goto(`${app.url}/console`)).rejects.toThrow("ERR_INTERNET_DISCONNECTED")
  })
})
