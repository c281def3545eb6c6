import { eq, sql } from "drizzle-orm"
import { users } from "../../../drizzle/users.ts"
import { accountClient, attempt, endSessions, epochOf } from "../../gate/clients.ts"
import { issueToken } from "../../gate/session.ts"
import { now } from "../../lib/clock.ts"
import { unauthorized } from "../../lib/errors.ts"
import { verifyPassword } from "../../lib/password.ts"
import { fullName } from "../../lib/words.ts"
import { UnitOfWork } from "../../lib/work.ts"
import type { Credentials } from "./sessions.schemas.ts"

/**
 * Opens a session.
 * @throws 401, the same for a wrong password, an unknown and a disabled user, after the same work; 429 after ten
 * failures in 15 minutes for the account or the network address.
 */
export async function signIn(work: UnitOfWork, address: string, { email, password }: Credentials) {
  const { env, db } = work
  return attempt(env, { account: accountClient(env, email), address }, async () => {
    const [rows] = await db.batch([db.select().from(users).where(sql`${users.email} collate nocase = ${email}`)])
    const [user] = rows
    // The epoch is asked for before the password is compared: a session opened while the password changes ends with it.
    const epoch = user ? await epochOf(env, user.id) : 0
    const matches = await verifyPassword(password, user?.passwordHash ?? null)
    if (!user || !matches || user.disabled) return { held: false, result: undefined }

    const { token, expiresAt } = await issueToken(env, { userId: user.id, userType: user.userType, epoch })
    const own = new UnitOfWork(db, { ...work.caller, id: user.id, userType: user.userType }, env)
    const { id, firstName, lastName, userType } = user
    const result = {
      token,
      expiresAt: new Date(expiresAt).toISOString(),
      user: { id, firstName, lastName, email: user.email, userType },
    }
    await own.commit(
      [
        db.update(users).set({ lastLoginAt: now() }).where(eq(users.id, user.id)),
        own.audit("login", "user", { id: user.id, name: fullName(user) }),
      ],
      {},
    )
    return { held: true, result }
  }).then((session) => {
    if (!session) throw unauthorized("The e-mail address or the password is wrong, or the account is disabled.")
    return session
  })
}

/** Ends every session of the caller. */
export async function signOut(work: UnitOfWork) {
  const { id } = work.caller
  if (id === null) return
  const sessions = endSessions(work, [id])
  await work.commit(sessions.statements, {})
  await sessions.tell()
}
