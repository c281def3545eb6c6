import { asc, getTableColumns, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import {
  type EventType,
  enrollmentOfModuleSql,
  eventDefinitions,
  eventObjectSql,
  typesOf,
} from "../../../drizzle/events/index.ts"
import { readObject, readPrevious } from "../../../drizzle/events/object.ts"
import { MODULE_ID_LIMIT } from "../../../drizzle/rules.ts"
import { events, restores } from "../../../drizzle/schema/events.ts"
import { sequences } from "../../../drizzle/schema/system.ts"
import { ALSO_UPDATED } from "../../../drizzle/statuses.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { isEitherType, isEventOf } from "../../db/event-filters.ts"
import { runInSlices } from "../../db/slices.ts"
import { textList } from "../../db/sql.ts"
import type { Bindings } from "../../env.ts"
import { DAY, now } from "../../lib/clock.ts"
import { gone, invalid, notFound } from "../../lib/errors.ts"
import { fromMinor } from "../../lib/input/money.ts"
import type { Event, EventQuery } from "./events.schemas.ts"

/** The number of days that events are kept: `EVENT_RETENTION_DAYS`. */
const DEFAULT_RETENTION = 30
const [MIN_RETENTION, MAX_RETENTION] = [30, 400]
/** The maximum number of events that a request scans, regardless of its filters. */
export const MAX_SCANNED_EVENTS = 5000

/** The columns of an event, and its object as a JSON array. */
export const storedEvent = {
  ...getTableColumns(events),
  object: sql<string | null>`${sql.raw(eventObjectSql)}`.as("object"),
  /** The object of the other event of the row. */
  enrollment: sql<string | null>`iif(
    ${events.previousPercent} is null, null, ${sql.raw(enrollmentOfModuleSql)}
  )`.as("enrollment"),
}
export type StoredEvent = typeof events.$inferSelect & { object: string | null; enrollment: string | null }
export type EventRow = Omit<StoredEvent, "enrollment" | "previousPercent">

/** The events of a row, in order: a completed module can also have updated its enrollment. */
export function eventsOf<Row extends StoredEvent>({ previousPercent, enrollment, ...row }: Row) {
  if (previousPercent === null) return [row]
  const objectId = Math.floor(Number(row.objectId) / MODULE_ID_LIMIT)
  const updated = {
    type: ALSO_UPDATED as EventType,
    objectId,
    previous: { percent: previousPercent },
    object: enrollment,
  }
  return [
    { ...row, id: row.id - 1 },
    { ...row, ...updated },
  ]
}

/** The id of an event in the feed and in webhooks. Its time makes it unique after a restore of the database. */
export const eventName = ({ id, occurredAt }: Pick<EventRow, "id" | "occurredAt">) =>
  `evt_${id}_${occurredAt.toString(36)}`

/** The position of the event with this id; undefined if no event can have it. */
export const eventPosition = (name: string): number | undefined => {
  const [, position] = /^evt_(\d{1,15})_[0-9a-z]+$/.exec(name) ?? []
  return position === undefined ? undefined : Number(position)
}

/** Converts the minor units of an amount. */
const withAmount = (data: Record<string, unknown>) => {
  const { total, currency } = data
  const isAmount = typeof total === "number" && typeof currency === "string"
  return isAmount ? { ...data, total: fromMinor(total, currency) } : data
}

/** An event as the feed and webhooks return it. */
export function toEvent(row: EventRow): Event {
  const { type, occurredAt, object: selected, previous } = row
  const definition = eventDefinitions.get(type)
  if (!definition) throw new Error(`Unknown event type ${type}.`)
  return {
    id: eventName(row),
    type,
    occurredAt: new Date(occurredAt).toISOString(),
    data: withAmount(readObject(definition.object, selected === null ? null : JSON.parse(selected), row)),
    ...(previous && { previous: readPrevious(definition.object, previous) }),
  } as Event
}

/** A position in the feed. Its time and generation show whether the database still has the same history. */
interface FeedPosition {
  /** The event's position. */
  id: number
  /** When the event occurred, in epoch milliseconds; 0 before the first event. */
  time: number
  /** When the database was last restored from a backup; 0: never. */
  generation: number
}

const toCursor = ({ id, time, generation }: FeedPosition) =>
  Buffer.from(`after ${id} ${time} ${generation}`).toString("base64url")

/** The position of the newest event, as a cursor. */
const LATEST = "latest"

/** @throws 422 for text that is not a cursor */
function parseCursor(cursor: string): FeedPosition {
  const decoded = Buffer.from(cursor, "base64url").toString()
  const [matched, ...numbers] = /^after (\d{1,15}) (\d{1,15}) (\d{1,15})$/.exec(decoded) ?? []
  const [id = 0, time = 0, generation = 0] = numbers.map(Number)
  const position = { id, time, generation }
  if (matched === undefined || toCursor(position) !== cursor)
    throw invalid("after", "after is not a cursor of this feed. Start again without it.")
  return position
}

/** A column of the row with the event at a position; null if there is none. */
export const columnAt = (position: SQLWrapper | number, column: "id" | "occurred_at"): SQL<number | null> =>
  sql<number | null>`(
    select iif(
      at.id - (at.previous_percent is not null) <= ${position}, at.${sql.identifier(column)}, null
    )
    from ${events} as at where at.id >= ${position} order by at.id limit 1
  )`

/** The position of the oldest and the newest event; null if there is none. */
export const oldest = sql<number | null>`(
  select ${events.id} - (${events.previousPercent} is not null) from ${events} order by ${events.id} limit 1
)`
export const newest = sql<number | null>`(select ${events.id} from ${events} order by ${events.id} desc limit 1)`

/** The rows with events after a position that match a condition, in order, as far as one request scans. */
export const eventsAfter = (db: Database, position: number | SQL, condition: SQL, limit: number) =>
  db
    .select(storedEvent)
    .from(events)
    .where(
      sql`${events.id} > ${position} and ${events.id} <= ${position} + ${MAX_SCANNED_EVENTS}
        and ${condition}`,
    )
    .orderBy(asc(events.id))
    .limit(limit)

const filterOf = ({ types, courseId, groupId, portalId }: EventQuery) =>
  sql.join(
    [
      sql`1`,
      ...(types ? [isEitherType((type) => sql`${type} in ${textList(typesOf(types))}`)] : []),
      ...(courseId === undefined ? [] : [sql`${events.courseId} = ${courseId}`]),
      ...(groupId === undefined ? [] : [isEventOf("group", groupId)]),
      ...(portalId === undefined ? [] : [isEventOf("portal", portalId)]),
    ],
    sql` and `,
  )

/** Whether a record exists or existed: the feed of a deleted group ends with its deletion. */
const hasExisted = (table: "groups" | "portals", id = 0) =>
  sql<number>`${id} <= coalesce((select ${sequences.value} from ${sequences} where ${sequences.name} = ${table}), 0)`

const expired = (reason: string) => gone("cursor_expired", `${reason} Start again without it.`)

/**
 * Reads the next events in order. A filtered response may be empty and still have a new cursor.
 * @throws 410 for a cursor before the oldest stored event, or of another history of the database: its position is
 *   beyond the end, its event has another time, or the database was restored since; 404 for a group or portal that
 *   never existed; 422 for text that is not a cursor
 */
export async function readFeed(db: Database, query: EventQuery) {
  const { after, page_size: size } = query
  const isLatest = after === LATEST
  const from = after === undefined || isLatest ? undefined : parseCursor(after)
  const beforeOldest = sql<number>`coalesce(${oldest} - 1, 0)`
  const start = from?.id ?? (isLatest ? sql<number>`coalesce(${newest}, 0)` : beforeOldest)
  const timeAt = (id: SQL | number) => sql<number>`coalesce(${columnAt(id, "occurred_at")}, 0)`
  const scannedTo = sql<number>`max(${start}, min(${start} + ${MAX_SCANNED_EVENTS}, coalesce(${newest}, 0)))`
  const selected = [
    db
      .select({
        beforeOldest: beforeOldest.as("before_oldest"),
        newest: newest.as("newest"),
        startTime: (from ? timeAt(from.id) : sql<number>`0`).as("start_time"),
        scannedTo: scannedTo.as("scanned_to"),
        scannedTime: timeAt(scannedTo).as("scanned_time"),
        hasGroup: hasExisted("groups", query.groupId).as("has_group"),
        hasPortal: hasExisted("portals", query.portalId).as("has_portal"),
        generation: sql<number>`coalesce((select max(${restores.restoredAt}) from ${restores}), 0)`.as("generation"),
      })
      .from(sql`(select 1)`),
    eventsAfter(db, start, filterOf(query), size),
  ] as const
  let [bounds, rows] = await db.batch(selected)
  if (from && from.id > (firstRow(bounds).newest ?? 0)) {
    // The nearest replica may not have the cursor's event yet.
    db.restartAtPrimary()
    ;[bounds, rows] = await db.batch(selected)
  }
  const feed = firstRow(bounds)
  if (!feed.hasGroup) throw notFound("group")
  if (!feed.hasPortal) throw notFound("portal")
  if (from && from.id < feed.beforeOldest) throw expired("This cursor is older than the stored events.")
  // The event before the oldest is deleted, so its time cannot be compared.
  const hasTime = from?.id !== feed.beforeOldest || from.id === 0
  const isOfHistory = from && from.id <= (feed.newest ?? 0) && (!hasTime || from.time === feed.startTime)
  if (from && !(isOfHistory && from.generation === feed.generation))
    throw expired("This cursor is from before a restore of the database.")
  const types = query.types && new Set<string>(typesOf(query.types))
  const all = rows.flatMap(eventsOf).filter(({ id, type }) => id > (from?.id ?? 0) && (!types || types.has(type)))
  const page = all.slice(0, size)
  const last = all.length > size ? page.at(-1) : rows.length === size ? rows.at(-1) : undefined
  const end = last ? { id: last.id, time: last.occurredAt } : { id: feed.scannedTo, time: feed.scannedTime }
  return { events: page.map(toEvent), cursor: toCursor({ ...end, generation: feed.generation }) }
}

/** The number of days that events are kept. The default applies if the variable is not within its range. */
export function retentionDays({ EVENT_RETENTION_DAYS }: Pick<Bindings, "EVENT_RETENTION_DAYS">): number {
  const days = Number(EVENT_RETENTION_DAYS)
  return Number.isInteger(days) && days >= MIN_RETENTION && days <= MAX_RETENTION ? days : DEFAULT_RETENTION
}

/** Deletes events past the retention, the oldest first. The newest stays, because positions have no gaps. */
export async function deleteOldEvents(env: Bindings, db: Database): Promise<void> {
  const before = now() - retentionDays(env) * DAY
  await runInSlices(db, 1, (limit) => deleteOldest(db, before, limit))
}

function deleteOldest(db: Database, before: number, limit: number) {
  const oldestTime = db.select({ at: events.occurredAt }).from(events).orderBy(asc(events.id)).limit(1)
  // Reads only the oldest event if it is not past the retention.
  const ids = sql`(
    select id from (
      select ${events.id} as id, ${events.occurredAt} as at from ${events} order by ${events.id}
      limit iif(${oldestTime} < ${before}, ${limit}, 0)
    ) where at < ${before}
  )`
  return db
    .delete(events)
    .where(sql`${events.id} in ${ids} and ${lt(events.id, newest)}`)
    .returning({ id: events.id })
}
