import { call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"

type Json = Record<string, unknown>

const IMAGE = "/assets/badge-star.svg"

test("A teacher fills a pool, a learner takes a quiz of every type, and the essay is graded", async ({
  page,
  signIn,
}) => {
  const app = await signIn("staff@example.com")
  const staff = await connect(app.url, "staff@example.com", PASSWORD)
  const post = (path: string, body: object) => call(staff, "POST", path, body).then((answer) => json<Json>(answer))

  // The teacher creates a pool with a numeric question.
  await app.goto("/question-pools")
  await page.getByRole("button", { name: "New pool" }).first().click()
  await page.getByLabel("Name", { exact: true }).fill(`Capitals ${app.unique}`)
  await page.getByRole("button", { name: "Create", exact: true }).click()
  await page.getByRole("link", { name: `Capitals ${app.unique}` }).click()
  await page.getByRole("link", { name: "New question" }).first().click()
  await expect(app.heading).toHaveText("New question")
  await page.getByLabel("Type").selectOption("numeric")
  await page.getByLabel("Question", { exact: true }).fill("How many legs has a spider?")
  await page.getByLabel("Correct value").fill("8")
  await page.getByLabel("Tags").fill("animals")
  await app.expectAccessible("new question")
  await page.getByRole("button", { name: "Create", exact: true }).click()
  await expect(page.getByRole("link", { name: "How many legs has a spider?" })).toBeVisible()
  await app.expectAccessible("pool")
  const poolId = Number(new URL(page.url()).pathname.split("/").at(-1))

  // A quiz with the other types, which draws from the pool.
  const quiz = await post("/api/modules/quiz", {
    name: `All types ${app.unique}`,
    content: "",
    passPercent: 50,
    reviewAfter: "attempt",
    partialCredit: true,
    questions: [
      {
        text: "Which capital?",
        type: "matching",
        points: 2,
        options: [
          { text: "France", match: "Paris" },
          { text: "Spain", match: "Madrid" },
        ],
        explanation: "Both are the largest cities.",
        imageUrl: IMAGE,
        imageAlt: "A star",
      },
      { text: "Smallest first", type: "ordering", points: 2, options: [{ text: "one" }, { text: "two" }] },
      { text: "Roses are ___.", type: "fillin", points: 1, blanks: [["red"]] },
      { text: "Why learn?", type: "essay", points: 4 },
    ],
    draws: [{ poolId, count: 1, points: 1 }],
  })
  const course = await post("/api/course/create", {
    name: `Types ${app.unique}`,
    slug: `types-${app.unique}`,
    status: "publish",
    modules: [{ module_id: quiz.id, required: true }],
  })
  const { userId } = await connect(app.url, "learner@example.com", PASSWORD)
  await post("/api/course/enroll", { course_ids: [course.id], user_ids: [userId] })
  const query = `user_id=${userId}&page_size=1&page_number=1&search_param[nameOrEmail]=Types ${app.unique}`
  const { records } = await json<{ records: { id: number }[] }>(
    await call(staff, "GET", `/api/users/enrolled-courses?${query}`),
  )
  const registrationId = records[0]?.id

  // The author sees every type in the editor.
  await app.goto(`/modules/quiz/${quiz.id}`)
  await expect(page.getByLabel("Question", { exact: true }).first()).toHaveValue("Which capital?")
  await app.expectAccessible("editor")
  await app.goto(`/courses/${course.id}/preview?module=${quiz.id}`)
  await expect(page.locator("img.question-image")).toBeVisible()
  await app.expectText("Random questions: 1")

  // The learner answers on a page per question.
  await page.context().clearCookies()
  await signIn("learner@example.com")
  await app.goto(`/learning/${course.id}/${registrationId}?module=${quiz.id}`)
  await expect(page.locator("main dl.facts")).toContainText("Questions5")
  await page.getByRole("button", { name: "Start quiz" }).click()
  await app.expectAccessible("all questions")
  await page.getByLabel("Show one question at a time").check()
  await page.getByLabel("France").selectOption("Paris")
  await page.getByLabel("Spain").selectOption("Madrid")
  await page.getByRole("button", { name: "Next question" }).click()
  await page.getByRole("button", { name: "Move one up" }).click()
  await page.getByRole("button", { name: "Next question" }).click()
  await page.getByLabel("Blank 1").fill("red")
  await page.getByRole("button", { name: "Next question" }).click()
  await page.getByRole("textbox").fill("It opens doors.")
  await page.getByRole("button", { name: "Next question" }).click()
  await app.expectAccessible("one question")
  await page.getByRole("button", { name: "Submit quiz" }).click()
  await expect(page.getByText("1 of 5 questions is unanswered")).toBeVisible()
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
  // Enter in an answer submits nothing.
  await page.getByRole("textbox").fill("8")
  await page.getByRole("textbox").press("Enter")
  await expect(page.getByText("5 of 5 answered")).toBeVisible()
  await page.getByRole("button", { name: "Submit quiz" }).click()
  await expect(page.getByRole("heading", { name: "You submitted the quiz. It waits to be graded." })).toBeFocused()
  await expect(page.getByText("Both are the largest cities.")).toBeVisible()
  await app.expectAccessible("result")

  // The teacher grades the essay, and sees the statistics.
  await page.context().clearCookies()
  await signIn("staff@example.com")
  await app.goto(`/assignments?status=Submitted&course=${course.id}`)
  await page
    .getByRole("row", { name: `All types ${app.unique}` })
    .getByRole("link")
    .click()
  await expect(page.getByText("It opens doors.")).toBeVisible()
  await page.getByLabel("Points", { exact: true }).fill("4")
  await app.expectAccessible("grading")
  await page.getByRole("button", { name: /^Save/ }).click()
  await app.expectAnnouncement("The attempt was graded.")
  await expect(page.locator("[aria-labelledby=evaluation]")).toBeFocused()
  await app.goto(`/modules/quiz/${quiz.id}/statistics`)
  await expect(page.getByText("Attempts: 1.")).toBeVisible()
  await app.expectAccessible("statistics")
})

/** A white image of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=",
  "base64",
)

test("A teacher uploads a picture in a question, and copies the question to a pool", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const dialog = page.getByRole("dialog")
  const question = `Which knot is this? ${app.unique}`

  await app.goto("/modules/quiz/new")
  await page.getByRole("button", { name: "Add question" }).click()
  await page.getByLabel("Question", { exact: true }).fill(question)
  await page.getByLabel("Choice 1").fill("A bowline")
  await page.getByLabel("Choice 2").fill("A reef knot")
  await page.getByText("Explanation and image").click()
  await page.getByRole("button", { name: "Choose or upload image" }).click()
  await dialog
    .getByLabel(/Upload/)
    .first()
    .setInputFiles({ name: `knot-${app.unique}.png`, mimeType: "image/png", buffer: PNG })
  await dialog.getByRole("button", { name: `knot-${app.unique}.png` }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.locator("img.question-image")).toBeVisible()
  await page.getByLabel("Image description").fill("A rope with a loop")
  await app.expectAccessible("question with a picture")

  await page.getByRole("button", { name: "Copy question 1 to bank" }).click()
  await dialog.getByRole("combobox", { name: "Pool" }).fill("Leadership")
  await dialog.getByRole("option", { name: "Leadership" }).first().click()
  await app.expectAccessible("copy")
  await dialog.getByRole("button", { name: "Copy", exact: true }).click()
  await app.expectAnnouncement("Question copied to the question bank.")
  await expect(dialog).toHaveCount(0)
  await page.getByRole("button", { name: "Remove question 1" }).click()

  await app.navigate("Courses", "Question bank")
  await page.getByRole("link", { name: "Leadership" }).click()
  await page.getByRole("link", { name: question }).click()
  await expect(page.getByLabel("Image description")).toHaveValue("A rope with a loop")
  await expect(page.locator("img.question-image")).toBeVisible()
})
