import { eq } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { events } from "../../drizzle/schema/events.ts"
import { bankQuestionVersions, questionPools } from "../../drizzle/schema/question-bank.ts"
import { quizAttempts, quizVersions } from "../../drizzle/schema/quizzes.ts"
import { submissions } from "../../drizzle/schema/submissions.ts"
import { db, rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { cost, get, post, put } from "../helpers/client.ts"

const MATCHING = {
  text: "Which capital?",
  type: "matching",
  points: 4,
  options: [
    { text: "France", match: "Paris" },
    { text: "Spain", match: "Madrid" },
  ],
  answers: ["Rome"],
}
const ORDERING = {
  text: "Smallest first",
  type: "ordering",
  points: 3,
  options: [{ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }],
}
const NUMERIC = { text: "Pi?", type: "numeric", points: 2, numeric: { value: 3.14, tolerance: 0.01, unit: "rad" } }
const FILLIN = {
  text: "Roses are ___, violets are ___.",
  type: "fillin",
  points: 2,
  blanks: [["red"], ["blue", "violet"]],
}
const ESSAY = { text: "Why?", type: "essay", points: 10, explanation: "Because." }

/** Enrolls a learner in a course with one quiz of these questions. */
async function taking(questions: object[], quiz: object = {}) {
  const learner = await signedIn("general")
  const { body } = await post("/api/modules/quiz", { name: "Quiz", content: "x", questions, ...quiz })
  const taken = await course({}, [{ moduleId: body.id }])
  const registered = await enrollment(learner, taken, {})
  const ref = { registrationId: registered.id, moduleId: body.id as number }
  const begin = () => post("/api/quiz/attempt", ref, { token: learner.token })
  const submit = (attemptId: number, answers: object[]) =>
    post("/api/quiz/submit", { attemptId, answers }, { token: learner.token })
  /** Starts an attempt, and answers its questions. */
  const answer = async (answersOf: (question: { id: number; type: string; choices: string[] }) => object) => {
    const { body: attempt } = await begin()
    return submit(
      attempt.attemptId,
      attempt.questions.map((question: never) => ({
        questionId: (question as { id: number }).id,
        ...answersOf(question),
      })),
    )
  }
  const review = (id: number, token = learner.token) => get(`/api/quiz/attempt/${id}`, { token })
  return { learner, ref, courseId: taken.id, quizId: body.id as number, begin, submit, answer, review }
}

describe("question types", () => {
  it("are shown without their solution", async () => {
    const { begin } = await taking([MATCHING, ORDERING, NUMERIC, FILLIN, ESSAY])
    const { body } = await begin()
    const [matching, ordering, numeric, fillin, essay] = body.questions
    expect(matching).toMatchObject({
      options: [],
      prompts: ["France", "Spain"],
      choices: ["Madrid", "Paris", "Rome"],
    })
    expect(ordering).toMatchObject({ options: [], prompts: [], choices: expect.arrayContaining(["one", "four"]) })
    expect(ordering.choices).not.toEqual(["one", "two", "three", "four"])
    expect(numeric).toMatchObject({ unit: "rad", choices: [], blanks: 0 })
    expect(fillin).toMatchObject({ blanks: 2 })
    expect(essay).toMatchObject({ type: "essay", points: 10 })
    expect(JSON.stringify(body)).not.toMatch(/3\.14|tolerance|violet"|Because|match"|correct/)
  })

  it.each([
    ["matching", MATCHING, { values: ["Paris", "Madrid"] }, 4, 4],
    ["matching", MATCHING, { values: ["Paris", "Rome"] }, 0, 2],
    ["matching", MATCHING, { values: ["Paris"] }, 0, 2],
    ["ordering", ORDERING, { values: ["one", "two", "three", "four"] }, 3, 3],
    ["ordering", ORDERING, { values: ["four", "one", "two", "three"] }, 0, 2],
    ["ordering", ORDERING, { values: ["four", "three", "two", "one"] }, 0, 0],
    ["numeric", NUMERIC, { text: "3,15 rad" }, 2, 2],
    ["numeric", NUMERIC, { text: "3.1501" }, 0, 0],
    ["numeric", NUMERIC, { text: "about 3.14" }, 0, 0],
    ["fillin", FILLIN, { values: [" RED", "violet"] }, 2, 2],
    ["fillin", FILLIN, { values: ["", "Blue"] }, 0, 1],
  ])("%s: %s %s earns %d points, or %d with partial credit", async (_, question, answer, whole, part) => {
    const plain = await taking([question], { passPercent: 100 })
    expect((await plain.answer(() => answer)).body).toMatchObject({ score: whole })
    const partial = await taking([question], { partialCredit: true })
    expect((await partial.answer(() => answer)).body).toMatchObject({ score: part })
  })

  it("give partial credit for several options, less the wrong ones", async () => {
    const options = [{ text: "2", correct: true }, { text: "3", correct: true }, { text: "4" }, { text: "6" }]
    const question = { text: "Primes?", type: "multiple", points: 3, options }
    const { begin, submit } = await taking([question], { partialCredit: true })
    const scores: number[] = []
    for (const optionIds of [[1], [1, 2, 3], [1, 3, 4], [1, 2]]) {
      const { body } = await begin()
      scores.push((await submit(body.attemptId, [{ questionId: 1, optionIds }])).body.score)
    }
    expect(scores).toEqual([1.5, 1.5, 0, 3])
  })

  it.each([
    [{ ...MATCHING, options: [{ text: "a", match: "b" }, { text: "c" }] }, "options"],
    [{ ...ORDERING, options: [{ text: "a" }, { text: "a" }] }, "options"],
    [{ ...NUMERIC, numeric: null }, "numeric"],
    [{ ...FILLIN, blanks: [["red"]] }, "text"],
    [{ ...FILLIN, blanks: [] }, "blanks"],
  ])("are refused if incomplete: %j", async (question, field) => {
    const answer = await post("/api/modules/quiz", { name: "Quiz", content: "x", questions: [question] })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([`questions.0.${field}`])
  })

  it("are changed by sending back what was read", async () => {
    const { quizId } = await taking([MATCHING, ORDERING, NUMERIC, FILLIN, ESSAY])
    const before = await get(`/api/modules/quiz/${quizId}`)
    expect(before.body.questions[2]).toMatchObject({ numeric: { value: 3.14, tolerance: 0.01, unit: "rad" } })
    await put(`/api/modules/quiz/${quizId}`, before.body)
    const after = await get(`/api/modules/quiz/${quizId}`)
    expect(after.body).toEqual(before.body)
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"))
  })

  it("refuse answers that are not choices, and count unanswered questions", async () => {
    const { begin, submit } = await taking([MATCHING, ORDERING, NUMERIC])
    const { body } = await begin()
    expect(await submit(body.attemptId, [{ questionId: 1, values: ["Oslo"] }])).toMatchObject({
      status: 422,
      body: { errors: { "answers.0.values": [expect.any(String)] } },
    })
    const answers = [
      { questionId: 1, values: ["", ""] },
      { questionId: 2, values: ["one"] },
    ]
    expect((await submit(body.attemptId, answers)).body).toMatchObject({ unanswered: 2, score: 0 })
  })
})

describe("the order of an attempt", () => {
  it("is drawn once, and kept", async () => {
    const questions = Array.from({ length: 30 }, (_, n) => ({
      text: `Question ${n}`,
      type: "single",
      options: Array.from({ length: 8 }, (_, option) => ({ text: `Option ${option}`, correct: option === n % 8 })),
    }))
    const { begin } = await taking(questions, { shuffleQuestions: true, shuffleOptions: true })
    const first = await begin()
    const ids = first.body.questions.map(({ id }: { id: number }) => id)
    expect(ids).not.toEqual([...ids].sort((a, b) => a - b))
    const firstOptions = first.body.questions.map(({ options }: { options: { text: string }[] }) => options[0]?.text)
    expect(new Set(firstOptions).size).toBeGreaterThan(1)
    expect((await begin()).body).toEqual(first.body)
  })
})

describe("reviews of attempts", () => {
  const QUESTIONS = [
    { ...NUMERIC, explanation: "The ratio.", imageUrl: "https://example.org/circle.png", imageAlt: "A circle" },
    MATCHING,
  ]
  const wrong = ({ type }: { type: string }) => (type === "numeric" ? { text: "3" } : { values: ["Rome", "Madrid"] })

  it.each([
    ["score", "attempt", 0],
    ["answers", "attempt", 2],
    ["explanations", "attempt", 2],
    ["explanations", "passed", 0],
    ["explanations", "last", 0],
  ])("show learners %s after: %s", async (reviewDetail, reviewAfter, shown) => {
    const { answer, review } = await taking(QUESTIONS, { passPercent: 50, maxAttempts: 2, reviewDetail, reviewAfter })
    const { body } = await answer(wrong)
    const own = await review(body.attemptId)
    expect(cost(own).roundTrips).toBe(1)
    expect(own.body).toMatchObject({ score: 0, outOf: 6, detail: shown ? reviewDetail : "score" })
    expect(own.body.questions).toHaveLength(shown)
    if (reviewDetail === "answers")
      expect(own.body.questions[0]).toMatchObject({ isCorrect: false, correctAnswer: null, explanation: "" })
    if (shown && reviewDetail === "explanations")
      expect(own.body.questions).toMatchObject([
        {
          answer: { text: "3" },
          isCorrect: false,
          pointsAwarded: 0,
          correctAnswer: { text: "3.14" },
          explanation: "The ratio.",
          imageAlt: "A circle",
        },
        { answer: { values: ["Rome", "Madrid"] }, correctAnswer: { values: ["Paris", "Madrid"] } },
      ])
    const staff = await signedIn("staff")
    expect((await review(body.attemptId, staff.token)).body.questions).toHaveLength(2)
    const stranger = await signedIn("general")
    expect(await review(body.attemptId, stranger.token)).toMatchObject({ status: 404 })
  })

  it("open when the last attempt was used", async () => {
    const { answer, review } = await taking(QUESTIONS, { passPercent: 50, maxAttempts: 2, reviewAfter: "last" })
    const { body } = await answer(wrong)
    await answer(wrong)
    expect((await review(body.attemptId)).body).toMatchObject({ detail: "explanations" })
  })

  it("stay closed while the last attempt is in progress", async () => {
    const { answer, begin, review } = await taking(QUESTIONS, { passPercent: 50, maxAttempts: 2, reviewAfter: "last" })
    const { body } = await answer(wrong)
    await begin()
    expect((await review(body.attemptId)).body).toMatchObject({ detail: "score", questions: [] })
  })

  it("show no question of an attempt in progress", async () => {
    const { begin, review } = await taking(QUESTIONS, { reviewAfter: "attempt" })
    const { body } = await begin()
    const staff = await signedIn("staff")
    for (const token of [undefined, staff.token])
      expect((await review(body.attemptId, token)).body).toMatchObject({ status: "In Progress", questions: [] })
  })

  it("are listed with their results", async () => {
    const { answer, ref, learner } = await taking(QUESTIONS, { passPercent: 50 })
    await answer(wrong)
    await answer(({ type }) => (type === "numeric" ? { text: "3.14" } : { values: ["Paris", "Madrid"] }))
    const { body } = await get(`/api/quiz/attempts?registrationId=${ref.registrationId}&moduleId=${ref.moduleId}`, {
      token: learner.token,
    })
    expect(body.attempts).toMatchObject([
      { attempt: 1, result: "failed", score: 0 },
      { attempt: 2, result: "passed", score: 6, percent: 100 },
    ])
  })
})

describe("essays", () => {
  const text = (question: { type: string }) => ({ text: question.type === "essay" ? "Since it is so." : "3.14" })

  it("wait in the queue of submissions, and are graded by hand", async () => {
    const { answer, begin, review, quizId } = await taking([NUMERIC, ESSAY], { passPercent: 50 })
    const submitted = await answer(text)
    expect(submitted.body).toMatchObject({ result: "pending", score: 2, pendingPoints: 10, unanswered: 0 })
    expect(submitted.body.message).toBe("You submitted the quiz. It waits to be graded.")
    expect(await begin()).toMatchObject({ status: 409, body: { code: "awaiting_grading" } })
    const queue = await get(
      '/api/course/all-submissions?page_size=5&page_number=1&search_param={"status":["Submitted"]}',
    )
    expect(queue.body.records).toMatchObject([{ module_id: quizId, module_type: "quiz", attempt: 1 }])

    const { attemptId } = submitted.body
    const grade = (points: number, more: object[] = []) =>
      post("/api/quiz/grade", { attemptId, grades: [{ questionId: 2, points, comment: "Well argued." }, ...more] })
    expect(await grade(11)).toMatchObject({ status: 422 })
    expect(await grade(5, [{ questionId: 1, points: 1 }])).toMatchObject({ status: 422 })
    const graded = await grade(5)
    expect(cost(graded).roundTrips).toBe(2)
    expect(graded.body).toMatchObject({ score: 7, outOf: 12, percent: 58, result: "passed" })
    expect(await grade(5)).toMatchObject({ status: 409 })
    expect(await rowsOf(submissions)).toMatchObject([{ status: "Accepted", pointsAwarded: 5 }])
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ status: "Completed", pointsAwarded: 7 }])
    expect((await review(attemptId)).body.questions[1]).toMatchObject({
      answer: { text: "Since it is so." },
      pointsAwarded: 5,
      isCorrect: false,
      comment: "Well argued.",
    })
    const types = (await rowsOf(events)).map(({ type }) => type).filter((type) => /^(quiz|assignment)\./.test(type))
    expect(types).toEqual(["quiz.submitted", "quiz.graded"])
    expect((await begin()).status).toBe(200)
  })

  it("that wait to be graded earn no points when the points of the quiz change", async () => {
    const { answer, quizId } = await taking([NUMERIC, ESSAY], { passPercent: 50 })
    await answer(() => ({ text: "" }))
    expect((await answer(text)).body).toMatchObject({ result: "pending", score: 2 })
    await put(`/api/modules/quiz/${quizId}`, { questions: [NUMERIC, { ...ESSAY, points: 20 }] })
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ status: "In Progress", pointsAwarded: 0 }])
  })

  it("that were not answered need no grade", async () => {
    const { answer } = await taking([NUMERIC, ESSAY], { passPercent: 50 })
    const answered = await answer(({ type }) => (type === "essay" ? { text: "  " } : { text: "3.14" }))
    expect(answered.body).toMatchObject({ result: "failed", score: 2, unanswered: 1, pendingPoints: 0 })
    expect(await rowsOf(submissions)).toEqual([])
  })

  it("leave the queue when the enrollment is reset", async () => {
    const { answer, begin, ref } = await taking([ESSAY])
    await answer(text)
    await post("/api/course/reset", { registration_ids: [ref.registrationId] })
    expect(await rowsOf(submissions)).toMatchObject([{ status: "Closed" }])
    expect(await rowsOf(quizAttempts)).toMatchObject([{ result: "failed" }])
    expect((await begin()).status).toBe(200)
  })

  it("no longer wait to be graded after a reset", async () => {
    const { answer, ref, review } = await taking([ESSAY])
    const { body } = await answer(text)
    await post("/api/course/reset", { registration_ids: [ref.registrationId] })
    const staff = await signedIn("staff")
    const { body: reviewed } = await review(body.attemptId, staff.token)
    expect(reviewed).toMatchObject({ result: "failed", score: 0, pendingPoints: 0 })
    expect(reviewed.questions).toMatchObject([{ pointsAwarded: 0, isCorrect: false }])
  })

  it("can be graded after the quiz was removed from the course", async () => {
    const { answer, courseId } = await taking([ESSAY], { passPercent: 50 })
    const { body } = await answer(text)
    await put(`/api/course/${courseId}`, { modules: [] })
    const grades = [{ questionId: 1, points: 5 }]
    expect(await post("/api/quiz/grade", { attemptId: body.attemptId, grades })).toMatchObject({
      status: 200,
      body: { result: "passed" },
    })
  })

  it("score 0 after the time limit, and do not wait", async () => {
    const { begin, submit } = await taking([ESSAY], { timeLimitMinutes: 1, passPercent: 10 })
    vi.useFakeTimers({ toFake: ["Date"] })
    const { body } = await begin()
    vi.setSystemTime(Date.now() + 5 * 60_000)
    expect((await submit(body.attemptId, [{ questionId: 1, text: "Late" }])).body).toMatchObject({
      result: "failed",
      pendingPoints: 0,
    })
    expect(await rowsOf(submissions)).toEqual([])
  })
})

