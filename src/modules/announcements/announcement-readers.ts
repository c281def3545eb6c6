import { type AnyColumn, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import {
  type AnnouncementState,
  announcementCourses,
  announcementPortals,
  announcements,
  announcementUsers,
  type SendingRule,
} from "../../../drizzle/schema/announcements.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, tallies } from "../../../drizzle/schema/enrollments.ts"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { existingRecords, requireAll } from "../../db/records.ts"
import { counter, counterOf, idList, SINGLE_ROW, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { now } from "../../lib/clock.ts"
import { invalid } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"

// Whom an announcement is for: kept as rule, courses and portals, and resolved whenever it is shown or mailed.

export interface Audience {
  rule: SendingRule
  /** Of users or of courses, as the rule has it; none for all. */
  ids: number[]
  /** Only their members; none: whoever the rule selects. */
  portalIds: number[]
}

/** Later than any expiry: the last moment that a date can have. */
const FOR_GOOD = 8_640_000_000_000_000

export const audienceState = ({ rule, portalIds }: Audience, expiresAt: number): AnnouncementState => {
  if (expiresAt > 0 && expiresAt <= now()) return "ended"
  return rule === "all" && portalIds.length === 0 ? "everyone" : "some"
}

/** The condition that an announcement has not expired. The pluses leave the choice of an index to the list's order. */
export const isNotExpired = (): SQL => sql`(+${announcements.expiresAt} = 0 or +${announcements.expiresAt} > ${now()})`

/** The condition that an announcement's portals, where it has any, do not keep it from a user. */
const admits = (userId: SQLWrapper | number | null): SQL => sql`(
  not ${announcements.narrowed}
  or exists (
    select 1 from ${portalMembers}
    cross join ${announcementPortals} on ${announcementPortals.announcementId} = ${announcements.id}
      and ${announcementPortals.portalId} = ${portalMembers.portalId}
    where ${portalMembers.userId} = ${userId}
  )
)`

/** The condition that an announcement names a user. */
const names = (userId: SQLWrapper | number | null): SQL => sql`exists (
  select 1 from ${announcementUsers}
  where ${announcementUsers.announcementId} = ${announcements.id} and ${announcementUsers.userId} = ${userId}
)`

/** The condition that an announcement is for one of a user's courses. */
const namesCourseOf = (userId: SQLWrapper | number | null): SQL => sql`exists (
  select 1 from ${enrollments}
  cross join ${announcementCourses} on ${announcementCourses.announcementId} = ${announcements.id}
    and ${announcementCourses.courseId} = ${enrollments.courseId}
  where ${enrollments.userId} = ${userId}
)`

/** The condition that an announcement is for a user. */
export const isForUser = (userId: SQLWrapper | number | null): SQL => sql`(
  (${announcements.sendingRules} = 'all' or ${names(userId)} or ${namesCourseOf(userId)})
  and ${admits(userId)}
)`

/** The ids, each once, of what lasts and is linked to the user, their courses or their portals. */
export const linkedToUser = (userId: number): SQL => sql`
  select linked.id from (
    select ${announcementUsers.announcementId} as id from ${announcementUsers}
    where ${announcementUsers.userId} = ${userId} and ${announcementUsers.shownUntil} > ${now()}
    union all
    select distinct ${announcementCourses.announcementId} from ${enrollments}
    cross join ${announcementCourses} on ${announcementCourses.courseId} = ${enrollments.courseId}
      and ${announcementCourses.shownUntil} > ${now()}
    where ${enrollments.userId} = ${userId}
    union all
    select distinct ${announcementPortals.announcementId} from ${portalMembers}
    cross join ${announcementPortals} on ${announcementPortals.portalId} = ${portalMembers.portalId}
      and ${announcementPortals.shownUntil} > ${now()}
    where ${portalMembers.userId} = ${userId}
  ) as linked
  cross join ${announcements} on ${announcements.id} = linked.id
  where ${isNotExpired()} and ${admits(userId)}`

interface AudienceInput {
  user_ids?: number[] | undefined
  course_ids?: number[] | undefined
  portal_ids?: number[] | undefined
  portalId?: number | undefined
}

export const selectedPortalIds = ({ portal_ids = [], portalId }: AudienceInput) => [
  ...new Set([...portal_ids, ...(portalId ? [portalId] : [])]),
]

/** How many users are registered in a course. */
const courseSize = sql<number>`coalesce((
  select ${tallies.notStarted} + ${tallies.inProgress} + ${tallies.completed} from ${tallies}
  where ${tallies.audience} = 'all' and ${tallies.courseId} = ${courses.id}
), 0)`

/** Which of what a call names exists, each with how many users it holds: for the first trip. */
export const selectAudience = (db: Database, given: AudienceInput) =>
  [
    existingRecords(db, users, given.user_ids ?? []),
    db
      .select({ id: courses.id, size: subquery(courseSize).as("size") })
      .from(courses)
      .where(sql`${courses.id} in ${idList(given.course_ids ?? [])}`),
    db
      .select({ id: portals.id, size: counterOf("portal", portals.id).as("size") })
      .from(portals)
      .where(sql`${portals.id} in ${idList(selectedPortalIds(given))}`),
    db.select({ size: counter("users").as("size") }).from(SINGLE_ROW),
  ] as const

type Sized = { id: number; size: number }
export type AudienceRows = [users: { id: number }[], courses: Sized[], portals: Sized[], everyone: { size: number }[]]

/** @throws 422 for a rule without its users or courses, and for what does not exist */
export function requireAudience(
  { rule, ids }: Audience,
  given: AudienceInput,
  [userRows, courseRows, portalRows]: AudienceRows,
) {
  if (rule === "specific_users") {
    if (ids.length === 0) throw invalid("user_ids", "user_ids is required with specific_users: name 1 user or more.")
    requireAll("user_ids", given.user_ids ?? [], userRows)
  }
  if (rule === "specific_course_users") {
    if (ids.length === 0)
      throw invalid("course_ids", "course_ids is required with specific_course_users: name 1 course or more.")
    requireAll("course_ids", given.course_ids ?? [], courseRows)
  }
  requireAll("portal_ids", given.portal_ids ?? [], portalRows)
  requireAll("portalId", given.portalId ? [given.portalId] : [], portalRows)
}

/** About how many readers there are, and never fewer. What the call does not name counts as everyone. */
export function sizeOf({ rule, ids, portalIds }: Audience, [, courseRows, portalRows, everyone]: AudienceRows): number {
  const all = everyone[0]?.size ?? 0
  const sum = (rows: Sized[], of: number[]) => {
    const known = rows.filter((row) => of.includes(row.id))
    return known.length < of.length ? all : known.reduce((total, row) => total + row.size, 0)
  }
  const ruled = { all, specific_users: ids.length, specific_course_users: sum(courseRows, ids) }[rule]
  return Math.min(all, ruled, portalIds.length > 0 ? sum(portalRows, portalIds) : all)
}

/** A user as `queueMailForQuery` takes it. */
export const recipientColumns = (announcementId: number): SQL => sql`
  ${users.id} as user_id, ${users.email} as recipient, ${users.firstName} as name, null as secret,
  ${`announcement:${announcementId}:`} || ${users.id} as dedupe`

/** The condition that a user is one of the readers, read user by user. */
export function isInAudience(userId: SQLWrapper, { rule, ids, portalIds }: Audience): SQL {
  const ruled = {
    all: sql`1`,
    specific_users: sql`${userId} in ${idList(ids)}`,
    specific_course_users: sql`exists (
      select 1 from ${enrollments} where ${enrollments.userId} = ${userId} and ${enrollments.courseId} in ${idList(ids)}
    )`,
  }[rule]
  if (portalIds.length === 0) return ruled
  return sql`(${ruled} and exists (
    select 1 from ${portalMembers}
    where ${portalMembers.userId} = ${userId} and ${portalMembers.portalId} in ${idList(portalIds)}
  ))`
}

/**
 * The enabled users among the readers, as `queueMailForQuery` takes them. @param besides a further condition on users
 */
export function selectRecipients(
  announcementId: number,
  { rule, ids, portalIds }: Audience,
  besides: SQL = sql`1`,
): SQL {
  const learners = sql`
    select ${enrollments.userId} from ${enrollments}
    where ${enrollments.courseId} in ${idList(ids)}`
  const members = sql`
    select ${portalMembers.userId} from ${portalMembers}
    where ${portalMembers.portalId} in ${idList(portalIds)}`
  const ruled = {
    all: sql`1`,
    specific_users: sql`${users.id} in ${idList(ids)}`,
    specific_course_users: sql`${users.id} in (${learners})`,
  }[rule]
  const admitted = portalIds.length > 0 ? sql`${users.id} in (${members})` : sql`1`
  return sql`
    select ${recipientColumns(announcementId)}
    from ${users}
    where not ${users.disabled} and ${ruled} and ${admitted} and ${besides}`
}

type Links = typeof announcementUsers | typeof announcementCourses | typeof announcementPortals

/** Until when links show an announcement. @param expiresAt 0: it does not expire */
export const linkExpiry = (expiresAt: number) => expiresAt || FOR_GOOD

/**
 * Writes the links of the readers; those that stay only take the expiry. What was just deleted is left out. Users who
 * are no longer named go by `announcementLinks` (announcements.background.ts).
 */
export function setLinks(db: Database, id: number, { rule, ids, portalIds }: Audience, expiresAt: number): Statement[] {
  const until = linkExpiry(expiresAt)
  const userIds = rule === "specific_users" ? ids : []
  const courseIds = rule === "specific_course_users" ? ids : []
  const unlink = (links: Links, to: AnyColumn, kept: number[]) =>
    db.delete(links).where(sql`${links.announcementId} = ${id} and ${to} not in ${idList(kept)}`)
  const lastUntil = (links: Links) => ({
    set: { shownUntil: sql`excluded.shown_until` },
    setWhere: sql`${links.shownUntil} <> excluded.shown_until`,
  })
  return [
    insertFrom(
      db,
      announcementUsers,
      { announcementId: id, userId: users.id, shownUntil: until },
      sql`from ${users} where ${users.id} in ${idList(userIds)}`,
    ).onConflictDoUpdate({
      target: [announcementUsers.announcementId, announcementUsers.userId],
      ...lastUntil(announcementUsers),
    }),
    unlink(announcementCourses, announcementCourses.courseId, courseIds),
    insertFrom(
      db,
      announcementCourses,
      { announcementId: id, courseId: courses.id, shownUntil: until },
      sql`from ${courses} where ${courses.id} in ${idList(courseIds)}`,
    ).onConflictDoUpdate({
      target: [announcementCourses.announcementId, announcementCourses.courseId],
      ...lastUntil(announcementCourses),
    }),
    unlink(announcementPortals, announcementPortals.portalId, portalIds),
    insertFrom(
      db,
      announcementPortals,
      { announcementId: id, portalId: portals.id, shownUntil: rule === "all" ? until : 0 },
      sql`from ${portals} where ${portals.id} in ${idList(portalIds)}`,
    ).onConflictDoUpdate({
      target: [announcementPortals.announcementId, announcementPortals.portalId],
      ...lastUntil(announcementPortals),
    }),
  ]
}

/** How many names the text of the readers has at most. */
const MOST_NAMES = 5

/** The names of the first few courses or portals of an announcement, with one more where there are further ones. */
export const firstNames = (from: SQL) =>
  sql`(select json_group_array(name) from (select ${from} limit ${MOST_NAMES + 1}))`.mapWith((json: string): string[] =>
    JSON.parse(json),
  )

const listed = (names: string[]) =>
  names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(", ")} and others` : names.join(", ")

/** `All users`, `3 users`, `Users of Algebra, Botany in North`. */
export function describeAudience(row: {
  rule: SendingRule
  userCount: number
  courses: string[]
  portals: string[]
}): string {
  const ruled = {
    all: "All users",
    specific_users: pluralize(row.userCount, "user"),
    specific_course_users: row.courses.length > 0 ? `Users of ${listed(row.courses)}` : "Users of no course",
  }[row.rule]
  return row.portals.length > 0 ? `${ruled} in ${listed(row.portals)}` : ruled
}
