import { z } from "@hono/zod-openapi"
import { QUESTION_TYPES, type QuestionType } from "../../../drizzle/schema/modules.ts"
import type { QuestionContent } from "../../../drizzle/schema/quizzes.ts"
import {
  boolean,
  choice,
  id,
  list,
  nonEmpty,
  optional,
  requiredText,
  text,
  withDefault,
} from "../../lib/input/input.ts"

// What a question asks, in the bodies and responses of quizzes and of the question bank.

const existingId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

const MAX_NUMBER = 1e15
const decimal = (min: number) =>
  z
    .preprocess(
      (value) => (typeof value === "string" && value.trim() ? Number(value) : value),
      z.number().min(min).max(MAX_NUMBER),
    )
    .openapi({ type: "number", minimum: min, maximum: MAX_NUMBER })

const option = z.object({
  id: existingId("The id of an existing option, to keep it"),
  text: requiredText(2000),
  correct: withDefault(boolean(), false),
  match: withDefault(text(500), "").openapi({ description: "Matching: the text that matches this prompt" }),
})

/** The URL of an image: absolute, or a path of this service. */
const imageUrl = () =>
  optional(
    text(2000).pipe(z.string().regex(/^(https?:\/\/|\/)\S+$/i, { error: "must be an http(s) URL or a path" })),
  ).openapi({ type: "string", maxLength: 2000 })

const MAX_OPTIONS = 50

/** The fields of a question that a quiz or the question bank stores. */
export const questionFields = {
  text: requiredText(5000).openapi({ description: "In a fill-in question, ___ marks each blank" }),
  type: choice(QUESTION_TYPES),
  options: withDefault(list(option, MAX_OPTIONS), []).openapi({
    description: "Matching: the prompts. Ordering: the items in the correct order",
  }),
  answers: withDefault(list(requiredText(500), MAX_OPTIONS), []).openapi({
    description: "Short answer: the accepted texts. Matching: further choices, which match no prompt",
  }),
  blanks: withDefault(list(nonEmpty(list(requiredText(500), MAX_OPTIONS)), MAX_OPTIONS), []).openapi({
    description: "Fill-in: the accepted texts of each blank",
  }),
  numeric: optional(
    z.object({
      value: decimal(-MAX_NUMBER),
      tolerance: withDefault(decimal(0), 0),
      unit: withDefault(text(20), ""),
    }),
  ).openapi({ description: "Numeric: the value. Answers that differ by at most the tolerance are correct" }),
  explanation: withDefault(text(5000), ""),
  imageUrl: imageUrl(),
  imageAlt: withDefault(text(500), "").openapi({ description: "Describes the image to people who cannot see it" }),
}
type QuestionInput = z.output<z.ZodObject<typeof questionFields>>

const OPTION_TYPES: readonly QuestionType[] = ["single", "multiple", "truefalse", "matching", "ordering"]

/** How many blanks a text marks. */
const countBlanks = (text: string) => text.match(/_{3,}/g)?.length ?? 0

/** The errors of a question, by field. */
function questionErrors({ text, type, options, answers, blanks, numeric }: QuestionInput): [string, string][] {
  const correct = options.filter((option) => option.correct).length
  const errors: [path: string, message: string, isWrong: boolean][] = [
    ["answers", "must contain at least one accepted text", type === "short" && answers.length === 0],
    ["numeric", "is required", type === "numeric" && numeric === undefined],
    ["blanks", "must contain the accepted texts of at least one blank", type === "fillin" && blanks.length === 0],
    [
      "text",
      `must mark ${blanks.length} blanks with ___`,
      type === "fillin" && blanks.length > 0 && countBlanks(text) !== blanks.length,
    ],
    ["options", "must contain at least 2 options", OPTION_TYPES.includes(type) && options.length < 2],
    ["options", "must contain exactly 2 options", type === "truefalse" && options.length > 2],
    ["options", "must contain at least one correct option", type === "multiple" && correct === 0],
    ["options", "must contain exactly one correct option", ["single", "truefalse"].includes(type) && correct !== 1],
    ["options", "must each have a match", type === "matching" && options.some((option) => option.match === "")],
    [
      "options",
      "must have different texts",
      type === "ordering" && new Set(options.map((option) => option.text)).size < options.length,
    ],
  ]
  return errors.filter(([, , isWrong]) => isWrong).map(([path, message]) => [path, message])
}

/** Adds the errors of a question to a schema, one for each field. */
export function checkQuestion(input: QuestionInput, context: z.RefinementCtx) {
  const seen = new Set<string>()
  for (const [path, message] of questionErrors(input)) {
    if (seen.has(path)) continue
    seen.add(path)
    context.addIssue({ code: "custom", path: [path], message })
  }
}

/** What is stored of a question, without its options: only what its type uses. */
export const toStoredContent = ({
  type,
  answers,
  blanks,
  numeric,
  explanation,
  imageUrl,
  imageAlt,
}: QuestionInput) => ({
  answers: type === "short" || type === "matching" ? answers : [],
  blanks: type === "fillin" ? blanks : [],
  numeric: type === "numeric" && numeric ? numeric : null,
  explanation,
  imageUrl: imageUrl ?? "",
  imageAlt: imageUrl ? imageAlt : "",
})

/** The options that are stored. */
export const toStoredOptions = ({ type, options }: Pick<QuestionInput, "type" | "options">) =>
  OPTION_TYPES.includes(type)
    ? options.map((option) => ({
        ...option,
        correct: type !== "matching" && type !== "ordering" && option.correct,
        match: type === "matching" ? option.match : "",
      }))
    : []

const idAnswer = () => z.number().int()

/** The response with a question's content. */
export const questionAnswer = {
  text: z.string(),
  type: z.enum(QUESTION_TYPES),
  options: z.array(z.object({ id: idAnswer(), text: z.string(), correct: z.boolean(), match: z.string() })),
  answers: z.array(z.string()),
  blanks: z.array(z.array(z.string())),
  numeric: z.object({ value: z.number(), tolerance: z.number(), unit: z.string() }).nullable(),
  explanation: z.string(),
  imageUrl: z.string(),
  imageAlt: z.string(),
}

export const toQuestionAnswer = (content: QuestionContent) => ({
  text: content.text,
  type: content.type,
  options: content.options.map(({ id, text, correct, match }) => ({ id, text, correct, match })),
  answers: content.answers,
  blanks: content.blanks,
  numeric: content.numeric,
  explanation: content.explanation,
  imageUrl: content.imageUrl,
  imageAlt: content.imageAlt,
})
