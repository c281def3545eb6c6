import type { Locator } from "@playwright/test"
import { call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import type { ConsolePage } from "./console-page.ts"

const DAY = 86_400_000
const HOUR = 3_600_000

/** Searches in a combobox, and picks the first option. */
async function pick({ page }: ConsolePage, label: string, text: string) {
  const box = page.getByRole("combobox", { name: label, exact: true })
  await box.fill(text)
  await page.getByRole("option", { name: text }).first().click()
}

/** Creates a class of a sample course, ten days from now, and stays on its page. */
async function createClass(app: ConsolePage) {
  const { page } = app
  const start = new Date(Date.now() + 10 * DAY).toISOString().slice(0, 11)
  await app.goto("/classes/new")
  await pick(app, "Course", "Clear writing")
  await pick(app, "Instructor", "Mei Tanaka")
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo")
  await page.getByLabel("Start", { exact: true }).fill(`${start}18:30`)
  await page.getByLabel("End", { exact: true }).fill(`${start}20:00`)
  await page.getByRole("button", { name: "Create" }).click()
  await app.expectAnnouncement("Class created.")
  await page.waitForURL(/\/classes\/\d+$/)
  await app.waitUntilLoaded()
}

async function deleteClass(app: ConsolePage) {
  const { page } = app
  await page.getByRole("button", { name: "Delete" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
  await app.expectAnnouncement(/^Class deleted/)
  await page.waitForURL(/\/console\/classes$/)
}

/** Creates a class of a course as staff. */
async function classAt({ url }: ConsolePage, times: { timeZone: string; starttime: string; endTime: string }) {
  const staff = await connect(url, "staff@example.com", PASSWORD)
  const post = async <T>(path: string, body: object) => json<T>(await call(staff, "POST", path, body))
  const fields = { courseId: 1, allowDownload: false, disabled: false, instructor: staff.userId }
  const { id } = await post<{ id: number }>("/api/class/create", { ...fields, ...times })
  return { id, post, remove: () => post("/api/class/delete", { classId: id }) }
}

/** A class that ended an hour ago. */
const classThatIsOver = (app: ConsolePage) => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString().slice(0, 16).replace("T", " ")
  return classAt(app, { timeZone: "UTC", starttime: hoursAgo(2), endTime: hoursAgo(1) })
}

/** A class tomorrow at 18:30 in Tokyo, with a learner. */
async function classInTokyo(app: ConsolePage, learner: string) {
  const { userId } = await connect(app.url, learner, PASSWORD)
  const day = new Date(Date.now() + DAY).toISOString().slice(0, 10)
  const times = { timeZone: "Asia/Tokyo", starttime: `${day} 18:30`, endTime: `${day} 20:00` }
  const { id, post, remove } = await classAt(app, times)
  await post(`/api/class/enroll/${id}`, { studentIds: [userId] })
  const here = { timeZone: "Europe/Berlin", hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const
  return {
    id,
    userId,
    /** The time in the zone of the browser, and in the zone of the class. */
    shown: [new Intl.DateTimeFormat("en", here).format(new Date(`${day}T09:30:00Z`)), /6:30\sPM\sAsia\/Tokyo/] as const,
    remove,
  }
}

test("Staff see the start of a class in their own and in its time zone", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  const { userId, id, shown, remove } = await classInTokyo(app, "learner@example.com")
  const over = await classThatIsOver(app)
  const expectTimes = async (where: Locator) => {
    for (const text of shown) await expect(where.filter({ hasText: text }).first()).toBeVisible()
  }
  await app.goto("")
  await expectTimes(page.locator("li", { has: page.locator(`a[href="/console/classes/${id}"]`) }))
  await expect(page.locator(`a[href="/console/classes/${over.id}"]`)).toHaveCount(0)
  await app.expectAccessible("home")
  await app.goto("/classes?tab=list&dates=upcoming")
  const starts = await page
    .locator("tbody td:nth-child(2) time")
    .evaluateAll((times) => times.map((time) => time.getAttribute("datetime") ?? ""))
  expect(starts.length).toBeGreaterThan(1)
  expect(starts).toEqual(starts.toSorted())
  await expectTimes(page.locator("tr", { has: page.locator(`a[href="/console/classes/${id}"]`) }))
  await app.expectAccessible("list")
  await app.goto(`/users/${userId}?tab=classes&sort=start&order=desc`)
  await expectTimes(page.locator("tr"))
  await app.expectAccessible("user")
  await remove()
  await over.remove()
})

test("A learner sees the start of a class in their own and in its time zone", async ({ page, signIn }) => {
  const app = await signIn("learner@example.com")

  const { shown, remove } = await classInTokyo(app, "learner@example.com")
  await app.goto("/my-classes?tab=list&sort=start&order=desc")
  for (const text of shown) await expect(page.locator("tr").filter({ hasText: text }).first()).toBeVisible()
  await app.expectAccessible("list")
  await page
    .locator("tr", { hasText: /Asia\/Tokyo/ })
    .getByRole("link")
    .first()
    .click()
  for (const text of shown) await expect(page.locator("dl dd").filter({ hasText: text }).first()).toBeVisible()
  await expect(page.getByText("Next session")).toBeVisible()
  await app.expectAccessible("class")
  await remove()

  // A class that is over has no next session.
  await app.goto("/my-classes?tab=list&status=Attended")
  await page.locator("main tbody").getByRole("link").first().click()
  await app.expectText("Materials")
  await expect(page.getByText("Next session")).toHaveCount(0)
})

test("Staff schedule a class, and record the attendance", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await createClass(app)
  await app.expectText("Asia/Tokyo")
  await app.expectAccessible("class")
  await page.getByRole("link", { name: "Attendees" }).click()
  // The empty list has this button, too.
  await page.getByRole("button", { name: "Add attendees" }).first().click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("searchbox").fill("horvat")
  await dialog
    .getByRole("checkbox", { name: /Horvat/ })
    .first()
    .check()
  await dialog.getByRole("button", { name: "Add attendees" }).click()
  await app.expectAnnouncement("1 user enrolled.")
  const status = page.getByLabel(/^Status of .*Horvat/)
  await status.selectOption("Attended")
  await app.expectAnnouncement("Status set to Attended.")
  await app.expectText("Attended: 1")
  await app.expectAccessible("learners")
  app.allowStatus(409)
  await page.route("**/api/class/update-class-status*", (route) =>
    route.fulfill({ status: 409, json: { message: "The class is full.", code: "class_full", requestId: "1" } }),
  )
  await status.selectOption("Canceled")
  await app.expectText("The class is full.")
  await expect(status).toHaveValue("Attended")
  await page.unroute("**/api/class/update-class-status*")
  await deleteClass(app)
})

test("A group administrator navigates the calendar with the keyboard", async ({ page, signIn }) => {
  const app = await signIn("group@example.com")

  await app.navigate("Classes")
  await app.expectAccessible("calendar")
  if (app.isPhone) {
    await page.getByRole("button", { name: "Next month" }).click()
  } else {
    await page.locator("td[tabindex='0']").focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("PageDown")
  }
  await page.waitForURL(/month=\d{4}-\d{2}/)
  await app.waitUntilLoaded()
  await page
    .getByRole("link", { name: /Working with data/ })
    .first()
    .focus()
  await page.keyboard.press("Enter")
  await app.expectText("Sessions")
  await app.expectAccessible("class")
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0)
  for (const tab of ["Attendees", "Materials", "Recordings"]) {
    await page.getByRole("link", { name: tab, exact: true }).click()
    await app.waitUntilLoaded()
  }
})

