import { desc, eq, sql } from "drizzle-orm"
import { awards, badges, userBadges } from "../../../drizzle/schema/badges.ts"
import { gamificationEvents } from "../../../drizzle/schema/gamification-events.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { selectVisibleUser } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { existingRecords, readRecord, requireVersion, updateRecord } from "../../db/records.ts"
import { searchFilter } from "../../db/search.ts"
import { counter, idList, rowCount, rowExists, userRecords } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import type { BaseUrlContext } from "../../lib/web/answers.ts"
import { badgeColumns, badgeDetails, badgeFields } from "./badge-fields.ts"
import type { NewBadge } from "./badges.schemas.ts"

export async function createBadge(work: UnitOfWork, input: NewBadge) {
  const [given] = await work.read([work.nextIds("badges")])
  const id = firstRow(given).last
  const row = badgeFields.toInsert(input)
  return work.commit(
    [
      work.db.insert(badges).values({ id, ...row, searchText: badgeFields.searchText(row), createdAt: now() }),
      work.audit("created", "badge", { id, name: row.title }, row),
    ],
    { id, message: "Badge created." },
  )
}

/** @throws 404 */
export const getBadge = (db: Database, id: number) =>
  readRecord(db, { table: badges, fields: badgeDetails.fields, subject: "badge" }, id)

/** Changes the given fields and leaves the others. What was awarded keeps the points of its time. @throws 404, 412 */
export async function updateBadge(work: UnitOfWork, id: number, input: NewBadge, demanded?: number) {
  const [rows] = await work.read([work.db.select().from(badges).where(eq(badges.id, id))])
  const badge = requireVersion(rows, "badge", demanded)
  const next = badgeFields.toUpdate(badge, input)
  return updateRecord(work, {
    table: badges,
    record: badge,
    next: { ...next, searchText: badgeFields.searchText(next) },
    subject: "badge",
    name: next.title,
    answer: { id, message: "Badge updated." },
    details: next,
  })
}

const held = sql<number>`${rowExists(userBadges, eq(userBadges.badgeId, badges.id))}`
const used = sql<number>`${rowExists(gamificationEvents, eq(gamificationEvents.badgeId, badges.id))}`

/** Deletes badges; one that a user holds or a gamification event gives is kept. Unknown ids are skipped and counted. */
export async function deleteBadges(work: UnitOfWork, ids: number[]) {
  const { db } = work
  const [found] = await work.read([
    db
      .select({ id: badges.id, held: held.as("held_by_users"), used: used.as("used_by_events") })
      .from(badges)
      .where(sql`${badges.id} in ${idList(ids)}`),
  ])
  const going = found.filter((row) => !row.held && !row.used).map((row) => row.id)
  const assigned = found.filter((row) => row.held).length
  const inEvents = found.length - going.length - assigned
  const unknown = ids.length - found.length
  const answer = {
    message: [
      `${pluralize(going.length, "badge")} deleted.`,
      `${assigned} not deleted: assigned to users.`,
      `${inEvents} not deleted: gamification events use them.`,
      ...(unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : []),
    ].join(" "),
  }
  if (going.length === 0) return work.commit([], answer)
  const these = sql`${badges.id} in ${idList(going)}`
  return work.commit(
    [
      work.guard(eq(rowCount(badges, sql`${these} and not ${held} and not ${used}`), going.length)),
      work.auditMany(
        "deleted",
        "badge",
        sql`select ${badges.id} as id, ${badges.title} as name, '{}' as details from ${badges} where ${these}`,
      ),
      db.delete(badges).where(these),
    ],
    answer,
  )
}

/** Gives a badge, and its points, to users: once more to one who holds it. @throws 404 for an unknown badge */
export async function awardBadge(work: UnitOfWork, { id, user_ids: userIds }: { id: number; user_ids: number[] }) {
  const { db, caller } = work
  const [badgeRows, found] = await work.read([
    db.select({ title: badges.title }).from(badges).where(eq(badges.id, id)),
    existingRecords(db, users, userIds),
  ])
  const [badge] = badgeRows
  if (!badge) throw notFound("badge")
  const skipped = userIds.length - found.length
  const awarded = `${badge.title} awarded to ${pluralize(found.length, "user")}.`
  const answer = {
    message: skipped > 0 ? `${awarded} ${pluralize(skipped, "id")} unknown.` : awarded,
    awarded: found.length,
    skipped,
  }
  if (found.length === 0) return work.commit([], answer)
  const these = sql`${users.id} in ${idList(found.map((row) => row.id))}`
  return work.commit(
    [
      work.guard(
        sql`${rowExists(badges, eq(badges.id, id))}
          and ${eq(rowCount(users, these), found.length)}`,
      ),
      insertFrom(
        db,
        awards,
        {
          userId: users.id,
          badgeId: badges.id,
          cause: "hand",
          points: badges.points,
          awardedBy: caller.id,
          awardedAt: now(),
        },
        sql`
          from ${badges}
          cross join ${users}
          where ${badges.id} = ${id} and ${these}`,
      ),
      work.auditMany("created", "badge award", userRecords(these, { badgeId: id, title: badge.title })),
    ],
    answer,
  )
}

/** A badge's icon as it is shown, as `absoluteUrl` makes it. */
const iconInFull = (base: string) =>
  sql`iif(substr(${badges.badgeIconUrl}, 1, 1) = '/', ${base} || ${badges.badgeIconUrl}, ${badges.badgeIconUrl})`

/** One page of badges. */
export async function listBadges(
  db: Database,
  query: PageQuery & { search_param: { title?: string | undefined } },
  { base }: BaseUrlContext,
) {
  const { title } = query.search_param
  return readPage(
    db,
    {
      table: badges,
      key: badges.id,
      fields: badgeColumns.fields,
      sort: { ...badgeColumns.sort, badgeIconUrl: { sorted: iconInFull(base) } },
      defaultSort: { colName: "title", direction: "asc" },
      scope: [],
      search: title ? [searchFilter(badges, title)] : [],
      total: counter("badges"),
    },
    query,
  )
}

/** The badges that a user holds, the last earned first. @throws 404 for a user that the caller may not know */
export async function listUserBadges(db: Database, caller: Caller, userId: number) {
  const [known, rows] = await db.batch([
    selectVisibleUser(db, caller, userId),
    db
      .select({ ...badgeDetails.fields, count: userBadges.count })
      .from(userBadges)
      .innerJoin(badges, eq(badges.id, userBadges.badgeId))
      .where(eq(userBadges.userId, userId))
      .orderBy(desc(userBadges.lastAwardedAt), desc(userBadges.badgeId)),
  ])
  if (known.length === 0) throw notFound("user")
  return rows
}
