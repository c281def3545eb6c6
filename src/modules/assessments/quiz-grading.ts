import type { Response, VersionedQuestion } from "../../../drizzle/schema/quizzes.ts"
import { SECOND } from "../../lib/clock.ts"
import { type FieldErrors, invalidFields } from "../../lib/errors.ts"

/** Tolerated delay of a submission after its time limit, for network latency. */
export const GRACE_PERIOD_MS = 30 * SECOND

/** A learner's answer to a question: options, a text, or a text for each prompt, place or blank. */
interface QuizAnswer {
  questionId: number
  optionIds?: number[] | undefined
  text?: string | undefined
  values?: string[] | undefined
}

/** Texts are compared without regard to case and spacing. */
const normalizeAnswer = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim()

const isAccepted = (accepted: string[], text: string) =>
  accepted.some((one) => normalizeAnswer(one) === normalizeAnswer(text))

/** The number of a text such as `3.5`, `3,5`, `-2e3` or `40 kg`; undefined: none. */
function parseNumber(text: string, unit: string): number | undefined {
  const normalized = normalizeAnswer(text).replace(/\u2212/g, "-")
  const ending = normalizeAnswer(unit)
  const bare = ending && normalized.endsWith(ending) ? normalized.slice(0, -ending.length) : normalized
  const digits = bare.replace(/\s/g, "")
  const plain = digits.includes(".") ? digits : digits.replace(",", ".")
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(plain) ? Number(plain) : undefined
}

/** Comparing decimal fractions needs room for binary rounding. */
const ROUNDING = 1e-9

function isNumberCorrect({ numeric }: VersionedQuestion, text: string): boolean {
  if (!numeric) return false
  const given = parseNumber(text, numeric.unit)
  if (given === undefined) return false
  return Math.abs(given - numeric.value) <= numeric.tolerance + ROUNDING * Math.max(1, Math.abs(numeric.value))
}

const share = (right: number, of: number) => (of > 0 ? Math.max(0, right) / of : 1)

/** Several options: the correct ones that were selected, less the wrong ones. */
function earnedByOptions({ options }: VersionedQuestion, optionIds: number[]): number {
  const correct = options.filter((option) => option.correct)
  const right = correct.filter(({ id }) => optionIds.includes(id)).length
  return share(right - (optionIds.length - right), correct.length)
}

/** Ordering: the neighbors that follow each other as they should. */
function earnedByOrder({ options }: VersionedQuestion, values: string[]): number {
  const order = options.map(({ text }) => text)
  const pairs = order.slice(1).filter((text, at) => {
    const place = values.indexOf(order[at] ?? "")
    return place >= 0 && values[place + 1] === text
  })
  return share(pairs.length, order.length - 1)
}

type Content = Pick<Response, "optionIds" | "text" | "values">

/** The part of a question that an answer earns, from 0 to 1, if parts count. */
function earnedPart(question: VersionedQuestion, { optionIds, text, values }: Content): number {
  switch (question.type) {
    case "short":
      return Number(isAccepted(question.answers, text))
    case "numeric":
      return Number(isNumberCorrect(question, text))
    case "fillin":
      return share(
        question.blanks.filter((accepted, at) => isAccepted(accepted, values[at] ?? "")).length,
        question.blanks.length,
      )
    case "matching":
      return share(question.options.filter(({ match }, at) => values[at] === match).length, question.options.length)
    case "ordering":
      return earnedByOrder(question, values)
    case "multiple":
      return earnedByOptions(question, optionIds)
    case "essay":
      return 0
    default:
      return Number(optionIds.length === 1 && earnedByOptions(question, optionIds) === 1)
  }
}

/** The types that are answered with texts, by the field of the answer. */
const TEXT_TYPES: readonly string[] = ["short", "numeric", "essay"]
const VALUE_TYPES: readonly string[] = ["matching", "ordering", "fillin"]

/** The texts that learners choose from, sorted: matches in a question about matching, items in one about an order. */
export const choicesOf = ({ type, options, answers }: Pick<VersionedQuestion, "type" | "options" | "answers">) =>
  type === "matching"
    ? [...new Set([...options.map(({ match }) => match), ...answers])].sort()
    : type === "ordering"
      ? options.map(({ text }) => text)
      : []

