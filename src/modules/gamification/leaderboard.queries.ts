import { type AnyColumn, eq, type SQL, sql } from "drizzle-orm"
import { groupMembers } from "../../../drizzle/schema/groups.ts"
import { leaderboardRefreshes, scoreCounts, userScores } from "../../../drizzle/schema/leaderboard.ts"
import { portalMembers } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { canSeeUser } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { countOfCommonKind, nextOfCommonKind, SIGN_INS } from "../../db/common-kinds.ts"
import { rowExists, SINGLE_ROW } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { MINUTE, now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { LOGIN_POINTS } from "./awards.ts"

/** The rank of some points: one more than the users above, which are summed over at most 99 buckets of each width. */
function rankOf(points: SQL): SQL<number> {
  const { level, bucket, users: count } = scoreCounts
  const countUsers = (condition: SQL) => sql`(
    select coalesce(sum(${count}), 0) from ${scoreCounts}
    where ${condition}
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

/** How long the board may lack the points of sign-ins while it is read. */
const MAX_AGE = 10 * MINUTE

/** The last sign-in whose points the board has, and those after it. */
export const boardPosition = sql<number>`coalesce((
  select ${leaderboardRefreshes.position} from ${leaderboardRefreshes}
), 0)`
/** Whether anyone signed in since. */
const hasLaterSignIn = sql`(
  ${countOfCommonKind(SIGN_INS, sql`1`)} > ${countOfCommonKind(SIGN_INS, sql`numbered.id <= ${boardPosition}`)}
)`
/** Selects the `id` of the sign-ins since, in order. */
export const laterSignIns = (limit: number) => sql`(
  with recursive sign_ins(id, number) as (
    select ${nextOfCommonKind(SIGN_INS, { after: boardPosition, ascending: true })}, 1
    union all
    select ${nextOfCommonKind(SIGN_INS, { after: sql`sign_ins.id`, ascending: true })}, number + 1
    from sign_ins where id is not null and number < ${limit}
  )
  select id from sign_ins where id is not null
)`

/** A user's points: those on the board, and those of sign-ins since. */
const POINTS = sql<number>`(coalesce(${userScores.points} - ${userScores.loginPoints}, 0) + ${LOGIN_POINTS})`

/**
 * Returns the users with the most points, and the rank of one user. Their points are exact; which users are at the top,
 * and the rank, may lack sign-ins of other users.
 * @returns also whether the board is due for a refresh
 * @throws 404 for a user that the caller cannot see
 */
export async function getLeaderboard(db: Database, caller: Caller, userId: number, size: number) {
  const canSeeName = canSeeAllUsers(caller)
    ? sql`1`
    : sql`(${canSeeUser(caller, users.id)} or ${sharesGroupOrPortal(caller, users.id)})`
  const [userRows, top, state] = await db.batch([
    db
      .select({
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        points: sql<number>`own.points`.as("own_points"),
        badgeCount: sql<number>`own.badge_count`.as("own_badges"),
        rank: rankOf(sql`own.points`).as("own_rank"),
      })
      .from(sql`(
        select ${users.id} as user_id, ${POINTS} as points, coalesce(${userScores.badgeCount}, 0) as badge_count
        from ${users} left join ${userScores} on ${userScores.userId} = ${users.id}
        where ${users.id} = ${userId} and ${canSeeUser(caller, users.id)}
      ) as own`)
      .innerJoin(users, sql`${users.id} = own.user_id`),
    db
      .select({
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        points: POINTS.as("top_points"),
        badgeCount: userScores.badgeCount,
        known: sql<number>`${canSeeName}`.as("known_by_name"),
      })
      .from(sql`(
        select ${userScores.userId} from ${userScores}
        where ${userScores.ranked} = 1
        order by ${userScores.points} desc, ${userScores.userId}
        limit ${size}
      ) as top`)
      .innerJoin(users, sql`${users.id} = top.user_id`)
      .innerJoin(userScores, eq(userScores.userId, users.id))
      .orderBy(sql`top_points desc`, users.id),
    db
      .select({
        isDue: sql<number>`(
          not ${rowExists(leaderboardRefreshes, sql`${leaderboardRefreshes.refreshedAt} > ${now() - MAX_AGE}`)}
          and ${hasLaterSignIn}
        )`.as("is_due"),
      })
      .from(SINGLE_ROW),
  ])
  const [user] = userRows
  if (!user) throw notFound("user")
  return { user, top, isDue: firstRow(state).isDue === 1 }
}
