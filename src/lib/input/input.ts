import { z } from "@hono/zod-openapi"
import { calendarDay, isDateOnly, parseMoment, parseMonth } from "../text/dates.ts"
import { fromJson, readJson } from "../text/json.ts"
import { isBlank, normalizedString, normalizeLine, normalizeText } from "../text/text.ts"
import { findZone, parseGiven } from "../text/zones.ts"

// Input schemas (docs/api/conventions.md). Each field helper accepts every allowed spelling and returns one type; its
// OpenAPI entry has the plain form.

/** Whether a value is an empty array in any spelling: `[]`, `"[]"`, `key[]=`. */
const isEmptyList = (value: unknown): boolean =>
  (typeof value === "string" && /^\s*\[\s*\]\s*$/.test(value)) ||
  (Array.isArray(value) && value.every((part) => part === ""))

const accepts = (field: z.ZodType, value: unknown) => field.safeParse(value).success

/**
 * Whether a value means "none": null and empty text always do; 0 (and in a query `0` and `null`) if the field does
 * not accept it; `Never`, which responses show instead of a date, if a date is expected.
 */
function meansNone(field: z.ZodType, value: unknown): boolean {
  if (value === null) return true
  if (value === 0) return !accepts(field, 0) && !accepts(field, "0")
  if (typeof value !== "string") return false
  if (isBlank(value)) return true
  const word = value.trim().toLowerCase()
  if (word === "0" || word === "null") return !accepts(field, value)
  return word === "never" && !accepts(field, value) && accepts(field, "2026-01-05")
}

/** Normalized text of at most `max` characters. */
export const text = (max = 255) => normalizedString(normalizeText, max).openapi({ type: "string", maxLength: max })

/** Normalized text of 1 to `max` characters. */
export const requiredText = (max = 255) =>
  normalizedString(normalizeText, max, 1).openapi({ type: "string", minLength: 1, maxLength: max })

/** A name: one line, 1 to 100 characters. */
export const name = () =>
  normalizedString(normalizeLine, 100, 1).openapi({ type: "string", minLength: 1, maxLength: 100 })

/** Normalized text on one line: for mail headers, file names and calendars. */
export const line = (max = 255) => normalizedString(normalizeLine, max).openapi({ type: "string", maxLength: max })

/** An email address of at most 254 characters. Addresses are unique regardless of case. */
export const email = () =>
  normalizedString(normalizeText, 254).pipe(z.email()).openapi({ type: "string", format: "email", maxLength: 254 })

const positive = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const numeric = (value: unknown) =>
  typeof value === "string" && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value

/** Any JSON value whose structure is defined elsewhere, such as package data or audit details. */
export const json = () => z.unknown().openapi("Json", { description: "Any JSON value" })

/** A record id: a positive integer, as a number or digits. */
export const id = () => z.preprocess(numeric, positive).openapi({ type: "integer", minimum: 1 })

/** An integer in a range, as a number or digits. */
export const integer = (min: number, max: number) =>
  z.preprocess(numeric, z.number().int().min(min).max(max)).openapi({ type: "integer", minimum: min, maximum: max })

const BOOLEANS = new Map<unknown, boolean>([
  [true, true],
  ["true", true],
  [1, true],
  ["1", true],
  [false, false],
  ["false", false],
  [0, false],
  ["0", false],
])

/** true, false, 1 or 0, also as text. */
export const boolean = () =>
  z
    .preprocess((value) => BOOLEANS.get(typeof value === "string" ? value.toLowerCase() : value) ?? value, z.boolean())
    .openapi({ type: "boolean" })

/** The element of an array with one element (also as JSON), else the value. */
function unwrapSingle(value: unknown): unknown {
  const list = typeof value === "string" && value.trim().startsWith("[") ? readJson(value) : value
  return Array.isArray(list) && list.length === 1 ? list[0] : value
}

/** A word without case, spaces, hyphens and underscores. */
const simplifyWord = (word: string) => word.toLowerCase().replace(/[\s_-]+/g, "")

