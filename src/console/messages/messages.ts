import { type Language, scriptDirectionOf, supportedLanguage } from "../../lib/text/languages.ts"
import { fillText, type Params } from "../../lib/texts/fill-text.ts"
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
type Catalog = Readonly<Record<string, string>>
const CATALOGS = import.meta.glob<Catalog>("./*/*.json", { import: "default" })

/** The language that was chosen in the menu of this browser. */
const chosenLanguage = () => supportedLanguage(localStorage.getItem(STORAGE_KEY))

const browserLanguage = () => navigator.languages.map(supportedLanguage).find((language) => language !== undefined)

/** @param person the language that the person has set */
const preferredLanguage = (person?: Language) => chosenLanguage() ?? person ?? browserLanguage() ?? "en"

const current = store<Language>(preferredLanguage())
/** The names of the catalogs in use; each view loads its own. */
const loadedCatalogs = new Set<string>(["common"])
/** The loaded catalogs, by their paths. */
const catalogs = new Map<string, Catalog>()
const pathOf = (language: Language, name: string) => `./${language}/${name}.json`

async function load(language: Language, name: string) {
  const path = pathOf(language, name)
  const catalog = catalogs.get(path) ?? (await CATALOGS[path]?.())
  if (catalog) catalogs.set(path, catalog)
}

function apply(language: Language) {
  document.documentElement.lang = language
  document.documentElement.dir = scriptDirectionOf(language)
}

/** Must be awaited before the first render; catalogs can be loaded from the call on. */
export async function initMessages() {
  const language = current.get()
  await load(language, "common")
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
  apply(language)
  current.set(language)
}

/** The current language. */
export const useLanguage = () => useStore(current)

/** A text in the current language; undefined: there is none. */
function find(name: string, count?: string | number): string | undefined {
  const language = current.get()
  const separator = name.indexOf(":")
  const catalog = catalogs.get(pathOf(language, separator < 0 ? "common" : name.slice(0, separator)))
  const key = name.slice(separator + 1)
  const plural = count === undefined ? undefined : `${key}_${new Intl.PluralRules(language).select(Number(count))}`
  return (plural && catalog?.[plural]) ?? catalog?.[key]
}

/**
 * A message by catalog and key, such as `users:title`; keys of `common` have no prefix.
 * @param params the values of its placeholders; `count` selects its plural form
 */
export const t = (name: string, params: Params = {}): string => fillText(find(name, params.count) ?? name, params)

/** The translation of a message of the API; undefined: there is none. In English the API's own message is shown. */
export function apiText(key: string, params: Params = {}): string | undefined {
  const text = current.get() === "en" ? undefined : find(`api:${key}`)
  return text && fillText(text, params)
}

/** What a successful change says. */
export const successText = (message: string): string => apiText(messageKey(message)) ?? apiText("done.other") ?? message

/** Formats a number in the current language. */
export const number = (value: number, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(current.get(), options).format(value)

/** Joins names or measures in the current language, such as "Algebra, Botany, and Chemistry". */
export const joinList = (parts: readonly string[], options?: Intl.ListFormatOptions) =>
  new Intl.ListFormat(current.get(), options).format(parts)

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
