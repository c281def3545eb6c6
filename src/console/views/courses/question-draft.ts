import type { Schemas } from "../../../client/index.ts"

type Question = Schemas["QuizModule"]["questions"][number]

/** An option of a question that is being edited. */
export interface OptionDraft {
  key: number
  /** undefined for a new one. */
  id: number | undefined
  text: string
  correct: boolean
}

/** A question that is being edited. */
export interface QuestionDraft extends Pick<Question, "text" | "type" | "points" | "categoryId"> {
  key: number
  /** undefined for a new one. */
  id: number | undefined
  options: OptionDraft[]
  /** Accepted answers, one per line. */
  answers: string
}

let lastKey = 0
const nextKey = () => ++lastKey

export const newOption = (text = "", correct = false): OptionDraft => ({ key: nextKey(), id: undefined, text, correct })

export const toQuestionDraft = ({ answers, options, ...question }: Question): QuestionDraft => ({
  ...question,
  key: nextKey(),
  options: options.map((option) => ({ ...option, key: nextKey() })),
  answers: answers.join("\n"),
})

export const toQuestionBody = ({ id, text, type, points, options, answers, categoryId }: QuestionDraft) => ({
  ...(id !== undefined && { id }),
  text,
  type,
  points,
  ...(categoryId !== null && { categoryId }),
  options:
    type === "short"
      ? []
      : options.map((option) => ({
          ...(option.id !== undefined && { id: option.id }),
          text: option.text,
          correct: option.correct,
        })),
  answers: type === "short" ? answers.split("\n").filter((line) => line.trim() !== "") : [],
})

export const newQuestion = (): QuestionDraft => ({
  key: nextKey(),
  id: undefined,
  text: "",
  type: "single",
  points: 1,
  categoryId: null,
  options: [newOption("", true), newOption()],
  answers: "",
})
