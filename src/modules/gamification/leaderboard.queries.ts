import { type AnyColumn, eq, type SQL, sql } from "drizzle-orm"
import { groupMembers } from "../../../drizzle/schema/groups.ts"
import { scoreCounts, userScores } from "../../../drizzle/schema/leaderboard.ts"
import { portalMembers } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { canSeeUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"

/** The rank of some points: one more than the users above, which are summed over at most 99 buckets of each width. */
function rankOf(points: SQL): SQL<number> {
  const { level, bucket, users: count } = scoreCounts
  const countUsers = (which: SQL) => sql`(
    select coalesce(sum(${count}), 0) from ${scoreCounts}
    where ${which}
  )`
  const above = (at: number, width: number) =>
    countUsers(sql`${level} = ${sql.raw(String(at))}
      and ${bucket} > ${points} / ${sql.raw(String(width))}
      and ${bucket} < (${points} / ${sql.raw(String(width * 100))} + 1) * 100`)
  const top = countUsers(sql`${level} = 3 and ${bucket} > ${points} / 1000000`)
  return sql<number>`1 + ${above(0, 1)} + ${above(1, 100)} + ${above(2, 10_000)} + ${top}`
}

/** The condition that a user shares a group or a portal with the caller. */
const sharesGroupOrPortal = (caller: Caller, userId: AnyColumn): SQL => {
  const shared = (members: typeof groupMembers | typeof portalMembers, column: AnyColumn) => {
    const columnName = sql.identifier(column.name)
    return sql`exists (
      select 1 from ${members} as mine
      cross join ${members} as theirs
      where mine.user_id = ${caller.id} and theirs.${columnName} = mine.${columnName} and theirs.user_id = ${userId}
    )`
  }
  return sql`(${shared(groupMembers, groupMembers.groupId)} or ${shared(portalMembers, portalMembers.portalId)})`
}

/**
 * Returns the users with the most points, and the rank of one user.
 * @throws 404 for a user that the caller cannot see
 */
export async function getLeaderboard(db: Database, caller: Caller, userId: number, size: number) {
  const points = sql<number>`coalesce(${userScores.points}, 0)`
  const canSeeName = canSeeAllUsers(caller)
    ? sql`1`
    : sql`(${canSeeUser(caller, users.id)} or ${sharesGroupOrPortal(caller, users.id)})`
  const [userRows, top] = await db.batch([
    db
      .select({
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        points: points.as("own_points"),
        badgeCount: sql<number>`coalesce(${userScores.badgeCount}, 0)`.as("own_badges"),
        rank: rankOf(points).as("own_rank"),
      })
      .from(users)
      .leftJoin(userScores, eq(userScores.userId, users.id))
      .where(sql`${users.id} = ${userId} and ${canSeeUser(caller, users.id)}`),
    db
      .select({
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        points: sql<number>`top.points`.as("top_points"),
        badgeCount: sql<number>`top.badge_count`.as("top_badges"),
        known: sql<number>`${canSeeName}`.as("known_by_name"),
      })
      .from(sql`(
        select ${userScores.userId}, ${userScores.points}, ${userScores.badgeCount} from ${userScores}
        where ${userScores.ranked} = 1
        order by ${userScores.points} desc, ${userScores.userId}
        limit ${size}
      ) as top`)
      .innerJoin(users, sql`${users.id} = top.user_id`)
      .orderBy(sql`top.points desc`, users.id),
  ])
  const [user] = userRows
  if (!user) throw notFound("user")
  return { user, top }
}
