import i18next from "i18next"
import { type Language, scriptDirectionOf, supportedLanguage } from "../../lib/text/languages.ts"
import { messageKey } from "../../lib/texts/problems.ts"
import { store, useStore } from "../api/store.ts"

/** The languages of the console, by their own names. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  es: "Español",
  fr: "Français",
  de: "Deutsch",
  pt: "Português",
  ar: "العربية",
}

const STORAGE_KEY = "lectern.language"
const CATALOGS = import.meta.glob<Record<string, string>>("./*/*.json", { import: "default" })

/** The language that was chosen in the menu of this browser. */
const chosenLanguage = () => supportedLanguage(localStorage.getItem(STORAGE_KEY))

const browserLanguage = () => navigator.languages.map(supportedLanguage).find((language) => language !== undefined)

/** @param person the language that the person has set */
const preferredLanguage = (person?: Language) => chosenLanguage() ?? person ?? browserLanguage() ?? "en"

const current = store<Language>(preferredLanguage())
/** Loaded catalogs; each view loads its own. */
const loadedCatalogs = new Set<string>(["common"])

async function load(language: Language, name: string) {
  if (i18next.hasResourceBundle(language, name)) return
  const catalog = await CATALOGS[`./${language}/${name}.json`]?.()
  i18next.addResourceBundle(language, name, catalog ?? {})
}

function apply(language: Language) {
  document.documentElement.lang = language
  document.documentElement.dir = scriptDirectionOf(language)
}

/** Must be awaited before the first render; catalogs can be loaded from the call on. */
export async function initMessages() {
  const language = current.get()
  const isReady = i18next.init({
    initAsync: false,
    lng: language,
    fallbackLng: false,
    ns: [],
    defaultNS: "common",
    keySeparator: false,
    // Messages become text nodes and attributes, never HTML.
    interpolation: { escapeValue: false },
  })
  await Promise.all([isReady, load(language, "common")])
  apply(language)
  loadApiMessages(language)
}

/** Loads the translations of the API's messages. The first view does not wait for them; in English there are none. */
function loadApiMessages(language: Language) {
  if (language === "en") return
  loadedCatalogs.add("api")
  void load(language, "api")
}

/** Loads the catalog of a view in parallel with its code. */
export async function loadWithMessages<Loaded>(name: string, view: Promise<Loaded>): Promise<Loaded> {
  loadedCatalogs.add(name)
  const [loaded] = await Promise.all([view, load(current.get(), name)])
  return loaded
}

/** Chooses the language in this browser. */
export async function setLanguage(language: Language) {
  localStorage.setItem(STORAGE_KEY, language)
  await showLanguage(language)
}

/** Shows the console in the language that the person has set, unless another was chosen in this browser. */
export async function followLanguageOf(person: { language: string | null }) {
  const language = preferredLanguage(supportedLanguage(person.language))
  if (language !== current.get()) await showLanguage(language)
}

async function showLanguage(language: Language) {
  loadApiMessages(language)
  await Promise.all([...loadedCatalogs].map((name) => load(language, name)))
  await i18next.changeLanguage(language)
  apply(language)
  current.set(language)
}

/** The current language. */
export const useLanguage = () => useStore(current)

/** A message by catalog and key, such as `users:title`; keys of `common` have no prefix. */
export const t = (name: string, params: Record<string, string | number> = {}): string => i18next.t(name, params)

/** The translation of a message of the API; undefined: there is none. In English the API's own message is shown. */
export function apiText(key: string, params: Record<string, string> = {}): string | undefined {
  const name = `api:${key}`
  return current.get() !== "en" && i18next.exists(name) ? t(name, params) : undefined
}

/** What a successful change says. */
export const successText = (message: string): string => apiText(messageKey(message)) ?? apiText("done.other") ?? message

/** Formats a number in the current language. */
export const number = (value: number, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(current.get(), options).format(value)

/** Formats a share of 1 as percent. */
export const percent = (share: number) => number(share, { style: "percent", maximumFractionDigits: 0 })

/** The browser's time zone, such as `Europe/Berlin`. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export const dateTime = (at: Date, options: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" }) =>
  new Intl.DateTimeFormat(current.get(), options).format(at)

const UNITS = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const

/** A past time as its distance from now, such as "4 days ago". */
export function relativeTime(at: Date): string {
  const ms = Date.now() - at.getTime()
  const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? ["minute", 60_000]
  return new Intl.RelativeTimeFormat(current.get(), { numeric: "auto" }).format(
    -Math.max(0, Math.floor(ms / length)),
    unit,
  )
}
