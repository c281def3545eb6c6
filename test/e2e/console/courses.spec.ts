import type { Locator } from "@playwright/test"
import { expect, test } from "../fixtures.ts"
import { expectLoaded } from "../support/expect-loaded.ts"
import type { ConsolePage } from "./console-page.ts"

/** Calls the API from the page, as the signed-in user. */
async function send<T>({ page }: ConsolePage, path: string, body: unknown, method = "POST"): Promise<T> {
  return await page.evaluate(
    async ({ path, ...init }) => {
      const response = await fetch(path, { ...init, headers: { "content-type": "application/json" } })
      return await response.json()
    },
    { path, method, body: JSON.stringify(body) },
  )
}

const get = async <T>({ page }: ConsolePage, path: string): Promise<T> =>
  await page.evaluate(async (path) => await (await fetch(path)).json(), path)

interface Created {
  id: number
}

/** Edits the HTML of a field instead of its text. */
const editHtml = ({ page }: ConsolePage, label: string) =>
  page.locator(".rich-text-field", { hasText: label }).getByRole("button", { name: "Edit HTML" }).first().click()

const modulesOf = ({ page }: ConsolePage) => page.locator(".ordered .module-row .what a")

const STEPS = 20
const STEP_MS = 20

/** Drags a row's handle to another slowly, because the rows in between take time to move. */
async function drag({ page }: ConsolePage, from: Locator, to: Locator) {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error("A handle is not visible.")
  const x = start.x + start.width / 2
  await page.mouse.move(x, start.y + start.height / 2)
  await page.mouse.down()
  for (let step = 1; step <= STEPS; step++) {
    await page.mouse.move(x, start.y + start.height / 2 + ((end.y - start.y - start.height / 2) * step) / STEPS)
    await page.waitForTimeout(STEP_MS)
  }
  await page.mouse.up()
}

/** A course with an assignment that two learners have submitted. */
async function courseToGrade(app: ConsolePage) {
  const name = `Essays ${app.unique}`
  const content = "<p>Say what you think.</p>"
  const essay = await send<Created>(app, "/api/modules/assignment", {
    name: `An essay ${app.unique}`,
    content,
    submission_type: "text",
    totalPoints: 10,
  })
  const modules = [{ module_id: essay.id }]
  const course = await send<Created>(app, "/api/course/create", { name, status: "publish", modules })
  const learners = await get<{ records: Created[] }>(
    app,
    "/api/users/lookup?search_term=learners.example.com&page_size=2&page_number=1",
  )
  await send(app, "/api/course/enroll", { course_ids: [course.id], user_ids: learners.records.map(({ id }) => id) })
  const enrolled = await get<{ records: (Created & { first_name: string; last_name: string })[] }>(
    app,
    `/api/course/enrolled-students?course_id=${course.id}&group_id=&page_size=2&page_number=1`,
  )
  for (const [at, { id }] of enrolled.records.entries())
    await send(app, "/api/module/assignment/submit", {
      registrationId: id,
      moduleId: essay.id,
      submission: `<p>Thought ${at} of <em>mine</em>.</p>`,
    })
  return { id: course.id, name, names: enrolled.records.map((one) => `${one.first_name} ${one.last_name}`) }
}

