/** The languages of the service's own texts: pages, mails, notifications, documents and the console. */
export const LANGUAGES = ["en", "es", "fr", "de", "pt", "ar"] as const
export type Language = (typeof LANGUAGES)[number]

/** The language without its region: `es` of `es-MX`. */
export const primaryLanguage = (tag: string): string => tag.split("-", 1)[0]?.toLowerCase() ?? ""

/** The language of the service's texts for a language tag; undefined: there are none. */
export const supportedLanguage = (tag: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === primaryLanguage(tag ?? ""))

const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"])

/** The direction of a language's script. */
export const scriptDirectionOf = (tag: string): "ltr" | "rtl" =>
  RIGHT_TO_LEFT.has(primaryLanguage(tag)) ? "rtl" : "ltr"
