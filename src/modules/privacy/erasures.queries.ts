import { and, desc, eq, getTableColumns, ne, sql } from "drizzle-orm"
import { apiKeys } from "../../../drizzle/schema/api-keys.ts"
import { auditLogs, auditPeople } from "../../../drizzle/schema/audit.ts"
import { erasures } from "../../../drizzle/schema/erasures.ts"
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
import { type DataSubject, ERASED, erasedName } from "./personal-data.ts"

/** A consumer may be silent for far longer than a chunk takes. */
export const erasureLease = createLease({ ...getTableColumns(erasures), id: erasures.userId }, MINUTE)

/** What an erasure does one after the other (erasures.job.ts): their number tells how far it is. */
export const ERASURE_STAGES = 10

/** A queue message: whose erasure to work on. */
interface ErasureMessage {
  userId: number
}

/** Hands an erasure to a consumer. */
export const enqueueErasure = (env: Bindings, userId: number): Promise<void> =>
  enqueue(env.ERASURES, "erasure not queued", { userId } satisfies ErasureMessage)

/** What a person was called, for as long as copies are looked for. */
export type ErasedSubject = Pick<DataSubject, "emails" | "names">
export const sealedSubject = (env: Bindings, { emails, names }: ErasedSubject): string =>
  encrypt(env, JSON.stringify({ emails, names }))

/** Of a user, what is left of them. No mail reaches the address: its domain is one that there is not (RFC 2606). */
const nobody = (userId: number) => {
  const names = { firstName: erasedName(userId), lastName: "" }
  const email = `erased-${userId}@erased.invalid`
  return {
    ...sortableNames(names),
    email,
    searchText: userSearchText({ ...names, email }),
    passwordHash: null,
    userType: "general",
    disabled: true,
    avatar: null,
    internalNote: null,
    membershipId: null,
    membershipExpiresAt: null,
    lastLoginAt: 0,
  }
}

const erasedAlready = () => conflict("user_erased", "This user was erased, or is being erased: see the progress.")

const emailIn = sql<string>`${auditLogs.details} ->> '$.email'`
/** The last that the audit log tells of a user who was deleted, by somebody else as all are. */
const deletion = ({ db }: UnitOfWork, userId: number) =>
  db
    .select({ name: auditLogs.effectOn, email: emailIn.as("deleted_email") })
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
 * Makes a user nobody's at once and has the queue erase what else is held of the person. Of a user who was deleted
 * before, that is what copies there are.
 * @throws 404; 403 for an owner, save by an owner; 409 for whoever was erased, and for the last owner; 422 unless the
 * address is the user's
 */
export async function eraseUser(work: UnitOfWork, { userId, email, reason }: NewErasure) {
  const { db, caller, env } = work
  const otherOwner = rowExists(users, and(eq(users.userType, "owner"), eq(users.disabled, false), ne(users.id, userId)))
  const [rows, begun, keys, [owners], [gone], addressed] = await work.read([
    db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), canSeeUser(caller, users.id))),
    db.select({ userId: erasures.userId }).from(erasures).where(eq(erasures.userId, userId)),
    db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.createdBy, userId)),
    db.select({ another: sql<number>`${otherOwner}`.as("another_owner") }).from(SINGLE_ROW),
    deletion(work, userId),
    db
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(sql`instr(lower(replace(${webhooks.url}, '%40', '@')), ${email.toLowerCase()})`),
  ])
  const [user] = rows
  const known = user ? { email: user.email, name: fullName(user) } : gone
  if (!known) throw notFound("user")
  if (begun.length > 0) throw erasedAlready()
  if (user) requireCredentials(caller, user, "delete")
  if (known.email.toLowerCase() !== email.toLowerCase())
    throw invalid("email", "email must be the user's email address: it confirms who is meant.")
  const isOwner = user?.userType === "owner"
  if (isOwner && !owners?.another) throw conflict("last_owner", "This is the last owner. Make another one first.")

  const at = now()
  const sessions = endSessions(work, [userId])
  const ended = endKeys(
    work,
    keys.map(({ id }) => id),
  )
  const subject = { emails: [known.email], names: [known.name] }
  const answer = {
    status: "success",
    user_id: userId,
    message: [
      "The user is nobody's now. Whatever else is held of them is being erased.",
      ...addressed.map(({ id }) => `The URL of webhook ${id} has their email address: change it.`),
    ].join(" "),
  } as const
  await work.commit(
    [
      ...(user ? [guardUnchanged(users, user)] : []),
      ...(isOwner ? [work.guard(otherOwner)] : []),
      db.insert(erasures).values({
        userId,
        callerId: userIdOf(caller),
        reason,
        subject: sealedSubject(env, subject),
        ...erasureLease.queued(at),
        createdAt: at,
      }),
      db
        .update(users)
        .set({ ...nobody(userId), version: sql`${users.version} + 1` })
        .where(eq(users.id, userId)),
      db.delete(userIdentities).where(eq(userIdentities.userId, userId)),
      db.delete(twoFactor).where(eq(twoFactor.userId, userId)),
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
      // Named anew first: the names of keys are kept for the audit log.
      db.update(apiKeys).set({ name: ERASED }).where(eq(apiKeys.createdBy, userId)),
      db.delete(apiKeys).where(eq(apiKeys.createdBy, userId)),
      ...sessions.statements,
      ...ended.statements,
      work.audit("deleted", "user", { id: userId, name: erasedName(userId) }, { erased: true, reason }),
    ],
    answer,
    { unique: { "erasures.user_id": erasedAlready } },
  )
  await Promise.all([sessions.notify(), ended.notify()])
  await enqueueErasure(env, userId)
  return answer
}

/** How far an erasure is. One that no consumer has taken up for a while is queued again. @throws 404 */
export async function erasureProgress({ db, env }: UnitOfWork, userId: number) {
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
  const isDone = job.status === "completed"
  return {
    user_id: userId,
    status: job.status,
    progress: isDone ? 100 : Math.floor((99 * job.stage) / ERASURE_STAGES),
    message: isDone ? "Nothing is held of the person any more." : "The person is being erased.",
    reason: job.reason,
    requested_at: new Date(job.createdAt).toISOString(),
    completed_at: isDone ? new Date(job.completedAt).toISOString() : null,
  }
}