/** How many values an answer to a question has. */
const valueCount = ({ type, options, blanks }: VersionedQuestion) =>
  type === "fillin" ? blanks.length : options.length

/** @throws 422 for questions, options or values that are not part of the attempt */
function requireKnown(questions: VersionedQuestion[], answers: QuizAnswer[]) {
  const errors: FieldErrors = {}
  for (const [index, { questionId, optionIds = [], values = [] }] of answers.entries()) {
    const question = questions.find((known) => known.id === questionId)
    const field = `answers.${index}`
    if (!question) errors[`${field}.questionId`] = [`${field}.questionId must be a question of this attempt.`]
    else if (answers.findIndex((answer) => answer.questionId === questionId) !== index)
      errors[`${field}.questionId`] = [`${field}.questionId is a duplicate. Answer each question once.`]
    else if (optionIds.some((id) => !question.options.some((option) => option.id === id)))
      errors[`${field}.optionIds`] = [`${field}.optionIds must be options of the question.`]
    else if (VALUE_TYPES.includes(question.type)) {
      const choices = choicesOf(question)
      if (values.length > valueCount(question))
        errors[`${field}.values`] = [`${field}.values must have ${valueCount(question)} elements or fewer.`]
      else if (question.type !== "fillin" && values.some((value) => value !== "" && !choices.includes(value)))
        errors[`${field}.values`] = [`${field}.values must be choices of the question.`]
    }
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors)
}

const CENTS = 100
const rounded = (points: number) => Math.round(points * CENTS) / CENTS

const isUnanswered = ({ optionIds, text, values }: Content) =>
  optionIds.length === 0 && text.trim() === "" && values.every((value) => value.trim() === "")

/**
 * Grades answers. A question earns all of its points or none; with `partialCredit`, answers that are partly correct
 * earn part of them, rounded to cents. Essays wait to be graded.
 * @throws 422 for questions or options that are not part of the attempt
 */
export function gradeAnswers(
  questions: VersionedQuestion[],
  answers: QuizAnswer[],
  partialCredit = false,
): { responses: Response[]; score: number; unanswered: number; pendingPoints: number } {
  requireKnown(questions, answers)
  const responses = questions.map((question): Response => {
    const answer = answers.find(({ questionId }) => questionId === question.id)
    const isText = TEXT_TYPES.includes(question.type)
    const isValues = VALUE_TYPES.includes(question.type)
    const given = {
      optionIds: isText || isValues ? [] : [...new Set(answer?.optionIds ?? [])],
      text: isText ? (answer?.text ?? "") : "",
      values: isValues ? (answer?.values ?? []) : [],
    }
    const isAnswered = answer !== undefined && !isUnanswered(given)
    const part = isAnswered ? earnedPart(question, given) : 0
    const correct = part === 1
    return {
      questionId: question.id,
      ...given,
      correct,
      points: correct || partialCredit ? rounded(part * question.points) : 0,
      outOf: question.points,
      ...(question.type === "essay" && isAnswered && { pending: true }),
    }
  })
  return { responses, ...totalsOf(responses) }
}

/** The totals of an attempt's responses. */
export const totalsOf = (responses: Response[]) => ({
  score: rounded(responses.reduce((sum, { points }) => sum + points, 0)),
  unanswered: responses.filter(isUnanswered).length,
  pendingPoints: responses.reduce((sum, { pending, outOf }) => sum + (pending ? outOf : 0), 0),
})

/** The score in percent. The fraction 8.2 / 10 has to reach 82 percent in binary too. */
const exactPercent = (score: number, outOf: number) => (score * 100) / outOf + ROUNDING

/** The score in whole percent, rounded down; 100 if there are no points to earn. */
export const percentEarned = (score: number, outOf: number) =>
  outOf > 0 ? Math.floor(exactPercent(score, outOf)) : 100

/** Converts a score to the quiz's points, rounded; all points if there are none to earn. */
export const pointsEarned = (score: number, outOf: number, totalPoints: number) =>
  outOf > 0 ? Math.round((score * totalPoints) / outOf) : totalPoints

export const toQuizResult = (score: number, outOf: number, passPercent: number): "passed" | "failed" =>
  outOf === 0 || exactPercent(score, outOf) >= passPercent ? "passed" : "failed"
