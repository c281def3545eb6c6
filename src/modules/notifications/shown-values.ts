import type { NotificationKind, NotificationVariables } from "../../../drizzle/schema/notifications.ts"
import { type VariableType, variablesOf } from "./kinds.ts"
import { fillLine, type ShownValues } from "./template-text.tsx"
import { builtInTexts } from "./texts/built-in-texts.ts"

/** In which language and time zone values are shown, and what paths are relative to. */
export interface Locale {
  language: string
  timeZone: string
  /** The URL of this service without a trailing slash. */
  base: string
}

const asTime = (value: string | number) => (typeof value === "number" ? value : Number(value))

const FORMATS = {
  date: { dateStyle: "long" },
  time: {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

function show(type: VariableType, value: string | number | null | undefined, { language, timeZone, base }: Locale) {
  if (value === null || value === undefined || value === "" || (type !== "text" && value === 0)) return ""
  if (type === "text") return String(value)
  if (type === "url") return String(value).startsWith("/") ? `${base}${value}` : String(value)
  const at = asTime(value)
  return Number.isFinite(at) ? new Intl.DateTimeFormat(language, { ...FORMATS[type], timeZone }).format(at) : ""
}

/** The variables of a notification as texts. */
export const shownValues = (
  kind: NotificationKind | "digest",
  variables: NotificationVariables,
  locale: Locale,
): ShownValues =>
  Object.fromEntries(
    Object.entries(variablesOf(kind)).map(([name, type]) => [name, show(type, variables[name], locale)]),
  )

/** One line about a notification: the built-in subject in a language. */
export function titleOf(kind: NotificationKind, variables: NotificationVariables, locale: Locale): string {
  const { language, texts } = builtInTexts(locale.language)
  return fillLine(texts.kinds[kind].subject, shownValues(kind, variables, { ...locale, language }))
}