test("A teacher creates a course and orders its modules", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await app.navigate("Courses")
  await app.expectAccessible("courses")
  await page.getByRole("link", { name: "New course" }).first().click()
  await page.getByLabel("Name", { exact: true }).fill(`Ways of working ${app.unique}`)
  await app.expectAccessible("new course")
  await page.getByRole("button", { name: "Create" }).click()
  await expect(page.getByText("No modules yet.")).toBeVisible()
  await page.getByRole("link", { name: "Settings", exact: true }).click()
  await editHtml(app, "Description")
  await page.locator("[name=content]").fill("<p>How we <strong>work</strong>.</p><script>alert(1)</script>")
  await expect(page.locator(".preview strong", { hasText: "work" })).toBeVisible()
  await app.expectAccessible("settings of the course")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement("Course updated.")
  await page.getByRole("link", { name: "Content", exact: true }).click()
  await page.getByRole("button", { name: "From library" }).click()
  for (const name of ["Clear writing: Introduction", "Leading a team: Introduction", "Safety at work: Introduction"]) {
    await page.getByRole("searchbox").fill(name)
    await page.getByLabel(name, { exact: true }).check()
  }
  await app.expectAccessible("the library")
  await page.getByRole("button", { name: "Add selected" }).click()
  const [writing, leading, safety] = [
    "Clear writing: Introduction",
    "Leading a team: Introduction",
    "Safety at work: Introduction",
  ]
  await expect(modulesOf(app)).toHaveText([writing, leading, safety])
  await page.getByRole("button", { name: `Move ${writing} down` }).press("Enter")
  await app.expectAnnouncement(`${writing} moved to position 2 of 3.`)
  await expect(modulesOf(app)).toHaveText([leading, writing, safety])
  await page.getByRole("button", { name: `Move ${writing} down` }).press("Enter")
  await expect(modulesOf(app)).toHaveText([leading, safety, writing])
  const focused = await page.evaluate("document.activeElement.getAttribute('aria-label')")
  expect(focused, "the focus moves to the button that is still enabled").toBe(`Move ${writing} up`)
  if (!app.isPhone) {
    const handles = page.locator(".ordered > li .handle")
    await drag(app, handles.nth(2), handles.nth(0))
    await expect(modulesOf(app)).toHaveText([writing, leading, safety])
  }
  const dialog = page.getByRole("dialog")
  await page
    .getByRole("link", { name: /^Settings of/ })
    .last()
    .click()
  await dialog.getByLabel("Required").uncheck()
  await app.expectAccessible("settings of the module")
  await dialog.getByRole("button", { name: "Close" }).click()
  await expect(page.locator(".module-row").last()).toContainText("Optional")
  await page.waitForLoadState("networkidle")
  const shown = await modulesOf(app).allTextContents()
  await app.expectAccessible("modules in order")
  await page.reload()
  await app.waitUntilLoaded()
  await expect(modulesOf(app)).toHaveText(shown)
  await expect(page.locator(".module-row").last()).toContainText("Optional")
  await page
    .getByRole("link", { name: /^Settings of/ })
    .last()
    .click()
  await expect(dialog.getByLabel("Required")).not.toBeChecked()
  await dialog.getByRole("button", { name: "Remove from course" }).click()
  await expect(modulesOf(app)).toHaveCount(2)
})

test("A teacher creates a module in a course, beside a change of someone else, and edits it there", async ({
  page,
  signIn,
}) => {
  const app = await signIn("staff@example.com")

  const name = `Onboarding ${app.unique}`
  const course = await send<Created>(app, "/api/course/create", { name })
  await app.goto(`/courses/${course.id}?tab=modules`)
  await page.getByRole("button", { name: "Quiz", exact: true }).click()
  const dialog = page.getByRole("dialog")
  await expect(dialog.getByLabel("Passing score (%)")).toHaveValue("70")
  await dialog.getByLabel("Name", { exact: true }).fill(`Facts ${app.unique}`)
  await app.expectAccessible("new module for the course")
  // Another change of the course in between: both modules remain.
  const other = { name: `Other ${app.unique}`, content: "<p>Text.</p>" }
  const text = await send<Created>(app, "/api/modules/text", other)
  let isFirst = true
  await page.route(`**/api/course/${course.id}`, async (route) => {
    if (route.request().method() !== "PUT" || !isFirst) return route.continue()
    isFirst = false
    await page.evaluate(
      async ([path, body]) => {
        await fetch(path, { method: "PUT", headers: { "content-type": "application/json" }, body })
      },
      [`/api/course/${course.id}`, JSON.stringify({ modules: [{ module_id: text.id }] })] as const,
    )
    return route.continue()
  })
  app.allowStatus(412)
  await dialog.getByRole("button", { name: "Create" }).click()
  await expect(dialog).toHaveCount(0)
  await expect(modulesOf(app)).toHaveText([other.name, `Facts ${app.unique}`])
  await page.getByRole("link", { name: `Facts ${app.unique}`, exact: true }).click()
  await dialog.getByLabel("Name", { exact: true }).fill(`More facts ${app.unique}`)
  await page.goBack()
  await page.getByRole("dialog", { name: "Discard unsaved changes?" }).getByRole("button", { name: "Cancel" }).click()
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect(dialog).toHaveCount(0)
  await expect(modulesOf(app)).toHaveText([other.name, `More facts ${app.unique}`])
  await app.expectAccessible("the course with its modules")
})

