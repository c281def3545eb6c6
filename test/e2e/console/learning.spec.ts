import { type Connection, call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import type { ConsolePage } from "./console-page.ts"

type Json = Record<string, unknown>

const post = (who: Connection, path: string, body: object) =>
  call(who, "POST", path, body).then((answer) => json<Json>(answer))

/** A new course with a text, a locked quiz and an assignment, in which the learner is enrolled. */
async function createCourse(app: ConsolePage, learner: string) {
  const staff = await connect(app.url, "staff@example.com", PASSWORD)
  const { userId } = await connect(app.url, learner, PASSWORD)
  const name = `Knots ${app.unique}`
  const text = await post(staff, "/api/modules/text", { name: "Why knots hold", content: "<p>Friction.</p>" })
  const quiz = await post(staff, "/api/modules/quiz", {
    name: "Which knot?",
    content: "<p>Two questions.</p>",
    passPercent: 100,
    maxAttempts: 3,
    timeLimitMinutes: 75,
    questions: [
      {
        text: "Which loop does not slip?",
        type: "single",
        points: 1,
        options: [{ text: "Bowline", correct: true }, { text: "Noose" }],
      },
      {
        text: "Which two are bends?",
        type: "multiple",
        points: 2,
        options: [
          { text: "Sheet bend", correct: true },
          { text: "Carrick bend", correct: true },
          { text: "Clove hitch" },
        ],
      },
    ],
  })
  const assignment = await post(staff, "/api/modules/assignment", {
    name: "Your best knot",
    content: "<p>Tell how it is tied.</p>",
    totalPoints: 10,
    submission_type: "text",
  })
  const { id } = await post(staff, "/api/course/create", {
    enableCourseRating: true,
    name,
    slug: `knots-${app.unique}`,
    status: "publish",
    certificateTemplateId: 1,
    modules: [
      { module_id: text.id, required: true },
      { module_id: quiz.id, required: true, isLocked: true },
      { module_id: assignment.id, required: false },
    ],
  })
  await post(staff, "/api/course/enroll", { course_ids: [id], user_ids: [userId] })
  const parameters = `user_id=${userId}&page_size=1&page_number=1&search_param[nameOrEmail]=${name}`
  const { records } = await json<{ records: { id: number }[] }>(
    await call(staff, "GET", `/api/users/enrolled-courses?${parameters}`),
  )
  return { id, name, staff, quizId: quiz.id, submission: { registrationId: records[0]?.id, moduleId: assignment.id } }
}

interface Operation {
  "x-role"?: string
}

/** The lowest role of each operation, from the OpenAPI document. */
async function roles(app: ConsolePage) {
  const { paths } = await json<{ paths: Record<string, Record<string, Operation>> }>(
    await fetch(`${app.url}/openapi.json`),
  )
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
      isPlain: !path.includes("{"),
      role: operation["x-role"] ?? "anyone",
    })),
  )
  return ({ method, path }: { method: string; path: string }) => {
    const fit = known.filter((one) => one.method === method && one.pattern.test(path))
    return (fit.find(({ isPlain }) => isPlain) ?? fit[0])?.role
  }
}

/** Opens every view of the navigation. @returns their names */
async function openAllViews(app: ConsolePage) {
  const links = await app.page.locator("#navigation a").all()
  const named = await Promise.all(
    links.map(async (link) => ({ name: await link.textContent(), at: (await link.getAttribute("href")) ?? "" })),
  )
  for (const { at } of named) await app.goto(at.replace("/console", ""))
  return named.map(({ name }) => name)
}

