import type { QuestionContent, Response } from "../../../drizzle/schema/quizzes.ts"

// Answers as texts, for reports and graders.

const SEPARATOR = "; "

const pairs = (prompts: string[], values: string[]) =>
  prompts.map((prompt, at) => `${prompt}: ${values[at] ?? ""}`).join(SEPARATOR)

/** What was answered. */
export function answerText({ type, options }: QuestionContent, { optionIds, text, values }: Response): string {
  if (type === "matching") {
    const prompts = options.map((option) => option.text)
    return values.length > 0 ? pairs(prompts, values) : ""
  }
  if (type === "ordering" || type === "fillin") return values.join(SEPARATOR)
  const chosen = options.filter(({ id }) => optionIds.includes(id)).map((option) => option.text)
  return chosen.length > 0 ? chosen.join(SEPARATOR) : text
}

/** What is correct; empty for essays. */
export function correctText({ type, options, answers, blanks, numeric }: QuestionContent): string {
  switch (type) {
    case "short":
      return answers.join(SEPARATOR)
    case "matching":
      return pairs(
        options.map((option) => option.text),
        options.map((option) => option.match),
      )
    case "ordering":
      return options.map((option) => option.text).join(SEPARATOR)
    case "fillin":
      return blanks.map((accepted) => accepted.join(" / ")).join(SEPARATOR)
    case "numeric":
      return numeric
        ? `${numeric.value}${numeric.tolerance > 0 ? ` ± ${numeric.tolerance}` : ""} ${numeric.unit}`.trim()
        : ""
    case "essay":
      return ""
    default:
      return options
        .filter(({ correct }) => correct)
        .map((option) => option.text)
        .join(SEPARATOR)
  }
}