/** A field for one word, which `read` converts. An array with one element is accepted. */
export const word = <T extends z.ZodType>(read: (input: string) => unknown, field: T) =>
  z.preprocess((value) => {
    const given = unwrapSingle(value)
    return typeof given === "string" ? read(given) : given
  }, field)

/** One of `values`, regardless of case, spaces, hyphens and underscores. An array with one element is accepted. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  word((input) => values.find((value) => simplifyWord(value) === simplifyWord(input)) ?? input, z.enum(values))

function elements(value: unknown): unknown {
  if (value === undefined || value === null || value === "") return []
  if (typeof value === "number") return [value]
  if (typeof value !== "string") return value
  const json = readJson(value)
  if (Array.isArray(json)) return json
  return value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
}

/** An array, also as JSON, `key[]=…` or comma-separated; at most `max` elements. */
export const list = <T extends z.ZodType>(item: T, max = 5000) =>
  z.preprocess((value, context) => {
    const read = elements(value)
    if (!Array.isArray(read)) return read
    const items = read.filter((part) => part !== "")
    // Checked before the elements are parsed.
    if (items.length > max) context.addIssue({ code: "custom", message: `must have ${max} elements or fewer` })
    return items
  }, z.array(item).max(max))

/** Unique ids in their order. */
export const ids = (max = 5000) =>
  list(id(), max)
    .transform((values) => [...new Set(values)])
    .openapi({ type: "array", items: { type: "integer", minimum: 1 }, maxItems: max })

/** Like `ids`, but required; may be empty. */
export const requiredIds = (max = 5000) =>
  z
    .unknown()
    .superRefine((value, context) => {
      if (value === undefined) context.addIssue({ code: "custom", message: "is required" })
    })
    .pipe(ids(max))
    .openapi({ type: "array", items: { type: "integer", minimum: 1 }, maxItems: max })

/** A non-empty array. */
export const nonEmpty = <T extends z.ZodType<unknown[]>>(many: T) =>
  many.refine((all) => all.length > 0, { error: "must have 1 element or more" })

// Optional fields by the effect of "none". In a create or a filter: `optional`. In an update: `clearable` if the
// record can be without a value, else `keepIfNone`, or `keepIfNull` for text.

/** For creates and filters: "none" and an empty array count as absent. */
export const optional = <T extends z.ZodType>(field: T) =>
  z
    .preprocess((value) => (isEmptyList(value) || meansNone(field, value) ? undefined : value), field.optional())
    .transform((value) => (Array.isArray(value) && value.length === 0 ? undefined : value))

/** Like `optional`, with a default value. */
export const withDefault = <T extends z.ZodType>(field: T, value: z.output<T>) =>
  optional(field)
    .transform((parsed) => parsed ?? value)
    .openapi({ default: value })

/** For updates of a required value or a list: "none" leaves it unchanged. Only `[]` empties a list. */
export const keepIfNone = <T extends z.ZodType>(field: T) =>
  z.preprocess((value) => (meansNone(field, value) ? undefined : value), field.optional())

/** For updates of required text: null leaves it unchanged, empty text is refused. */
export const keepIfNull = <T extends z.ZodType>(field: T) =>
  z.preprocess((value) => value ?? undefined, field.optional())

/** For updates of an optional value: "none" sets it to `cleared`. */
export const clearable = <T extends z.ZodType, const C = null>(field: T, cleared: C = null as C) =>
  z
    .preprocess((value) => (meansNone(field, value) ? null : value), field.nullable().optional())
    .transform((value) => (value === null ? cleared : value) as z.output<T> | NoInfer<C> | undefined)

/** A required field that may be "none", which becomes null. */
export const nullable = <T extends z.ZodType>(field: T) =>
  z.preprocess(
    (value) => (value !== undefined && (isEmptyList(value) || meansNone(field, value)) ? null : value),
    field.nullable(),
  )

/** A search by id or name: a number is an id, digits are an id or part of a name, other text is part of a name. */
export const idOrName = (max = 100) =>
  z
    .preprocess((value) => (value === 0 ? "" : value), z.union([positive, text(max)]))
    .openapi({ type: "string", description: "Part of the name, or the id" })

