import type { DataOf } from "../../../client/index.ts"

export type Attempt = DataOf<"/api/quiz/attempt", "post">
export type Question = Attempt["questions"][number]

export interface Answer {
  optionIds?: number[]
  text?: string
  values?: string[]
}
/** Answers by question id. */
export type Answers = Record<number, Answer>

const answersKey = (attemptId: number) => `lectern.quiz.${attemptId}`
const openAttemptKey = (registrationId: number, moduleId: number) => `lectern.quiz.open.${registrationId}.${moduleId}`

/** Loads the answers that were stored before a reload. */
export function loadAnswers(attemptId: number): Answers {
  try {
    return JSON.parse(sessionStorage.getItem(answersKey(attemptId)) ?? "{}")
  } catch {
    return {}
  }
}

/** Stores the answers of an open attempt until it is submitted. */
export function saveAnswers(attemptId: number, answers: Answers) {
  try {
    sessionStorage.setItem(answersKey(attemptId), JSON.stringify(answers))
  } catch {
    // The storage is full or blocked: answers are lost on reload.
  }
}

/** Whether an attempt is open in this tab: a reload continues it. */
export const isAttemptOpen = (registrationId: number, moduleId: number) =>
  sessionStorage.getItem(openAttemptKey(registrationId, moduleId)) !== null

export const markAttemptOpen = (registrationId: number, moduleId: number) =>
  sessionStorage.setItem(openAttemptKey(registrationId, moduleId), "1")

export function clearAttempt(registrationId: number, moduleId: number, attemptId?: number) {
  sessionStorage.removeItem(openAttemptKey(registrationId, moduleId))
  if (attemptId !== undefined) sessionStorage.removeItem(answersKey(attemptId))
}

export const isAnswered = (answers: Answers, { id }: Pick<Question, "id">) => {
  const { optionIds = [], text = "", values = [] } = answers[id] ?? {}
  return optionIds.length > 0 || text.trim() !== "" || values.some((value) => value.trim() !== "")
}

const ONE_PER_PAGE = "lectern.quiz.one-per-page"

/** Whether the person prefers one question per page, on this device. */
export const isOnePerPage = () => localStorage.getItem(ONE_PER_PAGE) === "1"

export const setOnePerPage = (isOne: boolean) => localStorage.setItem(ONE_PER_PAGE, isOne ? "1" : "0")