test("A learner completes a course, and a reload of a quiz loses no answer", async ({ page, signIn }) => {
  const app = await signIn("learner@example.com")

  const { name, submission, quizId } = await createCourse(app, "learner@example.com")
  await app.expectAccessible("home")
  await app.navigate("My courses")
  await page.getByLabel("Search courses", { exact: true }).fill(name)
  await app.expectText(/^1 of \d/)
  await app.expectAccessible("courses")
  await page.getByRole("link", { name, exact: true }).click()
  await app.expectText("Complete Why knots hold first.")
  await app.expectAccessible("about the course")
  await page.getByRole("link", { name: "Continue: Why knots hold" }).click()
  await app.expectText("Friction.")
  await app.expectAccessible("text")
  await page.getByRole("button", { name: "Complete and continue" }).click()
  await app.expectAnnouncement("Why knots hold completed.")
  const terms = page.locator("main dl.facts")
  await expect(terms).toHaveText("Questions2Time limit1 hour, 15 minutesPassing score100%Attempts0 of 3 used")
  await app.expectAccessible("before the quiz")
  await page.getByRole("button", { name: "Start quiz" }).click()
  await expect(page.getByRole("timer")).toHaveText(/ 1:1\d:\d\d/)
  await page.getByLabel("Bowline").check()
  await page.getByRole("button", { name: "Submit quiz" }).click()
  await app.expectText("1 of 2 questions is unanswered and earns no points.")
  await app.expectAccessible("warning about unanswered questions")
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
  await page.getByLabel("Sheet bend").check()
  await app.expectAccessible("quiz")
  await page.reload()
  await app.expectText("2 of 2 answered")
  expect(await page.getByLabel("Bowline").isChecked(), "the answer is kept after the reload").toBeTruthy()
  await page.getByLabel("Carrick bend").check()
  await page.getByRole("button", { name: "Submit quiz" }).click()
  await app.expectText(`You completed ${name}`)
  await app.expectAccessible("completed")
  const dialog = page.getByRole("dialog")
  const link = await dialog.getByLabel("Share link").inputValue()
  expect(await dialog.getByRole("link", { name: "View public page" }).getAttribute("href")).toBe(link)
  const shared = await fetch(link)
  expect(await shared.text()).toMatch(new RegExp(`Certificate: Valid[^]*${name}`))
  const href = (await dialog.getByRole("link", { name: "Download certificate" }).getAttribute("href")) ?? ""
  const file = await page.request.get(`${app.url}${href}`)
  expect(file.headers()["content-type"]).toBe("application/pdf")
  await dialog.getByText("Close", { exact: true }).click()
  await app.expectText("3 of 3 points, 100%")
  expect(String(await terms.textContent())).toMatch(/1 of 3 used$/)
  await app.expectAccessible("passed")
  // Another attempt, submitted on another device: the open page starts no third one.
  await page.getByRole("button", { name: "Retake quiz" }).click()
  await page.getByLabel("Noose").check()
  await page.getByLabel("Clove hitch").check()
  const learner = await connect(app.url, "learner@example.com", PASSWORD)
  const query = `registrationId=${submission.registrationId}&moduleId=${quizId}`
  const answer = await call(learner, "GET", `/api/quiz/attempts?${query}`)
  const { attempts } = await json<{ attempts: Json[] }>(answer)
  await post(learner, "/api/quiz/submit", { attemptId: attempts.at(-1)?.attemptId, answers: [] })
  app.allowStatus(409)
  await page.getByRole("button", { name: "Submit quiz" }).click()
  await app.expectText("This attempt was already submitted.")
  await expect(terms).toContainText("2 of 3 used")
  await page.reload()
  await expect(terms).toContainText("2 of 3 used")
  await page.locator("main a.within").click()
  await app.expectText(`You completed ${name}`)
  await app.expectAccessible("completed earlier")
  await page.getByRole("button", { name: "Rate this course" }).click()
  await dialog.getByLabel("4 stars").check()
  await dialog.getByLabel("Comment").fill("Clear and short.")
  await app.expectAccessible("rating")
  await dialog.getByRole("button", { name: "Save" }).click()
  await app.expectText("Your rating: 4 stars")
  await app.navigate("My courses")
  await page.getByLabel("Search courses", { exact: true }).fill(name)
  await app.expectText(/^1 of \d/)
  await expect(page.locator("main .cards").getByText("Completed")).toBeVisible()
})

