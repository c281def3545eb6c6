import { call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import type { ConsolePage } from "./console-page.ts"

interface Created {
  id: number
}

/** Changes records as someone else. */
async function otherAuthor({ url }: ConsolePage) {
  const caller = await connect(url, "admin@example.com", PASSWORD)
  const send = (method: "POST" | "PUT", path: string, body: object) =>
    call(caller, method, path, body).then((answer) => json<Created>(answer))
  return {
    create: (path: string, body: object) => send("POST", path, body),
    change: (path: string, body: object) => send("PUT", path, body),
    read: async <T>(path: string) => json<T>(await call(caller, "GET", path)),
  }
}

/** Saves, reads about the change of someone else, and saves again. */
async function saveTwice({ page }: ConsolePage) {
  const save = page.getByRole("button", { name: "Save", exact: true })
  await save.click()
  await expect(page.getByText("Someone else changed this in the meantime.")).toBeVisible()
  await save.click()
  await expect(page.getByText("Someone else changed this in the meantime.")).toHaveCount(0)
}

test("What an author did not edit stays as another author stored it meanwhile", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const other = await otherAuthor(app)
  const { unique } = app
  const name = page.getByLabel("Name", { exact: true })
  app.allowStatus(412)

  const text = await other.create("/api/modules/text", { name: `Text ${unique}`, content: "<p>Before</p>" })
  await app.goto(`/modules/text/${text.id}`)
  await expect(page.locator(".ProseMirror")).toHaveText("Before")
  await other.change(`/api/modules/text/${text.id}`, { content: "<p>After</p>" })
  await name.fill(`A text ${unique}`)
  await saveTwice(app)
  await expect(page.locator(".ProseMirror")).toHaveText("After")
  await app.expectAnnouncement("Module updated.")
  expect(await other.read(`/api/modules/text/${text.id}`)).toMatchObject({
    name: `A text ${unique}`,
    content: "<p>After</p>",
  })

  const question = { type: "short", answers: ["yes"], points: 1 }
  const quiz = await other.create("/api/modules/quiz", {
    name: `Quiz ${unique}`,
    content: "",
    questions: [{ ...question, text: "One?" }],
  })
  await app.goto(`/modules/quiz/${quiz.id}`)
  await expect(page.getByLabel("Question", { exact: true })).toHaveValue("One?")
  const questions = ["One?", "Two?"].map((text) => ({ ...question, text }))
  await other.change(`/api/modules/quiz/${quiz.id}`, { questions })
  await name.fill(`A quiz ${unique}`)
  await saveTwice(app)
  await expect(page.getByLabel("Question", { exact: true })).toHaveCount(2)
  expect(await other.read(`/api/modules/quiz/${quiz.id}`)).toMatchObject({
    name: `A quiz ${unique}`,
    questions: [{ text: "One?" }, { text: "Two?" }],
  })

  const list = await other.read<{ records: (Created & { name: string })[] }>(
    "/api/courses/tabularlist?page_size=2&page_number=1",
  )
  const [first = { id: 0, name: "" }, second = { id: 0, name: "" }] = list.records
  const path = await other.create("/api/learningpath/create", { name: `Path ${unique}`, course_ids: [first.id] })
  await app.goto(`/learning-paths/${path.id}`)
  await expect(page.locator(".ordered > li")).toHaveCount(1)
  await other.change(`/api/learningpath/${path.id}`, { course_ids: [second.id, first.id] })
  await name.fill(`A path ${unique}`)
  await saveTwice(app)
  await expect(page.locator(".ordered > li")).toHaveText([second.name, first.name])
  expect(await other.read(`/api/learningpath/${path.id}`)).toMatchObject({
    name: `A path ${unique}`,
    courses: [{ id: second.id }, { id: first.id }],
  })
})

test("An author saves after a change of another author, without losing what was typed", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const other = await otherAuthor(app)
  const { unique } = app
  app.allowStatus(412)

  const pool = await other.create("/api/question-pool/create", { name: `Pool ${unique}` })
  const content = { type: "short", answers: ["yes"] }
  const question = await other.create("/api/question/create", { ...content, poolId: pool.id, text: "Old?" })
  await app.goto(`/question-pools/${pool.id}/${question.id}`)
  await page.getByLabel("Question", { exact: true }).fill("Mine?")
  await other.change(`/api/question/${question.id}`, { ...content, text: "Theirs?" })
  await saveTwice(app)
  await expect(page.getByRole("link", { name: "Mine?" })).toBeVisible()

  const size = { width: 800, height: 600 }
  const template = await other.create("/api/certificate_template", { name: `Template ${unique}`, ...size })
  await app.goto(`/certificates/${template.id}`)
  await page.getByRole("button", { name: "Add element", exact: true }).click()
  await other.change(`/api/certificate_template/${template.id}`, { name: `Theirs ${unique}` })
  await saveTwice(app)
  await expect(page.getByText("Unsaved changes.")).toHaveCount(0)

  const course = await other.create("/api/course/create", { name: `Course ${unique}` })
  await app.goto(`/courses/${course.id}`)
  await other.change(`/api/course/${course.id}`, { courseCredit: 2 })
  await page.getByRole("button", { name: "Publish" }).click()
  await expect(page.getByText("Someone else changed this in the meantime.")).toBeVisible()
  await page.getByRole("button", { name: "Publish" }).click()
  await app.expectAnnouncement("Course published.")
  await other.create("/api/course/delete", { delete_ids: [course.id] })
})

