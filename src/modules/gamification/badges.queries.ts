import { desc, eq, sql } from "drizzle-orm"
import { badges, gamificationAwards, userBadges } from "../../../drizzle/schema/badges.ts"
import { gamificationEvents } from "../../../drizzle/schema/gamification-events.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { selectVisibleUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
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
  const row = badgeFields.toInsert(input)
  return work.create("badges", {
    statements: (id) => [
      work.db.insert(badges).values({ id, ...row, searchText: badgeFields.searchText(row), createdAt: now() }),
      work.audit("created", "badge", { id, name: row.title }, row),
    ],
    answer: (id) => ({ id, message: "Badge created." }),
  })
}

/** @throws 404 */
export const getBadge = (db: Database, id: number) =>
  readRecord(db, { table: badges, fields: badgeDetails.fields, subject: "badge" }, id)

/** Changes the given fields. Existing awards keep their points. @throws 404, 412 */
export async function updateBadge(work: UnitOfWork, id: number, input: NewBadge, expectedVersion?: number) {
  const [rows] = await work.read([work.db.select().from(badges).where(eq(badges.id, id))])
  const badge = requireVersion(rows, "badge", expectedVersion)
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

const isAssigned = sql<number>`${rowExists(userBadges, eq(userBadges.badgeId, badges.id))}`
const isUsed = sql<number>`${rowExists(gamificationEvents, eq(gamificationEvents.badgeId, badges.id))}`

/** Deletes badges that no user has and no gamification event awards. Unknown ids are skipped and counted. */
export async function deleteBadges(work: UnitOfWork, ids: number[]) {
  const { db } = work
  const [found] = await work.read([
    db
      .select({ id: badges.id, assigned: isAssigned.as("is_assigned"), used: isUsed.as("used_by_events") })
      .from(badges)
      .where(sql`${badges.id} in ${idList(ids)}`),
  ])
  const deletableIds = found.filter((row) => !row.assigned && !row.used).map((row) => row.id)
  const assignedCount = found.filter((row) => row.assigned).length
  const usedCount = found.length - deletableIds.length - assignedCount
  const unknownCount = ids.length - found.length
  const answer = {
    message: [
      `${pluralize(deletableIds.length, "badge")} deleted.`,
      `${assignedCount} not deleted: assigned to users.`,
      `${usedCount} not deleted: gamification events use them.`,
      ...(unknownCount > 0 ? [`${pluralize(unknownCount, "id")} unknown.`] : []),
    ].join(" "),
  }
  if (deletableIds.length === 0) return work.commit([], answer)
  const isDeletable = sql`${badges.id} in ${idList(deletableIds)}`
  return work.commit(
    [
      work.guard(
        eq(rowCount(badges, sql`${isDeletable} and not ${isAssigned} and not ${isUsed}`), deletableIds.length),
      ),
      work.auditMany(
        "deleted",
        "badge",
        sql`select ${badges.id} as id, ${badges.title} as name, '{}' as details from ${badges} where ${isDeletable}`,
      ),
      db.delete(badges).where(isDeletable),
    ],
    answer,
  )
}

/** Awards a badge and its points to users, also to users who already have it. @throws 404 for an unknown badge */
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
  const isRecipient = sql`${users.id} in ${idList(found.map((row) => row.id))}`
  return work.commit(
    [
      work.guard(
        sql`${rowExists(badges, eq(badges.id, id))}
          and ${eq(rowCount(users, isRecipient), found.length)}`,
      ),
      insertFrom(
        db,
        gamificationAwards,
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
          where ${badges.id} = ${id} and ${isRecipient}`,
      ),
      work.auditMany("created", "badge award", userRecords(isRecipient, { badgeId: id, title: badge.title })),
    ],
    answer,
  )
}

/** The absolute URL of the icon, like `absoluteUrl`. */
const absoluteIconUrl = (base: string) =>
  sql`iif(substr(${badges.badgeIconUrl}, 1, 1) = '/', ${base} || ${badges.badgeIconUrl}, ${badges.badgeIconUrl})`

/** Returns one page of badges. */
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
      sort: { ...badgeColumns.sort, badgeIconUrl: { sorted: absoluteIconUrl(base) } },
      defaultSort: { colName: "title", direction: "asc" },
      scope: [],
      search: title ? [searchFilter(badges, title)] : [],
      total: counter("badges"),
    },
    query,
  )
}

/** Returns the badges of a user, the most recent first. @throws 404 for a user that the caller cannot see */
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