describe("the question bank", () => {
  const pool = async (count: number, tags: (n: number) => string[] = () => []) => {
    const { body } = await post("/api/question-pool/create", { name: "Sums" })
    for (let n = 0; n < count; n++)
      await post("/api/question/create", {
        poolId: body.id,
        text: `${n} + ${n}?`,
        type: "numeric",
        numeric: { value: 2 * n },
        tags: tags(n),
      })
    return body.id as number
  }

  it("lists, searches and counts questions by pool and tag", async () => {
    const poolId = await pool(6, (n) => (n % 2 ? ["odd"] : ["even", "easy"]))
    await pool(1)
    const list = async (search: object) => {
      const query = new URLSearchParams({ page_size: "20", page_number: "1", search_param: JSON.stringify(search) })
      return (await get(`/api/question/tabularlist?${query}`)).body
    }
    expect(await list({})).toMatchObject({ recordsTotal: 7, recordsFiltered: 7 })
    expect(await list({ poolId })).toMatchObject({ recordsTotal: 7, recordsFiltered: 6 })
    expect((await list({ poolId, tag: "odd" })).records).toMatchObject([{ text: "5 + 5?" }, {}, {}])
    expect((await list({ text: "3 + 3" })).records).toMatchObject([{ text: "3 + 3?", tags: ["odd"] }])
    expect((await get(`/api/question-pool/${poolId}`)).body).toMatchObject({
      name: "Sums",
      questionCount: 6,
      tags: [
        { tag: "easy", questions: 3 },
        { tag: "even", questions: 3 },
        { tag: "odd", questions: 3 },
      ],
    })
  })

  it("gives each attempt different questions, worth what the quiz says", async () => {
    const poolId = await pool(8, (n) => (n < 2 ? ["rare"] : []))
    const draws = [
      { poolId, count: 3, points: 5 },
      { poolId, tag: "rare", count: 2, points: 1 },
    ]
    const { begin, submit, quizId } = await taking([NUMERIC], { draws })
    expect((await get(`/api/modules/quiz/${quizId}`)).body).toMatchObject({ totalPoints: 19, draws: [{ tag: "" }, {}] })
    const { body } = await begin()
    const ids = body.questions.map(({ id }: { id: number }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(body.questions[0]).toMatchObject({ text: "Pi?", points: 2 })
    const answers = body.questions.map(({ id, text }: { id: number; text: string }) => ({
      questionId: id,
      text: text === "Pi?" ? "3.14" : String(2 * Number.parseInt(text, 10)),
    }))
    const outOf = body.questions.reduce((sum: number, { points }: { points: number }) => sum + points, 0)
    expect((await submit(body.attemptId, answers)).body).toMatchObject({ score: outOf, outOf, percent: 100 })
  })

  it("draws all questions of overlapping draws in any order", async () => {
    const poolId = await pool(4, (n) => [...(n < 1 ? ["rare"] : []), ...(n < 2 ? ["known"] : [])])
    const draws = [
      { poolId, count: 2 },
      { poolId, tag: "known", count: 1 },
      { poolId, tag: "rare", count: 1 },
    ]
    for (let attempts = 0; attempts < 6; attempts++) {
      const { begin } = await taking([], { draws })
      const { body } = await begin()
      const ids = body.questions.map(({ id }: { id: number }) => id)
      expect(new Set(ids).size).toBe(4)
    }
  })

  it("refuses draws with the same tag of more questions than have it", async () => {
    const poolId = await pool(3, (n) => (n < 1 ? ["rare"] : []))
    const draw = { poolId, tag: "rare", count: 1 }
    const answer = await post("/api/modules/quiz", { name: "Quiz", content: "x", questions: [], draws: [draw, draw] })
    expect(answer).toMatchObject({ status: 422, body: { errors: { "draws.0.count": [expect.any(String)] } } })
  })

  it("counts a question that moves to another pool in that pool", async () => {
    const [from, to] = [await pool(2), await pool(0)]
    const { body } = await get(`/api/question/1`)
    await put("/api/question/1", { ...body, poolId: to })
    const counts = [from, to].map(async (id) => (await get(`/api/question-pool/${id}`)).body.questionCount)
    expect(await Promise.all(counts)).toEqual([1, 1])
    await db.update(questionPools).set({ questionCount: 1000 }).where(eq(questionPools.id, to))
    expect(await put("/api/question/2", { ...body, id: 2, poolId: to })).toMatchObject({ status: 409 })
  })

  it("keeps the version of each attempt when the question changes or is deleted", async () => {
    const poolId = await pool(1)
    const { begin, submit, review } = await taking([], { draws: [{ poolId, count: 1 }], reviewAfter: "attempt" })
    const { body } = await begin()
    const [{ id }] = body.questions
    await put(`/api/question/${id}`, { text: "Changed?", type: "numeric", numeric: { value: 99 } })
    expect((await get(`/api/question/${id}`)).body).toMatchObject({ text: "Changed?", version: 2 })
    expect((await begin()).body).toEqual(body)
    expect((await submit(body.attemptId, [{ questionId: id, text: "0" }])).body).toMatchObject({ percent: 100 })
    const before = (await review(body.attemptId)).body
    expect(before.questions).toMatchObject([{ text: "0 + 0?", correctAnswer: { text: "0" } }])
    await post("/api/question/delete", { delete_ids: [id] })
    expect((await review(body.attemptId)).body).toEqual(before)
    expect((await rowsOf(bankQuestionVersions)).map(({ version }) => version)).toEqual([1, 2])
    expect(await rowsOf(quizVersions)).toHaveLength(1)
  })

  it("refuses draws of unknown pools, and of more questions than a pool has", async () => {
    const poolId = await pool(2)
    const create = (draws: object[]) => post("/api/modules/quiz", { name: "Quiz", content: "x", questions: [], draws })
    expect(await create([{ poolId: 999, count: 1 }])).toMatchObject({ status: 422 })
    expect(await create([{ poolId, count: 3 }])).toMatchObject({ status: 422 })
    expect(
      await create([
        { poolId, count: 2 },
        { poolId, count: 1 },
      ]),
    ).toMatchObject({ status: 422 })
    const { body } = await create([{ poolId, count: 2 }])
    expect((await post("/api/question-pool/delete", { delete_ids: [poolId] })).body.message).toBe(
      "0 question pools deleted. 1 not deleted: quizzes draw from them.",
    )
    await put(`/api/modules/quiz/${body.id}`, { draws: [] })
    expect((await post("/api/question-pool/delete", { delete_ids: [poolId] })).body.message).toBe(
      "1 question pool deleted.",
    )
    expect((await get(`/api/question/tabularlist?page_size=5&page_number=1`)).body).toMatchObject({ recordsTotal: 0 })
  })

  it("keeps the ids of options, and writes nothing for an equal question", async () => {
    const poolId = await pool(0)
    const options = [{ text: "a", correct: true }, { text: "b" }]
    const { body } = await post("/api/question/create", { poolId, text: "Which?", type: "single", options })
    const before = await get(`/api/question/${body.id}`)
    expect(before.body.options).toMatchObject([{ id: 1 }, { id: 2 }])
    expect(cost(await put(`/api/question/${body.id}`, before.body)).written).toBe(0)
    await put(`/api/question/${body.id}`, { ...before.body, options: [{ text: "c" }, before.body.options[0]] })
    expect((await get(`/api/question/${body.id}`)).body.options).toMatchObject([
      { id: 3, text: "c" },
      { id: 1, text: "a", correct: true },
    ])
  })
})
