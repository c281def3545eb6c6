import type { Response, VersionedQuestion } from "../../../drizzle/schema/quizzes.ts"
import { type FieldErrors, invalidFields } from "../../lib/errors.ts"

/** A learner's answer to a question: options, or a text for short answers. */
interface QuizAnswer {
  questionId: number
  optionIds?: number[] | undefined
  text?: string | undefined
}

/** Short answers are compared without regard to case and spacing. */
const normalizeAnswer = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim()

const sameSet = (a: number[], b: number[]) => a.length === b.length && a.every((value) => b.includes(value))

function isCorrect(question: VersionedQuestion, optionIds: number[], text: string): boolean {
  if (question.type === "short")
    return question.answers.some((accepted) => normalizeAnswer(accepted) === normalizeAnswer(text))
  const correctIds = question.options.filter((option) => option.correct).map((option) => option.id)
  return sameSet(correctIds, optionIds)
}

/** @throws 422 for questions or options that are not part of the attempt */
function requireKnown(questions: VersionedQuestion[], answers: QuizAnswer[]) {
  const errors: FieldErrors = {}
  for (const [index, { questionId, optionIds = [] }] of answers.entries()) {
    const question = questions.find((known) => known.id === questionId)
    const field = `answers.${index}`
    if (!question) errors[`${field}.questionId`] = [`${field}.questionId must be a question of this attempt.`]
    else if (answers.findIndex((answer) => answer.questionId === questionId) !== index)
      errors[`${field}.questionId`] = [`${field}.questionId is a duplicate. Answer each question once.`]
    else if (optionIds.some((id) => !question.options.some((option) => option.id === id)))
      errors[`${field}.optionIds`] = [`${field}.optionIds must be options of the question.`]
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors)
}

/**
 * Grades answers. A question earns all of its points or none; `multiple` needs exactly the correct options.
 * @throws 422 for questions or options that are not part of the attempt
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
    const correct = answer !== undefined && isCorrect(question, optionIds, text)
    return { questionId: question.id, optionIds, text, correct, points: correct ? question.points : 0 }
  })
  return { responses, score: responses.reduce((sum, { points }) => sum + points, 0) }
}

/** The score in whole percent, rounded down; 100 if there are no points to earn. */
export const percentEarned = (score: number, outOf: number) => (outOf > 0 ? Math.floor((score * 100) / outOf) : 100)

/** Converts a score to the quiz's points, rounded; all points if there are none to earn. */
export const pointsEarned = (score: number, outOf: number, totalPoints: number) =>
  outOf > 0 ? Math.round((score * totalPoints) / outOf) : totalPoints

export const toQuizResult = (score: number, outOf: number, passPercent: number): "passed" | "failed" =>
  outOf === 0 || score * 100 >= passPercent * outOf ? "passed" : "failed"
