import { asc, getTableColumns, lt, type SQL, sql } from "drizzle-orm"
import { eventDefinitions, eventObjectSql, typesOf } from "../../../drizzle/events/index.ts"
import { readObject, readPrevious } from "../../../drizzle/events/object.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { isEventOf } from "../../db/event-filters.ts"
import { runInSlices } from "../../db/slices.ts"
import { textList } from "../../db/sql.ts"
import { DAY, now } from "../../lib/clock.ts"
import { gone, invalid } from "../../lib/errors.ts"
import { fromMinor } from "../../lib/input/money.ts"
import type { Event, EventQuery } from "./events.schemas.ts"

/** How long events are kept. */
const RETENTION = 30 * DAY
/** The maximum number of events that a request scans, regardless of its filters. */
export const MAX_SCANNED_EVENTS = 5000

/** The columns of an event, and its object as a JSON array. */
export const storedEvent = {
  ...getTableColumns(events),
  object: sql<string | null>`${sql.raw(eventObjectSql)}`.as("object"),
}
export type EventRow = typeof events.$inferSelect & { object: string | null }

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

/** A position in the feed: an event's, with its time, which shows whether the database still has the same history. */
interface FeedPosition {
  id: number
  /** Epoch milliseconds; 0 before the first event. */
  time: number
}

const toCursor = ({ id, time }: FeedPosition) => Buffer.from(`after ${id} ${time}`).toString("base64url")

/** The position of the newest event, as a cursor. */
const LATEST = "latest"

/** @throws 422 for text that is not a cursor */
function parseCursor(cursor: string): FeedPosition {
  const [, id, time] = /^after (\d{1,15}) (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  const position = { id: Number(id), time: Number(time) }
  if (id === undefined || toCursor(position) !== cursor)
    throw invalid("after", "after is not a cursor of this feed. Start again without it.")
  return position
}

/** The position of the oldest and the newest event; null if there is none. */
export const oldest = sql<number | null>`(select ${events.id} from ${events} order by ${events.id} limit 1)`
export const newest = sql<number | null>`(select ${events.id} from ${events} order by ${events.id} desc limit 1)`

/** The events after a position that match a condition, in order, as far as one request scans. */
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
      ...(types ? [sql`${events.type} in ${textList(typesOf(types))}`] : []),
      ...(courseId === undefined ? [] : [sql`${events.courseId} = ${courseId}`]),
      ...(groupId === undefined ? [] : [isEventOf("group", groupId)]),
      ...(portalId === undefined ? [] : [isEventOf("portal", portalId)]),
    ],
    sql` and `,
  )

const expired = (reason: string) => gone("cursor_expired", `${reason} Start again without it.`)

/**
 * Reads the next events in order. A filtered response may be empty and still have a new cursor.
 * @throws 410 for a cursor before the oldest stored event or of another history of the database: its position is beyond
 *   the end, or its event has another time; 422 for text that is not a cursor
 */
export async function readFeed(db: Database, query: EventQuery) {
  const { after, page_size: size } = query
  const isLatest = after === LATEST
  const from = after === undefined || isLatest ? undefined : parseCursor(after)
  const beforeOldest = sql<number>`coalesce(${oldest} - 1, 0)`
  const start = from?.id ?? (isLatest ? sql<number>`coalesce(${newest}, 0)` : beforeOldest)
  const timeAt = (id: SQL | number) => sql<number>`coalesce((
    select ${events.occurredAt} from ${events} where ${events.id} = ${id}
  ), 0)`
  const scannedTo = sql<number>`max(${start}, min(${start} + ${MAX_SCANNED_EVENTS}, coalesce(${newest}, 0)))`
  const [bounds, rows] = await db.batch([
    db
      .select({
        beforeOldest: beforeOldest.as("before_oldest"),
        newest: newest.as("newest"),
        startTime: timeAt(start).as("start_time"),
        scannedTo: scannedTo.as("scanned_to"),
        scannedTime: timeAt(scannedTo).as("scanned_time"),
      })
      .from(sql`(select 1)`),
    eventsAfter(db, start, filterOf(query), size),
  ])
  const feed = firstRow(bounds)
  if (from && from.id < feed.beforeOldest) throw expired("This cursor is older than the stored events.")
  // The event before the oldest is deleted, so its time cannot be compared.
  const hasTime = from?.id !== feed.beforeOldest || from.id === 0
  if (from && (from.id > (feed.newest ?? 0) || (hasTime && from.time !== feed.startTime)))
    throw expired("This cursor is from another history of the database.")
  const last = rows.length === size ? rows.at(-1) : undefined
  const end = last ? { id: last.id, time: last.occurredAt } : { id: feed.scannedTo, time: feed.scannedTime }
  return { events: rows.map(toEvent), cursor: toCursor(end) }
}

/** Deletes events past the retention, the oldest first. The newest stays, because positions have no gaps. */
export async function deleteOldEvents(db: Database): Promise<void> {
  const before = now() - RETENTION
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
