import { connect, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import { get, post } from "../support/api.ts"
import type { ConsolePage } from "./console-page.ts"

interface Records {
  records: { id: number; name: string }[]
}

/** A new learner, enrolled in the sample course "Safety at work" and in the sample's learning path. */
async function newLearner({ url, unique }: ConsolePage) {
  const admin = await connect(url, "admin@example.com", PASSWORD)
  const email = `nora.${unique}@example.com`
  const { id } = await post<{ id: number }>(admin, "/api/user/create", {
    ...{ firstName: "Nora", lastName: `Berg ${unique}`, email, userType: "general" },
    ...{ password: PASSWORD, password_confirmation: PASSWORD },
  })
  const list = { page_size: 50, page_number: 1 }
  const courses = await get<Records>(admin, "/api/courses/tabularlist", list)
  const course = courses.records.find(({ name }) => name === "Safety at work")
  const paths = await get<Records>(admin, "/api/learningpath/tabularlist", list)
  await post(admin, "/api/course/enroll", { course_ids: [course?.id], user_ids: [id] })
  await post(admin, "/api/learningpath/enroll", { learning_path_ids: [paths.records[0]?.id], user_ids: [id] })
  return { admin, id, email, name: `Nora Berg ${unique}`, path: paths.records[0]?.name ?? "" }
}

/** Downloads the file of a link, and expects a spreadsheet. */
async function expectSpreadsheet({ page, url }: ConsolePage, name: string) {
  const href = await page.getByRole("link", { name }).getAttribute("href")
  const response = await page.request.get(`${url}${href}`)
  expect(response.status()).toBe(200)
  expect(response.headers()["content-type"]).toContain("spreadsheetml")
}

test("Staff open a module later for one learner, and remove a learning path", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const { id, name, path } = await newLearner(app)
  const dialog = page.getByRole("dialog")

  await app.goto(`/users/${id}?tab=enrollments`)
  await app.expectAccessible("enrollments")
  await page.getByRole("link", { name: "Safety at work", exact: true }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Safety at work" })).toBeVisible()
  await app.expectAccessible("progress")
  const introduction = page.getByRole("row", { name: "Safety at work: Introduction" })
  await expect(introduction).not.toContainText("Not open yet")

  await page.getByRole("button", { name: "Opening dates" }).click()
  const date = dialog.getByLabel("Safety at work: Introduction")
  const later = `${new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)}T08:30`
  await date.fill(later)
  await app.expectAccessible("opening dates")
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect(dialog).toHaveCount(0)
  await expect(introduction).toContainText("Not open yet")

  // An empty field is the date of the course again.
  await page.getByRole("button", { name: "Opening dates" }).click()
  await expect(date).toHaveValue(later)
  await date.fill("")
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect(dialog).toHaveCount(0)
  await expect(introduction).not.toContainText("Not open yet")

  await page.getByRole("link", { name }).click()
  await app.waitUntilLoaded()
  await page.getByLabel(`Select ${path}`).check()
  await page.getByRole("button", { name: "Remove from learning path" }).click()
  await app.expectAccessible("removal")
  await dialog.getByRole("button", { name: "Remove from learning path" }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByLabel(`Select ${path}`)).toHaveCount(0)
  // The courses stay.
  await expect(page.getByRole("link", { name: "Safety at work", exact: true })).toBeVisible()
})

test("Staff download a learner's results in a quiz and in a package", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const { userId } = await connect(app.url, "learner@example.com", PASSWORD)
  const open = async (course: string) => {
    await app.goto(`/users/${userId}?tab=enrollments`)
    await page.getByRole("link", { name: course, exact: true }).click()
    await expect(page.getByRole("heading", { level: 1, name: course })).toBeVisible()
    await app.waitUntilLoaded()
  }
  await open("Working with data")
  await expectSpreadsheet(app, "Attempts: Working with data: What you know (spreadsheet)")
  await open("Fire safety")
  await expectSpreadsheet(app, "Attempts: Fire safety, a tour (spreadsheet)")
  await expectSpreadsheet(app, "Interactions: Fire safety, a tour (spreadsheet)")
  await app.expectAccessible("results")
})

