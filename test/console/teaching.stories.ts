import assert from "node:assert/strict"
import type { Locator } from "playwright-core"
import type { Stage, Story } from "../../scripts/lib/story.ts"

/** Sends something as whoever is signed in, as the page itself would. @returns what was answered */
async function sends<Answer>(stage: Stage, path: string, body: unknown): Promise<Answer> {
  const sent = { path, body: JSON.stringify(body) }
  return await stage.page.evaluate(async (given) => {
    const headers = { "content-type": "application/json" }
    const response = await fetch(given.path, { method: "POST", headers, body: given.body })
    return await response.json()
  }, sent)
}

const reads = async <Answer>(stage: Stage, path: string): Promise<Answer> =>
  await stage.page.evaluate(async (given) => await (await fetch(given)).json(), path)

interface Created {
  id: number
}

/** The names of what is in order, from the first to the last. */
const order = async (stage: Stage) => await stage.page.locator(".ordered > li legend a").allTextContents()

/** Waits until the order on the screen is this one. */
async function hasOrder(stage: Stage, names: readonly string[]) {
  const shown = "[...document.querySelectorAll('.ordered > li legend a')].map(({ textContent }) => textContent)"
  await stage.holds(`${shown}.join() === ${JSON.stringify(names.join())}`)
}

const STEPS = 20
const STEP_MS = 20

