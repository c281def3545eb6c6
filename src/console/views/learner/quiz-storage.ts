import type { DataOf } from "../../../client/index.ts"

export type Attempt = DataOf<"/api/quiz/attempt", "post">
export type Question = Attempt["questions"][number]

/** What was answered, by the question's id. */
export type Answers = Record<number, { optionIds?: number[]; text?: string }>

const answersOf = (attemptId: number) => `lectern.quiz.${attemptId}`
const openAt = (registrationId: number, moduleId: number) => `lectern.quiz.open.${registrationId}.${moduleId}`

/** The answers that a reload of the page left behind. */
export function keptAnswers(attemptId: number): Answers {
  try {
    return JSON.parse(sessionStorage.getItem(answersOf(attemptId)) ?? "{}")
  } catch {
    return {}
  }
}

/** Keeps the answers of an open attempt until it is submitted. */
export function keepAnswers(attemptId: number, answers: Answers) {
  try {
    sessionStorage.setItem(answersOf(attemptId), JSON.stringify(answers))
  } catch {
    // A full or forbidden storage keeps nothing over a reload.
  }
}

/** Was an attempt begun in this tab and not submitted? Then a reload goes on with it. */
export const isUnderWay = (registrationId: number, moduleId: number) =>
  sessionStorage.getItem(openAt(registrationId, moduleId)) !== null

export const markUnderWay = (registrationId: number, moduleId: number) =>
  sessionStorage.setItem(openAt(registrationId, moduleId), "1")

export function forget(registrationId: number, moduleId: number, attemptId?: number) {
  sessionStorage.removeItem(openAt(registrationId, moduleId))
  if (attemptId !== undefined) sessionStorage.removeItem(answersOf(attemptId))
}

/** Has a question any answer? */
export const isAnswered = (answers: Answers, { id }: Question) =>
  (answers[id]?.optionIds?.length ?? 0) > 0 || Boolean(answers[id]?.text?.trim())
