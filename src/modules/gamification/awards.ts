import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { badges, gamificationAwards } from "../../../drizzle/schema/badges.ts"
import { type EventType, gamificationEvents } from "../../../drizzle/schema/gamification-events.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { literal } from "../../db/sql.ts"

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
  /** What one award is given for; the target unless given. */
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
        and ${source.where}`,
  ).onConflictDoNothing({ target: [gamificationAwards.userId, gamificationAwards.eventId, gamificationAwards.cause] })