/** A non-empty file of a multipart form. Operations check its content. */
export const file = () =>
  z
    .custom<File>((value) => value instanceof File && value.size > 0, {
      error: ({ input }) => (input instanceof File ? "must not be empty" : "is required, as a file"),
    })
    .openapi({ type: "string", format: "binary" })

/** Form fields as Hono returns them, with `key[]` as `key`. */
export const foldForm = (form: unknown): unknown =>
  typeof form === "object" && form !== null
    ? Object.fromEntries(Object.entries(form).map(([key, value]) => [key.replace(/\[\]$/, ""), value]))
    : form

/**
 * A date like `time`, with the length of time that it names, for values that responses show rounded. See `shiftDate`.
 */
export const moment = () =>
  z
    .string()
    .transform((value, context) => {
      const read = parseMoment(value)
      if (read === undefined) {
        context.addIssue({ code: "custom", message: "must be a date such as 2026-01-05, 2026-01-05 15:04 or ISO 8601" })
        return z.NEVER
      }
      return read
    })
    .openapi({ type: "string", format: "date-time" })

/**
 * A time: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:mm[:ss]` (UTC unless an offset is given), or as responses show it:
 * `Jan 05, 2026`, `Jan 05, 2026 03:04 PM`. Returns epoch milliseconds.
 */
export const time = () =>
  moment()
    .transform(({ at }) => at)
    .openapi({ type: "string", format: "date-time" })

/** A day: `2026-01-05` or `Jan 05, 2026`. Returns `2026-01-05`. */
export const day = () =>
  z
    .string()
    .transform((value, context) => {
      const read = isDateOnly(value) ? calendarDay(value) : undefined
      if (read !== undefined) return read
      context.addIssue({ code: "custom", message: "must be a date such as 2026-01-05" })
      return z.NEVER
    })
    .openapi({ type: "string", format: "date" })

/** Like `time`, but in a time zone that is given elsewhere, unless it has an offset. */
export const givenTime = () =>
  z
    .string()
    .transform((value, context) => {
      const parsed = parseGiven(value)
      if (parsed) return parsed
      context.addIssue({ code: "custom", message: "must be a date such as 2026-01-05, 2026-01-05 15:04 or ISO 8601" })
      return z.NEVER
    })
    .openapi({ type: "string", format: "date-time" })

/** An IANA time zone. */
export const timeZone = () =>
  z
    .string()
    .transform((value, context) => {
      const zone = findZone(value)
      if (zone !== undefined) return zone
      context.addIssue({ code: "custom", message: "must be an IANA time zone such as Europe/Berlin" })
      return z.NEVER
    })
    .openapi({ type: "string", example: "Europe/Berlin", description: "An IANA time zone" })

/** A BCP 47 language tag in its canonical form. */
export const language = () =>
  z
    .string()
    .max(35)
    .transform((value, context) => {
      try {
        const [tag] = Intl.getCanonicalLocales(value.trim())
        // Only languages that have a name: `xq` is a valid tag of no language.
        if (tag && new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(tag)) return tag
      } catch {
        // Not a tag.
      }
      context.addIssue({ code: "custom", message: "must be a language tag such as en or pt-BR" })
      return z.NEVER
    })
    .openapi({ type: "string", example: "pt-BR", description: "A BCP 47 language tag" })

/** `November 2026`, `Nov 2026` or `2026-11`. Returns that month in UTC. */
export const month = () =>
  z
    .string()
    .transform((value, context) => {
      const read = parseMonth(value)
      if (read === undefined) {
        context.addIssue({ code: "custom", message: "must be a month such as November 2026, Nov 2026 or 2026-11" })
        return z.NEVER
      }
      return read
    })
    .openapi({ type: "string", example: "November 2026" })

/**
 * A JSON object in a query parameter. An extra closing brace is ignored; `null` and an empty array mean an empty
 * object.
 */
export const jsonObject = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value, context) => {
    if (value === undefined || value === null || isEmptyList(value)) return {}
    if (typeof value !== "string") return value
    const text = value.trim()
    return text === "" || text === "null" ? {} : fromJson(readJson(text) ?? text.replace(/\}$/, ""), context)
  }, shape)
