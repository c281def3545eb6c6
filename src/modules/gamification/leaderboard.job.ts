import { asc, sql } from "drizzle-orm"
import { auditLogs } from "../../../drizzle/schema/audit.ts"
import { leaderboardRefreshes, userScores } from "../../../drizzle/schema/leaderboard.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { openDatabase } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { retryOnce } from "../../db/lease.ts"
import { idList } from "../../db/sql.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import { LOGIN_POINTS } from "./awards.ts"
import { boardPosition, laterSignIns } from "./leaderboard.queries.ts"
import { REFRESH_LEADERBOARD } from "./leaderboard-refresh.ts"

// A sign-in does not write the leaderboard: a user's new points take up to twelve rows there. Readers of the
// leaderboard ask for a refresh, which adds the points of all sign-ins since the last one. It reads them in the audit
// log, and computes values, so it may run twice.

/** The sign-ins of one batch: each writes a score with its index entry, and up to eight counts of users by points. */
const SLICE = 400
/** The batches of one message. Then a new one continues. */
const MAX_SLICES = 100

/** Adds the points of sign-ins to the leaderboard. It may run more than once. @throws to retry */
export async function refreshLeaderboard(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const [signIns] = await db.batch([
      db
        .select({ id: auditLogs.id, userId: auditLogs.performedBy })
        .from(auditLogs)
        .where(sql`${auditLogs.id} in ${laterSignIns(SLICE)}`)
        .orderBy(asc(auditLogs.id)),
    ])
    const position = signIns.at(-1)?.id
    if (position === undefined) return
    const userIds = [...new Set(signIns.flatMap(({ userId }) => userId ?? []))]
    await retryOnce(db, () =>
      db.batch([
        insertFrom(
          db,
          userScores,
          {
            userId: sql`id`,
            points: sql`earned`,
            loginPoints: sql`earned`,
            badgeCount: 0,
            ranked: sql`not disabled`,
          },
          sql`from (
            select ${users.id} as id, ${users.disabled} as disabled, ${LOGIN_POINTS} as earned
            from ${users} where ${users.id} in ${idList(userIds)}
          ) as own
          where earned > coalesce((
            select ${userScores.loginPoints} from ${userScores} where ${userScores.userId} = own.id
          ), 0)`,
        ).onConflictDoUpdate({
          target: userScores.userId,
          set: { points: sql`points + excluded.login_points - login_points`, loginPoints: sql`excluded.login_points` },
        }),
        db
          .insert(leaderboardRefreshes)
          .values({ id: 1, position, refreshedAt: now() })
          .onConflictDoUpdate({
            target: leaderboardRefreshes.id,
            set: { position: sql`max(${boardPosition}, excluded.position)`, refreshedAt: sql`excluded.refreshed_at` },
          }),
      ]),
    )
    if (signIns.length < SLICE) return
  }
  await env.JOBS.send(REFRESH_LEADERBOARD)
}
