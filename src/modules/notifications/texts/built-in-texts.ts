import { type Language, supportedLanguage } from "../../../lib/text/languages.ts"
import { ARABIC } from "./ar.ts"
import { GERMAN } from "./de.ts"
import { ENGLISH } from "./en.ts"
import { SPANISH } from "./es.ts"
import { FRENCH } from "./fr.ts"
import { PORTUGUESE } from "./pt.ts"
import type { TextCatalog } from "./text-catalog.ts"

/** The built-in texts by language. Other languages fall back to English. */
export const BUILT_IN_TEXTS: Readonly<Record<Language, TextCatalog>> = {
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  de: GERMAN,
  pt: PORTUGUESE,
  ar: ARABIC,
}

/** The built-in texts for a language tag, and the language that they are in: the tag, or English. */
export function builtInTexts(tag: string): { language: string; texts: TextCatalog } {
  const language = supportedLanguage(tag)
  return language ? { language: tag, texts: BUILT_IN_TEXTS[language] } : { language: "en", texts: ENGLISH }
}
