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

const byHeading = (heading: string | undefined) => (heading ? [searchFilter(announcements, heading)] : [])

/** A branch of a list. The state is a literal, so that SQLite uses its index. */
const inState = (state: AnnouncementState): Filter => ({
  test: sql`${announcements.state} = ${sql.raw(`'${state}'`)}`,
})

/** Returns one page of all announcements, or of those for the members of a portal. */
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
      search: byHeading(query.search_param.heading),
      ...(!portalId && { total: counter("announcements") }),
    },
    query,
  )
}

/** The number of unexpired announcements in a state: the counter minus those that the cron has not marked yet. */
const countUnexpired = (state: Exclude<AnnouncementState, "ended">): SQL =>
  sql`(${counter(`announcements:${state}`)} - (
    select count(*) from ${announcements}
    where ${inState(state).test} and ${announcements.expiresAt} > 0 and ${announcements.expiresAt} <= ${now()}
  ))`

/**
 * Returns one page of the caller's unexpired announcements. Two branches are merged: those for everyone, in index
 * order, and the few that are linked to the caller. Anonymous callers of the `documented` policy see all announcements.
 */
export async function listOwnAnnouncements(db: Database, caller: Caller, { portalId, ...query }: Query) {
  const userId = caller.id
  const linked: Filter = userId === null ? inState("some") : { test: sql`1`, ids: linkedToUser(userId) }
  // The branches contain only announcements for the caller. If a search or a portal is read first, the test checks it.
  const own: Filter[] = [
    { test: userId === null ? sql`1` : isForUser(userId), branches: [inState("everyone"), linked] },
    { test: isNotExpired() },
  ]
  const linkedCount = subquery(
    userId === null ? countUnexpired("some") : sql`(select count(*) from (${linkedToUser(userId)}))`,
  )
  const isMember = portalId && userId !== null ? belongs(userId, { portalId }) : undefined
  const found = preparePage(
    db,
    {
      table: announcements,
      key: announcements.id,
      fields: ownAnnouncementColumns.fields,
      sort: ownAnnouncementColumns.sort,
      defaultSort: NEWEST,
      scope: [...(portalId ? [ofPortal(portalId)] : []), ...(isMember ? [{ test: isMember }] : []), ...own],
      search: byHeading(query.search_param.heading),
      ...(!portalId && { total: sql<number>`(${countUnexpired("everyone")} + ${linkedCount})` }),
    },
    query,
  )
  const [rows, totals, [self]] = await db.batch([...found.statements, selectVisibleUser(db, caller, userId ?? 0)])
  return { self, page: found.read(rows, totals) }
}

/** The row, four index entries and the counters. */
const ROWS_WRITTEN_PER_EXPIRY = 13

/** Marks expired announcements, so that lists need not skip them. Responses do not depend on it. Run by the cron. */
export async function markExpiredAnnouncements(db: Database): Promise<void> {
  const hasExpired = sql`${announcements.state} in ('everyone', 'some')
    and ${announcements.expiresAt} > 0 and ${announcements.expiresAt} <= ${now()}`
  await runInSlices(db, ROWS_WRITTEN_PER_EXPIRY, (limit) =>
    db
      .update(announcements)
      .set({ state: "ended" })
      .where(inFirstIds(announcements.id, hasExpired, limit))
      .returning({ id: announcements.id }),
  )
}
