import { z } from "@hono/zod-openapi"
import { invalid } from "../errors.ts"
import { normalizeText } from "../text/text.ts"

// Amounts are stored as whole minor units of their currency (cents of a dollar, yen of a yen) and answered as decimal
// numbers: 4990 of USD is 49.9. Up to MOST minor units a JSON number holds every such decimal exactly.

const MOST = 100_000_000_000_000

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"))

// Making one takes 40 times as long as using it. There are as many as currencies, some 160.
const formats = new Map<string, Intl.NumberFormat>()

/** The format of a currency, kept. */
function format(currency: string): Intl.NumberFormat {
  const kept = formats.get(currency)
  if (kept) return kept
  const made = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "narrowSymbol" })
  if (CURRENCIES.has(currency)) formats.set(currency, made)
  return made
}

/** How many decimals the currency has: 2 for USD, 0 for JPY, 3 for KWD. */
const decimals = (currency: string): number => format(currency).resolvedOptions().maximumFractionDigits ?? 2

/** An ISO 4217 code, in either case. */
export const currency = () =>
  z
    .string()
    .transform((value) => normalizeText(value).toUpperCase())
    .refine((code) => CURRENCIES.has(code), { error: "must be an ISO 4217 currency code such as USD" })
    .openapi({ type: "string", example: "USD", description: "An ISO 4217 code" })

/** An amount of 0 or more, as a number or as decimal text, handed on as text: `49.90`. */
export const amount = () =>
  z
    .union([z.number(), z.string()])
    .transform((value) => (typeof value === "number" && Math.abs(value) < 1e-6 ? value.toFixed(20) : String(value)))
    .transform((value) => value.trim())
    .refine((value) => /^\d{1,15}(\.\d{1,20})?$/.test(value), { error: "must be an amount such as 49.90, 0 or more" })
    .openapi({ type: "number", minimum: 0, example: 49.9, description: "In the currency's main unit" })

/**
 * An amount in minor units of its currency.
 * @throws 422 for more decimals than the currency has, or an amount too large
 */
export function toMinor(value: string, code: string, field: string): number {
  const places = decimals(code)
  const [whole = "", fraction = ""] = value.split(".")
  const significant = fraction.replace(/0+$/, "")
  if (significant.length > places)
    throw invalid(field, `${field} must have ${places} decimals or fewer: ${code} has no more.`)
  const minor = Number(`${whole}${significant.padEnd(places, "0")}`)
  if (minor > MOST) throw invalid(field, `${field} is too large.`)
  return minor
}

/** Minor units as a decimal number: 4990 of USD is 49.9. */
export const fromMinor = (minor: number, code: string): number => {
  const places = decimals(code)
  return Number(`${minor}e-${places}`)
}

let byDecimals: Map<number, string[]> | undefined

/** The currencies by how many decimals they have. Made when it is first needed: it takes every currency's format. */
export function currenciesByDecimals(): ReadonlyMap<number, string[]> {
  byDecimals ??= Map.groupBy(CURRENCIES, decimals)
  return byDecimals
}

/** `$`, `€`; the code itself where a currency has no symbol. */
export const currencySymbol = (code: string): string =>
  format(code)
    .formatToParts(0)
    .find((part) => part.type === "currency")?.value ?? code

/** `$1,234.50` */
export const displayAmount = (minor: number, code: string): string => format(code).format(fromMinor(minor, code))
