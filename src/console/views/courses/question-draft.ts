import type { Schemas } from "../../../client/index.ts"

type Question = Schemas["QuizModule"]["questions"][number]

/** An option as it is being written. */
export interface OptionDraft {
  key: number
  /** undefined: a new one. */
  id: number | undefined
  text: string
  correct: boolean
}

/** A question as it is being written. */
export interface QuestionDraft extends Pick<Question, "text" | "type" | "points" | "categoryId"> {
  key: number
  /** undefined: a new one. */
  id: number | undefined
  options: OptionDraft[]
  /** The accepted texts, one a line. */
  answers: string
}

let last = 0
const nextKey = () => {
  last += 1
  return last
}

export const newOption = (text = "", correct = false): OptionDraft => ({ key: nextKey(), id: undefined, text, correct })

/** A question as it was read, to be changed. */
export const draftOf = ({ answers, options, ...question }: Question): QuestionDraft => ({
  ...question,
  key: nextKey(),
  options: options.map((option) => ({ ...option, key: nextKey() })),
  answers: answers.join("\n"),
})

/** A question as the API takes it. */
export const questionBody = ({ id, text, type, points, options, answers, categoryId }: QuestionDraft) => ({
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

/** A question that is to be written. */
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