test("A teacher sets a picture and a text of several lines, as learners see them", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  const name = `Lines ${app.unique}`
  const picture = "/assets/logo.svg"
  await app.goto("/courses/new")
  await page.getByLabel("Name", { exact: true }).fill(name)
  await page.getByRole("button", { name: "Create" }).click()
  await page.getByRole("button", { name: "Publish" }).click()
  await app.expectAnnouncement("Course published.")
  await page.getByRole("link", { name: "Settings", exact: true }).click()
  const typed = "First line\nsecond <b>line</b>\n\nNext paragraph"
  await editHtml(app, "Description")
  await editHtml(app, "Instructions")
  await page.locator("[name=content]").fill(typed)
  await page.locator("[name=instructions]").fill("<ul>\n<li>one</li>\n<li>two</li>\n</ul>")
  await page.getByLabel("Course image URL").fill(picture)
  await page.getByLabel("Course image URL").press("Tab")
  await expectLoaded(page.locator("img.course-picture").first())
  await app.expectAccessible("the new course")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement("Course updated.")
  await page.getByRole("link", { name: "Content", exact: true }).click()
  await expect(page.getByText("No modules yet.")).toBeVisible()
  await expectLoaded(page.locator("img.course-picture").first())
  await app.expectAccessible("the course with its picture")

  const id = Number(/courses\/(\d+)/.exec(page.url())?.[1])
  const stored = await get<{ content: string; instructions: string }>(app, `/api/course/${id}`)
  const paragraphs = "<p>First line<br>second <b>line</b></p><p>Next paragraph</p>"
  expect(stored.content).toBe(paragraphs)
  expect(stored.instructions).toMatch(/^<ul>\n<li>one/)
  await app.goto(`/courses/${id}?tab=settings`)
  await editHtml(app, "Description")
  await expect(page.locator("[name=content]")).toHaveValue(typed)
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement(/./)
  const again = await get<{ content: string; instructions: string }>(app, `/api/course/${id}`)
  expect([again.content, again.instructions]).toEqual([stored.content, stored.instructions])

  // Text from the API keeps its lines, and is not changed.
  const me = await get<Created>(app, "/api/me")
  await page.evaluate(
    async ([path, body]) => {
      await fetch(path, { method: "PUT", headers: { "content-type": "application/json" }, body })
    },
    [`/api/course/${id}`, JSON.stringify({ instructions: "Bring:\npaper\npens" })] as const,
  )
  await send(app, "/api/course/enroll", { course_ids: [id], user_ids: [me.id] })
  await app.goto("/learning")
  await page.getByLabel("Search courses", { exact: true }).fill(name)
  await expect(page.locator(".card", { hasText: name }).locator("img.course-picture")).toBeVisible()
  await app.expectAccessible("my courses")
  await page.getByRole("link", { name, exact: true }).click()
  await app.expectText("paper")
  await expectLoaded(page.locator("img.course-picture").first())
  await expect(page.locator(".rich-text p", { hasText: "First line" }).locator("br")).toHaveCount(1)
  await expect(page.locator(".rich-text p", { hasText: "Bring:" }).locator("br")).toHaveCount(2)
  await app.expectAccessible("the course as its learner sees it")
  await app.goto("/learning/library")
  await page.getByLabel("Search courses", { exact: true }).fill(name)
  await expect(page.locator(".card", { hasText: name }).locator("img.course-picture")).toBeVisible()
})

test("Errors of an assignment use the labels of the form", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await app.goto("/modules/assignment/new")
  const types = page.getByLabel("Accepted file types")
  await expect(types).toBeHidden()
  await page.getByLabel("Submission type").selectOption("file")
  await types.fill("image, pdf")
  await page.getByLabel("Name", { exact: true }).fill(`Drawing ${app.unique}`)
  app.allowStatus(422)
  await page.getByRole("button", { name: "Create" }).click()
  await expect(page.locator(".field-error", { hasText: /^Instructions is required/ })).toBeVisible()
  expect(String(await page.locator("form").last().textContent())).not.toMatch(/content is|allowed_filetypes/)
  await app.expectAccessible("missing fields")
  await page.getByLabel("Instructions", { exact: true }).fill("Draw it.")
  await page.getByRole("button", { name: "Create" }).click()
  await expect(page.getByText("Not used in any course.")).toBeVisible()

  // The button is disabled until something is picked.
  await app.goto("/enrollments")
  const enroll = page.getByRole("button", { name: "Enroll in courses" })
  await expect(enroll).toBeDisabled()
  await page.locator(".picker [type=checkbox]").first().check()
  await page.locator(".picker").last().locator("[type=checkbox]").first().check()
  await expect(page.getByRole("button", { name: "Enroll (1)" })).toBeVisible()
  await page.locator("main a.within").click()
  await page.getByRole("dialog").getByRole("button", { name: "Discard changes" }).click()
})

