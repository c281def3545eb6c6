import { and, eq, gt, inArray, lte, sql } from "drizzle-orm"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { pendingEmails } from "../../../drizzle/schema/pending-emails.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns, userSiteName } from "../../access/accounts.ts"
import { limitCalls } from "../../access/attempts.ts"
import { accountClient, userClient } from "../../access/clients.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endSessions } from "../../access/revocations.ts"
import type { Database } from "../../db/client.ts"
import { type QueuedMail, queueMail } from "../../db/outbox.ts"
import { selectSettings } from "../../db/settings.ts"
import { rowExists } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { hmac, hmacs, randomToken } from "../../lib/crypto/crypto.ts"
import { gone } from "../../lib/errors.ts"
import { fullName } from "../../lib/text/words.ts"
import { emailChangedNotice } from "./credential-notices.ts"
import { userSearchText } from "./user-fields.ts"

// Users change their own email address in two steps: they request the change, then open the link that is mailed to the
// new address. This proves that the address is theirs and does not reveal which addresses have accounts.
const LINK_LIFETIME = DAY
/** Requests in 15 minutes per user and per email address. */
const MAX_REQUESTS = { ofAccount: 5, ofAddress: 5 }

const signedText = (token: string) => `change-email ${token}`
const tokenHashes = (env: Bindings, token: string) => hmacs(env, "link", signedText(token))

/** Whether users must confirm a new email address by a link. */
export const requiresEmailConfirmation = (env: Bindings): boolean => env.EMAIL_CHANGE !== "immediate"

/**
 * Requests a new email address for the caller's own account; it replaces an earlier request. If another user already
 * has the address, that user is notified instead and the response is the same.
 * @param base the origin of the link
 * @param holder the user who already has the address
 * @throws 429
 */
export async function requestEmail(
  work: UnitOfWork,
  base: string,
  { userId, email }: { userId: number; email: string },
  holder: { id: number; disabled: boolean } | undefined,
): Promise<QueuedMail> {
  const { db, env } = work
  await limitCalls(env, "change-email", { account: accountClient(email), address: userClient(userId) }, MAX_REQUESTS)
  const token = randomToken()
  const row = {
    email,
    tokenHash: hmac(env, "link", signedText(token)),
    expiresAt: now() + LINK_LIFETIME,
    createdAt: now(),
  }
  const secret = { link: `${base}/email/confirm?token=${token}` }
  const recipients = holder
    ? [{ userId: holder.id, email, name: "" }].filter(() => !holder.disabled)
    : [{ userId, email, name: "", secret }]
  // Neither email contains a name: the requester could put any text into it.
  const account = holder ? "email_taken" : "email_confirm"
  const mail = queueMail(work, "address to be confirmed", { account }, recipients)
  const saved = db
    .insert(pendingEmails)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: pendingEmails.userId, set: row })
  return { statements: [saved, ...mail.statements], dispatch: mail.dispatch }
}

/** Selects the unconfirmed new address of a user, as a subquery. */
export const pendingEmailOf = (userId: number) => sql<string | null>`(
  select ${pendingEmails.email} from ${pendingEmails}
  where ${pendingEmails.userId} = ${userId} and ${pendingEmails.expiresAt} > ${now()}
)`

const linkExpired = () =>
  gone(
    "link_expired",
    "This link was already used, was replaced by a newer one or has expired. Change your email " +
      "address again to get a new one.",
  )

/** Selects the user of a valid link and the address that it confirms. */
const validRequest = ({ db, env }: UnitOfWork, token: string) =>
  db
    .select({
      ...accountColumns,
      site: userSiteName(users.id),
      wanted: sql<string>`${pendingEmails.email}`.as("wanted"),
    })
    .from(pendingEmails)
    .innerJoin(users, eq(users.id, pendingEmails.userId))
    .where(
      and(
        inArray(pendingEmails.tokenHash, tokenHashes(env, token)),
        gt(pendingEmails.expiresAt, now()),
        eq(users.disabled, false),
      ),
    )

/** The address that a link confirms. @throws 410 */
export async function getEmailRequest(work: UnitOfWork, token: string) {
  const [[request], [academy = null]] = await work.db.batch([validRequest(work, token), selectSettings(work.db)])
  if (!request) throw linkExpired()
  return { ...request, academy }
}

/**
 * Confirms a new email address, ends the user's sessions, and notifies the user at the previous address.
 * @throws 410, also if another user has the address meanwhile
 */
export async function confirmEmail(work: UnitOfWork, token: string) {
  const { db, env, caller } = work
  const [[user], [academy = null]] = await work.read([validRequest(work, token), selectSettings(db)])
  if (!user) throw linkExpired()
  const { id, userType, wanted: email } = user
  const userWork = new UnitOfWork(db, callerAs(id, userType, caller.client), env)
  requireCredentials(userWork.caller, user, "email")
  const sessions = endSessions(userWork, [id])
  const notice = emailChangedNotice(userWork, user)
  const answer = await userWork.commit(
    [
      userWork.guard(rowExists(pendingEmails, inArray(pendingEmails.tokenHash, tokenHashes(env, token)))),
      db
        .update(users)
        .set({
          email,
          emailVerifiedAt: now(),
          searchText: userSearchText({ ...user, email }),
          version: sql`${users.version} + 1`,
          updatedAt: nextUpdatedAt,
        })
        .where(eq(users.id, id)),
      ...sessions.statements,
      ...notice.statements,
      userWork.audit("updated", "user", { id, name: fullName(user) }, { email, by: "link" }),
    ],
    { message: `Your email address is now ${email}. Sign in with it.` },
    { unique: { "users.email": linkExpired }, guardError: linkExpired },
  )
  notice.dispatch()
  await sessions.notify()
  return { ...answer, academy, email }
}

const SWEEP_LIMIT = 1000

/** Deletes expired requests. Run by the cron. */
export async function deleteExpiredEmailRequests(db: Database): Promise<void> {
  const expired = sql`${pendingEmails.userId} in (
    select user_id from ${pendingEmails} where ${lte(pendingEmails.expiresAt, now())} limit ${SWEEP_LIMIT}
  )`
  await db.batch([db.delete(pendingEmails).where(expired)])
}
