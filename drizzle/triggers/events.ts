import { eventObjects } from "../events/index.ts"
import type { EventObject, TriggerRow } from "../events/object.ts"
import { DATABASE_NOW } from "../schema/columns.ts"
import type { DatabaseObject } from "./declare.ts"

// The triggers that write events, made from the definitions in drizzle/events.

/** The database's time in milliseconds, and never before the previous event. */
const NOW = `max(${DATABASE_NOW},
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0))`

const idsOf = ({ objectId, userId, courseId }: EventObject, row: TriggerRow) =>
  [objectId(row), userId?.(row) ?? "NULL", courseId?.(row) ?? "NULL"].join(", ")

interface Insertion {
  object: EventObject
  row: TriggerRow
  type: string
  previous?: string
  groupIds?: string | undefined
  condition?: string | undefined
}

const insertEvent = ({ object, row, type, previous = "NULL", groupIds = "NULL", condition = "true" }: Insertion) => {
  const { previousPercent } = object
  const values = `${type}, ${NOW}, ${idsOf(object, row)}, ${groupIds}, ${previous}`
  if (!previousPercent)
    return `
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT ${values}
  WHERE ${condition};`
  return `
  INSERT INTO events (id, type, occurred_at, object_id, user_id, course_id, group_ids, previous, previous_percent)
  SELECT (SELECT coalesce(max(id), 0) FROM events) + iif(percent IS NULL, 1, 2),
    ${values}, percent
  FROM (SELECT ${previousPercent(row)} AS percent)
  WHERE ${condition};`
}

interface TriggerParts {
  event: string
  condition?: string
  statements: string[]
  time?: "BEFORE" | "AFTER"
}

const createTrigger = (
  { table }: EventObject,
  action: string,
  { event, condition, statements, time = "AFTER" }: TriggerParts,
): DatabaseObject => {
  const name = `${table}_${action}_event`
  const when = condition ? `\nWHEN ${condition}` : ""
  const body = statements.join("").replace(/^\n/, "")
  return {
    type: "trigger",
    name,
    sql: `CREATE TRIGGER ${name} ${time} ${event} ON ${table}${when} BEGIN\n${body}\nEND`,
  }
}

/** The types of an object that an action writes, with their conditions. */
const typesFor = ({ types }: EventObject, action: "insert" | "update" | "delete") =>
  Object.entries(types).flatMap(([type, definition]) => {
    const condition = definition[action]
    return condition ? [{ type, condition: condition === true ? undefined : condition }] : []
  })

function columnOf({ name, fields }: EventObject, field: string): string {
  const column = fields[field]?.column
  if (!column) throw new Error(`${name}.${field} is no column.`)
  return column
}

/** A JSON object of the fields whose columns changed, with their old values. */
const previousSql = (object: EventObject) => {
  const members = object.previous.map((field) => {
    const column = columnOf(object, field)
    return `iif(old.${column} IS new.${column}, '', ',"${field}":' || json_quote(old.${column}))`
  })
  return members.length === 0 ? "NULL" : `'{' || substr(${members.join("\n    || ")}, 2) || '}'`
}

function updateTrigger(object: EventObject): DatabaseObject[] {
  const types = typesFor(object, "update")
  if (types.length === 0) return []
  const columns = [...object.previous.map((field) => columnOf(object, field)), ...object.watched]
  const isChanged = columns.map((column) => `old.${column} IS NOT new.${column}`).join(" OR ")
  const [only, ...others] = types
  const cases = types.map(({ type, condition }) => (condition ? `WHEN ${condition} THEN '${type}'` : `ELSE '${type}'`))
  const choice = `(CASE\n    ${cases.join("\n    ")}\n    END)`
  const hasDefault = types.some(({ condition }) => condition === undefined)
  const condition = [isChanged, ...(object.updatedIf ? [object.updatedIf] : [])]
    .map((part) => `(${part})`)
    .join(" AND ")
  return [
    createTrigger(object, "updated", {
      event: `UPDATE OF ${columns.join(", ")}`,
      condition,
      statements: [
        insertEvent({
          object,
          row: "new",
          previous: previousSql(object),
          ...(others.length === 0
            ? { type: `'${only?.type}'`, condition: only?.condition }
            : {
                type: choice,
                condition: hasDefault ? undefined : types.map((type) => `(${type.condition})`).join(" OR "),
              }),
        }),
      ],
    }),
  ]
}

const triggersOf = (object: EventObject): DatabaseObject[] => {
  const inserts = typesFor(object, "insert")
  const deletions = typesFor(object, "delete")
  return [
    ...(inserts.length > 0
      ? [
          createTrigger(object, "inserted", {
            event: "INSERT",
            // Two types on one row must be in the order of the definitions.
            statements: inserts.map(({ type, condition }) =>
              insertEvent({ object, row: "new", type: `'${type}'`, condition }),
            ),
          }),
        ]
      : []),
    ...updateTrigger(object),
    ...(deletions.length > 0
      ? [
          createTrigger(object, "deleted", {
            event: "DELETE",
            // The memberships of a deleted user are deleted before triggers after it.
            ...(object.groupIds && { time: "BEFORE" as const }),
            ...(object.parent && { condition: object.parent }),
            statements: deletions.map(({ type, condition }) =>
              insertEvent({ object, row: "old", type: `'${type}'`, groupIds: object.groupIds, condition }),
            ),
          }),
        ]
      : []),
  ]
}

export const eventTriggers: DatabaseObject[] = eventObjects.flatMap(triggersOf)
