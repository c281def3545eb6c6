import { env } from "cloudflare:workers"
import { expect, it } from "vitest"
import { eventObjects } from "../../drizzle/events/index.ts"
import type { EventObject, EventTypeDefinition } from "../../drizzle/events/object.ts"
import { MODULE_ID_LIMIT } from "../../drizzle/rules.ts"
import { runJobs } from "../factories/background-jobs.ts"
import { largeAcademy } from "../factories/large-academy.ts"
import { MUTATIONS, mutate } from "./mutations.ts"

// Every mutation that creates, changes or deletes an object writes an event of it, with the previous values. Without
// one, a copy that follows the feed would keep the old state.

interface StoredEvent {
  id: number
  type: string
  object_id: number | string
  user_id: number | null
  previous: string | null
}
type Row = Record<string, unknown>
/** The rows of an object by their ids. */
type Rows = Map<string, Row>

/** What changes with the table's times, and belongs to no single change. */
const DATES = ["updated_at"]

const idsOf = (object: EventObject) =>
  `${object.objectId("new")} || '/' || coalesce(${object.userId?.("new") ?? "''"}, '')`

const columnsOf = ({ fields }: EventObject) =>
  Object.values(fields).flatMap(({ column }) => (column && !DATES.includes(column) ? [column] : []))

/** Whether the action always writes an event: an action that writes some events has a condition. */
const writesEvent = ({ types }: EventObject, action: keyof EventTypeDefinition) =>
  Object.values(types).some((definition) => definition[action] === true)

const tracked = eventObjects.filter((object) => object.name !== "ErasedUser")

async function snapshot(): Promise<Map<EventObject, Rows>> {
  const statements = tracked.map((object) =>
    env.DB.prepare(
      `SELECT ${[`${idsOf(object)} AS "ids"`, ...columnsOf(object).map((name) => `new.${name}`)].join(", ")}
        FROM ${object.table} AS new`,
    ),
  )
  const results = await env.DB.batch<Row>(statements)
  return new Map(
    tracked.map((object, at) => [object, new Map(results[at]?.results.map((row) => [String(row.ids), row]))]),
  )
}

/** A row with `previous_percent` is also an event of the enrollment. */
async function eventsAfter(id: number) {
  const { results } = await env.DB.prepare(
    `SELECT id, type, object_id, user_id, previous FROM events WHERE id > ?1
      UNION ALL
      SELECT id, 'enrollment.updated', object_id / ${MODULE_ID_LIMIT}, user_id,
        json_object('percent', previous_percent)
      FROM events WHERE id > ?1 AND previous_percent IS NOT NULL
      ORDER BY id`,
  )
    .bind(id)
    .all<StoredEvent>()
  return results
}

const eventsOf = ({ types, userId }: EventObject, ids: string, events: StoredEvent[]) =>
  events.filter(
    ({ type, object_id, user_id }) => type in types && ids === `${object_id}/${userId ? (user_id ?? "") : ""}`,
  )

/** The faults of an update: no event, or an event without the previous value of a changed field. */
function faultsOfUpdate(object: EventObject, before: Row, after: Row, events: StoredEvent[]): string[] {
  const changed = columnsOf(object).filter((name) => before[name] !== after[name])
  if (changed.length === 0 || !writesEvent(object, "update")) return []
  if (events.length === 0) return [`was changed in ${changed.join(", ")} without an event`]
  return object.previous.flatMap((field) => {
    const column = object.fields[field]?.column ?? ""
    if (!changed.includes(column)) return []
    const first = events.map(({ previous }) => JSON.parse(previous ?? "{}") as Row).find((values) => field in values)
    return first && first[field] === before[column] ? [] : [`has no previous value of ${field}`]
  })
}

function faultsBetween(before: Map<EventObject, Rows>, after: Map<EventObject, Rows>, events: StoredEvent[]): string[] {
  /** An erasure has its own event, without previous values. */
  const isErased = ({ name }: EventObject, ids: string) =>
    name === "User" && events.some(({ type, object_id: id }) => type === "user.erased" && ids === `${id}/${id}`)
  const deleted = events.some(({ type }) => /^(user|group|portal|class)\.deleted$/.test(type))
  return tracked.flatMap((object) => {
    const [old, current] = [before.get(object) ?? new Map(), after.get(object) ?? new Map()]
    return [...new Set([...old.keys(), ...current.keys()])].flatMap((ids) => {
      const written = eventsOf(object, ids, events)
      const [was, is]: (Row | undefined)[] = [old.get(ids), current.get(ids)]
      const faults = () => {
        if (was && is) return isErased(object, ids) ? [] : faultsOfUpdate(object, was, is, written)
        if (is) return writesEvent(object, "insert") && written.length === 0 ? ["was created without an event"] : []
        // What depends on a deleted object is deleted with it.
        const isImplied = object.parent !== undefined && deleted
        return writesEvent(object, "delete") && written.length === 0 && !isImplied
          ? ["was deleted without an event"]
          : []
      }
      return faults().map((what) => `${object.name} ${ids} ${what}`)
    })
  })
}

it("writes an event for every change of an object, with the previous values", { timeout: 300_000 }, async () => {
  const academy = await largeAcademy(6)
  const made = new Map<string, number>()
  const faults: string[] = []
  const types = new Set<string>()
  let before = await snapshot()
  let last = (await eventsAfter(0)).at(-1)?.id ?? 0
  for (const name of Object.keys(MUTATIONS)) {
    const fault = await mutate(name, academy, made)
    if (fault) faults.push(fault)
    await runJobs()
    const [after, events] = [await snapshot(), await eventsAfter(last)]
    faults.push(...faultsBetween(before, after, events).map((what) => `${name}: ${what}`))
    for (const { type } of events) types.add(type)
    last = events.at(-1)?.id ?? last
    before = after
  }
  expect(faults).toEqual([])
  expect(types.size).toBeGreaterThan(50)
})
