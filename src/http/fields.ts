import { z } from "@hono/zod-openapi"
import type { Context, MiddlewareHandler } from "hono"
import type { ZodType } from "zod"
import { invalid } from "../lib/errors.ts"
import { optional } from "../lib/input/input.ts"
import type { AppEnv } from "../lib/web/app-env.ts"

// The query parameter `fields`, which limits a JSON response to the fields that the caller names.

/** The selected fields by name. An empty selection selects everything below. */
interface Selection extends Map<string, Selection> {}

/** The length of the unknown names in an error. */
const MAX_LISTED = 200

interface Definition {
  type: string
  shape?: Record<string, Schema>
  element?: Schema
  valueType?: Schema
  options?: Schema[]
  innerType?: Schema
  out?: Schema
}
type Schema = ZodType & { _zod: { def: Definition } }

/** The name of any field of an object with arbitrary keys. */
const ANY = "*"

/** The schemas of the fields within a schema, by name. */
export function fieldsWithin(schema: ZodType): Map<string, ZodType[]> {
  const { type, shape = {}, element, valueType, options = [], innerType, out } = (schema as Schema)._zod.def
  const found = new Map<string, ZodType[]>(Object.entries(shape).map(([name, field]) => [name, [field]]))
  if (type === "record" && valueType) found.set(ANY, [valueType])
  for (const part of [element, innerType, out, ...options])
    for (const [name, fields] of part ? fieldsWithin(part) : [])
      found.set(name, [...(found.get(name) ?? []), ...fields])
  return found
}

/** The field of a list's response that has its rows; undefined if the response is not a list with an envelope. */
export function rowsField(answer: ZodType): string | undefined {
  const { shape = {} } = (answer as Schema)._zod.def
  if (shape.records) return "records"
  const names = Object.keys(shape)
  const isList = shape.recordsFiltered !== undefined || names.length === 1
  return isList ? names.find((name) => shape[name]?._zod.def.type === "array") : undefined
}

/** Adds a path such as `user.email`. @returns whether the schemas have it */
function select(selection: Selection, schemas: ZodType[], [name = "", ...rest]: string[]): boolean {
  const within = schemas.flatMap((schema) => {
    const fields = fieldsWithin(schema)
    return fields.get(name) ?? fields.get(ANY) ?? []
  })
  if (name === "" || within.length === 0) return false
  const isSelected = selection.has(name)
  const selected = selection.get(name) ?? new Map()
  if (rest.length === 0) selected.clear()
  // All of it is selected already.
  else if (isSelected && selected.size === 0) return select(new Map(), within, rest)
  else if (!select(selected, within, rest)) return false
  selection.set(name, selected)
  return true
}

const MAX_LENGTH = 2000

/** The query parameter: names separated by commas, `a.b` for a field of an object. `limitFields` checks them. */
export const fieldsParameter = optional(z.string().max(MAX_LENGTH)).openapi({
  type: "string",
  maxLength: MAX_LENGTH,
  param: { required: false },
  description:
    "Limits the response to these fields, separated by commas; `a.b` is a field of an object. In a list they are " +
    "fields of a row",
})

/** The selected fields of a response; undefined: all. @throws 422 that names the unknown ones */
function readSelection(text: string, answer: ZodType, rows: string | undefined): Selection | undefined {
  const names = text.split(",").flatMap((name) => name.trim() || [])
  if (names.length === 0 || text === "null") return undefined
  const roots = rows === undefined ? [answer] : (fieldsWithin(answer).get(rows) ?? [])
  const selection: Selection = new Map()
  const unknown = names.filter((name) => !select(selection, roots, name.split(".")))
  if (unknown.length === 0) return selection
  const listed = unknown.join(", ").slice(0, MAX_LISTED)
  throw invalid("fields", `fields must name fields of the response, separated by commas; unknown: ${listed}.`)
}

function pick(value: unknown, selection: Selection): unknown {
  if (selection.size === 0 || typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((element) => pick(element, selection))
  const picked: Record<string, unknown> = {}
  for (const [name, below] of selection)
    if (Object.hasOwn(value, name)) picked[name] = pick(Reflect.get(value, name), below)
  return picked
}

/** Limits the JSON of a successful response to the fields that the query names. The envelope of a list is complete. */
export const limitFields =
  (answer: ZodType): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const text = c.req.queries("fields")?.join(",")
    const rows = text && rowsField(answer)
    const selection = text && readSelection(text, answer, rows || undefined)
    if (!selection) return next()
    const json = c.json as (...args: unknown[]) => Response
    const limited = (value: unknown) =>
      rows
        ? { ...(value as object), [rows]: pick(Reflect.get(value as object, rows), selection) }
        : pick(value, selection)
    c.json = ((value: unknown, status?: unknown, ...rest: unknown[]) =>
      json(status === 200 ? limited(value) : value, status, ...rest)) as Context["json"]
    await next()
  }