/** Drags one row's handle to another's, no faster than a hand: rows that give way to it take a moment. */
async function drags({ page }: Stage, from: Locator, to: Locator) {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  assert.ok(start && end)
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
async function courseToEvaluate(stage: Stage) {
  const name = `Essays ${stage.unique}`
  const content = "<p>Say what you think.</p>"
  const essay = await sends<Created>(stage, "/api/modules/assignment", {
    name: `An essay ${stage.unique}`,
    content,
    submission_type: "text",
    totalPoints: 10,
  })
  const modules = [{ module_id: essay.id }]
  const course = await sends<Created>(stage, "/api/course/create", { name, status: "publish", modules })
  const learners = await reads<{ records: Created[] }>(
    stage,
    "/api/users/lookup?search_term=learners.example.com&page_size=2&page_number=1",
  )
  await sends(stage, "/api/course/enroll", { course_ids: [course.id], user_ids: learners.records.map(({ id }) => id) })
  const enrolled = await reads<{ records: (Created & { first_name: string; last_name: string })[] }>(
    stage,
    `/api/course/enrolled-students?course_id=${course.id}&group_id=&page_size=2&page_number=1`,
  )
  for (const [at, { id }] of enrolled.records.entries())
    await sends(stage, "/api/module/assignment/submit", {
      registrationId: id,
      moduleId: essay.id,
      submission: `<p>Thought ${at} of <em>mine</em>.</p>`,
    })
  return { id: course.id, name, names: enrolled.records.map((one) => `${one.first_name} ${one.last_name}`) }
}

export const stories: readonly Story[] = [
  {
    name: "A teacher makes a course and puts its modules in order",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.go("Courses")
      await stage.looks("courses")
      await page.getByRole("link", { name: "New course" }).click()
      await page.getByLabel("Name", { exact: true }).fill(`Ways of working ${stage.unique}`)
      await page.locator("[name=content]").fill("<p>How we <strong>work</strong>.</p><script>alert(1)</script>")
      await page.locator(".preview strong", { hasText: "work" }).waitFor()
      await stage.looks("new course")
      await page.getByRole("button", { name: "Create" }).click()
      await page.getByText("The course has no modules yet.").waitFor()
      for (const name of [
        "Clear writing: Introduction",
        "Leading a team: Introduction",
        "Safety at work: Introduction",
      ]) {
        await page.getByRole("searchbox").fill(name)
        await page.getByLabel(name, { exact: true }).check()
      }
      await page.getByRole("button", { name: "Add modules" }).click()
      const [writing, leading, safety] = [
        "Clear writing: Introduction",
        "Leading a team: Introduction",
        "Safety at work: Introduction",
      ]
      await hasOrder(stage, [writing, leading, safety])
      await page.getByRole("button", { name: `Move ${writing} down` }).press("Enter")
      await stage.hears(`${writing} is now at place 2 of 3.`)
      await hasOrder(stage, [leading, writing, safety])
      await page.getByRole("button", { name: `Move ${writing} down` }).press("Enter")
      await hasOrder(stage, [leading, safety, writing])
      const focused = await page.evaluate("document.activeElement.getAttribute('aria-label')")
      assert.equal(focused, `Move ${writing} up`, "at the end the focus goes to the button that still moves")
      if (!stage.isPhone) {
        const handles = page.locator(".ordered > li .handle")
        await drags(stage, handles.nth(2), handles.nth(0))
        await hasOrder(stage, [writing, leading, safety])
      }
      await page.getByLabel("Required").last().uncheck()
      await page.waitForLoadState("networkidle")
      const shown = await order(stage)
      await stage.looks("modules in order")
      await page.reload()
      await stage.settled()
      assert.deepEqual(await order(stage), shown)
      assert.equal(await page.getByLabel("Required").last().isChecked(), false)
    },
  },
  {
    name: "A teacher makes a new module from within a course, and is back at the course with it",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      const name = `Onboarding ${stage.unique}`
      const course = await sends<Created>(stage, "/api/course/create", { name })
      await stage.open(`/courses/${course.id}?tab=modules`)
      await page.getByLabel("Type").selectOption("quiz")
      await page.getByRole("link", { name: "Make a new module" }).click()
      await stage.sees(`It is added to the course ${name}.`)
      assert.equal(await page.getByLabel("Percent of the points to pass").inputValue(), "70")
      await page.getByLabel("Name", { exact: true }).fill(`Facts ${stage.unique}`)
      await stage.looks("a new module for the course")
      // Somebody else adds a module between the reading of the course and its change: both are kept.
      const other = { name: `Other ${stage.unique}`, content: "<p>Text.</p>" }
      const text = await sends<Created>(stage, "/api/modules/text", other)
      let meanwhile = true
      await page.route(`**/api/course/${course.id}`, async (route) => {
        if (route.request().method() !== "PUT" || !meanwhile) return route.continue()
        meanwhile = false
        await page.evaluate(
          async ([path, body]) => {
            await fetch(path, { method: "PUT", headers: { "content-type": "application/json" }, body })
          },
          [`/api/course/${course.id}`, JSON.stringify({ modules: [{ module_id: text.id }] })] as const,
        )
        return route.continue()
      })
      stage.expectStatus(412)
      await page.getByRole("button", { name: "Create" }).click()
      await page.getByRole("heading", { level: 1, name }).waitFor()
      await hasOrder(stage, [other.name, `Facts ${stage.unique}`])
      await stage.looks("back at the course")
    },
  },
  {
    name: "A teacher gives a course a picture and a text of several lines, as learners then see them",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      const name = `Lines ${stage.unique}`
      const picture = "/assets/logo.svg"
      const isLoaded = "[...document.querySelectorAll('img.course-picture')].some((one) => one.naturalWidth > 0)"
      await stage.open("/courses/new")
      await page.getByLabel("Name", { exact: true }).fill(name)
      await page.getByLabel("Status").selectOption("publish")
      const typed = "First line\nsecond <b>line</b>\n\nNext paragraph"
      await page.locator("[name=content]").fill(typed)
      await page.locator("[name=instructions]").fill("<ul>\n<li>one</li>\n<li>two</li>\n</ul>")
      await page.getByLabel("URL of its picture").fill(picture)
      await page.getByLabel("URL of its picture").press("Tab")
      await stage.holds(isLoaded)
      await stage.looks("the new course")
      await page.getByRole("button", { name: "Create" }).click()
      await page.getByText("The course has no modules yet.").waitFor()
      await stage.holds(isLoaded)
      await stage.looks("the course with its picture")

      const id = Number(/courses\/(\d+)/.exec(page.url())?.[1])
      const stored = await reads<{ content: string; instructions: string }>(stage, `/api/course/${id}`)
      const paragraphs = "<p>First line<br>second <b>line</b></p><p>Next paragraph</p>"
      assert.equal(stored.content, paragraphs)
      assert.match(stored.instructions, /^<ul>\n<li>one/)
      await stage.open(`/courses/${id}`)
      assert.equal(await page.locator("[name=content]").inputValue(), typed)
      await page.getByRole("button", { name: "Save" }).click()
      await stage.hears(/./)
      const again = await reads<{ content: string; instructions: string }>(stage, `/api/course/${id}`)
      assert.deepEqual([again.content, again.instructions], [stored.content, stored.instructions])

      // Text that a client of the API sent has its lines as well, and stays as it is.
      const me = await reads<Created>(stage, "/api/me")
      await page.evaluate(
        async ([path, body]) => {
          await fetch(path, { method: "PUT", headers: { "content-type": "application/json" }, body })
        },
        [`/api/course/${id}`, JSON.stringify({ instructions: "Bring:\npaper\npens" })] as const,
      )
      await sends(stage, "/api/course/enroll", { course_ids: [id], user_ids: [me.id] })
      await stage.open("/learning")
      await page.getByLabel("Course", { exact: true }).fill(name)
      await page.locator(".card", { hasText: name }).locator("img.course-picture").waitFor()
      await stage.looks("my courses")
      await page.getByRole("link", { name, exact: true }).click()
      await stage.sees("paper")
      await stage.holds(isLoaded)
      assert.equal(await page.locator(".rich-text p", { hasText: "First line" }).locator("br").count(), 1)
      assert.equal(await page.locator(".rich-text p", { hasText: "Bring:" }).locator("br").count(), 2)
      await stage.looks("the course as its learner sees it")
      await stage.open("/learning/library")
      await page.getByLabel("Course", { exact: true }).fill(name)
      await page.locator(".card", { hasText: name }).locator("img.course-picture").waitFor()
    },
  },
  {
    name: "A teacher is told what an assignment lacks in the words of the form",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.open("/modules/assignment/new")
      const types = page.getByLabel("Types of files")
      assert.equal(await types.isVisible(), false)
      await page.getByLabel("What is handed in").selectOption("file")
      await types.fill("image, pdf")
      await page.getByLabel("Name", { exact: true }).fill(`Drawing ${stage.unique}`)
      await page.getByLabel("Instructions", { exact: true }).fill("<p></p>")
      stage.expectStatus(422)
      await page.getByRole("button", { name: "Create" }).click()
      await page.locator(".fault", { hasText: /^Instructions is required/ }).waitFor()
      assert.doesNotMatch(String(await page.locator("form").last().textContent()), /content is|allowed_filetypes/)
      await stage.looks("what is missing")
      await page.getByLabel("Instructions", { exact: true }).fill("Draw it.")
      await page.getByRole("button", { name: "Create" }).click()
      await page.getByText("In no course yet.").waitFor()

      // What cannot work yet is no button.
      await stage.open("/enrollments")
      const enroll = page.getByRole("button", { name: "Enroll in courses" })
      assert.equal(await enroll.isDisabled(), true)
      await page.locator(".picker [type=checkbox]").first().check()
      await page.locator(".picker").last().locator("[type=checkbox]").first().check()
      await page.getByRole("button", { name: "Make 1 enrollment" }).waitFor()
      await page.locator("main a.within").click()
      await page.getByRole("dialog").getByRole("button", { name: "Leave without saving" }).click()
    },
  },
  {
    name: "A teacher writes a quiz and is told where something is missing",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      await stage.open("/modules?tab=quiz")
      await stage.looks("quizzes")
      await page.getByRole("link", { name: "New module: Quiz" }).click()
      await page.getByLabel("Name", { exact: true }).fill(`Capitals ${stage.unique}`)
      await page.getByRole("button", { name: "Add a question" }).click()
      await page.getByRole("button", { name: "Add a question" }).click()
      const [first, second] = [0, 1].map((at) => page.locator("fieldset.question").nth(at))
      assert.ok(first && second)
      await first.getByLabel("What is asked").fill("Which is in Peru?")
      await first.getByLabel("Answer 1").fill("Lima")
      await first.getByLabel("Answer 2").fill("Quito")
      await second.getByLabel("What is asked").fill("The capital of Chile?")
      await second.getByLabel("Type").selectOption("short")
      stage.expectStatus(422)
      await page.getByRole("button", { name: "Create" }).click()
      await stage.sees("Accepted answers must name one accepted text or more.")
      await stage.looks("refused")
      await second.getByLabel("Accepted answers").fill("Santiago\nSantiago de Chile")
      await page.getByRole("button", { name: "Move The capital of Chile? up" }).click()
      await page.getByRole("button", { name: "Create" }).click()
      await page.getByText("In no course yet.").waitFor()
      await page.reload()
      await stage.settled()
      assert.equal(await first.getByLabel("What is asked").inputValue(), "The capital of Chile?")
      assert.equal(await first.getByLabel("Accepted answers").inputValue(), "Santiago\nSantiago de Chile")
      assert.equal(await second.getByLabel("Right").first().isChecked(), true)
    },
  },
  {
    name: "A teacher evaluates one submission after the other without the mouse",
    who: "staff@example.com",
    play: async (stage) => {
      const { page } = stage
      const course = await courseToEvaluate(stage)
      const [other = "", learner = ""] = course.names
      await stage.open(`/assignments?status=Submitted&course=${course.id}`)
      await stage.sees("2 in all")
      await stage.looks("what waits")
      await page.getByRole("link", { name: learner }).press("Enter")
      await page.getByRole("heading", { level: 1, name: learner }).waitFor()
      await stage.sees("Thought 1 of")
      await stage.looks("beside the submission")
      await page.getByLabel("Points").fill("7")
      await page.getByLabel("Remarks for the learner").fill("Say more of the second.")
      await page.getByRole("button", { name: "Save, and on to the next" }).press("Enter")
      await page.getByRole("heading", { level: 1, name: other }).waitFor()
      await stage.holds("document.activeElement.name === 'pointsAwarded'")
      await page.keyboard.type("9")
      await page.keyboard.press("Enter")
      await stage.sees("9 of 10")
      await stage.holds("document.activeElement.getAttribute('aria-labelledby') === 'evaluation'")
      await page.getByRole("link", { name: "Previous submission" }).press("Enter")
      await stage.sees("7 of 10")
      await stage.sees("Say more of the second.")
      await stage.looks("evaluated")
      await stage.open(`/assignments?status=Submitted&course=${course.id}`)
      await stage.sees("Nothing matches the search.")
    },
  },
]
