import { recordSignIn } from "../../access/accounts.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { loginAwardsAfter, onLogin } from "../gamification/awards.ts"

/** A user signs in: rewards the first time of a day (UTC). @param proven what it proves of the email address */
export function onSignedIn(
  { db }: UnitOfWork,
  userId: number,
  proven?: Parameters<typeof recordSignIn>[3],
): Statement[] {
  const at = now()
  return [onLogin(db, userId, at), recordSignIn(db, userId, loginAwardsAfter(at), proven)]
}