test("A learner submits a text, which staff return and then accept", async ({ page, signIn }) => {
  const app = await signIn("learner@example.com")

  const { id, name, staff, submission } = await createCourse(app, "learner@example.com")
  await app.navigate("My courses")
  await page.getByLabel("Search courses", { exact: true }).fill(name)
  await app.expectText(/^1 of \d/)
  await page.getByRole("link", { name, exact: true }).click()
  // The time in a lesson counts when the learner returns to it.
  const lesson = page.getByRole("link", { name: "Why knots hold", exact: false }).last()
  await lesson.click()
  const spent = page.getByText(/^Time spent: ([6-9]|\d\d) seconds/)
  await expect(spent).toBeVisible()
  await page.locator("main a.within").click()
  await page.getByRole("link", { name: "Your best knot" }).click()
  await page.locator("main a.within").click()
  await lesson.click()
  await expect(spent).toBeVisible({ timeout: 4000 })
  await page.locator("main a.within").click()
  await page.getByRole("link", { name: "Your best knot" }).click()
  await page.getByLabel("Your answer").fill("First a loop <so>.\n\nThen through it.")
  // A closed tab loses no answer.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => /draft/.test(key)))).toBe(true)
  page.once("dialog", (question) => question.accept())
  await page.reload()
  await page.getByRole("button", { name: "Restore draft" }).click()
  await expect(page.getByLabel("Your answer")).toHaveValue("First a loop <so>.\n\nThen through it.")
  const { modules } = await json<{ modules: { module_id: number }[] }>(await call(staff, "GET", `/api/course/${id}`))
  const requireTime = (minTimeSpent: number) =>
    call(staff, "PUT", `/api/course/${id}`, {
      modules: modules.map((module) =>
        module.module_id === submission.moduleId ? { ...module, minTimeSpent } : module,
      ),
    })
  await requireTime(4500)
  app.allowStatus(409)
  await page.getByRole("button", { name: "Submit", exact: true }).click()
  await app.expectText(/^Spend 1 hour, 1\d minutes more in this lesson first\.$/)
  await requireTime(0)
  await page.getByRole("button", { name: "Submit", exact: true }).click()
  await app.expectAnnouncement("Assignment submitted.")
  await app.expectText("First a loop <so>.")
  const evaluate = (isAccepted: boolean, pointsAwarded: number, instructorMessage: string) =>
    post(staff, "/api/module/assignment/evaluate", {
      ...submission,
      evaluation: { isAccepted, pointsAwarded, instructorMessage },
    })
  await evaluate(false, 4, "And how is it untied?")
  await page.reload()
  await app.expectText("And how is it untied?")
  await app.expectAccessible("returned")
  await page.getByLabel("Your answer").fill("First a loop. Then through it. Pull both ends to untie it.")
  await page.getByRole("button", { name: "Submit", exact: true }).click()
  await app.expectAnnouncement("Assignment submitted.")
  await evaluate(true, 9, "Now it holds.")
  await page.reload()
  await app.expectText("9 of 10 points")
  await app.navigate("My assignments")
  await app.expectAccessible("assignments")
})

test("The console of a learner calls only operations for learners", async ({ page, signIn }) => {
  const app = await signIn("learner@example.com")

  const roleOf = await roles(app)
  const names = await openAllViews(app)
  expect(names.includes("My certificates") && !names.includes("Users"), names.join(", ")).toBeTruthy()
  await app.goto("/learning/library")
  await app.expectAccessible("library")
  await app.navigate("My classes")
  await app.expectAccessible("classes")
  await page
    .getByRole("link", { name: /Working with data/ })
    .first()
    .click()
  await app.expectText("Materials")
  await app.expectAccessible("class")
  await app.navigate("My courses")
  await page.getByRole("link", { name: "Writing workshop" }).first().click()
  await page.getByRole("link", { name: "Writing workshop: An essay" }).click()
  await app.expectText("20 points")
  await app.navigate("My certificates")
  await app.expectAccessible("certificates")
  await app.navigate("My announcements")
  await app.expectAccessible("announcements")
  await app.goto("/account")
  await app.expectAccessible("account")
  const forbidden = app.calls.filter((one) => roleOf(one) !== "general")
  expect(forbidden, "calls of another role").toEqual([])
  expect(app.calls.length > 15, "the calls were recorded").toBeTruthy()
})

test("A role forged in the browser shows more links, but the service refuses their calls", async ({ page, signIn }) => {
  const app = await signIn("learner@example.com")

  const roleOf = await roles(app)
  const owner = await connect(app.url, "owner@example.com", PASSWORD)
  const audited = async () =>
    (await json<{ recordsTotal: number }>(await call(owner, "GET", "/api/audit-activities?page_size=1&page_number=1")))
      .recordsTotal
  const { userId } = await connect(app.url, "learner@example.com", PASSWORD)
  const before = await audited()
  await page.route("**/api/me", async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), role: "owner" } })
  })
  app.allowStatus(403, 404)
  await page.reload()
  await app.waitUntilLoaded()
  const names = await openAllViews(app)
  expect(names.includes("Users") && names.includes("Audit log"), names.join(", ")).toBeTruthy()
  await app.goto("/users/new")
  // The calls of the forms.
  const statuses = await page.evaluate(async (userId) => {
    const send = (method: string, path: string, body: object) =>
      fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
    const answers = await Promise.all([
      send("POST", "/api/user/create", { firstName: "Forged", email: "forged@example.com", userType: "owner" }),
      send("POST", "/api/course/create", { name: "Forged", slug: "forged", status: "publish", modules: [] }),
      send("PUT", `/api/user/${userId}`, { userType: "owner" }),
    ])
    return answers.map(({ status }) => status)
  }, userId)
  expect(statuses).toEqual([403, 403, 403])
  const privileged = app.calls.filter((one) => roleOf(one) !== "general")
  expect(privileged.length > 0, "some calls require more than a learner").toBeTruthy()
  expect(
    privileged.filter(({ status }) => status !== 403 && status !== 404),
    "all of these are rejected",
  ).toEqual([])
  expect(await audited(), "nothing was changed").toBe(before)
})