test("Staff report on learners and classes, and issue certificates to a class", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const { admin, id, name, email } = await newLearner(app)
  const start = new Date(Date.now() + 86_400_000).toISOString().slice(0, 11)
  const { id: classId } = await post<{ id: number }>(admin, "/api/class/create", {
    ...{ courseId: 1, allowDownload: false, disabled: false, instructor: admin.userId },
    ...{ starttime: `${start}10:00`, endTime: `${start}11:00` },
  })
  await post(admin, `/api/class/enroll/${classId}`, { studentIds: [id] })

  await app.navigate("Reports", "Learner report")
  await page.getByLabel("Search by name or email").fill(email)
  await expect(page.getByRole("row", { name })).toHaveCount(2)
  await app.expectAccessible("learner report")

  await app.goto(`/classes/${classId}?tab=students`)
  await page.getByLabel(`Select ${name}`).check()
  await app.expectAccessible("attendees")
  await page.getByRole("button", { name: "Issue certificates" }).click()
  await app.expectAnnouncement(/certificate/i)
  await page.getByRole("link", { name: "Report", exact: true }).click()
  await expect(page.getByRole("row", { name })).toContainText("Issued")
  await app.expectAccessible("report of the class")
  await page.getByRole("button", { name: "Clear filters" }).click()
  await expect(page.getByRole("link", { name })).toBeVisible()
  await app.expectAccessible("class report")
  const classFilter = page.getByRole("combobox", { name: "Class" })
  await classFilter.press("ArrowDown")
  await page.keyboard.press("Enter")
  await page.waitForURL(/class=\d+/)
  await app.waitUntilLoaded()
  await expect(page.getByLabel("Search by name or email")).toBeVisible()
  await expect(classFilter).toBeFocused()
  // Another list of the same page keeps the focus, too.
  await app.goto("/modules")
  const type = page.getByLabel("Type", { exact: true })
  await type.focus()
  await type.selectOption("Quiz")
  await page.waitForURL(/tab=quiz$/)
  await app.waitUntilLoaded()
  await expect(type).toBeFocused()
})

test("A learner submits a file, and sees its name", async ({ page, signIn }) => {
  const app = await signIn("learner@example.com")

  const staff = await connect(app.url, "staff@example.com", PASSWORD)
  const { userId } = await connect(app.url, "learner@example.com", PASSWORD)
  const { id: module_id } = await post(staff, "/api/modules/assignment", {
    name: "A plan",
    content: "<p>On one page.</p>",
    submission_type: "file",
    allowed_filetypes: ["pdf"],
  })
  const { id } = await post(staff, "/api/course/create", {
    name: `Plans ${app.unique}`,
    status: "publish",
    modules: [{ module_id }],
  })
  await post(staff, "/api/course/enroll", { course_ids: [id], user_ids: [userId] })
  await app.goto("/learning")
  await page.getByRole("link", { name: `Start Plans ${app.unique}` }).click()
  const submit = page.getByRole("button", { name: "Submit", exact: true })
  await expect(submit).toBeVisible()
  await expect(submit).toBeDisabled()
  const plan = { name: "my plan.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") }
  // Two files at once, on a slow connection.
  const uploads: (() => void)[] = []
  await page.route("**/api/module/assignment/upload", async (route) => {
    await new Promise<void>((resolve) => uploads.push(resolve))
    await route.continue()
  })
  await page.locator("input[type=file]").setInputFiles(plan)
  await page.locator("input[type=file]").setInputFiles({ ...plan, name: "my sketch.pdf" })
  await expect.poll(() => uploads.length).toBe(2)
  uploads[0]?.()
  await expect(page.getByRole("listitem").filter({ hasText: "my plan.pdf" })).toBeVisible()
  await expect(submit).toBeDisabled()
  uploads[1]?.()
  await expect(page.getByRole("listitem").filter({ hasText: "my sketch.pdf" })).toBeVisible()
  // The uploaded file is an unsaved change.
  await page.locator("main a.within").click()
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
  await submit.click()
  await app.expectAnnouncement("Assignment submitted.")
  await expect(page.getByRole("link", { name: "my plan.pdf" })).toBeVisible()
  await expect(page.getByRole("link", { name: "my sketch.pdf" })).toBeVisible()
  await app.expectAccessible("submitted file")
})
