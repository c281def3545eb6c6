import { z } from "@hono/zod-openapi"
import { dayIn, isDayAlone, parseMoment, parseMonth } from "../text/dates.ts"
import { fromJson, readJson } from "../text/json.ts"
import { isBlank, normalizedString, normalizeLine, normalizeText } from "../text/text.ts"
import { findZone, parseGiven } from "../text/zones.ts"

// How inputs are read: as clients send them (docs/api/conventions.md). A field helper here takes
// every spelling that is allowed and hands on one type; its OpenAPI entry names the plain form.

/** An empty array, in any of its spellings: `[]`, `"[]"`, `key[]=`. */
const isEmptyList = (value: unknown): boolean =>
  (typeof value === "string" && /^\s*\[\s*\]\s*$/.test(value)) ||
  (Array.isArray(value) && value.every((part) => part === ""))

const takes = (field: z.ZodType, value: unknown) => field.safeParse(value).success

/**
 * Whether a value says that there is none: null and an empty text always do, 0 (and in a query `0` and `null`) where
 * the field has no use for it, and `Never`, which answers show in a date's place, where a date is expected.
 */
function meansNone(field: z.ZodType, value: unknown): boolean {
  if (value === null) return true
  if (value === 0) return !takes(field, 0) && !takes(field, "0")
  if (typeof value !== "string") return false
  if (isBlank(value)) return true
  const word = value.trim().toLowerCase()
  if (word === "0" || word === "null") return !takes(field, value)
  return word === "never" && !takes(field, value) && takes(field, "2026-01-05")
}

/** Text of at most `max` characters, tidied. */
export const text = (max = 255) => normalizedString(normalizeText, max).openapi({ type: "string", maxLength: max })

/** As `text`, and not empty. */
export const requiredText = (max = 255) =>
  normalizedString(normalizeText, max, 1).openapi({ type: "string", minLength: 1, maxLength: max })

/** A person's or thing's name: one line, 1 to 100 characters. */
export const name = () =>
  normalizedString(normalizeLine, 100, 1).openapi({ type: "string", minLength: 1, maxLength: 100 })

/** As `text`, on one line: what is written into a mail's headers, a file's name or a calendar. */
export const line = (max = 255) => normalizedString(normalizeLine, max).openapi({ type: "string", maxLength: max })

/** An email address of at most 254 characters, as given. Addresses are unique without regard to case. */
export const email = () =>
  normalizedString(normalizeText, 254).pipe(z.email()).openapi({ type: "string", format: "email", maxLength: 254 })

const positive = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const numeric = (value: unknown) =>
  typeof value === "string" && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value

/** Any JSON value, where others say what it is: a package its data, a change what it was of. */
export const json = () => z.unknown().openapi("Json", { description: "Any JSON value" })

/** A record's id: a positive integer, as a number or as digits. */
export const id = () => z.preprocess(numeric, positive).openapi({ type: "integer", minimum: 1 })

/** A whole number between bounds, as a number or as digits. */
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

/** true, false, 1 or 0, as themselves or as text. */
export const bool = () =>
  z
    .preprocess((value) => BOOLEANS.get(typeof value === "string" ? value.toLowerCase() : value) ?? value, z.boolean())
    .openapi({ type: "boolean" })

/** The element of an array of one, or of its JSON; else the value as it is. */
function sole(value: unknown): unknown {
  const list = typeof value === "string" && value.trim().startsWith("[") ? readJson(value) : value
  return Array.isArray(list) && list.length === 1 ? list[0] : value
}

/** A word without its case, spaces, hyphens and underscores. */
const plain = (word: string) => word.toLowerCase().replace(/[\s_-]+/g, "")

/** A field that takes one word, which `read` turns into what it means. An array of one stands for its element. */
export const word = <T extends z.ZodType>(read: (given: string) => unknown, field: T) =>
  z.preprocess((value) => {
    const given = sole(value)
    return typeof given === "string" ? read(given) : given
  }, field)

/** One of `values`, in whatever case, with spaces, hyphens or underscores; an array of one stands for its element. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  word((given) => values.find((value) => plain(value) === plain(given)) ?? given, z.enum(values))

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

/** An array, as an array, a JSON string, `key[]=…` or a comma list; at most `max` elements. */
export const list = <T extends z.ZodType>(item: T, max = 5000) =>
  z.preprocess((value, context) => {
    const read = elements(value)
    if (!Array.isArray(read)) return read
    const given = read.filter((part) => part !== "")
    // Before each of them is looked at.
    if (given.length > max) context.addIssue({ code: "custom", message: `must have ${max} elements or fewer` })
    return given
  }, z.array(item).max(max))

/** Ids, each once, in the order given. */
export const ids = (max = 5000) =>
  list(id(), max)
    .transform((values) => [...new Set(values)])
    .openapi({ type: "array", items: { type: "integer", minimum: 1 }, maxItems: max })

