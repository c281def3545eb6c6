import { z } from "@hono/zod-openapi"
import { type Fields, jsonArray, readArray, shapeOf } from "./fields.ts"

// An event stores the ids of its object and the previous values of an update. Its data is the state of the object when
// the event is read. One definition makes the triggers, the SQL that selects the object, and the schemas.

/** The row of a trigger. */
export type TriggerRow = "old" | "new"

/** An event type. Its conditions are SQL on `old` and `new`; `true` means always. */
export interface EventTypeDefinition {
  meaning: string
  /** Written if a row is inserted. */
  insert?: string | true
  /** Written if a row is updated: the first type of the object that applies. */
  update?: string | true
  /** Written if a row is deleted. */
  delete?: string | true
  /** Contains only the ids, whether or not the object exists. */
  onlyIds?: true
}

export interface EventObject<Types extends Record<string, EventTypeDefinition> = Record<string, EventTypeDefinition>> {
  /** The prefix of its schemas. */
  name: string
  /** The table whose changes write the events. */
  table: string
  /** The FROM clause that selects `row` by the ids of `events`. */
  from: string
  fields: Fields
  /** The columns of the table that identify the object, the user and the course, as SQL. */
  objectId: (row: TriggerRow) => string
  userId?: (row: TriggerRow) => string
  courseId?: (row: TriggerRow) => string
  /** The ids of an object that no longer exists, by the name of the field. */
  ids: Record<string, EventId>
  /** The fields of `previous`. */
  previous: readonly string[]
  /** Further columns whose change writes an event. */
  watched: readonly string[]
  /** The condition for events of updates. */
  updatedIf?: string
  /** SQL of `previous_percent`. */
  previousPercent?: (row: TriggerRow) => string
  /** The condition for events of deletions: the row on which the object depends still exists. */
  parent?: string
  /** The groups of a deleted object, as a JSON array. */
  groupIds?: string
  types: Types
}

/** A column of `events`, and whether the payload has the id in an object `{ id }`. */
interface EventId {
  column: "objectId" | "userId" | "courseId"
  nested: boolean
}

/** The row of the table with the id of the event. */
const byId = (table: string) => `FROM ${table} AS row WHERE row.id = events.object_id`

export const plainObject: EventId = { column: "objectId", nested: false }
export const nestedObject: EventId = { column: "objectId", nested: true }
export const nestedUser: EventId = { column: "userId", nested: true }
export const nestedCourse: EventId = { column: "courseId", nested: true }

interface ObjectOptions<Types> {
  name: string
  table: string
  from?: string
  fields: Fields
  objectId?: (row: TriggerRow) => string
  userId?: string | ((row: TriggerRow) => string)
  courseId?: string | ((row: TriggerRow) => string)
  ids?: Record<string, EventId>
  previous?: readonly string[]
  watched?: readonly string[]
  updatedIf?: string
  previousPercent?: (row: TriggerRow) => string
  parent?: string
  groupIds?: string
  types: Types
}

const inRow = (column: string | ((row: TriggerRow) => string)) =>
  typeof column === "string" ? (row: TriggerRow) => `${row}.${column}` : column

/** Declares the events of an object. The fields `user` and `course` are its references. */
export const eventObject = <const Types extends Record<string, EventTypeDefinition>>({
  name,
  table,
  from = byId(table),
  fields,
  objectId = (row) => `${row}.id`,
  userId,
  courseId,
  ids = {
    id: plainObject,
    ...(fields.user && { user: nestedUser }),
    ...(fields.course && { course: nestedCourse }),
  },
  previous = [],
  watched = [],
  updatedIf,
  previousPercent,
  parent,
  groupIds,
  types,
}: ObjectOptions<Types>): EventObject<Types> => ({
  ...{ name, table, from, fields, objectId, ids, previous, watched, types },
  ...(userId && { userId: inRow(userId) }),
  ...(courseId && { courseId: inRow(courseId) }),
  ...(updatedIf && { updatedIf }),
  ...(previousPercent && { previousPercent }),
  ...(parent && { parent }),
  ...(groupIds && { groupIds }),
})

/** The SQL that selects an object as an array; null if it does not exist. */
export const objectSql = ({ fields, from }: EventObject) => `(SELECT ${jsonArray(fields)} ${from})`

/** The ids that an event stores. */
export interface EventIds {
  objectId: number | string
  userId: number | null
  courseId: number | null
}

/** The payload of an object from its array, or of an object that does not exist. */
export function readObject({ fields, ids }: EventObject, selected: unknown, stored: EventIds): Record<string, unknown> {
  const found = readArray(fields)(selected)
  if (found) return found
  const known = Object.entries(ids).map(([name, { column, nested }]) => {
    const id = stored[column]
    return [name, nested && id !== null ? { id } : id]
  })
  return { ...Object.fromEntries(known), deleted: true }
}

export const readPrevious = ({ fields }: EventObject, stored: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, fields[name]?.read(value)]))

const anyId = z.union([z.number().int(), z.string()])

/** The schemas of the payloads of an object. */
export function objectSchemas({ name, fields, ids, previous }: EventObject) {
  const idShape = Object.entries(ids).map(([key, { column, nested }]) => {
    const id = column === "objectId" && fields.id ? fields.id.schema : column === "objectId" ? anyId : z.number().int()
    const reference = z.object({ id })
    const isNullable = fields[key]?.schema.safeParse(null).success
    return [key, nested ? (isNullable ? reference.nullable() : reference) : id] as const
  })
  const deleted = z
    .object({ ...Object.fromEntries(idShape), deleted: z.literal(true) })
    .openapi(`${name}EventIds`, { description: "The ids of an object that does not exist when the event is read" })
  const current = z.object(shapeOf(fields)).openapi(`${name}EventData`)
  const previousShape = Object.fromEntries(previous.map((key) => [key, fields[key]?.schema.optional() ?? z.never()]))
  return {
    deleted,
    data: z.union([current, deleted]).openapi(`${name}Event`),
    previous: z
      .object(previousShape)
      .openapi(`${name}EventPrevious`, { description: "The earlier values of the fields that changed" }),
  }
}