test("What an author changes while a save is running stays", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const other = await otherAuthor(app)
  const { unique } = app
  const save = page.getByRole("button", { name: "Save", exact: true })
  /** Holds the next change of a path until it is released. */
  const hold = async (path: string) => {
    const held = Promise.withResolvers<void>()
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === "PUT") await held.promise
      await route.continue()
    })
    return held.resolve
  }

  const quiz = await other.create("/api/modules/quiz", {
    name: `Quiz ${unique}`,
    content: "",
    questions: [{ text: "One?", type: "short", answers: ["yes"], points: 1 }],
  })
  await app.goto(`/modules/quiz/${quiz.id}`)
  const question = page.getByLabel("Question", { exact: true })
  await question.fill("Two?")
  const releaseQuiz = await hold(`/api/modules/quiz/${quiz.id}`)
  await save.click()
  await question.fill("Three?")
  releaseQuiz()
  await app.expectAnnouncement("Module updated.")
  await expect(question).toHaveValue("Three?")
  const before = await other.read<{ questions: Created[] }>(`/api/modules/quiz/${quiz.id}`)
  await save.click()
  await expect
    .poll(() => other.read(`/api/modules/quiz/${quiz.id}`), { message: "the question keeps its id" })
    .toMatchObject({ questions: [{ id: before.questions[0]?.id, text: "Three?" }] })

  const size = { width: 800, height: 600 }
  const template = await other.create("/api/certificate_template", { name: `Template ${unique}`, ...size })
  await app.goto(`/certificates/${template.id}`)
  await page.getByRole("button", { name: "Add element", exact: true }).click()
  const releaseTemplate = await hold(`/api/certificate_template/${template.id}`)
  await save.click()
  const left = page.locator(".panel [name=left]")
  await left.fill("10")
  const saved = page.waitForResponse((response) => response.request().method() === "PUT")
  releaseTemplate()
  await saved
  await expect(page.getByText("Unsaved changes.")).toBeVisible()
  await save.click()
  await expect(page.getByText("Unsaved changes.")).toHaveCount(0)
  await left.press("Tab")
  await expect(left).toHaveValue("10")
})

test("An author reads why the modules of a course were not saved, and previews what was", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const other = await otherAuthor(app)
  const { unique } = app
  const dialog = page.getByRole("dialog")
  const announcer = page.locator(".announcer")
  const modules: { module_id: number }[] = []
  for (const name of ["One", "Two", "Three"]) {
    const { id } = await other.create("/api/modules/text", { name: `${name} ${unique}`, content: "<p>Text.</p>" })
    modules.push({ module_id: id })
  }
  const course = await other.create("/api/course/create", { name: `Course ${unique}`, modules: modules.slice(0, 2) })

  await app.goto(`/courses/${course.id}/preview`)
  await page.getByRole("link", { name: "Back to the course" }).click()
  const saved = page.waitForResponse((response) => response.request().method() === "PUT")
  await page.getByRole("button", { name: `Move One ${unique} down` }).click()
  await saved
  await page.getByRole("link", { name: "Preview" }).click()
  await expect(page.locator("nav.card .what a")).toHaveText([`1. Two ${unique}`, `2. One ${unique}`])
  await page.getByRole("link", { name: "Back to the course" }).click()

  app.allowStatus(412, 422)
  await page.getByRole("link", { name: `Settings of One ${unique}` }).click()
  await dialog.getByLabel("Release after (days)").fill("99999")
  await page.keyboard.press("Tab")
  await expect(dialog.getByText("Modules drip days must be 36500 or less.")).toBeVisible()
  await dialog.getByRole("button", { name: "Close" }).click()

  await other.change(`/api/course/${course.id}`, { courseCredit: 2 })
  await page.getByRole("button", { name: "From library" }).click()
  await dialog.getByRole("searchbox").fill(`Three ${unique}`)
  await dialog.getByLabel(`Three ${unique}`, { exact: true }).check()
  await dialog.getByRole("button", { name: "Add selected" }).click()
  await expect(page.getByText("Someone else changed this in the meantime.")).toBeVisible()
  await expect(announcer.getByText("module added")).toHaveCount(0)
  await expect(page.locator(".ordered > li")).toHaveCount(2)
  await other.create("/api/course/delete", { delete_ids: [course.id] })
})

test("Staff see who was recertified before an error", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  await app.goto("/courses?courseName=Safety")
  await page.getByRole("main").getByRole("link", { name: "Safety at work", exact: true }).click()
  await page.getByRole("main").getByRole("link", { name: "Learners", exact: true }).click()
  await page.locator("tbody").getByRole("checkbox").first().check()
  await page.locator("tbody").getByRole("checkbox").nth(1).check()
  app.allowStatus(422)
  let calls = 0
  await page.route("**/api/course/recertify", (route) =>
    ++calls === 1
      ? route.fulfill({ json: { message: "Enrollment recertified." } })
      : route.fulfill({ status: 422, json: { code: "validation_failed", message: "It is not complete." } }),
  )
  const dialog = page.getByRole("dialog")
  await page.getByRole("button", { name: "Recertify" }).click()
  const reloaded = page.waitForResponse(/enrolled-students/)
  await dialog.getByRole("button", { name: "Recertify" }).click()
  await reloaded
  await expect(dialog.getByText("It is not complete.")).toBeVisible()
})