test("A teacher creates a quiz, and sees which question is incomplete", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  await app.goto("/modules?tab=quiz")
  await app.expectAccessible("quizzes")
  await page.getByRole("link", { name: "New module: Quiz" }).click()
  await page.getByLabel("Name", { exact: true }).fill(`Capitals ${app.unique}`)
  await page.getByRole("button", { name: "Add question" }).click()
  await page.getByRole("button", { name: "Add question" }).click()
  const first = page.locator("fieldset.question-draft").nth(0)
  const second = page.locator("fieldset.question-draft").nth(1)
  await first.getByLabel("Question", { exact: true }).fill("Which is in Peru?")
  await first.getByLabel("Choice 1").fill("Lima")
  await first.getByLabel("Choice 2").fill("Quito")
  await second.getByLabel("Question", { exact: true }).fill("The capital of Chile?")
  await second.getByLabel("Type").selectOption("short")
  app.allowStatus(422)
  await page.getByRole("button", { name: "Create" }).click()
  await app.expectText("Accepted answers must contain at least one accepted text.")
  await app.expectAccessible("rejected")
  await second.getByLabel("Accepted answers").fill("Santiago\nSantiago de Chile")
  await page.getByRole("button", { name: "Move The capital of Chile? up" }).click()
  await page.getByRole("button", { name: "Create" }).click()
  await expect(page.getByText("Not used in any course.")).toBeVisible()
  await page.reload()
  await app.waitUntilLoaded()
  await expect(first.getByLabel("Question", { exact: true })).toHaveValue("The capital of Chile?")
  await expect(first.getByLabel("Accepted answers")).toHaveValue("Santiago\nSantiago de Chile")
  await expect(second.getByLabel("Correct").first()).toBeChecked()
})

test("A teacher grades submissions with the keyboard only", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")

  const course = await courseToGrade(app)
  const [other = "", learner = ""] = course.names
  await app.goto(`/assignments?status=Submitted&course=${course.id}`)
  await app.expectText("2 total")
  await app.expectAccessible("submissions to grade")
  // The queue has a second page, which loads only when the teacher tries again.
  app.allowStatus(400)
  let requests = 0
  await page.route("**/api/course/submissions?*", async (route) => {
    const url = route.request().url()
    if (url.includes("page_number=2"))
      return route.fulfill(
        ++requests === 1
          ? { status: 400, json: { status: "error", code: "invalid_cursor", message: "The page expired." } }
          : { json: { records: [], recordsTotal: 2, recordsFiltered: 2 } },
      )
    const response = await route.fetch()
    const headers = { ...response.headers(), link: `<${url.replace("page_number=1", "page_number=2")}>; rel="next"` }
    return route.fulfill({ response, headers })
  })
  await page.getByRole("link", { name: learner }).press("Enter")
  await app.expectText("The page expired.")
  await app.expectAccessible("grading with a part of the queue")
  expect(requests).toBe(1)
  await page.getByRole("button", { name: "Try again" }).press("Enter")
  await expect(page.getByText("The page expired.")).toHaveCount(0)
  await expect(page.getByRole("heading", { level: 1, name: learner })).toBeVisible()
  await app.expectText("Thought 1 of")
  await app.expectAccessible("grading")
  await page.getByLabel("Points").fill("7")
  await page.getByLabel("Feedback").fill("Say more of the second.")
  await page.getByRole("button", { name: "Save & next" }).press("Enter")
  await expect(page.getByRole("heading", { level: 1, name: other })).toBeVisible()
  await expect(page.locator("[name=pointsAwarded]")).toBeFocused()
  await page.keyboard.type("9")
  await page.keyboard.press("Enter")
  await app.expectText("9 of 10")
  await expect(page.locator("[aria-labelledby=evaluation]")).toBeFocused()
  await page.getByRole("link", { name: "Previous submission" }).press("Enter")
  await app.expectText("7 of 10")
  await app.expectText("Say more of the second.")
  await app.expectAccessible("graded")
  await app.goto(`/assignments?status=Submitted&course=${course.id}`)
  await app.expectText("No results match your filters.")
})
