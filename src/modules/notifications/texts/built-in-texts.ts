import { ARABIC } from "./ar.ts"
import { ENGLISH } from "./en.ts"
import { SPANISH } from "./es.ts"
import type { TextCatalog } from "./text-catalog.ts"

/** The languages with built-in texts. Others fall back to English. */
export const BUILT_IN_TEXTS: Readonly<Record<string, TextCatalog>> = { en: ENGLISH, es: SPANISH, ar: ARABIC }

const FALLBACK = { language: "en", texts: ENGLISH }

/** The language without its region: `es` of `es-MX`. */
const primaryLanguage = (language: string): string => language.split("-", 1)[0]?.toLowerCase() ?? ""

/** The built-in texts for a language tag, and the language that they are in: the tag, or English. */
export function builtInTexts(language: string): { language: string; texts: TextCatalog } {
  const texts = BUILT_IN_TEXTS[primaryLanguage(language)]
  return texts ? { language, texts } : FALLBACK
}

const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"])

/** The direction of a language's script. */
export const scriptDirectionOf = (language: string): "ltr" | "rtl" =>
  RIGHT_TO_LEFT.has(primaryLanguage(language)) ? "rtl" : "ltr"
