import { z } from "@hono/zod-openapi"
import { DAY } from "../clock.ts"
import { isDateOnly, isoTime, type Period, parseMoment } from "../text/dates.ts"
import { readJson } from "../text/json.ts"
import { hasOffset } from "../text/zones.ts"
import { choice, id, ids, integer, jsonObject, optional, time, withDefault } from "./input.ts"

// The query parameters and the response of lists (docs/api/conventions.md). src/db/list/ reads lists.

export const DIRECTIONS = ["asc", "desc"] as const

/**
 * An order with an empty column, as an unsorted table sends it, counts as absent. An empty direction means the
 * default.
 */
function withoutBlanks(read: unknown): unknown {
  if (typeof read !== "object" || read === null || Array.isArray(read)) return read
  const order = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== "" && value !== null))
  // A direction without a column is invalid.
  return "colName" in order || ("direction" in order && !("colName" in read)) ? order : undefined
}

function readOrder(value: unknown): unknown {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0))
    return undefined
  if (typeof value !== "string") return withoutBlanks(value)
  const text = value.trim()
  if (text === "" || text === "null") return undefined
  if (!text.startsWith("{") && !text.startsWith("[") && !text.startsWith('"')) return { colName: text }
  const read = readJson(text) ?? readJson(text.replace(/\}$/, ""))
  if (read === undefined) return value
  if (Array.isArray(read) && read.length === 0) return undefined
  return withoutBlanks(typeof read === "string" ? { colName: read } : read)
}

const orderBy = (columns: readonly string[]) =>
  z.preprocess(
    readOrder,
    z
      .object({
        colName: z.enum(columns as [string, ...string[]]),
        direction: withDefault(choice(DIRECTIONS), "asc"),
      })
      .optional(),
  )

const cursor = optional(z.string().max(2000)).openapi({
  type: "string",
  maxLength: 2000,
  description: "The position to continue from, as in the Link header. Faster than page_number for long lists",
})
/** The maximum page size. */
export const MAX_PAGE_SIZE = 500
/** The maximum number of rows if an unpaged list is read without `page_size`. */
export const ALL_ROWS = 5000

const pageSize = { type: "integer", minimum: 1, maximum: MAX_PAGE_SIZE } as const
const pageNumber = { type: "integer", minimum: 1 } as const

const requiredPaging = {
  page_size: integer(1, MAX_PAGE_SIZE).openapi({ ...pageSize, param: { required: true } }),
  page_number: integer(1, 10_000_000).openapi({ ...pageNumber, param: { required: true } }),
  cursor,
}

/** Paging for lists that the API document does not page: all rows by default. */
export const optionalPaging = {
  page_size: optional(integer(1, MAX_PAGE_SIZE))
    .pipe(z.number().default(ALL_ROWS))
    .openapi({
      ...pageSize,
      description: `Defaults to all rows. Required (422) if there are more than ${ALL_ROWS}`,
      param: { required: false },
    }),
  page_number: optional(integer(1, 10_000_000))
    .pipe(z.number().default(1))
    .openapi({ ...pageNumber, default: 1, param: { required: false } }),
  cursor,
}

/** The query of a lookup. */
export const lookupQuery = z.object(optionalPaging)

/** The serialization of an object in a query string: `order_by[colName]=name`. */
const DEEP = { required: false, style: "deepObject", explode: true } as const

/** Every list accepts portalId and group_id; some records belong to no portal or group. */
const OWNED = ". Ignored for records that do not belong to a portal or group"

/** The most common sort columns, for examples: the first one that a list has is used. */
const EXAMPLES = {
  created_at: "desc",
  registered_on: "desc",
  submitted_on: "desc",
  started_on: "desc",
  start_time: "desc",
  name: "asc",
  title: "asc",
} as const

function exampleOf(columns: readonly string[]) {
  const found = Object.entries(EXAMPLES).find(([name]) => columns.includes(name))
  const [colName = columns[0], direction = "asc"] = found ?? []
  return { colName, direction }
}

/** The portal and group filters of every list. */
const within = {
  portalId: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: `Only records of this portal${OWNED}`,
  }),
  group_id: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: `Only records of this group${OWNED}`,
  }),
}

/** A filter of reports by portal membership. */
export const searchPortalIds = () =>
  optional(ids()).openapi({
    type: "array",
    items: { type: "integer", minimum: 1 },
    description: "Only members of any of these portals",
  })

/**
 * The filters of a list that is also exported, declared once: the keys of `search_param`, and other parameters. The
 * list is `listQuery(columns, filters.search).extend(filters.beside)`, its export `exportBody(filters)`.
 */
interface ListFilters<S extends z.ZodRawShape, B extends z.ZodRawShape> {
  search: S
  beside: B
}

/** The body that starts an export: the filters of its list. */
export const exportBody = <S extends z.ZodRawShape, B extends z.ZodRawShape>({ search, beside }: ListFilters<S, B>) =>
  z.object({ search_param: jsonObject(z.object(search)), ...within, ...beside })

