import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { expect, it } from "vitest"
import { manyUsers } from "../factories/exports.ts"
import { db } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post } from "../helpers/client.ts"

// Learners take a quiz that draws its questions. `npm run verify -- quizzes` plays it with 1,000 learners and 200
// questions.

const LEARNERS = Number(env.QUIZ_LEARNERS) || 24
const POOL = LEARNERS >= 1000 ? 200 : 28
const DRAWN = LEARNERS >= 1000 ? 20 : 7

/** A generator of numbers from 0 to 1 that repeats itself: the learners answer alike in each run. */
function generator(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
const random = generator(7)

type Given = { optionIds?: number[]; text?: string; values?: string[] }
interface Shown {
  id: number
  text: string
  options: { id: number; text: string }[]
  choices: string[]
}
interface Sample {
  body: object
  /** Answers of a learner who knows the answer, knows a half of it, or does not know it. */
  right: (shown: Shown) => Given
  half: (shown: Shown) => Given
  wrong: (shown: Shown) => Given
  /** Marks what was answered, from 0 to 1: written apart from the service's rules. */
  mark: (given: Given, shown: Shown) => number
}

const byText = ({ options }: Shown, ...texts: string[]) => ({
  optionIds: options.filter(({ text }) => texts.includes(text)).map(({ id }) => id),
})
const textsOf = ({ options }: Shown, { optionIds = [] }: Given) =>
  optionIds.map((id) => options.find((option) => option.id === id)?.text ?? "")

/** One question of each type that is graded by the service. */
const KINDS: ((n: number) => Sample)[] = [
  (n) => ({
    body: {
      type: "single",
      text: `Single ${n}`,
      options: [{ text: "x" }, { text: "y", correct: true }, { text: "z" }],
    },
    right: (shown) => byText(shown, "y"),
    half: (shown) => byText(shown, "z"),
    wrong: (shown) => byText(shown, "x"),
    mark: (given, shown) => (textsOf(shown, given).join() === "y" ? 1 : 0),
  }),
  (n) => ({
    body: {
      type: "multiple",
      text: `Multiple ${n}`,
      options: [{ text: "a", correct: true }, { text: "b", correct: true }, { text: "c" }, { text: "d" }],
    },
    right: (shown) => byText(shown, "a", "b"),
    half: (shown) => byText(shown, "b"),
    wrong: (shown) => byText(shown, "a", "c"),
    mark: (given, shown) => {
      const points: Record<string, number> = { a: 0.5, b: 0.5, c: -0.5, d: -0.5 }
      return Math.max(
        0,
        textsOf(shown, given).reduce((sum, text) => sum + (points[text] ?? 0), 0),
      )
    },
  }),
  (n) => ({
    body: { type: "truefalse", text: `True ${n}`, options: [{ text: "True", correct: true }, { text: "False" }] },
    right: (shown) => byText(shown, "True"),
    half: (shown) => byText(shown, "False"),
    wrong: (shown) => byText(shown, "False"),
    mark: (given, shown) => (textsOf(shown, given)[0] === "True" ? 1 : 0),
  }),
  (n) => ({
    body: { type: "short", text: `Short ${n}`, answers: ["Paris", "City of Light"] },
    right: () => ({ text: " paris " }),
    half: () => ({ text: "Rome" }),
    wrong: () => ({ text: "Lyon" }),
    mark: ({ text = "" }) => (["paris", "city of light"].includes(text.trim().toLowerCase()) ? 1 : 0),
  }),
  (n) => ({
    body: { type: "numeric", text: `Numeric ${n}`, numeric: { value: 10 + n, tolerance: 0.5, unit: "kg" } },
    right: () => ({ text: `${10 + n},25 kg` }),
    half: () => ({ text: String(11 + n) }),
    wrong: () => ({ text: "many" }),
    mark: ({ text = "" }) => (Math.abs(Number.parseFloat(text.replace(",", ".")) - 10 - n) <= 0.5 ? 1 : 0),
  }),
  (n) => ({
    body: { type: "fillin", text: `Fill ${n}: ___ and ___`, blanks: [["salt"], ["pepper", "chili"]] },
    right: () => ({ values: ["Salt", "chili"] }),
    half: () => ({ values: ["salt", ""] }),
    wrong: () => ({ values: ["sand", "mud"] }),
    mark: ({ values: [first = "", second = ""] = [] }) =>
      (/^salt$/i.test(first) ? 0.5 : 0) + (/^(pepper|chili)$/i.test(second) ? 0.5 : 0),
  }),
  (n) => ({
    body: {
      type: "matching",
      text: `Match ${n}`,
      options: [
        { text: "cat", match: "meow" },
        { text: "dog", match: "bark" },
      ],
      answers: ["moo"],
    },
    right: () => ({ values: ["meow", "bark"] }),
    half: () => ({ values: ["meow", "moo"] }),
    wrong: () => ({ values: ["bark", "meow"] }),
    mark: ({ values: [cat, dog] = [] }) => (cat === "meow" ? 0.5 : 0) + (dog === "bark" ? 0.5 : 0),
  }),
  (n) => ({
    body: { type: "ordering", text: `Order ${n}`, options: ["1", "2", "3"].map((text) => ({ text })) },
    right: () => ({ values: ["1", "2", "3"] }),
    half: () => ({ values: ["3", "1", "2"] }),
    wrong: () => ({ values: ["3", "2", "1"] }),
    mark: ({ values = [] }) => {
      const order = values.join("")
      return (order.includes("12") ? 0.5 : 0) + (order.includes("23") ? 0.5 : 0)
    },
  }),
]

const blank = ({ optionIds = [], text = "", values = [] }: Given) =>
  [...optionIds, text, values.join("")].join("") === ""

/** Pearson's correlation by its definition. */
function correlation(pairs: [number, number][]): number | null {
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length
  const [x, y] = [mean(0), mean(1)]
  const sum = (of: (pair: [number, number]) => number) => pairs.reduce((total, pair) => total + of(pair), 0)
  const [xx, yy] = [sum((pair) => (pair[0] - x) ** 2), sum((pair) => (pair[1] - y) ** 2)]
  return xx < 1e-9 || yy < 1e-9 ? null : sum((pair) => (pair[0] - x) * (pair[1] - y)) / Math.sqrt(xx * yy)
}

it("draws evenly, marks like an independent marker, and reports the statistics of the raw answers", async () => {
  const { body: pool } = await post("/api/question-pool/create", { name: "Bank" })
  const samples = new Map<string, Sample>()
  for (let n = 0; n < POOL; n++) {
    const sample = (KINDS[n % KINDS.length] as (typeof KINDS)[number])(n)
    samples.set((sample.body as { text: string }).text, sample)
    await post("/api/question/create", { poolId: pool.id, ...sample.body })
  }
  const quiz = {
    name: "Drawn",
    content: "",
    questions: [],
    draws: [{ poolId: pool.id, count: DRAWN, points: 2 }],
    ...{ shuffleQuestions: true, shuffleOptions: true, partialCredit: true, passPercent: 50 },
  }
  const { body: created } = await post("/api/modules/quiz", quiz)
  const { id: courseId } = await course({}, [{ moduleId: created.id }])
  await manyUsers(LEARNERS)
  await db.run(
    sql`insert into enrollments (id, user_id, course_id, registered_at)
      select id - 1000, id, ${courseId}, 1 from users where id > 1000`,
  )

  const drawn = new Map<number, number>()
  const answered = new Map<number, { text: string; given: Given; part: number; rest: number; shown: Shown }[]>()
  for (let registrationId = 1; registrationId <= LEARNERS; registrationId++) {
    const ability = random()
    const { body: attempt } = await post("/api/quiz/attempt", { registrationId, moduleId: created.id })
    const marked = (attempt.questions as Shown[]).map((shown) => {
      const sample = samples.get(shown.text) as Sample
      const luck = random()
      const given =
        luck < ability ? sample.right(shown) : luck < 0.9 ? sample.half(shown) : luck < 0.97 ? sample.wrong(shown) : {}
      return { shown, given, part: blank(given) ? 0 : sample.mark(given, shown) }
    })
    expect(new Set(marked.map(({ shown }) => shown.id)).size).toBe(DRAWN)
    const score = marked.reduce((sum, { part }) => sum + 2 * part, 0)
    const answers = marked.flatMap(({ shown, given }) => (blank(given) ? [] : [{ questionId: shown.id, ...given }]))
    const { body: result } = await post("/api/quiz/submit", { attemptId: attempt.attemptId, answers })
    expect(result).toMatchObject({
      score,
      outOf: 2 * DRAWN,
      percent: Math.floor((100 * score) / (2 * DRAWN)),
      result: score >= DRAWN ? "passed" : "failed",
      unanswered: DRAWN - answers.length,
    })
    for (const { shown, given, part } of marked) {
      drawn.set(shown.id, (drawn.get(shown.id) ?? 0) + 1)
      const rest = (score - 2 * part) / (2 * DRAWN - 2)
      answered.set(shown.id, [...(answered.get(shown.id) ?? []), { text: shown.text, given, part, rest, shown }])
    }
  }

  // Pearson's chi-square of draws without replacement, and a bound that even draws exceed once in a million runs.
  const expected = (LEARNERS * DRAWN) / POOL
  const counts = Array.from({ length: POOL }, (_, at) => [...drawn.values()][at] ?? 0)
  const variance = expected * (1 - DRAWN / POOL) * (POOL / (POOL - 1))
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2, 0) / variance
  const spread = 5 * Math.sqrt(2 * (POOL - 1))
  expect(chiSquare).toBeLessThan(POOL - 1 + spread)
  expect(chiSquare).toBeGreaterThan(POOL - 1 - spread)

  const statistics = await get(`/api/quiz/statistics?module_id=${created.id}`)
  expect(cost(statistics).roundTrips).toBe(1)
  expect(statistics.body).toMatchObject({ attempts: LEARNERS, totalAttempts: LEARNERS })
  expect(statistics.body.questions).toHaveLength(answered.size)
  for (const question of statistics.body.questions) {
    const raw = answered.get(question.questionId) ?? []
    expect(question).toMatchObject({
      text: raw[0]?.text,
      inBank: true,
      presented: raw.length,
      answered: raw.filter(({ given }) => !blank(given)).length,
    })
    expect(question.facility).toBeCloseTo(raw.reduce((sum, { part }) => sum + part, 0) / raw.length, 2)
    const expectedCorrelation = correlation(raw.map(({ part, rest }) => [part, rest]))
    if (expectedCorrelation === null) expect(question.discrimination).toBeNull()
    else expect(question.discrimination).toBeCloseTo(expectedCorrelation, 2)
    for (const { optionId, answer, count } of question.answers) {
      const timesGiven = raw.filter(({ given, shown }) =>
        optionId === null
          ? [given.text?.trim(), given.values?.join("; ")].some((text) => text?.toLowerCase() === answer)
          : textsOf(shown, given).includes(answer),
      ).length
      expect(count, `${question.text}: ${answer}`).toBe(timesGiven)
    }
  }
}, 1_800_000)
