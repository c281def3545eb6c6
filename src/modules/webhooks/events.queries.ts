import { asc, lt, type SQL, sql } from "drizzle-orm"
import { readEventData } from "../../../drizzle/schema/event-definitions.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { runInSlices } from "../../db/slices.ts"
import { textList } from "../../db/sql.ts"
import { DAY, now } from "../../lib/clock.ts"
import { gone, invalid } from "../../lib/errors.ts"
import { fromMinor } from "../../lib/input/money.ts"
import type { Event, EventQuery } from "./events.schemas.ts"

// The feed: places without a gap, so that a cursor is a place, and how far a read walks is known before it.

/** How long events are kept. */
const KEPT_FOR = 30 * DAY
/** How many events one read walks past at the most, whatever types it asks for. */
export const WALKED = 5000

type EventRow = typeof events.$inferSelect

/** An event's own name, in the feed and in webhooks. Its time makes it unique after a restore of the database. */
export const eventName = ({ id, occurredAt }: Pick<EventRow, "id" | "occurredAt">) =>
  `evt_${id}_${occurredAt.toString(36)}`

/** The place of the event that has a name; undefined: none can. */
export const eventPlace = (name: string): number | undefined => {
  const [, place] = /^evt_(\d{1,15})_[0-9a-z]+$/.exec(name) ?? []
  return place === undefined ? undefined : Number(place)
}

/** An event as the feed and webhooks return it. */
export function toEvent({ id, type, occurredAt, data: stored }: EventRow): Event {
  const data = readEventData(type, stored)
  const { total, currency } = data
  const amount = typeof total === "number" && typeof currency === "string" && { total: fromMinor(total, currency) }
  const envelope = { id: eventName({ id, occurredAt }), type, occurredAt: new Date(occurredAt).toISOString() }
  // The triggers write what the schemas say: every answer of the tests is held against them.
  return { ...envelope, data: { ...data, ...amount } } as Event
}

/** A point of the feed: the place of an event and its time, which no event of another history of the database has. */
interface Point {
  place: number
  /** Epoch milliseconds; 0 before the first event. */
  time: number
}

const toCursor = ({ place, time }: Point) => Buffer.from(`after ${place} ${time}`).toString("base64url")

/** @throws 422 for text that is not a cursor */
function pointOf(cursor: string): Point {
  const [, place, time] = /^after (\d{1,15}) (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  const point = { place: Number(place), time: Number(time) }
  if (place === undefined || toCursor(point) !== cursor)
    throw invalid("after", "after is not a cursor that this feed gave out; start again without it.")
  return point
}

/** The place of the oldest event that is kept, and of the newest; null while there are none. */
export const oldest = sql<number | null>`(select ${events.id} from ${events} order by ${events.id} limit 1)`
export const newest = sql<number | null>`(select ${events.id} from ${events} order by ${events.id} desc limit 1)`

/** The events after a place of which a condition holds, in order, no further than a walk goes. */
export const eventsAfter = (db: Database, place: number | SQL, among: SQL, limit: number) =>
  db
    .select()
    .from(events)
    .where(
      sql`${events.id} > ${place} and ${events.id} <= ${place} + ${WALKED}
        and ${among}`,
    )
    .orderBy(asc(events.id))
    .limit(limit)

/**
 * The next events, in order. Where few are of the types that are asked for, the answer may have none and still go on.
 * @throws 410 for a cursor from before the oldest event that is kept, or of another history of the database: it lies
 *   beyond the end, or its event has another time; 422 for one that is none
 */
export async function readFeed(db: Database, { after, types, page_size: size }: EventQuery) {
  const from = after === undefined ? undefined : pointOf(after)
  const beginning = sql<number>`coalesce(${oldest} - 1, 0)`
  const start = from?.place ?? beginning
  const timeAt = (place: SQL | number) => sql<number>`coalesce((
    select ${events.occurredAt} from ${events} where ${events.id} = ${place}
  ), 0)`
  const walked = sql<number>`max(${start}, min(${start} + ${WALKED}, coalesce(${newest}, 0)))`
  const [bounds, rows] = await db.batch([
    db
      .select({
        before: beginning.as("before_oldest"),
        newest: newest.as("newest"),
        time: timeAt(start).as("start_time"),
        walked: walked.as("walked"),
        walkedTime: timeAt(walked).as("walked_time"),
      })
      .from(sql`(select 1)`),
    eventsAfter(db, start, types ? sql`${events.type} in ${textList(types)}` : sql`1`, size),
  ])
  const feed = firstRow(bounds)
  if (from && from.place < feed.before)
    throw gone("cursor_expired", "This cursor is older than the events that are kept: 30 days. Start again without it.")
  // Of the event just before the oldest nothing is left to compare.
  const isKnown = from?.place !== feed.before || from.place === 0
  if (from && (from.place > (feed.newest ?? 0) || (isKnown && from.time !== feed.time)))
    throw gone("cursor_expired", "This cursor is of another history of the database. Start again without it.")
  const last = rows.length === size ? rows.at(-1) : undefined
  const reached = last ? { place: last.id, time: last.occurredAt } : { place: feed.walked, time: feed.walkedTime }
  return { events: rows.map(toEvent), cursor: toCursor(reached) }
}

/**
 * Forgets the events that are past their 30 days, the oldest first. The last one stays: the next takes the place after
 * it. Run by the cron.
 */
export async function forgetEvents(db: Database): Promise<void> {
  const past = now() - KEPT_FOR
  await runInSlices(db, 1, (limit) => forgetOldest(db, past, limit))
}

function forgetOldest(db: Database, past: number, limit: number) {
  const age = db.select({ at: events.occurredAt }).from(events).orderBy(asc(events.id)).limit(1)
  // Looks no further where the oldest is young enough.
  const first = sql`(
    select id from (
      select ${events.id} as id, ${events.occurredAt} as at from ${events} order by ${events.id}
      limit iif(${age} < ${past}, ${limit}, 0)
    ) where at < ${past}
  )`
  return db
    .delete(events)
    .where(sql`${events.id} in ${first} and ${lt(events.id, newest)}`)
    .returning({ id: events.id })
}
