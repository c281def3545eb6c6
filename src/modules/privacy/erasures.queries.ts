import { and, desc, eq, getTableColumns, ne, sql } from "drizzle-orm"
import { apiKeys } from "../../../drizzle/schema/api-keys.ts"
import { auditLogs, auditPeople } from "../../../drizzle/schema/audit.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { ERASED_IS_FINAL, erasures } from "../../../drizzle/schema/erasures.ts"
import { userIdentities } from "../../../drizzle/schema/sso.ts"
import { recoveryCodes, twoFactor } from "../../../drizzle/schema/two-factor.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { webhooks } from "../../../drizzle/schema/webhooks.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endKeys, endSessions } from "../../access/revocations.ts"
import { canSeeUser } from "../../access/scope.ts"
import { createLease, enqueue } from "../../db/lease.ts"
import { guardUnchanged } from "../../db/records.ts"
import { sortableNames } from "../../db/search.ts"
import { rowExists, SINGLE_ROW } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { userIdOf } from "../../lib/caller.ts"
import { MINUTE, now } from "../../lib/clock.ts"
import { encrypt } from "../../lib/crypto/crypto.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
import { fullName } from "../../lib/text/words.ts"
import { userSearchText } from "../users/user-fields.ts"
import type { NewErasure } from "./erasures.schemas.ts"
import { type DataSubject, ERASED, erasedName } from "./personal-data-table.ts"

/** The lease is much longer than a chunk takes. */
export const erasureLease = createLease({ ...getTableColumns(erasures), id: erasures.userId }, MINUTE)

/** The number of stages in erasures.job.ts, for the progress in percent. */
export const ERASURE_STAGES = 10

interface ErasureMessage {
  userId: number
}

export const enqueueErasure = (env: Bindings, userId: number): Promise<void> =>
  enqueue(env.ERASURES, "erasure not queued", { userId } satisfies ErasureMessage)

/** The encrypted names and addresses of the person, which the job searches for. */
export const encryptedSubject = (env: Bindings, { emails, names }: Pick<DataSubject, "emails" | "names">): string =>
  encrypt(env, JSON.stringify({ emails, names }))

/** The values of an anonymized user. The address is in a domain that does not exist (RFC 2606). */
const anonymized = (userId: number) => {
  const names = { firstName: erasedName(userId), lastName: "" }
  const email = `erased-${userId}@erased.invalid`
  return {
    ...sortableNames(names),
    email,
    searchText: userSearchText({ ...names, email }),
    passwordHash: null,
    userType: "general",
    disabled: true,
    // Identity providers do not see the account.
    deprovisioned: true,
    avatar: null,
    displayName: null,
    internalNote: null,
    membershipId: null,
    membershipExpiresAt: null,
    lastLoginAt: 0,
  }
}

const alreadyErased = () => conflict("user_erased", "This user was erased, or is being erased: see the progress.")

const auditedEmail = sql<string>`${auditLogs.details} ->> '$.email'`
/** The name and address of a deleted user, from the audit log. Users cannot delete themselves. */
const findDeletedUser = ({ db }: UnitOfWork, userId: number) =>
  db
    .select({ name: auditLogs.effectOn, email: auditedEmail.as("deleted_email") })
    .from(auditLogs)
    .where(
      sql`${auditLogs.subject} = 'user' and ${auditLogs.action} = 'deleted' and ${auditLogs.subjectId} = ${userId}
        and ${auditLogs.id} in (
          select ${auditPeople.logId} from ${auditPeople} where ${auditPeople.userId} = ${userId}
        )`,
    )
    .orderBy(desc(auditLogs.id))
    .limit(1)

/**
 * Anonymizes a user and queues the erasure of their other data. For a deleted user, only copies are left to erase.
 * @throws 404; 403 if only an owner may erase the user; 409 if the user was erased or is the last owner; 422 if the
 * email address is not the user's
 */
