import { z } from "@hono/zod-openapi"
import { invalid } from "../errors.ts"
import { normalizeText } from "../text/text.ts"

// Amounts are stored in minor units of their currency (cents, yen) and returned as decimal numbers: 4990 USD cents
// are 49.9. Up to MAX_MINOR_UNITS, JSON numbers represent every such decimal exactly.

const MAX_MINOR_UNITS = 100_000_000_000_000

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"))

// Creating a format takes 40 times as long as using it. There are about 160 currencies.
const formats = new Map<string, Intl.NumberFormat>()

/** The format of a currency, cached for English. */
function format(currency: string, language = "en"): Intl.NumberFormat {
  const isCached = language === "en"
  const cached = isCached && formats.get(currency)
  if (cached) return cached
  const created = new Intl.NumberFormat(language, { style: "currency", currency, currencyDisplay: "narrowSymbol" })
  if (isCached && CURRENCIES.has(currency)) formats.set(currency, created)
  return created
}

/** The number of decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. */
const decimals = (currency: string): number => format(currency).resolvedOptions().maximumFractionDigits ?? 2

/** An ISO 4217 code in any case. */
export const currency = () =>
  z
    .string()
    .transform((value) => normalizeText(value).toUpperCase())
    .refine((code) => CURRENCIES.has(code), { error: "must be an ISO 4217 currency code such as USD" })
    .openapi({ type: "string", example: "USD", description: "An ISO 4217 code" })

/** An amount of 0 or more as a number or decimal text. Returns text: `49.90`. */
export const amount = () =>
  z
    .union([z.number(), z.string()])
    .transform((value) => (typeof value === "number" && Math.abs(value) < 1e-6 ? value.toFixed(20) : String(value)))
    .transform((value) => value.trim())
    .refine((value) => /^\d{1,15}(\.\d{1,20})?$/.test(value), { error: "must be an amount such as 49.90, 0 or more" })
    .openapi({ type: "number", minimum: 0, example: 49.9, description: "In units of the currency, such as dollars" })

/** Converts an amount to minor units. @throws 422 for too many decimals or too large an amount */
export function toMinor(value: string, code: string, field: string): number {
  const places = decimals(code)
  const [whole = "", fraction = ""] = value.split(".")
  const significant = fraction.replace(/0+$/, "")
  if (significant.length > places) throw invalid(field, `${field} must have at most ${places} decimals for ${code}.`)
  const minor = Number(`${whole}${significant.padEnd(places, "0")}`)
  if (minor > MAX_MINOR_UNITS) throw invalid(field, `${field} is too large.`)
  return minor
}

/** Converts minor units to a decimal number: 4990 for USD is 49.9. */
export const fromMinor = (minor: number, code: string): number => {
  const places = decimals(code)
  return Number(`${minor}e-${places}`)
}

let byDecimals: Map<number, string[]> | undefined

/** The currencies by number of decimals. Computed on first use, because it creates every currency's format. */
export function currenciesByDecimals(): ReadonlyMap<number, string[]> {
  byDecimals ??= Map.groupBy(CURRENCIES, decimals)
  return byDecimals
}

/** `$`, `€`, or the code if the currency has no symbol. */
export const currencySymbol = (code: string): string =>
  format(code)
    .formatToParts(0)
    .find((part) => part.type === "currency")?.value ?? code

/** `$1,234.50`, or as in another language. */
export const displayAmount = (minor: number, code: string, language = "en"): string =>
  format(code, language).format(fromMinor(minor, code))
