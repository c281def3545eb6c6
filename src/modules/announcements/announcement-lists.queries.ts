import { type SQL, sql } from "drizzle-orm"
import { type AnnouncementState, announcementPortals, announcements } from "../../../drizzle/schema/announcements.ts"
import { belongs, selectVisibleUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage, readPage } from "../../db/list/page.ts"
import { searchFilter } from "../../db/search.ts"
import { runInSlices } from "../../db/slices.ts"
import { counter, inFirstIds, subquery } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { announcementColumns, ownAnnouncementColumns } from "./announcement-columns.ts"
import { isForUser, isNotExpired, linkedToUser } from "./announcement-readers.ts"

const NEWEST = { colName: "created_at", direction: "desc" } as const

type Query = PageQuery & { portalId?: number | undefined; search_param: { heading?: string | undefined } }

const ofPortal = (portalId: number): Filter => ({
  test: sql`exists (
    select 1 from ${announcementPortals}
    where ${announcementPortals.announcementId} = ${announcements.id} and ${announcementPortals.portalId} = ${portalId}
  )`,
  ids: sql`
    select ${announcementPortals.announcementId} as id from ${announcementPortals}
    where ${announcementPortals.portalId} = ${portalId}`,
})

const headed = (heading: string | undefined) => (heading ? [searchFilter(announcements, heading)] : [])

/** A part of a list: a state as a literal, so that SQLite uses its index. */
const inState = (state: AnnouncementState): Filter => ({
  test: sql`${announcements.state} = ${sql.raw(`'${state}'`)}`,
})

/** One page of all announcements; with `portalId` of those for that portal's members. */
export async function listAnnouncements(db: Database, { portalId, ...query }: Query) {
  return readPage(
    db,
    {
      table: announcements,
      key: announcements.id,
      fields: announcementColumns.fields,
      sort: announcementColumns.sort,
      defaultSort: NEWEST,
      scope: [
        ...(portalId ? [ofPortal(portalId)] : []),
        { test: sql`1`, branches: [inState("everyone"), inState("some"), inState("ended")] },
      ],
      search: headed(query.search_param.heading),
      ...(!portalId && { total: counter("announcements") }),
    },
    query,
  )
}

/** How many in a state have not expired: the stored count minus those that the cron has not marked yet. */
const lasting = (state: Exclude<AnnouncementState, "ended">): SQL =>
  sql`(${counter(`announcements:${state}`)} - (
    select count(*) from ${announcements}
    where ${inState(state).test} and ${announcements.expiresAt} > 0 and ${announcements.expiresAt} <= ${now()}
  ))`

/**
 * One page of what is for the caller and has not expired: read side by side from what is for everyone, in order, and
 * from the caller's own few. An anonymous caller of the `documented` policy without a personal audience sees
 * all of it.
 */
export async function listOwnAnnouncements(db: Database, caller: Caller, { portalId, ...query }: Query) {
  const me = caller.id
  const others: Filter = me === null ? inState("some") : { test: sql`1`, ids: linkedToUser(me) }
  // The parts hold what is for the caller alone; where a search or a portal leads instead, the test tells.
  const own: Filter[] = [
    { test: me === null ? sql`1` : isForUser(me), branches: [inState("everyone"), others] },
    { test: isNotExpired() },
  ]
  const mine = subquery(me === null ? lasting("some") : sql`(select count(*) from (${linkedToUser(me)}))`)
  const member = portalId && me !== null ? belongs(me, { portalId }) : undefined
  const found = preparePage(
    db,
    {
      table: announcements,
      key: announcements.id,
      fields: ownAnnouncementColumns.fields,
      sort: ownAnnouncementColumns.sort,
      defaultSort: NEWEST,
      scope: [...(portalId ? [ofPortal(portalId)] : []), ...(member ? [{ test: member }] : []), ...own],
      search: headed(query.search_param.heading),
      ...(!portalId && { total: sql<number>`(${lasting("everyone")} + ${mine})` }),
    },
    query,
  )
  const [rows, totals, [self]] = await db.batch([...found.statements, selectVisibleUser(db, caller, me ?? 0)])
  return { self, page: found.read(rows, totals) }
}

/** With four indexes and the counts by state. */
const ROWS_WRITTEN_BY_AN_END = 13

/**
 * Marks what has expired, so that lists need not pass it: nothing waits for it, for reads go by the clock. Run by the
 * cron.
 */
export async function markExpiredAnnouncements(db: Database): Promise<void> {
  const past = sql`${announcements.state} in ('everyone', 'some')
    and ${announcements.expiresAt} > 0 and ${announcements.expiresAt} <= ${now()}`
  await runInSlices(db, ROWS_WRITTEN_BY_AN_END, (limit) =>
    db
      .update(announcements)
      .set({ state: "ended" })
      .where(inFirstIds(announcements.id, past, limit))
      .returning({ id: announcements.id }),
  )
}
