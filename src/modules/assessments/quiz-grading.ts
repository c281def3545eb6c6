import type { Response, VersionedQuestion } from "../../../drizzle/schema/quizzes.ts"
import { type FieldErrors, invalidFields } from "../../lib/errors.ts"

/** What a learner answers to one question: options, or a text where the question is short. */
interface QuizAnswer {
  questionId: number
  optionIds?: number[] | undefined
  text?: string | undefined
}

/** How short answers are compared: without regard to case and to how much space is between words. */
const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim()

const sameSet = (a: number[], b: number[]) => a.length === b.length && a.every((value) => b.includes(value))

function isRight(question: VersionedQuestion, optionIds: number[], text: string): boolean {
  if (question.type === "short") return question.answers.some((accepted) => plain(accepted) === plain(text))
  const right = question.options.filter((option) => option.correct).map((option) => option.id)
  return sameSet(right, optionIds)
}

/** @throws 422 for a question or an option that the attempt does not have */
function requireKnown(questions: VersionedQuestion[], answers: QuizAnswer[]) {
  const errors: FieldErrors = {}
  for (const [at, { questionId, optionIds = [] }] of answers.entries()) {
    const question = questions.find((known) => known.id === questionId)
    const field = `answers.${at}`
    if (!question) errors[`${field}.questionId`] = [`${field}.questionId must be a question of this attempt.`]
    else if (answers.findIndex((answer) => answer.questionId === questionId) !== at)
      errors[`${field}.questionId`] = [`${field}.questionId was answered above; answer each question once.`]
    else if (optionIds.some((id) => !question.options.some((option) => option.id === id)))
      errors[`${field}.optionIds`] = [`${field}.optionIds must be options of the question.`]
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors)
}

/**
 * Marks what was answered. A question earns all its points or none: of `multiple`, all the right options and only they.
 * What was not answered earns nothing.
 * @throws 422 for a question or an option that the attempt does not have
 */
export function gradeAnswers(
  questions: VersionedQuestion[],
  answers: QuizAnswer[],
): { responses: Response[]; score: number } {
  requireKnown(questions, answers)
  const responses = questions.map((question): Response => {
    const answer = answers.find(({ questionId }) => questionId === question.id)
    const optionIds = question.type === "short" ? [] : [...new Set(answer?.optionIds ?? [])]
    const text = question.type === "short" ? (answer?.text ?? "") : ""
    const correct = answer !== undefined && isRight(question, optionIds, text)
    return { questionId: question.id, optionIds, text, correct, points: correct ? question.points : 0 }
  })
  return { responses, score: responses.reduce((sum, { points }) => sum + points, 0) }
}

/** A score in whole percent, never rounded up; 100 where nothing was to be earned. */
export const percentEarned = (score: number, outOf: number) => (outOf > 0 ? Math.floor((score * 100) / outOf) : 100)

/** What a score is of a quiz's points, in whole points: all of them where nothing was to be earned. */
export const pointsEarned = (score: number, outOf: number, totalPoints: number) =>
  outOf > 0 ? Math.round((score * totalPoints) / outOf) : totalPoints

export const toQuizResult = (score: number, outOf: number, passPercent: number): "passed" | "failed" =>
  outOf === 0 || score * 100 >= passPercent * outOf ? "passed" : "failed"
