import { onDemand } from "../on-demand.ts"
import { displayDate, displayDateTime } from "../text/dates.ts"
import { type Language, scriptDirectionOf, supportedLanguage } from "../text/languages.ts"
import { ENGLISH_TEXTS, type Texts } from "./en.ts"
import { fillText, type Params } from "./fill-text.ts"

export type TextKey = keyof Texts

const spanish = onDemand(() => import("./es.ts"))
const french = onDemand(() => import("./fr.ts"))
const german = onDemand(() => import("./de.ts"))
const portuguese = onDemand(() => import("./pt.ts"))
const arabic = onDemand(() => import("./ar.ts"))

const CATALOGS: Record<Language, () => Promise<Texts>> = {
  en: async () => ENGLISH_TEXTS,
  es: async () => (await spanish()).SPANISH_TEXTS,
  fr: async () => (await french()).FRENCH_TEXTS,
  de: async () => (await german()).GERMAN_TEXTS,
  pt: async () => (await portuguese()).PORTUGUESE_TEXTS,
  ar: async () => (await arabic()).ARABIC_TEXTS,
}

/** The texts, dates and numbers of pages and documents in one language. */
export interface Words {
  language: Language
  direction: "ltr" | "rtl"
  t: (key: TextKey, params?: Params) => string
  /** Whether there is a text with this key. */
  has: (key: string) => key is TextKey
  /** A date, in UTC. */
  date: (at: number) => string
  dateTime: (at: number) => string
  percent: (share: number) => string
}

function toWords(language: Language, texts: Texts): Words {
  const isEnglish = language === "en"
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" })
    return (at: number) => formatter.format(at)
  }
  return {
    language,
    direction: scriptDirectionOf(language),
    t: (key, params) => fillText(texts[key], params),
    has: (key): key is TextKey => Object.hasOwn(texts, key),
    date: isEnglish ? displayDate : format({ dateStyle: "medium" }),
    dateTime: isEnglish ? displayDateTime : format({ dateStyle: "medium", timeStyle: "short" }),
    percent: (share) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(share),
  }
}

/** A status, or another value of a documented field, in words; without a text the value itself. */
export function statusText({ t, has }: Words, status: string, group: "status" | "module" = "status"): string {
  const key = `${group}.${status}`
  return has(key) ? t(key) : status
}

export const ENGLISH_WORDS = toWords("en", ENGLISH_TEXTS)

/** The words of a language tag; English for a language without texts. */
export async function loadWords(tag: string | null | undefined): Promise<Words> {
  const language = supportedLanguage(tag) ?? "en"
  return language === "en" ? ENGLISH_WORDS : toWords(language, await CATALOGS[language]())
}
