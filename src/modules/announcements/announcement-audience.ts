import { z } from "@hono/zod-openapi"
import { type AnyColumn, type SQL, sql } from "drizzle-orm"
import {
  announcementCourses,
  announcementPortals,
  announcementUsers,
  type SendingRule,
} from "../../../drizzle/schema/announcements.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollmentCounts } from "../../../drizzle/schema/enrollments.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { existingRecords, requireExisting } from "../../db/records.ts"
import { counter, counterOf, idList, SINGLE_ROW, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { invalid } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { type AnnouncementAudience, NEVER } from "./announcement-readers.ts"

// The audience of an announcement in a request: its checks, its size, its links and its description.

interface AudienceInput {
  user_ids?: number[] | undefined
  course_ids?: number[] | undefined
  portal_ids?: number[] | undefined
  portalId?: number | undefined
}

export const selectedPortalIds = ({ portal_ids = [], portalId }: AudienceInput) => [
  ...new Set([...portal_ids, ...(portalId ? [portalId] : [])]),
]

/** The number of enrollments of a course. */
const enrollmentCount = sql<number>`coalesce((
  select ${enrollmentCounts.notStarted} + ${enrollmentCounts.inProgress} + ${enrollmentCounts.completed}
  from ${enrollmentCounts}
  where ${enrollmentCounts.audience} = 'all' and ${enrollmentCounts.courseId} = ${courses.id}
), 0)`

/** Selects the existing users, courses and portals of the input with their sizes, for the first round trip. */
export const selectAudience = (db: Database, input: AudienceInput) =>
  [
    existingRecords(db, users, input.user_ids ?? []),
    db
      .select({ id: courses.id, size: subquery(enrollmentCount).as("size") })
      .from(courses)
      .where(sql`${courses.id} in ${idList(input.course_ids ?? [])}`),
    db
      .select({ id: portals.id, size: counterOf("portal", portals.id).as("size") })
      .from(portals)
      .where(sql`${portals.id} in ${idList(selectedPortalIds(input))}`),
    db.select({ size: counter("users").as("size") }).from(SINGLE_ROW),
  ] as const

type Sized = { id: number; size: number }

export type AudienceRows = [users: { id: number }[], courses: Sized[], portals: Sized[], everyone: { size: number }[]]

/** @throws 422 for a rule without users or courses, and for unknown ones */
export function requireAudience(
  { rule, ids }: AnnouncementAudience,
  input: AudienceInput,
  [userRows, courseRows, portalRows]: AudienceRows,
) {
  if (rule === "specific_users") {
    if (ids.length === 0)
      throw invalid("user_ids", "user_ids is required with specific_users: select at least one user.")
    requireExisting("user_ids", input.user_ids ?? [], userRows)
  }
  if (rule === "specific_course_users") {
    if (ids.length === 0)
      throw invalid("course_ids", "course_ids is required with specific_course_users: select at least one course.")
    requireExisting("course_ids", input.course_ids ?? [], courseRows)
  }
  requireExisting("portal_ids", input.portal_ids ?? [], portalRows)
  requireExisting("portalId", input.portalId ? [input.portalId] : [], portalRows)
}

/** An upper bound of the audience size. Courses and portals that the input does not contain count as everyone. */
export function maxAudienceSize(
  { rule, ids, portalIds }: AnnouncementAudience,
  [, courseRows, portalRows, everyone]: AudienceRows,
): number {
  const all = everyone[0]?.size ?? 0
  const sum = (rows: Sized[], of: number[]) => {
    const known = rows.filter((row) => of.includes(row.id))
    return known.length < of.length ? all : known.reduce((total, row) => total + row.size, 0)
  }
  const byRule = { all, specific_users: ids.length, specific_course_users: sum(courseRows, ids) }[rule]
  return Math.min(all, byRule, portalIds.length > 0 ? sum(portalRows, portalIds) : all)
}

type Links = typeof announcementUsers | typeof announcementCourses | typeof announcementPortals

/** When links expire. @param expiresAt 0: never */
export const linkExpiry = (expiresAt: number) => expiresAt || NEVER

/**
 * Writes the links of the audience. Existing links only get the new expiry, and deleted records are skipped. Links of
 * removed users are deleted by `announcementLinks` (announcements.background.ts).
 */
export function setLinks(
  db: Database,
  id: number,
  { rule, ids, portalIds }: AnnouncementAudience,
  expiresAt: number,
): Statement[] {
  const expiry = linkExpiry(expiresAt)
  const userIds = rule === "specific_users" ? ids : []
  const courseIds = rule === "specific_course_users" ? ids : []
  const unlink = (links: Links, to: AnyColumn, keptIds: number[]) =>
    db.delete(links).where(sql`${links.announcementId} = ${id} and ${to} not in ${idList(keptIds)}`)
  const updateExpiry = (links: Links) => ({
    set: { shownUntil: sql`excluded.shown_until` },
    setWhere: sql`${links.shownUntil} <> excluded.shown_until`,
  })
  return [
    insertFrom(
      db,
      announcementUsers,
      { announcementId: id, userId: users.id, shownUntil: expiry },
      sql`from ${users} where ${users.id} in ${idList(userIds)}`,
    ).onConflictDoUpdate({
      target: [announcementUsers.announcementId, announcementUsers.userId],
      ...updateExpiry(announcementUsers),
    }),
    unlink(announcementCourses, announcementCourses.courseId, courseIds),
    insertFrom(
      db,
      announcementCourses,
      { announcementId: id, courseId: courses.id, shownUntil: expiry },
      sql`from ${courses} where ${courses.id} in ${idList(courseIds)}`,
    ).onConflictDoUpdate({
      target: [announcementCourses.announcementId, announcementCourses.courseId],
      ...updateExpiry(announcementCourses),
    }),
    unlink(announcementPortals, announcementPortals.portalId, portalIds),
    insertFrom(
      db,
      announcementPortals,
      { announcementId: id, portalId: portals.id, shownUntil: rule === "all" ? expiry : 0 },
      sql`from ${portals} where ${portals.id} in ${idList(portalIds)}`,
    ).onConflictDoUpdate({
      target: [announcementPortals.announcementId, announcementPortals.portalId],
      ...updateExpiry(announcementPortals),
    }),
  ]
}

/** The maximum number of names in the description of an audience. */
const MAX_NAMES = 5

/** The first names of an announcement's courses or portals, plus one more if there are further ones. */
export const firstNames = (from: SQL) =>
  sql`(select json_group_array(name) from (select ${from} limit ${MAX_NAMES + 1}))`.mapWith((json: string): string[] =>
    JSON.parse(json),
  )

const joinNames = (names: string[]) =>
  names.length > MAX_NAMES ? `${names.slice(0, MAX_NAMES).join(", ")} and others` : names.join(", ")

interface AudienceRow {
  rule: SendingRule
  userCount: number
  courses: string[]
  portals: string[]
}

const nameList = z
  .object({ names: z.array(z.string()), has_more: z.boolean() })
  .openapi({ description: `The first ${MAX_NAMES} names, and whether there are more` })

/** The audience in lists: what `sent_to` is made of. */
export const audienceSummary = z.object({ user_count: z.number().int().min(0), courses: nameList, portals: nameList })

const toNameList = (names: string[]) => ({ names: names.slice(0, MAX_NAMES), has_more: names.length > MAX_NAMES })

export const toAudienceSummary = ({ userCount, courses, portals }: AudienceRow) => ({
  user_count: userCount,
  courses: toNameList(courses),
  portals: toNameList(portals),
})

/** `All users`, `3 users`, `Users of Algebra, Botany in North`. */
export function describeAudience(row: AudienceRow): string {
  const byRule = {
    all: "All users",
    specific_users: pluralize(row.userCount, "user"),
    specific_course_users: row.courses.length > 0 ? `Users of ${joinNames(row.courses)}` : "Users of no course",
  }[row.rule]
  return row.portals.length > 0 ? `${byRule} in ${joinNames(row.portals)}` : byRule
}
