import { z } from "@hono/zod-openapi"
import { DAY } from "../clock.ts"
import { isDayAlone, type Period, parseMoment } from "../text/dates.ts"
import { readJson } from "../text/json.ts"
import { hasOffset } from "../text/zones.ts"
import { choice, defaulted, id, ids, integer, jsonObject, optional } from "./input.ts"

// What a list takes and what it answers, declared (docs/api/conventions.md). How it is read: list.ts.

export const DIRECTIONS = ["asc", "desc"] as const

/**
 * An order with an empty column, as sent by a table that nobody has sorted, is none, whatever its direction; an
 * empty direction is the default.
 */
function withoutBlanks(read: unknown): unknown {
  if (typeof read !== "object" || read === null || Array.isArray(read)) return read
  const given = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== "" && value !== null))
  // A direction by itself lacks its column, and is refused.
  return "colName" in given || ("direction" in given && !("colName" in read)) ? given : undefined
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
        direction: defaulted(choice(DIRECTIONS), "asc"),
      })
      .optional(),
  )

const cursor = optional(z.string().max(2000)).openapi({
  type: "string",
  maxLength: 2000,
  description: "From the Link header: continues from the row itself, at constant cost",
})
/** The most rows of a page that a call asks for. */
export const MAX_PAGE_SIZE = 500
/**
 * The most rows of a list without documented paging where no `page_size` is given: above `MAX_PAGE_SIZE`, it tells of
 * that.
 */
export const ALL_ROWS = 5000

const pageSize = { type: "integer", minimum: 1, maximum: MAX_PAGE_SIZE } as const
const pageNumber = { type: "integer", minimum: 1 } as const

const requiredPaging = {
  page_size: integer(1, MAX_PAGE_SIZE).openapi({ ...pageSize, param: { required: true } }),
  page_number: integer(1, 10_000_000).openapi({ ...pageNumber, param: { required: true } }),
  cursor,
}

/** Paging for what the interface lists without it: everything unless given, as far as one answer holds it. */
export const optionalPaging = {
  page_size: optional(integer(1, MAX_PAGE_SIZE))
    .pipe(z.number().default(ALL_ROWS))
    .openapi({
      ...pageSize,
      description: `All rows unless given, up to ${ALL_ROWS}: where there are more it is required (422)`,
      param: { required: false },
    }),
  page_number: optional(integer(1, 10_000_000))
    .pipe(z.number().default(1))
    .openapi({ ...pageNumber, default: 1, param: { required: false } }),
  cursor,
}

/** The query of a lookup: nothing that it must have. */
export const lookupQuery = z.object(optionalPaging)

/** How an object stands in a query string where it is not JSON: `order_by[colName]=name`. */
const DEEP = { required: false, style: "deepObject", explode: true } as const

/** Every list takes both; some records are everybody's. */
const OWNED = "; without effect on a list of what no portal or group has of its own"

/** What lists are sorted by most often, and which way: the example's column is the first of these that a list has. */
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

/** The portal and the group that every list takes. */
const within = {
  portalId: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: `Only what belongs to this portal${OWNED}`,
  }),
  group_id: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: `Only what belongs to this group${OWNED}`,
  }),
}

/** A filter of reports: the members of any of some portals. */
export const searchPortalIds = () =>
  optional(ids()).openapi({
    type: "array",
    items: { type: "integer", minimum: 1 },
    description: "Only members of any of these portals",
  })

/**
 * The filters of a list that is also exported, declared once: the keys of `search_param`, and the parameters beside it.
 * The list is `listQuery(columns, filters.search).extend(filters.beside)`, its export `exportBody(filters)`.
 */
interface ListFilters<S extends z.ZodRawShape, B extends z.ZodRawShape> {
  search: S
  beside: B
}

/** The initiate body of an export: every filter of its list. */
export const exportBody = <S extends z.ZodRawShape, B extends z.ZodRawShape>({ search, beside }: ListFilters<S, B>) =>
  z.object({ search_param: jsonObject(z.object(search)), ...within, ...beside })

/**
 * The query parameters of a list.
 * @param columns what `order_by` may name
 * @param search the keys of `search_param`
 * @param paging required where the interface has paging, with defaults elsewhere
 */
export function listQuery<S extends z.ZodRawShape>(
  columns: readonly string[],
  search: S,
  { paging = "required" }: { paging?: "required" | "optional" } = {},
) {
  return z.object({
    ...(paging === "required" ? requiredPaging : optionalPaging),
    order_by: orderBy(columns).openapi({
      description: "As order_by[colName] and order_by[direction], as the same in JSON, or a column's name alone",
      example: exampleOf(columns),
      param: DEEP,
    }),
    search_param: jsonObject(z.object(search)).openapi({
      description: "As search_param[key], or all keys in one JSON object. Unknown keys are ignored.",
      param: DEEP,
    }),
    ...within,
  })
}

/** A comma, but the one of a date as answers show it: `Jan 05, 2026`. */
const BETWEEN_DATES = /,(?!\s*\d{4}(?!\d|-))/

/** What a caller gives as two dates: an array, its JSON, a comma list or an object. Blanks hold their place. */
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

const AGES = { from: 0, until: Date.UTC(3000, 0, 1) }

interface Dates {
  /** What one date by itself means: its day, or from then on. It is refused unless told. */
  alone?: "day" | "from"
  /** Whole days: a time within one means its day. Else a time is that time, and a day by itself its whole. */
  days?: boolean
  /** Whether the first or the second may be left blank. */
  open?: boolean
}

/** The time between two dates, the last one included; none where both are blank. */
export const period = ({ alone, days = false, open = true }: Dates = {}) =>
  z
    .preprocess(twoDates, z.array(z.string()).max(2))
    .transform((given, context): Period | undefined => {
      const dates = given.map((date) => date.trim())
      if (dates.every((date) => date === "")) return undefined
      const [first = "", last = alone === "day" ? first : ""] = dates
      const begins = parseMoment(first)?.at ?? Number.NaN
      const ends = parseMoment(last) ?? { at: Number.NaN, length: 0 }
      const dayOf = (time: number) => Math.floor(time / DAY) * DAY
      const from = first === "" ? AGES.from : days ? dayOf(begins) : begins
      const whole = days || isDayAlone(last)
      const until = last === "" ? AGES.until : whole ? dayOf(ends.at) + DAY : ends.at + ends.length
      const isShort = dates.length < 2 ? alone === undefined : !open && dates.includes("")
      const instants = { from: hasOffset(first), until: hasOffset(last) }
      if (!isShort && from < until) return { from, until, ...((instants.from || instants.until) && { instants }) }
      const what = alone === "day" ? "a date, or two with the earlier first" : "two dates, the earlier first"
      context.addIssue({ code: "custom", message: `must be ${what}, such as 2026-01-01,2026-01-31` })
      return z.NEVER
    })
    .openapi({ type: "array", items: { type: "string" }, example: ["2026-01-01", "2026-01-31"] })

/** The portal that a list is bounded by, where the interface has it among the keys of `search_param` too. */
export const portalOf = (query: { portalId?: number | undefined; search_param: { portalId?: number | undefined } }) =>
  query.portalId ?? query.search_param.portalId

/** The interface's list envelope. */
export const envelope = <T extends z.ZodType>(row: T) =>
  z.object({
    recordsTotal: z.number().int().openapi({ description: "What the caller may see, before the search" }),
    recordsFiltered: z.number().int().openapi({ description: "What the search finds" }),
    records: z.array(row),
  })
