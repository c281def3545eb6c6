import { asc, lt, type SQL, sql } from "drizzle-orm"
import { events } from "../../../drizzle/events.ts"
import { DAY, now } from "../../lib/clock.ts"
import { gone, invalid } from "../../lib/errors.ts"
import { fromMinor } from "../../lib/input/money.ts"
import { type Database, one } from "../../lib/sql/db.ts"
import { textList } from "../../lib/sql/sql.ts"
import type { Event, EventQuery } from "./events.schemas.ts"

// The feed: places without a gap, so that a cursor is a place, and how far a read walks is known before it.

/** How long events are kept. */
const KEPT_FOR = 30 * DAY
/** How many events one read walks past at the most, whatever types it asks for. */
export const WALKED = 5000
/** How many events one run of the cron forgets: so many a minute are more than an academy makes. */
const FORGOTTEN = 5000

type EventRow = typeof events.$inferSelect

/** An event's own name, wherever it is told. With its time no other has it, not in a database that was restored. */
export const eventName = ({ id, occurredAt }: Pick<EventRow, "id" | "occurredAt">) =>
  `evt_${id}_${occurredAt.toString(36)}`

/** The place of the event that has a name; undefined: none can. */
export const eventPlace = (name: string): number | undefined => {
  const [, place] = /^evt_(\d{1,15})_[0-9a-z]+$/.exec(name) ?? []
  return place === undefined ? undefined : Number(place)
}

/** An event as it is told: by the feed, and to a webhook. */
export function toEvent({ id, type, occurredAt, data }: EventRow): Event {
  const { total, currency } = data
  const amount = typeof total === "number" && typeof currency === "string" && { total: fromMinor(total, currency) }
  const told = { id: eventName({ id, occurredAt }), type, occurredAt: new Date(occurredAt).toISOString() }
  // The triggers write what the schemas say: every answer of the tests is held against them.
  return { ...told, data: { ...data, ...amount } } as Event
}

const toCursor = (place: number) => Buffer.from(`after ${place}`).toString("base64url")

function placeOf(cursor: string): number {
  const [, place] = /^after (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  if (place === undefined || toCursor(Number(place)) !== cursor)
    throw invalid("after", "after is not a cursor that this feed gave out; start again without it.")
  return Number(place)
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
 * @throws 410 for a cursor from before the oldest event that is kept, 422 for one that is none
 */
export async function readFeed(db: Database, { after, types, page_size: size }: EventQuery) {
  const from = after === undefined ? undefined : placeOf(after)
  const beginning = sql`coalesce(${oldest} - 1, 0)`
  const [bounds, rows] = await db.batch([
    db
      .select({ before: sql<number>`${beginning}`.as("before_oldest"), newest: newest.as("newest") })
      .from(sql`(select 1)`),
    eventsAfter(db, from ?? beginning, types ? sql`${events.type} in ${textList(types)}` : sql`1`, size),
  ])
  const { before, newest: last } = one(bounds)
  if (from !== undefined && from < before)
    throw gone("cursor_expired", "This cursor is older than the events that are kept: 30 days. Start again without it.")
  const start = from ?? before
  const walked = Math.max(start, Math.min(start + WALKED, last ?? 0))
  const place = rows.length === size ? (rows.at(-1)?.id ?? walked) : walked
  return { events: rows.map(toEvent), cursor: toCursor(place) }
}

/**
 * Forgets the events that are past their 30 days, the oldest first. The last one stays: the next takes the place after
 * it. Run by the cron.
 */
export async function forgetEvents(db: Database): Promise<void> {
  const past = now() - KEPT_FOR
  const age = db.select({ at: events.occurredAt }).from(events).orderBy(asc(events.id)).limit(1)
  // Looks no further where the oldest is young enough.
  const first = sql`(
    select id from (
      select ${events.id} as id, ${events.occurredAt} as at from ${events} order by ${events.id}
      limit iif(${age} < ${past}, ${FORGOTTEN}, 0)
    ) where at < ${past}
  )`
  await db.batch([db.delete(events).where(sql`${events.id} in ${first} and ${lt(events.id, newest)}`)])
}
