import i18next from "i18next"
import { store, useStore } from "../api/store.ts"

/** The languages that the console speaks, as they call themselves. */
export const LANGUAGES = { en: "English", ar: "العربية" } as const
export type Language = keyof typeof LANGUAGES

const KEPT_AS = "lectern.language"
const CATALOGUES = import.meta.glob<Record<string, string>>("./*/*.json", { import: "default" })

const isLanguage = (text: string | undefined | null): text is Language =>
  text !== null && text !== undefined && text in LANGUAGES

const asked = () => [localStorage.getItem(KEPT_AS), ...navigator.languages.map((tag) => tag.split("-")[0])]

const current = store<Language>(asked().find(isLanguage) ?? "en")
/** The catalogs in use; a view brings its own. */
const inUse = new Set<string>(["common"])

async function load(language: Language, name: string) {
  if (i18next.hasResourceBundle(language, name)) return
  const catalog = await CATALOGUES[`./${language}/${name}.json`]?.()
  i18next.addResourceBundle(language, name, catalog ?? {})
}

function apply(language: Language) {
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
}

/** Makes the console speak: to be awaited before anything is shown. */
export async function startMessages() {
  const language = current.get()
  await i18next.init({
    lng: language,
    fallbackLng: false,
    ns: [],
    defaultNS: "common",
    keySeparator: false,
    // Words go into text nodes and attributes, never into HTML.
    interpolation: { escapeValue: false },
  })
  await load(language, "common")
  apply(language)
}

/** Loads a view's catalog beside its code. */
export async function withMessages<Loaded>(name: string, view: Promise<Loaded>): Promise<Loaded> {
  inUse.add(name)
  const [loaded] = await Promise.all([view, load(current.get(), name)])
  return loaded
}

export async function speak(language: Language) {
  localStorage.setItem(KEPT_AS, language)
  await Promise.all([...inUse].map((name) => load(language, name)))
  await i18next.changeLanguage(language)
  apply(language)
  current.set(language)
}

/** The language, for whoever shows words: the whole console is shown anew when it changes. */
export const useLanguage = () => useStore(current)

/** A message by its catalog and name (`users:title`; `common` is left out), with what stands in its gaps. */
export const t = (name: string, gaps: Record<string, string | number> = {}): string => i18next.t(name, gaps)

/** A number as the language writes it. */
export const number = (value: number, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(current.get(), options).format(value)

/** Parts of a whole, as percent. */
export const percent = (share: number) => number(share, { style: "percent", maximumFractionDigits: 0 })

/** Where the browser's clock stands: `Europe/Berlin`. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export const dateTime = (at: Date, options: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" }) =>
  new Intl.DateTimeFormat(current.get(), options).format(at)
