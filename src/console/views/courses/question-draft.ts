import type { Schemas } from "../../../client/index.ts"

type Question = Schemas["QuizModule"]["questions"][number]
/** What a question asks: of a quiz, or of the question bank. */
type Content = Omit<Question, "id" | "points" | "categoryId">

export const QUESTION_TYPES = [
  "single",
  "multiple",
  "truefalse",
  "short",
  "numeric",
  "fillin",
  "matching",
  "ordering",
  "essay",
] as const satisfies readonly Question["type"][]

/** An option of a question that is being edited. */
export interface OptionDraft {
  key: number
  /** undefined for a new one. */
  id: number | undefined
  text: string
  correct: boolean
  match: string
}

/** A question that is being edited. */
export interface QuestionDraft extends Pick<Question, "text" | "type" | "points" | "categoryId"> {
  key: number
  /** undefined for a new one. */
  id: number | undefined
  options: OptionDraft[]
  /** Accepted answers, or further choices, one per line. */
  answers: string
  /** The accepted texts of each blank, one per line. */
  blanks: string[]
  numeric: { value: string; tolerance: string; unit: string }
  explanation: string
  imageUrl: string
  imageAlt: string
}

let lastKey = 0
const nextKey = () => ++lastKey

export const newOption = (text = "", correct = false): OptionDraft => ({
  key: nextKey(),
  id: undefined,
  text,
  correct,
  match: "",
})

const toLines = (text: string) => text.split("\n").filter((line) => line.trim() !== "")

/** How many blanks a text has. */
export const countBlanks = (text: string) => text.match(/_{3,}/g)?.length ?? 0

const OPTION_TYPES: readonly Question["type"][] = ["single", "multiple", "truefalse", "matching", "ordering"]
const hasOptions = (type: Question["type"]) => OPTION_TYPES.includes(type)

/** @param question a question of a quiz, or the content of a bank question */
export const toQuestionDraft = (question: Content & Partial<Pick<Question, "id" | "points" | "categoryId">>) => {
  const { answers, options, blanks, numeric, ...rest } = question
  return {
    ...rest,
    id: question.id,
    points: question.points ?? 1,
    categoryId: question.categoryId ?? null,
    key: nextKey(),
    options: options.map((option) => ({ ...option, key: nextKey() })),
    answers: answers.join("\n"),
    blanks: blanks.map((accepted) => accepted.join("\n")),
    numeric: {
      value: numeric ? String(numeric.value) : "",
      tolerance: numeric ? String(numeric.tolerance) : "",
      unit: numeric?.unit ?? "",
    },
  } satisfies QuestionDraft
}

/** What the draft asks, without what its type does not use. */
export const toContentBody = (draft: QuestionDraft) => {
  const { type, text, numeric } = draft
  return {
    text,
    type,
    options: hasOptions(type)
      ? draft.options.map((option) => ({
          ...(option.id !== undefined && { id: option.id }),
          text: option.text,
          correct: option.correct,
          match: type === "matching" ? option.match : "",
        }))
      : [],
    answers: type === "short" || type === "matching" ? toLines(draft.answers) : [],
    blanks:
      type === "fillin" ? Array.from({ length: countBlanks(text) }, (_, at) => toLines(draft.blanks[at] ?? "")) : [],
    ...(type === "numeric" &&
      numeric.value !== "" && {
        numeric: { value: Number(numeric.value), tolerance: Number(numeric.tolerance), unit: numeric.unit },
      }),
    explanation: draft.explanation,
    imageUrl: draft.imageUrl,
    imageAlt: draft.imageAlt,
  }
}

export const toQuestionBody = (draft: QuestionDraft) => ({
  ...(draft.id !== undefined && { id: draft.id }),
  ...toContentBody(draft),
  points: draft.points,
  ...(draft.categoryId !== null && { categoryId: draft.categoryId }),
})

/** Takes over what the API stored of the sent questions; edits since then stay, with the ids that it assigned. */
export const withStored = (
  questions: readonly QuestionDraft[],
  sent: readonly QuestionDraft[],
  stored: readonly QuestionDraft[],
): QuestionDraft[] =>
  questions.map((question) => {
    const at = sent.findIndex(({ key }) => key === question.key)
    const [before, after] = [sent[at], stored[at]]
    if (!before || !after) return question
    if (before === question) return after
    const idOf = ({ key }: OptionDraft) => after.options[before.options.findIndex((option) => option.key === key)]?.id
    return { ...question, id: after.id, options: question.options.map((one) => ({ ...one, id: idOf(one) })) }
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
  blanks: [],
  numeric: { value: "", tolerance: "", unit: "" },
  explanation: "",
  imageUrl: "",
  imageAlt: "",
})
