import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { badges, gamificationAwards } from "../../../drizzle/schema/badges.ts"
import { type EventType, gamificationEvents } from "../../../drizzle/schema/gamification-events.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { isErased } from "../../db/erased-users.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { literal, rowExists } from "../../db/sql.ts"
import { DAY } from "../../lib/clock.ts"

/** The first part of `awards.cause`. */
const CAUSES: Record<EventType, string> = {
  course_completed: "course",
  learning_path_completed: "path",
  quiz_passed: "quiz",
  assignment_accepted: "assignment",
  class_attended: "class",
  login: "login",
}

/** What users achieved, as SQL over `from`. */
interface Achievement {
  userId: SQLWrapper
  /** The course, learning path, module or class. */
  targetId: SQLWrapper
  at: SQLWrapper
  /** The cause of one award; defaults to the target. */
  cause?: SQLWrapper
}

/**
 * Awards badges and points by the active gamification events of a type. A user gets each award once per cause. Triggers
 * add awards to `user_badges` and to the leaderboard.
 * @param source the rows to award: a table or a join, and a condition
 */
export const onAchievement = (
  db: Database,
  type: EventType,
  { userId, targetId, at, cause = targetId }: Achievement,
  source: { from: SQLWrapper; where: SQL },
) =>
  insertFrom(
    db,
    gamificationAwards,
    {
      userId,
      badgeId: gamificationEvents.badgeId,
      eventId: gamificationEvents.id,
      cause: sql`${literal(`${CAUSES[type]}:`)} || ${cause}`,
      points: sql`${gamificationEvents.points} + coalesce(${badges.points}, 0)`,
      awardedAt: at,
    },
    // Events come first: without one, no other row is read.
    sql`
      from ${gamificationEvents}
      left join ${badges} on ${badges.id} = ${gamificationEvents.badgeId}
      cross join ${source.from}
      where ${gamificationEvents.type} = ${literal(type)}
        and ${gamificationEvents.targetId} in (0, ${targetId})
        and ${gamificationEvents.active}
        and ${source.where}
        and not ${isErased(userId)}`,
  ).onConflictDoNothing({ target: [gamificationAwards.userId, gamificationAwards.eventId, gamificationAwards.cause] })

// A sign-in awards each login event once per day (UTC). One with a badge inserts an award. One without changes
// `users.login_awards` in the update that every sign-in makes, so that it writes no further row.

const dayOf = (at: number) => Math.floor(at / DAY)
const causeOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** A member of the user's award of an event, 0 without one: the day, the number of days, or the points. */
const loginAward = (member: 0 | 1 | 2) =>
  sql`coalesce(${users.loginAwards} ->> ('$."' || ${gamificationEvents.id} || ${literal(`"[${member}]`)}), 0)`

/** Awards the login events that have a badge. */
export const onLogin = (db: Database, userId: number, at: number) =>
  onAchievement(
    db,
    "login",
    { userId: users.id, targetId: sql`0`, at: sql`${at}`, cause: sql`${causeOf(at)}` },
    {
      from: users,
      where: sql`${gamificationEvents.badgeId} is not null
        and ${users.id} = ${userId} and ${users.lastLoginAt} < ${at} and ${loginAward(0)} < ${dayOf(at)}`,
    },
  )

/** The value of `users.login_awards` after a sign-in. */
export const loginAwardsAfter = (at: number): SQL => {
  const isAwarded = rowExists(
    gamificationAwards,
    sql`${gamificationAwards.userId} = ${users.id} and ${gamificationAwards.eventId} = ${gamificationEvents.id}
      and ${gamificationAwards.cause} = ${`${CAUSES.login}:${causeOf(at)}`}`,
  )
  return sql`json_patch(${users.loginAwards}, (
    select json_group_object(
      cast(${gamificationEvents.id} as text),
      json_array(${dayOf(at)}, ${loginAward(1)} + 1, ${loginAward(2)} + ${gamificationEvents.points})
    )
    from ${gamificationEvents}
    where ${gamificationEvents.type} = 'login' and ${gamificationEvents.targetId} = 0
      and ${gamificationEvents.active} and ${gamificationEvents.badgeId} is null
      and ${loginAward(0)} < ${dayOf(at)} and not ${isAwarded}
  ))`
}

/** The points that a user's sign-ins earned. */
export const LOGIN_POINTS = sql<number>`(
  select coalesce(sum(value ->> '$[2]'), 0) from json_each(${users.loginAwards})
)`
