import { z } from "@hono/zod-openapi"
import type { ExternalIdObject } from "../schema/external-ids.ts"

// The fields of event objects. Each has its schema, the SQL that selects it from the object's row (`row`), and how the
// selected value is read. Objects are selected without the names of their fields, as an array of their values.

export interface Field<Schema extends z.ZodType = z.ZodType> {
  schema: Schema
  sql: string
  /** The column that the field is made of, if it is only one. */
  column?: string
  /** Makes the value of the payload from the selected value. */
  read: (selected: unknown) => unknown
}
export type Fields = Record<string, Field>
type Shape<F extends Fields> = { [Name in keyof F]: F[Name]["schema"] }

const unchanged = (selected: unknown) => selected

export const field = <Schema extends z.ZodType>(
  schema: Schema,
  sql: string,
  read: Field["read"] = unchanged,
): Field<Schema> => ({ schema, sql, read })

/** A field that is a column of the row. */
const column = <Schema extends z.ZodType>(schema: Schema, name: string, read?: Field["read"]): Field<Schema> => ({
  ...field(schema, `row.${name}`, read),
  column: name,
})

export const shapeOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as Shape<F>

export const jsonArray = (fields: Fields) =>
  `json_array(${Object.values(fields)
    .map(({ sql }) => sql)
    .join(", ")})`

/** Reads the values of some fields from their array; null if there is none. */
export const readArray =
  (fields: Fields) =>
  (selected: unknown): Record<string, unknown> | null => {
    if (!Array.isArray(selected)) return null
    const values: unknown[] = selected
    return Object.fromEntries(Object.entries(fields).map(([name, { read }], at) => [name, read(values[at])]))
  }

export const integer = (name: string) => column(z.number().int(), name)
export const number = (name: string) => column(z.number(), name)
export const text = (name: string) => column(z.string(), name)
export const uuid = (name: string) => column(z.uuid(), name)
export const boolean = (name: string) => column(z.boolean(), name, Boolean)
export const choice = <const Values extends readonly [string, ...string[]]>(values: Values, name: string) =>
  column(z.enum(values), name)

/** A list of texts, which is a JSON column. */
export const texts = (name: string) => field(z.array(z.string()), `json(row.${name})`)

/** The same field, which may be null. */
export const nullable = <Schema extends z.ZodType>(nonNull: Field<Schema>) => ({
  ...nonNull,
  schema: nonNull.schema.nullable(),
})

export const described = <Schema extends z.ZodType>(plain: Field<Schema>, description: string): Field<Schema> => ({
  ...plain,
  schema: plain.schema.openapi({ description }),
})

const eventTime = () => z.iso.datetime()
const toIso = (selected: unknown) => new Date(Number(selected)).toISOString()
export const time = (name: string) => column(eventTime(), name, toIso)
/** A time that is 0 or null in the column if there is none. */
export const timeOrNull = (name: string) =>
  column(eventTime().nullable(), name, (selected) => (Number(selected) > 0 ? toIso(selected) : null))

export const object = <F extends Fields>(fields: F) =>
  field(z.object(shapeOf(fields)), jsonArray(fields), readArray(fields))

/** A row of another table, by the SQL of its id; null if the row does not exist. */
const rowOf = <F extends Fields>(table: string, fields: F, component?: string) => {
  const { schema, sql, read } = object(fields)
  const named = component ? schema.openapi(component) : schema
  return (id: string) => field(named, `json((SELECT ${sql} FROM ${table} WHERE id = ${id}))`, read)
}

/** The external ids of the row, as the details of its object have them. */
export const externalIdsOf = (kind: ExternalIdObject) => {
  const { schema, sql, read } = object({
    source: own(z.string(), "source"),
    externalId: own(z.string(), "external_id"),
  })
  return field(
    z.array(schema),
    `json((SELECT json_group_array(${sql}) FROM external_ids WHERE object = '${kind}' AND object_id = row.id))`,
    (selected) => (selected as unknown[]).map(read),
  )
}

const own = <Schema extends z.ZodType>(schema: Schema, sql: string) => field(schema, sql)
const named = { id: own(z.number().int(), "id"), name: own(z.string(), "name") }

export const userOf = rowOf(
  "users",
  {
    id: named.id,
    name: own(z.string(), "trim(first_name || ' ' || last_name)"),
    email: own(z.string(), "email"),
  },
  "EventUser",
)
export const courseOf = rowOf("courses", named, "EventCourse")
export const moduleOf = rowOf("modules", { ...named, type: own(z.string(), "type") }, "EventModule")
export const pathOf = rowOf("learning_paths", named)
export const membershipOf = rowOf("memberships", named)
export const badgeOf = rowOf("badges", { id: named.id, title: own(z.string(), "title") })
export const classOf = rowOf(
  "classes",
  {
    id: named.id,
    startAt: field(eventTime(), "start_at", toIso),
    endAt: field(eventTime(), "end_at", toIso),
  },
  "EventClass",
)