export async function eraseUser(work: UnitOfWork, { userId, email, reason }: NewErasure) {
  const { db, caller, env } = work
  const otherOwner = rowExists(users, and(eq(users.userType, "owner"), eq(users.disabled, false), ne(users.id, userId)))
  const [rows, started, keys, [owners], [deleted], webhooksWithEmail] = await work.read([
    db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), canSeeUser(caller, users.id))),
    db.select({ userId: erasures.userId }).from(erasures).where(eq(erasures.userId, userId)),
    db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.createdBy, userId)),
    db.select({ another: sql<number>`${otherOwner}`.as("another_owner") }).from(SINGLE_ROW),
    findDeletedUser(work, userId),
    db
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(sql`instr(lower(replace(${webhooks.url}, '%40', '@')), ${email.toLowerCase()})`),
  ])
  const [user] = rows
  const identity = user ? { email: user.email, name: fullName(user) } : deleted
  if (!identity) throw notFound("user")
  if (started.length > 0) throw alreadyErased()
  if (user) requireCredentials(caller, user, "delete")
  if (identity.email.toLowerCase() !== email.toLowerCase())
    throw invalid("email", "email must be the user's email address, to confirm the erasure.")
  const isOwner = user?.userType === "owner"
  if (isOwner && !owners?.another) throw conflict("last_owner", "This is the last owner. Create another one first.")

  const at = now()
  const sessions = endSessions(work, [userId])
  const endedKeys = endKeys(
    work,
    keys.map(({ id }) => id),
  )
  const subject = { emails: [identity.email], names: [identity.name] }
  const answer = {
    status: "success",
    user_id: userId,
    message: [
      "The user is anonymized. Their other data is being erased.",
      ...webhooksWithEmail.map(({ id }) => `The URL of webhook ${id} has their email address: change it.`),
    ].join(" "),
  } as const
  await work.commit(
    [
      ...(user ? [guardUnchanged(users, user)] : []),
      ...(isOwner ? [work.guard(otherOwner)] : []),
      db
        .update(users)
        .set({ ...anonymized(userId), version: sql`${users.version} + 1`, updatedAt: nextUpdatedAt })
        .where(eq(users.id, userId)),
      // From here on, the database refuses changes of the user.
      db.insert(erasures).values({
        userId,
        callerId: userIdOf(caller),
        reason,
        subject: encryptedSubject(env, subject),
        ...erasureLease.queued(at),
        createdAt: at,
      }),
      db.delete(userIdentities).where(eq(userIdentities.userId, userId)),
      db.delete(twoFactor).where(eq(twoFactor.userId, userId)),
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
      // A trigger copies the name of a deleted key for the audit log.
      db.update(apiKeys).set({ name: ERASED }).where(eq(apiKeys.createdBy, userId)),
      db.delete(apiKeys).where(eq(apiKeys.createdBy, userId)),
      ...sessions.statements,
      ...endedKeys.statements,
      work.audit("deleted", "user", { id: userId, name: erasedName(userId) }, { erased: true, reason }),
    ],
    answer,
    { unique: { "erasures.user_id": alreadyErased }, refused: { [ERASED_IS_FINAL]: alreadyErased } },
  )
  await Promise.all([sessions.notify(), endedKeys.notify()])
  await enqueueErasure(env, userId)
  return answer
}

/** Returns the progress of an erasure. One that waits for a consumer is queued again. @throws 404 */
export async function getErasureProgress({ db, env }: UnitOfWork, userId: number) {
  const at = now()
  const [waiting, [job]] = await db.batch([
    db
      .update(erasures)
      .set(erasureLease.queued(at))
      .where(and(eq(erasures.userId, userId), erasureLease.waits(at)))
      .returning({ userId: erasures.userId }),
    db.select().from(erasures).where(eq(erasures.userId, userId)),
  ])
  if (!job) throw notFound("erasure")
  if (waiting.length > 0) await enqueueErasure(env, userId)
  const isCompleted = job.status === "completed"
  return {
    user_id: userId,
    status: job.status,
    progress: isCompleted ? 100 : Math.floor((99 * job.stage) / ERASURE_STAGES),
    message: isCompleted ? "The personal data is erased." : "The personal data is being erased.",
    reason: job.reason,
    requested_at: new Date(job.createdAt).toISOString(),
    completed_at: isCompleted ? new Date(job.completedAt).toISOString() : null,
  }
}
