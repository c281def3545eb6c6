import assert from "node:assert/strict"
import { type Connection, call, connect, json, PASSWORD } from "../../scripts/lib/client.ts"
import type { Stage, Story } from "../../scripts/lib/story.ts"

type Json = Record<string, unknown>

const post = (who: Connection, path: string, body: object) =>
  call(who, "POST", path, body).then((answer) => json<Json>(answer))

/** A course of this play's own, as staff makes it: a text, a quiz behind it, an assignment. The learner is in it. */
async function ownCourse(stage: Stage, learner: string) {
  const staff = await connect(stage.base, "staff@example.com", PASSWORD)
  const { userId } = await connect(stage.base, learner, PASSWORD)
  const name = `Knots ${stage.unique}`
  const text = await post(staff, "/api/modules/text", { name: "Why knots hold", content: "<p>Friction.</p>" })
  const quiz = await post(staff, "/api/modules/quiz", {
    name: "Which knot?",
    content: "<p>Two questions.</p>",
    passPercent: 100,
    maxAttempts: 3,
    timeLimitMinutes: 20,
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
    name,
    slug: `knots-${stage.unique}`,
    status: "publish",
    certificateTemplateId: 1,
    modules: [
      { module_id: text.id, required: true },
      { module_id: quiz.id, required: true, isLocked: true },
      { module_id: assignment.id, required: false },
    ],
  })
  await post(staff, "/api/course/enroll", { course_ids: [id], user_ids: [userId] })
  const asked = `user_id=${userId}&page_size=1&page_number=1&search_param[nameOrEmail]=${name}`
  const { records } = await json<{ records: { id: number }[] }>(
    await call(staff, "GET", `/api/users/enrolled-courses?${asked}`),
  )
  return { name, staff, place: { registrationId: records[0]?.id, moduleId: assignment.id } }
}

interface Operation {
  "x-role"?: string
}

