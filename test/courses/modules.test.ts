import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { modules, quizOptions, quizQuestions } from "../../drizzle/schema/modules.ts"
import { rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const list = (type: string, parameters = {}) =>
  get(`/api/modules/${type}${query({ page_size: 10, page_number: 1, ...parameters })}`)

const QUESTIONS = [
  {
    text: "2 + 2?",
    type: "single",
    points: 3,
    options: [{ text: "4", correct: true }, { text: "5" }],
  },
  { text: "Name a prime", type: "short", points: 2, answers: ["2", "3"] },
]

describe("modules", () => {
  for (const [type, more] of [
    ["text", {}],
    ["video", { videoUrl: "https://example.com/a.mp4", videoSeconds: 90 }],
    ["quiz", { questions: QUESTIONS, passPercent: 50 }],
  ] as const) {
    it(`can be created, read, updated and listed as ${type}`, async () => {
      const created = await post(`/api/modules/${type}`, { name: "Limits", content: "<p>Hello</p>", ...more })
      expect(created.body).toEqual({ id: 1, message: "Module created." })
      expect(cost(created).roundTrips).toBe(type === "quiz" ? 2 : 1)
      const read = await get(`/api/modules/${type}/1`)
      const { questions, ...plain } = more as Record<string, unknown>
      expect(read.body).toMatchObject({
        id: 1,
        name: "Limits",
        slug: "limits",
        type,
        content: "<p>Hello</p>",
        ...plain,
      })
      if (questions)
        expect(read.body).toMatchObject({
          totalPoints: 5,
          questions: [{ options: [{ correct: true }, {}] }, { answers: ["2", "3"] }],
        })
      expect(cost(read).roundTrips).toBe(1)
      const changed = await put(`/api/modules/${type}/1`, { name: "Limits again", estimatedCompletion: 2 })
      expect(changed.body).toEqual({ message: "Module updated." })
      expect(cost(changed).roundTrips).toBe(2)
      expect((await get(`/api/modules/${type}/1`)).body).toMatchObject({
        name: "Limits again",
        slug: "limits",
        estimatedCompletion: 2,
        ...plain,
      })
      const listed = await list(type, { search_param: { moduleName: "AGAIN" } })
      expect(listed.body).toMatchObject({
        recordsTotal: 1,
        recordsFiltered: 1,
        records: [{ id: 1, type, course_count: 0 }],
      })
      expect(cost(listed).roundTrips).toBe(1)
      expect((await rowsOf(auditLogs)).map((row) => [row.action, row.subject])).toEqual([
        ["created", "module"],
        ["updated", "module"],
      ])
    })
  }

  it("returns 404 for the path of another module type", async () => {
    const { id } = await module({ type: "video" })
    expect((await get(`/api/modules/text/${id}`)).status).toBe(404)
    expect((await put(`/api/modules/quiz/${id}`, { name: "X" })).status).toBe(404)
    expect((await list("text")).body.recordsTotal).toBe(0)
  })

  it("generates unique slugs for modules with the same name", async () => {
    for (let i = 0; i < 2; i++) await post("/api/modules/text", { name: "Limits", content: "x" })
    expect((await rowsOf(modules)).map((row) => row.slug)).toEqual(["limits", "limits-2"])
  })

  it("escapes HTML tags that are not allowed", async () => {
    const content = [
      '<h2 onclick="x()">A</h2><script>alert(1)</script><a href="javascript:alert(1)">b</a>',
      '<img src="https://a.example/i.png" onerror="x()"><p style="position:fixed">c</p>',
      '<iframe src="https://evil.example"></iframe>',
    ].join("")
    await post("/api/modules/text", { name: "Html", content })
    const [row] = await rowsOf(modules)
    expect(row?.content).toBe(
      [
        '<h2>A</h2>&lt;script&gt;alert(1)&lt;/script&gt;<a>b</a><img src="https://a.example/i.png"><p>c</p>',
        '&lt;iframe src="https://evil.example"&gt;&lt;/iframe&gt;',
      ].join(""),
    )
  })

  it("replaces a quiz's questions", async () => {
    await post("/api/modules/quiz", { name: "Q", content: "x", questions: QUESTIONS })
    const next = [{ text: "True?", type: "truefalse", options: [{ text: "True", correct: true }, { text: "False" }] }]
    expect((await put("/api/modules/quiz/1", { questions: next })).status).toBe(200)
    expect(await rowsOf(quizQuestions)).toMatchObject([{ id: 3, text: "True?", points: 1 }])
    expect(await rowsOf(quizOptions)).toHaveLength(2)
    expect(await rowsOf(modules)).toMatchObject([{ totalPoints: 1 }])
  })

  it("keeps the ids of existing questions and options in any order, and assigns ids to new ones", async () => {
    const other = { text: "Name a color", type: "short", answers: ["red"] }
    await post("/api/modules/quiz", { name: "Other", content: "x", questions: [other] })
    await post("/api/modules/quiz", { name: "Q", content: "x", questions: QUESTIONS })
    const { questions } = (await get("/api/modules/quiz/2")).body
    const [sum, prime] = questions
    const changed = {
      ...sum,
      text: "2 + 2 = ?",
      options: [sum.options[1], { text: "6" }, sum.options[0], { ...sum.options[0], text: "four", correct: "false" }],
    }
    // Ids of another quiz and repeated ids get new ids.
    const next = [prime, { ...other, id: 1 }, changed, { ...prime, text: "Name another" }, { ...other, id: 99 }]
    expect((await put("/api/modules/quiz/2", { questions: next })).status).toBe(200)
    const after = (await get("/api/modules/quiz/2")).body.questions
    expect(after.map(({ id, text }: { id: number; text: string }) => [id, text])).toEqual([
      [3, "Name a prime"],
      [4, "Name a color"],
      [2, "2 + 2 = ?"],
      [5, "Name another"],
      [6, "Name a color"],
    ])
    expect(after[2].options).toEqual([
      { id: 2, text: "5", correct: false, match: "" },
      { id: 3, text: "6", correct: false, match: "" },
      { id: 1, text: "4", correct: true, match: "" },
      { id: 4, text: "four", correct: false, match: "" },
    ])
    expect((await get("/api/modules/quiz/1")).body.questions).toMatchObject([{ id: 1 }])
  })

  it("treats empty numbers and choices as missing, and clears or keeps them on update", async () => {
    const none = { estimatedCompletion: null, estimationCompletedUnit: "", isLocked: null, categoryIds: 0 }
    const task = { name: "A", content: "x", submission_type: ["Text"], totalPoints: null, maxUploadSize: "", ...none }
    const created = await post("/api/modules/assignment", task)
    expect(created.status).toBe(200)
    const values = { totalPoints: 5, maxUploadSize: 3, estimatedCompletion: 2, estimationCompletedUnit: "HOUR" }
    expect((await put("/api/modules/assignment/1", { ...values, isLocked: true })).status).toBe(200)
    expect((await put("/api/modules/assignment/1", { ...none, name: null, totalPoints: null })).status).toBe(200)
    expect(await rowsOf(modules)).toMatchObject([
      { name: "A", totalPoints: 0, maxUploadSize: 3, estimatedCompletion: 0, estimationCompletedUnit: "hour" },
    ])
    expect(await rowsOf(modules)).toMatchObject([{ isLocked: true }])
    const quiz = { name: "Q", content: "x", questions: [{ ...QUESTIONS[1], points: null, options: null }] }
    expect((await post("/api/modules/quiz", { ...quiz, passPercent: null, maxAttempts: "" })).status).toBe(200)
    expect((await put("/api/modules/quiz/2", { questions: null, timeLimitMinutes: null })).status).toBe(200)
    expect((await get("/api/modules/quiz/2")).body.questions).toMatchObject([{ id: 1, points: 1 }])
  })

  it("rejects a question that can't be answered, and writes nothing", async () => {
    const wrong = [
      { ...QUESTIONS[0], options: [{ text: "4" }, { text: "5" }] },
      { text: "None", type: "short" },
      { text: "One", type: "multiple", options: [{ text: "only", correct: true }] },
    ]
    const response = await post("/api/modules/quiz", { name: "Q", content: "x", questions: wrong })
    expect(response.status).toBe(422)
    expect(Object.keys(response.body.errors)).toEqual([
      "questions.0.options",
      "questions.1.answers",
      "questions.2.options",
    ])
    expect((await post("/api/modules/text", { content: "x" })).body.errors).toHaveProperty("name")
    expect(await rowsOf(modules)).toEqual([])
  })

  it("filters modules by the id or name of a course", async () => {
    const [inside] = [await module(), await module()]
    const { id } = await course({ name: "Algebra" }, [{ moduleId: inside.id }])
    for (const associatedCourse of [id, String(id), "lgeb"])
      expect((await list("text", { search_param: { associatedCourse } })).body).toMatchObject({
        recordsTotal: 2,
        recordsFiltered: 1,
        records: [{ id: inside.id, course_count: 1 }],
      })
  })

  it("shows a module only to learners who have opened it", async () => {
    const learner = await signedIn("general")
    const inside = await module()
    const { id } = await enrollment(learner, await course({}, [{ moduleId: inside.id }]))
    const read = () => get(`/api/modules/text/${inside.id}`, { token: learner.token })
    expect((await read()).status).toBe(404)
    await moduleStatus(id, inside.id)
    expect((await read()).body).toMatchObject({ content: "<p>Read this.</p>" })
    expect((await list("text", {})).status).toBe(200)
    expect(
      (await get(`/api/modules/text${query({ page_size: 1, page_number: 1 })}`, { token: learner.token })).status,
    ).toBe(403)
  })

  it("hides draft courses of a module below staff", async () => {
    const learner = await signedIn("general")
    const inside = await module()
    const open = await course({ name: "Open" }, [{ moduleId: inside.id }])
    await course({ name: "Secret plans", status: "draft" }, [{ moduleId: inside.id }])
    await moduleStatus((await enrollment(learner, open)).id, inside.id)
    const courses = [{ course_id: open.id, course_name: "Open" }]
    const path = `/api/modules/text/${inside.id}`
    expect((await get(path, { token: learner.token })).body).toMatchObject({ courses, course_count: 1 })
    expect((await get(path)).body).toMatchObject({ courses: [...courses, {}], course_count: 2 })
  })

  it("returns 412 if If-Match names another version", async () => {
    const { id } = await module()
    const etag = (await get(`/api/modules/text/${id}`)).headers.get("etag") ?? ""
    expect((await put(`/api/modules/text/${id}`, { name: "A" }, { headers: { "if-match": etag } })).status).toBe(200)
    expect((await put(`/api/modules/text/${id}`, { name: "B" }, { headers: { "if-match": etag } })).status).toBe(412)
  })

  it("can be sorted by every column of the API", async () => {
    for (const name of ["b", "A", "c"]) await module({ name })
    const names = async (colName: string) =>
      (await list("text", { order_by: { colName, direction: "desc" } })).body.records.map(
        (row: { name: string }) => row.name,
      )
    expect(await names("name")).toEqual(["c", "b", "A"])
    for (const column of ["id", "slug", "isLocked", "estimatedCompletion", "course_count", "created_at"])
      expect(await names(column), column).toEqual(["c", "A", "b"])
  })
})
