import i18next from "i18next"
import { store, useStore } from "../api/store.ts"

/** The languages of the console, by their own names. */
export const LANGUAGES = { en: "English", ar: "العربية" } as const
export type Language = keyof typeof LANGUAGES

const STORAGE_KEY = "lectern.language"
const CATALOGS = import.meta.glob<Record<string, string>>("./*/*.json", { import: "default" })

const isLanguage = (text: string | undefined | null): text is Language =>
  text !== null && text !== undefined && text in LANGUAGES

const preferredLanguages = () => [
  localStorage.getItem(STORAGE_KEY),
  ...navigator.languages.map((tag) => tag.split("-")[0]),
]

const current = store<Language>(preferredLanguages().find(isLanguage) ?? "en")
/** Loaded catalogs; each view loads its own. */
const loadedCatalogs = new Set<string>(["common"])

async function load(language: Language, name: string) {
  if (i18next.hasResourceBundle(language, name)) return
  const catalog = await CATALOGS[`./${language}/${name}.json`]?.()
  i18next.addResourceBundle(language, name, catalog ?? {})
}

function apply(language: Language) {
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
}

/** Must be awaited before the first render. */
export async function initMessages() {
  const language = current.get()
  await i18next.init({
    lng: language,
    fallbackLng: false,
    ns: [],
    defaultNS: "common",
    keySeparator: false,
    // Messages become text nodes and attributes, never HTML.
    interpolation: { escapeValue: false },
  })
  await load(language, "common")
  apply(language)
}

/** Loads the catalog of a view in parallel with its code. */
export async function loadWithMessages<Loaded>(name: string, view: Promise<Loaded>): Promise<Loaded> {
  loadedCatalogs.add(name)
  const [loaded] = await Promise.all([view, load(current.get(), name)])
  return loaded
}

export async function setLanguage(language: Language) {
  localStorage.setItem(STORAGE_KEY, language)
  await Promise.all([...loadedCatalogs].map((name) => load(language, name)))
  await i18next.changeLanguage(language)
  apply(language)
  current.set(language)
}

/** The current language. */
export const useLanguage = () => useStore(current)

/** A message by catalog and key, such as `users:title`; keys of `common` have no prefix. */
export const t = (name: string, params: Record<string, string | number> = {}): string => i18next.t(name, params)

/** Formats a number in the current language. */
export const number = (value: number, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(current.get(), options).format(value)

/** Formats a share of 1 as percent. */
export const percent = (share: number) => number(share, { style: "percent", maximumFractionDigits: 0 })

/** The browser's time zone, such as `Europe/Berlin`. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export const dateTime = (at: Date, options: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" }) =>
  new Intl.DateTimeFormat(current.get(), options).format(at)