/** What the service's own description says of an operation: its least role. */
async function roles(stage: Stage) {
  const { paths } = await json<{ paths: Record<string, Record<string, Operation>> }>(
    await fetch(`${stage.base}/openapi.json`),
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

/** Opens each view that the navigation leads to. @returns what they are called */
async function everywhere(stage: Stage) {
  const links = await stage.page.locator("#navigation a").all()
  const named = await Promise.all(
    links.map(async (link) => ({ name: await link.textContent(), at: (await link.getAttribute("href")) ?? "" })),
  )
  for (const { at } of named) await stage.open(at.replace("/console", ""))
  return named.map(({ name }) => name)
}

export const stories: readonly Story[] = [
  {
    name: "A learner takes a course from its text to its quiz, and a reload loses no answer",
    who: "learner@example.com",
    play: async (stage) => {
      const { page } = stage
      const { name } = await ownCourse(stage, "learner@example.com")
      await stage.looks("home")
      await stage.go("My courses")
      await page.getByLabel("Course", { exact: true }).fill(name)
      await stage.sees(/^1 found of/)
      await stage.looks("courses")
      await page.getByRole("link", { name }).click()
      await stage.sees("Complete Why knots hold first.")
      await page.getByRole("link", { name: "Go on with Why knots hold" }).click()
      await stage.sees("Friction.")
      await stage.looks("text")
      await page.getByRole("button", { name: "I have completed this" }).click()
      await stage.hears("Why knots hold is completed.")
      await page.getByRole("link", { name: "Go on", exact: true }).click()
      const terms = page.locator("main dl.facts")
      assert.equal(
        await terms.textContent(),
        "Questions2Time limit20 minutesTo pass100% of the pointsAttempts0 of 3 used",
      )
      await stage.looks("before the quiz")
      await page.getByRole("button", { name: "Begin the quiz" }).click()
      await page.getByLabel("Bowline").check()
      await page.getByRole("button", { name: "Hand in the answers" }).click()
      await stage.sees("1 of 2 questions has no answer. It earns no points.")
      await stage.looks("asked about unanswered questions")
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      await page.getByLabel("Sheet bend").check()
      await stage.looks("quiz")
      await page.reload()
      await stage.sees("2 of 2 answered")
      assert.ok(await page.getByLabel("Bowline").isChecked(), "the answer outlives the reload")
      await page.getByLabel("Carrick bend").check()
      await page.getByRole("button", { name: "Hand in the answers" }).click()
      await stage.sees(`You completed ${name}`)
      await stage.looks("completed")
      const dialog = page.getByRole("dialog")
      const link = await dialog.getByLabel("Link to share").inputValue()
      assert.equal(await dialog.getByRole("link", { name: "Open its public page" }).getAttribute("href"), link)
      const shared = await fetch(link)
      assert.match(await shared.text(), new RegExp(`Certificate: Valid[^]*${name}`))
      const href = (await dialog.getByRole("link", { name: "Download your certificate" }).getAttribute("href")) ?? ""
      const file = await page.request.get(`${stage.base}${href}`)
      assert.equal(file.headers()["content-type"], "application/pdf")
      await dialog.getByText("Close", { exact: true }).click()
      await stage.sees("3 of 3 points, 100%")
      assert.match(String(await terms.textContent()), /1 of 3 used$/)
      await stage.looks("passed")
      await page.getByRole("link", { name: "My courses" }).last().click()
      await page.getByLabel("Course", { exact: true }).fill(name)
      await page.getByRole("link", { name }).click()
      await stage.sees(`You completed ${name}`)
      await stage.looks("completed before")
      await stage.go("My courses")
      await page.getByLabel("Course", { exact: true }).fill(name)
      await stage.sees(/^1 found of/)
      await page.locator("main .cards").getByText("Completed").waitFor()
    },
  },
  {
    name: "A learner hands in a text, which staff returns and then accepts",
    who: "learner@example.com",
    play: async (stage) => {
      const { page } = stage
      const { name, staff, place } = await ownCourse(stage, "learner@example.com")
      await stage.go("My courses")
      await page.getByLabel("Course", { exact: true }).fill(name)
      await stage.sees(/^1 found of/)
      await page.getByRole("link", { name }).click()
      await page.getByRole("link", { name: "Your best knot" }).click()
      await page.getByLabel("Your text").fill("First a loop <so>.\n\nThen through it.")
      await page.getByRole("button", { name: "Hand in", exact: true }).click()
      await stage.hears("Assignment submitted.")
      await stage.sees("First a loop <so>.")
      const evaluate = (isAccepted: boolean, pointsAwarded: number, instructorMessage: string) =>
        post(staff, "/api/module/assignment/evaluate", {
          ...place,
          evaluation: { isAccepted, pointsAwarded, instructorMessage },
        })
      await evaluate(false, 4, "And how is it untied?")
      await page.reload()
      await stage.sees("And how is it untied?")
      await stage.looks("returned")
      await page.getByLabel("Your text").fill("First a loop. Then through it. Pull both ends to untie it.")
      await page.getByRole("button", { name: "Hand in", exact: true }).click()
      await stage.hears("Assignment submitted.")
      await evaluate(true, 9, "Now it holds.")
      await page.reload()
      await stage.sees("9 of 10 points")
      await stage.go("My assignments")
      await stage.looks("assignments")
    },
  },
  {
    name: "A learner hands in a file, and sees it by its name",
    who: "learner@example.com",
    play: async (stage) => {
      const { page } = stage
      const staff = await connect(stage.base, "staff@example.com", PASSWORD)
      const { userId } = await connect(stage.base, "learner@example.com", PASSWORD)
      const { id: module_id } = await post(staff, "/api/modules/assignment", {
        name: "A plan",
        content: "<p>On one page.</p>",
        submission_type: "file",
        allowed_filetypes: ["pdf"],
      })
      const { id } = await post(staff, "/api/course/create", {
        name: `Plans ${stage.unique}`,
        status: "publish",
        modules: [{ module_id }],
      })
      await post(staff, "/api/course/enroll", { course_ids: [id], user_ids: [userId] })
      await stage.open("/learning")
      await page.getByRole("link", { name: `Plans ${stage.unique}` }).click()
      await page.getByRole("navigation").getByRole("link", { name: "A plan" }).click()
      const handIn = page.getByRole("button", { name: "Hand in", exact: true })
      await handIn.waitFor()
      assert.equal(await handIn.isDisabled(), true)
      const plan = { name: "my plan.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") }
      await page.locator("input[type=file]").setInputFiles(plan)
      await page.getByRole("listitem").filter({ hasText: "my plan.pdf" }).waitFor()
      // The uploaded file is an unsaved change.
      await page.locator("main a.within").click()
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      await handIn.click()
      await stage.hears("Assignment submitted.")
      await page.getByRole("link", { name: "my plan.pdf" }).waitFor()
      await stage.looks("the file that was handed in")
    },
  },
  {
    name: "A learner's console calls nothing that a learner may not",
    who: "learner@example.com",
    play: async (stage) => {
      const roleOf = await roles(stage)
      const names = await everywhere(stage)
      assert.ok(names.includes("My certificates") && !names.includes("Users"), names.join(", "))
      await stage.open("/learning/library")
      await stage.looks("library")
      await stage.go("My classes")
      await stage.looks("classes")
      await stage.page
        .getByRole("link", { name: /Working with data/ })
        .first()
        .click()
      await stage.sees("Study material")
      await stage.looks("class")
      await stage.go("My courses")
      await stage.page.getByRole("link", { name: "Writing workshop" }).first().click()
      await stage.page.getByRole("link", { name: "Writing workshop: An essay" }).click()
      await stage.sees("Worth 20 points.")
      await stage.go("My certificates")
      await stage.looks("certificates")
      await stage.go("News")
      await stage.looks("news")
      await stage.open("/account")
      await stage.looks("account")
      const odd = stage.calls.filter((one) => roleOf(one) !== "general")
      assert.deepEqual(odd, [], "calls of another role")
      assert.ok(stage.calls.length > 15, "the walk was recorded")
    },
  },
  {
    name: "A role that is forged in the browser shows more links, and changes nothing",
    who: "learner@example.com",
    play: async (stage) => {
      const { page } = stage
      const roleOf = await roles(stage)
      const owner = await connect(stage.base, "owner@example.com", PASSWORD)
      const audited = async () =>
        (
          await json<{ recordsTotal: number }>(
            await call(owner, "GET", "/api/audit-activities?page_size=1&page_number=1"),
          )
        ).recordsTotal
      const { userId } = await connect(stage.base, "learner@example.com", PASSWORD)
      const before = await audited()
      await page.route("**/api/me", async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { ...(await answer.json()), role: "owner" } })
      })
      stage.expectStatus(403, 404)
      await page.reload()
      await stage.settled()
      const names = await everywhere(stage)
      assert.ok(names.includes("Users") && names.includes("Audit log"), names.join(", "))
      await stage.open("/users/new")
      // And what its forms would send.
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
      assert.deepEqual(statuses, [403, 403, 403])
      const above = stage.calls.filter((one) => roleOf(one) !== "general")
      assert.ok(above.length > 0, "some calls ask for more than a learner")
      assert.deepEqual(
        above.filter(({ status }) => status !== 403 && status !== 404),
        [],
        "all of those are refused",
      )
      assert.equal(await audited(), before, "nothing was changed")
    },
  },
]
