import { and, eq, gt, inArray, lte, sql } from "drizzle-orm"
import { pendingEmails } from "../../../drizzle/schema/pending-emails.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns, primaryPortalName } from "../../access/accounts.ts"
import { limitCalls } from "../../access/attempts.ts"
import { accountClient, userClient } from "../../access/clients.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endSessions } from "../../access/revocations.ts"
import type { Database } from "../../db/client.ts"
import { type EmailTemplate, type QueuedMail, queueMail, SITE_PLACEHOLDER } from "../../db/outbox.ts"
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

// People change their own email address in two steps: they ask for one, and open the link that is mailed to it. Nobody
// has an account under somebody else's address by that, and nobody learns by asking who has an account.

/** How long a link can be used. */
const LASTS = DAY
/** How many addresses a user asks for within 15 minutes, and how often an address is asked for. */
const MAX_REQUESTS = { ofAccount: 5, ofAddress: 5 }

const signed = (token: string) => `change-email ${token}`
const tokenHashes = (env: Bindings, token: string) => hmacs(env, "link", signed(token))

// Neither greets by name: whoever asks could write what they like to anybody.
const CONFIRM: EmailTemplate = {
  subject: `Confirm your email address for ${SITE_PLACEHOLDER}`,
  paragraphs: [`Somebody, most likely you, wants to use this email address for their account at ${SITE_PLACEHOLDER}.`],
  action: { label: "Confirm the address" },
  closing: ["The link works once, within a day. If it was not you, do nothing: the account keeps its address."],
}
const TAKEN: EmailTemplate = {
  subject: `Your account at ${SITE_PLACEHOLDER}`,
  paragraphs: [
    `Somebody, most likely you, wants to use this email address for another account at ${SITE_PLACEHOLDER}. ` +
      "Your account has it " +
      "already, so that nothing was changed.",
  ],
}

/** Do people's own changes of their address wait for the link that is mailed to it? */
export const requiresEmailConfirmation = (env: Bindings): boolean => env.EMAIL_CHANGE !== "immediate"

/**
 * Asks for another address of the caller's own account; one that they asked for before is forgotten. Where somebody
 * else has the address, they are mailed so instead, and nothing else differs.
 * @param base the origin that the link leads to
 * @param holder whose address it is
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
  const row = { email, tokenHash: hmac(env, "link", signed(token)), expiresAt: now() + LASTS, createdAt: now() }
  const secret = { link: `${base}/email/confirm?token=${token}` }
  const addressees = holder
    ? [{ userId: holder.id, email, name: "" }].filter(() => !holder.disabled)
    : [{ userId, email, name: "", secret }]
  const mail = queueMail(work, "address to be confirmed", holder ? TAKEN : CONFIRM, addressees)
  const asked = db
    .insert(pendingEmails)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: pendingEmails.userId, set: row })
  return { statements: [asked, ...mail.statements], dispatch: mail.dispatch }
}

/** The address that a user asked for and has not confirmed, as a query of one column. */
export const pendingEmailOf = (userId: number) => sql<string | null>`(
  select ${pendingEmails.email} from ${pendingEmails}
  where ${pendingEmails.userId} = ${userId} and ${pendingEmails.expiresAt} > ${now()}
)`

const linkGone = () =>
  gone(
    "link_expired",
    "This link has been used, was replaced by a newer one or has expired. Ask for the address again.",
  )

/** The user of a link that still works, and the address that it confirms. */
const requestOf = ({ db, env }: UnitOfWork, token: string) =>
  db
    .select({
      ...accountColumns,
      site: primaryPortalName(users.id),
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

/** Which address a link confirms. @throws 410 */
export async function getEmailRequest(work: UnitOfWork, token: string) {
  const [[request]] = await work.db.batch([requestOf(work, token)])
  if (!request) throw linkGone()
  return request
}

/**
 * Gives a link's user the address that they asked for, ends their sessions, and tells them so at the address before.
 * @throws 410, also where somebody else has come to have the address
 */
export async function confirmEmail(work: UnitOfWork, token: string) {
  const { db, env, caller } = work
  const [[user]] = await work.read([requestOf(work, token)])
  if (!user) throw linkGone()
  const { id, userType, wanted: email } = user
  const own = new UnitOfWork(db, callerAs(id, userType, caller.client), env)
  requireCredentials(own.caller, user, "email")
  const sessions = endSessions(own, [id])
  const notice = emailChangedNotice(own, user)
  const answer = await own.commit(
    [
      own.guard(rowExists(pendingEmails, inArray(pendingEmails.tokenHash, tokenHashes(env, token)))),
      db
        .update(users)
        .set({
          email,
          emailVerifiedAt: now(),
          searchText: userSearchText({ ...user, email }),
          version: sql`${users.version} + 1`,
        })
        .where(eq(users.id, id)),
      ...sessions.statements,
      ...notice.statements,
      own.audit("updated", "user", { id, name: fullName(user) }, { email, by: "link" }),
    ],
    { message: `Your email address is ${email} now. Sign in with it.` },
    { unique: { "users.email": linkGone }, guardError: linkGone },
  )
  notice.dispatch()
  await sessions.notify()
  return answer
}

const SWEEP_LIMIT = 1000

/** Deletes requests that were not confirmed in time. Run by the cron. */
export async function deleteExpiredEmailRequests(db: Database): Promise<void> {
  const expired = sql`${pendingEmails.userId} in (
    select user_id from ${pendingEmails} where ${lte(pendingEmails.expiresAt, now())} limit ${SWEEP_LIMIT}
  )`
  await db.batch([db.delete(pendingEmails).where(expired)])
}
