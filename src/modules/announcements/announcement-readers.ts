import { desc, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import {
  type AnnouncementState,
  announcementCourses,
  announcementPortals,
  announcements,
  announcementUsers,
  type SendingRule,
} from "../../../drizzle/schema/announcements.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { portalMembers } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { idList } from "../../db/sql.ts"
import { now } from "../../lib/clock.ts"
import { CONSOLE } from "../../lib/web/academy.ts"

// The audience of an announcement: stored as rule, courses and portals, and resolved when it is shown or emailed.

export interface AnnouncementAudience {
  rule: SendingRule
  /** User or course ids, depending on the rule; empty for all. */
  ids: number[]
  /** Restricts the audience to members of these portals; empty: no restriction. */
  portalIds: number[]
}

/** The maximum date, later than any expiry. */
export const NEVER = 8_640_000_000_000_000

export const audienceState = ({ rule, portalIds }: AnnouncementAudience, expiresAt: number): AnnouncementState => {
  if (expiresAt > 0 && expiresAt <= now()) return "ended"
  return rule === "all" && portalIds.length === 0 ? "everyone" : "some"
}

/** Whether an announcement has not expired. `+` disables the index, so that the list's order selects one. */
export const isNotExpired = (): SQL => sql`(+${announcements.expiresAt} = 0 or +${announcements.expiresAt} > ${now()})`

/** Whether the portals of an announcement, if any, include one of the user's. */
const isInItsPortals = (userId: SQLWrapper | number | null): SQL => sql`(
  not ${announcements.limitedToPortals}
  or exists (
    select 1 from ${portalMembers}
    cross join ${announcementPortals} on ${announcementPortals.announcementId} = ${announcements.id}
      and ${announcementPortals.portalId} = ${portalMembers.portalId}
    where ${portalMembers.userId} = ${userId}
  )
)`

/** Whether an announcement lists a user. */
const listsUser = (userId: SQLWrapper | number | null): SQL => sql`exists (
  select 1 from ${announcementUsers}
  where ${announcementUsers.announcementId} = ${announcements.id} and ${announcementUsers.userId} = ${userId}
)`

/** Whether an announcement is for one of a user's courses. */
const listsCourseOfUser = (userId: SQLWrapper | number | null): SQL => sql`exists (
  select 1 from ${enrollments}
  cross join ${announcementCourses} on ${announcementCourses.announcementId} = ${announcements.id}
    and ${announcementCourses.courseId} = ${enrollments.courseId}
  where ${enrollments.userId} = ${userId}
)`

/** Whether an announcement is for a user. */
export const isForUser = (userId: SQLWrapper | number | null): SQL => sql`(
  (${announcements.sendingRules} = 'all' or ${listsUser(userId)} or ${listsCourseOfUser(userId)})
  and ${isInItsPortals(userId)}
)`

/** The distinct ids of unexpired announcements linked to the user, their courses or their portals. */
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
  where ${isNotExpired()} and ${isInItsPortals(userId)}`

/** Selects a user's newest unexpired announcements: those for everyone in index order, and those linked to the user. */
export const selectNewestAnnouncements = (db: Database, userId: number, limit: number) =>
  db
    .select({
      id: announcements.id,
      heading: announcements.heading,
      content: announcements.content,
      createdAt: announcements.createdAt,
    })
    .from(announcements)
    .where(
      sql`${announcements.id} in (
        select id from (
          select ${announcements.id} as id from ${announcements}
          where ${announcements.state} = 'everyone' and ${isForUser(userId)} and ${isNotExpired()}
          order by ${announcements.createdAt} desc
          limit ${limit}
        )
        union all
        ${linkedToUser(userId)}
      )`,
    )
    .orderBy(desc(announcements.createdAt), desc(announcements.id))
    .limit(limit)

/** Where announcements lead. */
export const ANNOUNCEMENTS_PATH = `${CONSOLE}/my-announcements`

/** The columns of a recipient for `notifyStatements`. */
export const recipientColumns = sql`
  ${users.id} as user_id, '{}' as variables, ${ANNOUNCEMENTS_PATH} as path, null as dedupe`

/** Whether a user is in the audience, for checks of single users. */
export function isInAudience(userId: SQLWrapper, { rule, ids, portalIds }: AnnouncementAudience): SQL {
  const byRule = {
    all: sql`1`,
    specific_users: sql`${userId} in ${idList(ids)}`,
    specific_course_users: sql`exists (
      select 1 from ${enrollments} where ${enrollments.userId} = ${userId} and ${enrollments.courseId} in ${idList(ids)}
    )`,
  }[rule]
  if (portalIds.length === 0) return byRule
  return sql`(${byRule} and exists (
    select 1 from ${portalMembers}
    where ${portalMembers.userId} = ${userId} and ${portalMembers.portalId} in ${idList(portalIds)}
  ))`
}

/** Selects the enabled users of the audience for `notifyStatements`. @param condition a further condition on users */
export function selectRecipients({ rule, ids, portalIds }: AnnouncementAudience, condition: SQL = sql`1`): SQL {
  const learners = sql`
    select ${enrollments.userId} from ${enrollments}
    where ${enrollments.courseId} in ${idList(ids)}`
  const members = sql`
    select ${portalMembers.userId} from ${portalMembers}
    where ${portalMembers.portalId} in ${idList(portalIds)}`
  const byRule = {
    all: sql`1`,
    specific_users: sql`${users.id} in ${idList(ids)}`,
    specific_course_users: sql`${users.id} in (${learners})`,
  }[rule]
  const byPortal = portalIds.length > 0 ? sql`${users.id} in (${members})` : sql`1`
  return sql`
    select ${recipientColumns}
    from ${users}
    where not ${users.disabled} and ${byRule} and ${byPortal} and ${condition}`
}
