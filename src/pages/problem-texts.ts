import type { ApiError } from "../lib/errors.ts"
import { onDemand } from "../lib/on-demand.ts"
import type { Language } from "../lib/text/languages.ts"
import { fillText } from "../lib/texts/fill-text.ts"
import { problemText } from "../lib/texts/problems.ts"
import type { TextKey, Words } from "../lib/texts/texts.ts"

/** The texts of error codes and of the rules of fields, by key. */
export type ProblemTexts = Readonly<Record<string, string>>

// The console shows the same errors, so its catalogs have the texts. English pages show the messages of the API.
const CATALOGS = {
  es: onDemand(() => import("../console/messages/es/api.json")),
  fr: onDemand(() => import("../console/messages/fr/api.json")),
  de: onDemand(() => import("../console/messages/de/api.json")),
  pt: onDemand(() => import("../console/messages/pt/api.json")),
  ar: onDemand(() => import("../console/messages/ar/api.json")),
}

export const loadProblemTexts = async (language: Language): Promise<ProblemTexts> =>
  language === "en" ? {} : (await CATALOGS[language]()).default

/** The labels of the fields of pages. */
const LABELS: Readonly<Record<string, TextKey>> = {
  email: "email",
  password: "password.new",
  password_confirmation: "password.confirm",
  enrollment_key: "course.key",
  firstName: "sign-up.first-name",
  lastName: "sign-up.last-name",
}

/** What a page says about an error. */
export function errorText(error: ApiError, { words, problems }: { words: Words; problems: ProblemTexts }): string {
  if (words.language === "en") return error.message
  const find = (key: string, params?: Record<string, string>) => {
    const text = problems[key]
    return text === undefined ? undefined : fillText(text, params)
  }
  const labelOf = (field: string) => {
    const key = LABELS[field]
    return key ? words.t(key) : field.replace(/^customUserMetas\./, "")
  }
  return problemText(error, find, labelOf).text
}
