import { and, eq } from "drizzle-orm"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns, setPasswordHash } from "../../access/accounts.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endSessions } from "../../access/revocations.ts"
import { canSeeUser } from "../../access/scope.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { hashPassword, weakness } from "../../lib/crypto/password.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { fullName } from "../../lib/text/words.ts"
import { passwordChangedNotice } from "./credential-notices.ts"
import { requireCurrentPassword } from "./current-password.ts"
import { currentPasswordOf, type NewPassword } from "./users.schemas.ts"

/**
 * Sets a user's password, ends their sessions, and notifies them by email.
 * @param base the origin of the link in the email
 * @throws 404; 403 if the current password is required and missing; 409 for an erased user; 422 for a weak password or
 *   a wrong current one; 429
 */
export async function updatePassword(work: UnitOfWork, base: string, userId: number, input: NewPassword) {
  const { db, caller, env } = work
  const [[user]] = await work.read([
    db
      .select({ ...accountColumns, passwordHash: users.passwordHash })
      .from(users)
      .where(and(eq(users.id, userId), canSeeUser(caller, users.id))),
  ])
  if (!user) throw notFound("user")
  requireCredentials(caller, user, "password")
  await requireCurrentPassword(work, user, currentPasswordOf(input))
  const weak = await weakness(input.password, user, env.ASSETS)
  if (weak) throw invalid("password", weak)
  const sessions = endSessions(work, [userId])
  const notice = passwordChangedNotice(work, base, user)
  const answer = await work.commit(
    [
      setPasswordHash(db, userId, await hashPassword(input.password)),
      ...sessions.statements,
      ...notice.statements,
      work.audit("updated", "user", { id: userId, name: fullName(user) }, { password: "changed" }),
    ],
    { message: "Password updated." },
  )
  notice.dispatch()
  await sessions.notify()
  return answer
}
