import { sql } from "drizzle-orm"
import { users } from "../../../drizzle/schema/users.ts"
import { recordSignIn } from "../../access/accounts.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { onAchievement } from "../gamification/awards.ts"

/** A user signs in: rewards the first time of a day (UTC). @param proven what it proves of the email address */
export function onSignedIn(
  { db }: UnitOfWork,
  userId: number,
  proven?: Parameters<typeof recordSignIn>[2],
): Statement[] {
  const at = now()
  const day = new Date(at).toISOString().slice(0, 10)
  return [
    onAchievement(
      db,
      "login",
      { userId: users.id, targetId: sql`0`, at: sql`${at}`, cause: sql`${day}` },
      { from: users, where: sql`${users.id} = ${userId} and ${users.lastLoginAt} < ${at}` },
    ),
    recordSignIn(db, userId, proven),
  ]
}