test.describe("in Arabic", () => {
  test.use({ locale: "ar" })

  test("An administrator publishes an announcement for a course until a date", async ({ page, signIn }) => {
    const app = await signIn("admin@example.com")

    const heading = `مغلق يوم الجمعة ${app.unique}`
    await app.goto("/announcements/new")
    await page.getByLabel("العنوان").fill(heading)
    await page.getByRole("button", { name: "تحرير HTML" }).click()
    await page.getByLabel("الرسالة", { exact: true }).fill("<p>نغلق <b>يوم الجمعة</b>.</p>")
    await expect(page.locator(".preview b").getByText("يوم الجمعة")).toBeVisible()
    await page.getByLabel("الجمهور").selectOption("specific_course_users")
    const courses = page.getByRole("group", { name: "الدورات" })
    await courses.getByRole("searchbox").fill("Clear writing")
    await courses.getByRole("checkbox", { name: "Clear writing" }).check()
    await page.getByLabel("إخفاء بعد").fill("2099-05-01T12:00")
    await app.expectAccessible("announcement")
    await page.getByRole("button", { name: "إنشاء" }).click()
    await page.waitForURL(/\/announcements$/)
    await page.getByRole("link", { name: heading }).click()
    await expect(page.getByRole("button", { name: "حفظ" })).toBeVisible()
    await expect(page.getByLabel("إخفاء بعد")).toHaveValue("2099-05-01T12:00")
    expect((await page.locator(".picked").textContent()) ?? "").toMatch(/Clear writing/)
    await page.getByRole("button", { name: "حفظ" }).click()
    await page.waitForURL(/\/announcements$/)
    await app.expectText("متعلمو Clear writing")
    await app.expectAccessible("announcements")
    await page.getByLabel(`تحديد ${heading}`).check()
    await page.getByRole("button", { name: "حذف" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "حذف" }).click()
    await expect(page.getByRole("link", { name: heading })).toHaveCount(0)
  })
})
