import { type Connection, call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import type { ConsolePage } from "./console-page.ts"

const DAY_MS = 86_400_000
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

const post = async <T>(who: Connection, path: string, body: object) => json<T>(await call(who, "POST", path, body))

/** A PDF with one empty page. */
const PDF = Buffer.from(
  [
    "%PDF-1.4",
    "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj",
    "trailer<</Root 1 0 R>>",
    "%%EOF\n",
  ].join("\n"),
)

/** A course of the instructor with a submitted PDF, two learners who have not started, and a class. */
async function taughtCourse({ url, unique }: ConsolePage) {
  const teacher = await connect(url, "staff@example.com", PASSWORD)
  const admin = await connect(url, "admin@example.com", PASSWORD)
  const learner = await connect(url, "learner@example.com", PASSWORD)
  const createLearner = async (firstName: string) => {
    const { id } = await post<{ id: number }>(admin, "/api/user/create", {
      ...{ firstName, lastName: `Roth ${unique}`, email: `${firstName}.${unique}@example.com`.toLowerCase() },
      ...{ password: PASSWORD, password_confirmation: PASSWORD, userType: "general" },
    })
    return id
  }
  const waiting = [await createLearner("Ines"), await createLearner("Jonas")]
  const createAssignment = async (values: object) => {
    const assignment = { content: "<p>On one page.</p>", totalPoints: 10, ...values }
    return (await post<{ id: number }>(teacher, "/api/modules/assignment", assignment)).id
  }
  const fileId = await createAssignment({ name: "A plan", submission_type: "file", allowed_filetypes: ["pdf"] })
  const textId = await createAssignment({ name: "A summary", submission_type: "text" })
  const course = `Planning ${unique}`
  const { id: courseId } = await post<{ id: number }>(teacher, "/api/course/create", {
    name: course,
    status: "publish",
    modules: [{ module_id: textId }, { module_id: fileId }],
  })
  await post(teacher, "/api/course/enroll", { course_ids: [courseId], user_ids: waiting, registered_on: day(-40) })
  await post(teacher, "/api/course/enroll", { course_ids: [courseId], user_ids: [learner.userId] })
  const { records } = await json<{ records: { id: number; user_id: number }[] }>(
    await call(teacher, "GET", `/api/reports/gradebook?course_id=${courseId}&page_size=9&page_number=1`),
  )
  const own = records.find(({ user_id }) => user_id === learner.userId)
  const open = async (moduleId: number) => {
    const reference = { registrationId: own?.id ?? 0, moduleId }
    const search = new URLSearchParams(Object.entries(reference).map(([name, id]) => [name, String(id)]))
    await call(learner, "GET", `/api/module/assignment/details?${search}`)
    return reference
  }
  await post(learner, "/api/module/assignment/submit", { ...(await open(textId)), submission: "<p>In short.</p>" })
  const form = new FormData()
  form.set("file", new File([PDF], "plan.pdf", { type: "application/pdf" }))
  const uploaded = await json<{ storage_url: string }>(
    await call(learner, "POST", "/api/module/assignment/upload", form),
  )
  await post(learner, "/api/module/assignment/submit", {
    ...(await open(fileId)),
    submissions: [uploaded],
  })
  const { id: classId } = await post<{ id: number }>(teacher, "/api/class/create", {
    ...{ courseId, allowDownload: true, disabled: false, type: "recurring", instructor: teacher.userId },
    recurrence: {
      ...{ startDate: day(-1), startTime: "09:00", endTime: "10:00", frequency: "daily", interval: 1 },
      end: { count: 3 },
    },
  })
  await post(teacher, `/api/class/enroll/${classId}`, { studentIds: [...waiting, learner.userId] })
  return { course, courseId, classId }
}

test("An instructor's day: writes to learners at risk, grades, opens the gradebook, records attendance", async ({
  page,
  signIn,
}) => {
  test.setTimeout(240_000)
  const app = await signIn("staff@example.com")
  const { course, courseId, classId } = await taughtCourse(app)
  const { unique } = app
  const row = (name: string) => page.getByRole("row", { name })

  await test.step("sees the learners at risk in own courses, and writes to two of them", async () => {
    await app.goto("/teaching")
    await expect(row(course).first()).toBeVisible()
    await app.expectAccessible("teaching")
    await app.goto(`/courses/${courseId}?tab=at-risk`)
    const atRisk = page.getByRole("region", { name: "At risk" })
    await expect(atRisk.getByRole("row", { name: `Ines Roth ${unique}` })).toContainText("Not started")
    for (const name of ["Ines", "Jonas"])
      await atRisk.getByRole("checkbox", { name: `Select ${name} Roth ${unique}` }).check()
    await atRisk.getByRole("button", { name: "Message" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Subject").fill(`Need help? ${unique}`)
    await dialog.getByLabel("Message", { exact: true }).fill("Hello,\n\nplease open the first lesson this week.")
    await app.expectAccessible("message")
    await dialog.getByRole("button", { name: "Send message" }).click()
    await app.expectAnnouncement("Message sent to 2 people.")
    await expect(dialog).toBeHidden()
  })

  await test.step("grades a submission with its file beside the form", async () => {
    await app.goto(`/assignments?course=${courseId}&status=Submitted`)
    const shown = page.waitForResponse((response) => response.url().endsWith("?inline=true"))
    await page.locator("td a").first().click()
    expect((await shown).headers()).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": 'inline; filename="plan.pdf"',
    })
    await expect(page.locator("iframe.submitted-pdf")).toBeVisible()
    await app.expectAccessible("grading")
    await page.keyboard.press("j")
    await app.expectText("In short.")
    await page.keyboard.press("k")
    await expect(page.locator("iframe.submitted-pdf")).toBeVisible()
    await page.getByLabel("Points").fill("9")
    await page.getByRole("button", { name: "Save & next" }).click()
    await app.expectText("In short.")
  })

  await test.step("opens the gradebook, and a grade in it", async () => {
    await app.goto(`/courses/${courseId}?tab=gradebook`)
    const grade = page.getByRole("link", { name: /^9\s*\/10/ })
    await expect(grade).toBeVisible()
    await expect(page.getByRole("row").filter({ has: grade })).toContainText("To grade")
    await app.expectAccessible("gradebook")
    await grade.click()
    await page.waitForURL(/\/assignments\/\d+/)
    await app.goto(`/courses/${courseId}?tab=gradebook`)
    await page.getByLabel("Status").selectOption("Not started")
    await page.waitForURL(/status=/)
    await page.getByRole("button", { name: "Export CSV" }).click()
    const link = page.getByRole("link", { name: "Download" }).first()
    await expect(link).toBeVisible({ timeout: 60_000 })
    const file = await (await page.request.get(`${app.url}${await link.getAttribute("href")}`)).text()
    expect(file, "only the learners of the list").toMatch(/Ines/)
    expect(file).not.toMatch(/García/)
  })

  await test.step("records the attendance in one session", async () => {
    await app.goto(`/classes/${classId}?tab=attendance`)
    await page.getByRole("button", { name: "Mark everyone present" }).click()
    await app.expectAnnouncement("Attendance of 3 learners saved.")
    const jonas = page.getByRole("group", { name: `Jonas Roth ${unique}` })
    await expect(jonas.getByRole("button", { name: "Present" })).toHaveAttribute("aria-pressed", "true")
    const ines = page.getByRole("group", { name: `Ines Roth ${unique}` })
    // The first of two marks takes longer than the second: the list is read again in between.
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/api\/class\/attendance$/, (route) => isReleased.then(() => route.continue()), { times: 1 })
    await jonas.getByRole("button", { name: "Late" }).click()
    await ines.getByRole("button", { name: "Excused" }).click()
    await app.expectAnnouncement("Attendance of 1 learner saved.")
    await expect(jonas.getByRole("button", { name: "Late" })).toHaveAttribute("aria-pressed", "true")
    const saved = page.waitForResponse((response) => response.request().method() === "POST")
    release()
    await saved
    await app.expectText("3 of 3 recorded")
    await app.expectAccessible("attendance")
    await page.getByLabel("Session").selectOption({ label: "All sessions" })
    await expect(row(`Jonas Roth ${unique}`)).toContainText("Late")
    await expect(row(`Ines Roth ${unique}`)).toContainText("Excused")
    await app.expectAccessible("all sessions")
  })
})