/** As `ids`, but they must be given, were it as an empty list. */
export const requiredIds = (max = 5000) =>
  z
    .unknown()
    .superRefine((value, context) => {
      if (value === undefined) context.addIssue({ code: "custom", message: "is required" })
    })
    .pipe(ids(max))
    .openapi({ type: "array", items: { type: "integer", minimum: 1 }, maxItems: max })

/** As `many`, and not empty. */
export const some = <T extends z.ZodType<unknown[]>>(many: T) =>
  many.refine((all) => all.length > 0, { error: "must have 1 element or more" })

// Fields that may be left out, by what "none" does to them. In a create and a filter: `optional`. In a change:
// `clearable` where the record can be without, else `kept`, of a text `keptText`.

/** Of a create or a filter: none, and an empty array, are as if the field was not given. */
export const optional = <T extends z.ZodType>(field: T) =>
  z
    .preprocess((value) => (isEmptyList(value) || meansNone(field, value) ? undefined : value), field.optional())
    .transform((value) => (Array.isArray(value) && value.length === 0 ? undefined : value))

/** As `optional`, and `value` where it was not given. */
export const defaulted = <T extends z.ZodType>(field: T, value: z.output<T>) =>
  optional(field)
    .transform((given) => given ?? value)
    .openapi({ default: value })

/** Of a change, what the record cannot be without, or a list: none leaves it as it is. Only `[]` empties a list. */
export const kept = <T extends z.ZodType>(field: T) =>
  z.preprocess((value) => (meansNone(field, value) ? undefined : value), field.optional())

/** Of a change, a text that the record cannot be without: null leaves it as it is, and an empty one is refused. */
export const keptText = <T extends z.ZodType>(field: T) => z.preprocess((value) => value ?? undefined, field.optional())

/** Of a change, what the record can be without: none makes it `cleared`. */
export const clearable = <T extends z.ZodType, const C = null>(field: T, cleared: C = null as C) =>
  z
    .preprocess((value) => (meansNone(field, value) ? null : value), field.nullable().optional())
    .transform((value) => (value === null ? cleared : value) as z.output<T> | NoInfer<C> | undefined)

/** A field that must be given, and may say that there is none: null then. */
export const orNone = <T extends z.ZodType>(field: T) =>
  z.preprocess(
    (value) => (value !== undefined && (isEmptyList(value) || meansNone(field, value)) ? null : value),
    field.nullable(),
  )

/** A search for records of another kind: a number is an id, digits are an id or a part of a name, text is a part. */
export const idOrName = (max = 100) =>
  z
    .preprocess((value) => (value === 0 ? "" : value), z.union([positive, text(max)]))
    .openapi({ type: "string", description: "A part of its name, or its id" })

/** A file of a multipart form, not empty. What it is, its content says: see each operation. */
export const file = () =>
  z
    .custom<File>((value) => value instanceof File && value.size > 0, {
      error: ({ input }) => (input instanceof File ? "must not be empty" : "is required, as a file"),
    })
    .openapi({ type: "string", format: "binary" })

/** The fields of a form as hono hands them on, `key[]` under `key`. */
export const foldForm = (form: unknown): unknown =>
  typeof form === "object" && form !== null
    ? Object.fromEntries(Object.entries(form).map(([key, value]) => [key.replace(/\[\]$/, ""), value]))
    : form

/** A date as `time` reads it, with the stretch that it names: for what answers show in part. See `shiftDate`. */
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
 * ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:mm[:ss]`, UTC unless an offset is given, or as answers show it:
 * `Jan 05, 2026`, `Jan 05, 2026 03:04 PM`. Hands on epoch milliseconds.
 */
export const time = () =>
  moment()
    .transform(({ at }) => at)
    .openapi({ type: "string", format: "date-time" })

/** A day without a time of day, `2026-01-05` or as answers show it: `Jan 05, 2026`. Hands on `2026-01-05`. */
export const day = () =>
  z
    .string()
    .transform((value, context) => {
      const read = isDayAlone(value) ? dayIn(value) : undefined
      if (read !== undefined) return read
      context.addIssue({ code: "custom", message: "must be a date such as 2026-01-05" })
      return z.NEVER
    })
    .openapi({ type: "string", format: "date" })

/** As `time`, for what is told in a zone of its own unless an offset is given. */
export const givenTime = () =>
  z
    .string()
    .transform((value, context) => {
      const given = parseGiven(value)
      if (given) return given
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

/**
 * `November 2026`, `Nov 2026` or `2026-11`. Hands on that month, from its first millisecond until the next one's, UTC.
 */
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
 * A JSON object in a query parameter. A trailing brace too many is forgiven; `null` and an empty array are an empty
 * one.
 */
export const jsonObject = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value, context) => {
    if (value === undefined || value === null || isEmptyList(value)) return {}
    if (typeof value !== "string") return value
    const text = value.trim()
    return text === "" || text === "null" ? {} : fromJson(readJson(text) ?? text.replace(/\}$/, ""), context)
  }, shape)