/**
 * The query parameters of a list.
 * @param columns the columns for `order_by`
 * @param search the keys of `search_param`
 * @param paging `required` if the API document pages the list
 */
export function listQuery<S extends z.ZodRawShape>(
  columns: readonly string[],
  search: S,
  { paging = "required" }: { paging?: "required" | "optional" } = {},
) {
  return z.object({
    ...(paging === "required" ? requiredPaging : optionalPaging),
    order_by: orderBy(columns).openapi({
      description: "order_by[colName] and order_by[direction], the same as JSON, or a column name",
      example: exampleOf(columns),
      param: DEEP,
    }),
    search_param: jsonObject(z.object(search)).openapi({
      description: "search_param[key], or a JSON object with all keys. Unknown keys are ignored.",
      param: DEEP,
    }),
    ...within,
  })
}

/** A comma that is not part of a displayed date: `Jan 05, 2026`. */
const BETWEEN_DATES = /,(?!\s*\d{4}(?!\d|-))/

/** Two dates as an array, JSON, comma-separated text or an object. Blank dates remain in place. */
function twoDates(value: unknown): unknown {
  if (value === undefined || value === null || value === "") return []
  if (typeof value === "string") {
    const text = value.trim()
    if (!/^[[{]/.test(text)) return text.split(BETWEEN_DATES)
    const read = readJson(text)
    return read === undefined ? value : twoDates(read)
  }
  if (Array.isArray(value)) return value.map((date) => date ?? "")
  const { from, start, startDate, to, end, endDate } = value as Record<string, unknown>
  return [from ?? start ?? startDate ?? "", to ?? end ?? endDate ?? ""]
}

const ALL_TIME = { from: 0, until: Date.UTC(3000, 0, 1) }

interface PeriodOptions {
  /** The meaning of a single date: that day, or from then on. Without it, a single date is refused. */
  alone?: "day" | "from"
  /** Round to whole days. Otherwise only a date without a time of day means a whole day. */
  days?: boolean
  /** Whether the start or the end may be blank. */
  open?: boolean
}

/** The period between two dates, including the second; undefined if both are blank. */
export const period = ({ alone, days = false, open = true }: PeriodOptions = {}) =>
  z
    .preprocess(twoDates, z.array(z.string()).max(2))
    .transform((texts, context): Period | undefined => {
      const dates = texts.map((date) => date.trim())
      if (dates.every((date) => date === "")) return undefined
      const [first = "", last = alone === "day" ? first : ""] = dates
      const start = parseMoment(first)?.at ?? Number.NaN
      const end = parseMoment(last) ?? { at: Number.NaN, length: 0 }
      const dayOf = (time: number) => Math.floor(time / DAY) * DAY
      const from = first === "" ? ALL_TIME.from : days ? dayOf(start) : start
      const isWholeDay = days || isDateOnly(last)
      const until = last === "" ? ALL_TIME.until : isWholeDay ? dayOf(end.at) + DAY : end.at + end.length
      const isIncomplete = dates.length < 2 ? alone === undefined : !open && dates.includes("")
      const instants = { from: hasOffset(first), until: hasOffset(last) }
      if (!isIncomplete && from < until) return { from, until, ...((instants.from || instants.until) && { instants }) }
      const expected = alone === "day" ? "one date, or two dates in order" : "two dates in order"
      context.addIssue({ code: "custom", message: `must be ${expected}, such as 2026-01-01,2026-01-31` })
      return z.NEVER
    })
    .openapi({ type: "array", items: { type: "string" }, example: ["2026-01-01", "2026-01-31"] })

/** A period that also accepts what it returned: the filter of an export is read again from its stored form. */
export const storedPeriod = () =>
  z
    .unknown()
    .transform((value, context): Period | undefined => {
      if (STORED_PERIOD.safeParse(value).success) return value as Period
      const read = period().safeParse(value)
      if (read.success) return read.data
      for (const { message } of read.error.issues) context.addIssue({ code: "custom", message })
      return z.NEVER
    })
    .openapi({ type: "array", items: { type: "string" }, example: ["2026-01-01", "2026-01-31"] })

const STORED_PERIOD = z.strictObject({
  from: z.number(),
  until: z.number(),
  instants: z.object({ from: z.boolean(), until: z.boolean() }).optional(),
})

/** The portal of a list, which some operations accept in `search_param` too. */
export const portalFilter = (query: {
  portalId?: number | undefined
  search_param: { portalId?: number | undefined }
}) => query.portalId ?? query.search_param.portalId

/** The search key of lists that can be read by their changes: a time in ISO 8601, which exports store as such. */
export const updatedSince = () =>
  optional(time().transform(isoTime)).openapi({
    type: "string",
    format: "date-time",
    description: "Only records that changed at this time or later, in the order of updatedAt unless order_by is sent",
  })

/** The response of a list. */
export const listResponse = <T extends z.ZodType>(row: T) =>
  z.object({
    recordsTotal: z
      .number()
      .int()
      .openapi({ description: "The number of records that the caller can see, before filtering" }),
    recordsFiltered: z.number().int().openapi({ description: "The number of records after filtering" }),
    records: z.array(row),
  })
