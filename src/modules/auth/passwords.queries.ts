import { and, eq, gt, inArray, lte, sql } from "drizzle-orm"
import { passwordLinks, temporaryPasswords } from "../../../drizzle/schema/passwords.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns, setPasswordHash, userSiteName } from "../../access/accounts.ts"
import { limitCalls } from "../../access/attempts.ts"
import { accountClient } from "../../access/clients.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endSessions } from "../../access/revocations.ts"
import type { Database } from "../../db/client.ts"
import { linkValidity, queueMail, unsentLinkExpiry } from "../../db/outbox.ts"
import { selectSettings } from "../../db/settings.ts"
import { runInSlices } from "../../db/slices.ts"
import { inFirstIds, rowExists } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import { callerAs } from "../../lib/caller.ts"
import { HOUR, now } from "../../lib/clock.ts"
import { randomCode } from "../../lib/crypto/crypto.ts"
import { hashPassword, weakness } from "../../lib/crypto/password.ts"
import { conflict, gone, invalid, unauthorized } from "../../lib/errors.ts"
import { fullName, groupCharacters } from "../../lib/text/words.ts"
import { signInUrl } from "../../lib/web/academy.ts"
import { passwordChangedNotice } from "../users/credential-notices.ts"
import {
  insertLinks,
  LINK_LIFETIME,
  mailedLink,
  newLink,
  newPasswordLinks,
  tokenHashes,
} from "../users/invitations.queries.ts"
import { forcedProvider } from "./login-providers.queries.ts"
import type { NewOwnPassword, Resend } from "./passwords.schemas.ts"

/** How long a forgotten-password link is valid after it was emailed. */
const RESET_LINK_LIFETIME = HOUR

const linkExpired = () =>
  gone("link_expired", "This link was already used, was replaced by a newer one or has expired. Request a new one.")

/** Selects the user of a valid link. */
const validLinkOwner = (work: UnitOfWork, token: string) =>
  work.db
    .select({
      ...accountColumns,
      site: userSiteName(users.id),
      isFirst: sql<boolean>`${users.passwordHash} is null and ${users.lastLoginAt} = 0`
        .mapWith(Boolean)
        .as("is_first_password"),
    })
    .from(passwordLinks)
    .innerJoin(users, eq(users.id, passwordLinks.userId))
    .where(isValidLink(work, token))

const isValidLink = (work: UnitOfWork, token: string) =>
  and(
    inArray(passwordLinks.tokenHash, tokenHashes(work.env, token)),
    gt(passwordLinks.expiresAt, now()),
    eq(users.disabled, false),
  )

/** The user whose password a link sets. @throws 410 */
export async function getLinkOwner(work: UnitOfWork, token: string) {
  const [[user], [academy = null]] = await work.db.batch([validLinkOwner(work, token), selectSettings(work.db)])
  if (!user) throw linkExpired()
  return { ...user, academy }
}

/**
 * Sets the password of a link's user, verifies their address, invalidates their links and ends their sessions.
 * @param base the origin of the link in the notice
 * @returns `invited`: the user's address, if this is their first password
 * @throws 410, 422
 */
export async function setOwnPassword(work: UnitOfWork, base: string, { token, password }: NewOwnPassword) {
  const [[user], [academy = null]] = await work.read([validLinkOwner(work, token), selectSettings(work.db)])
  if (!user) throw linkExpired()
  const weak = await weakness(password, user, work.env.ASSETS)
  if (weak) throw invalid("password", weak)
  const userWork = new UnitOfWork(work.db, callerAs(user.id, user.userType, work.caller.client), work.env)
  requireCredentials(userWork.caller, user, "password")
  const sessions = endSessions(userWork, [user.id])
  const notice = user.isFirst ? undefined : passwordChangedNotice(userWork, base, user)
  const hashes = tokenHashes(work.env, token)
  const answer = await userWork.commit(
    [
      userWork.guard(rowExists(passwordLinks, inArray(passwordLinks.tokenHash, hashes))),
      userWork.db.delete(passwordLinks).where(eq(passwordLinks.userId, user.id)),
      setPasswordHash(userWork.db, user.id, await hashPassword(password), { emailVerifiedAt: now() }),
      ...sessions.statements,
      ...(notice?.statements ?? []),
      userWork.audit("updated", "user", { id: user.id, name: fullName(user) }, { password: "changed", by: "link" }),
    ],
    { message: "Your password has been set. You can now sign in." },
  )
  notice?.dispatch()
  await sessions.notify()
  return { ...answer, academy, invited: user.isFirst ? user.email : undefined }
}

/** Requests in 15 minutes per account and per network address. */
const MAX_RESET_REQUESTS = { ofAccount: 5, ofAddress: 50 }

/**
 * Emails a password reset link to the user of an address. Earlier links stay valid until one is used; otherwise anyone
 * could invalidate them. Unknown addresses take the same round trips and writes: neither the response nor its time
 * reveals who has an account. Users who must sign in with a provider are notified by email.
 * @param address the caller's network address
 * @throws 429
 */
export async function forgotPassword(work: UnitOfWork, base: string, address: string, { email }: { email: string }) {
  const { db, env } = work
  await limitCalls(env, "forgot", { account: accountClient(email), address }, MAX_RESET_REQUESTS)
  const [[user], [provider], [academy = null]] = await work.read([
    db
      .select(accountColumns)
      .from(users)
      .where(and(sql`${users.email} collate nocase = ${email}`, eq(users.disabled, false))),
    forcedProvider(db, email),
    selectSettings(db),
  ])
  const answer = { message: "If an account with this address exists, we've emailed a link to it." }
  // Reserves no id, but writes: a batch that writes takes longer than one that does not.
  if (!user) {
    await work.commit([work.nextIds("users", 0)], answer, { marker: () => sql`true` })
    return { ...answer, academy }
  }
  const to = { userId: user.id, email: user.email, name: user.firstName }
  if (provider && user.userType !== "owner") {
    const url = `${base}/sso/${provider.slug}/start`
    const content = { account: "provider_sign_in", url, provider: provider.name } as const
    const mail = queueMail(work, "sign-in by a provider", content, [to])
    await work.commit(mail.statements, answer, { marker: mail.isCommitted })
    mail.dispatch()
    return { ...answer, academy }
  }
  const { row, link } = newLink(work, base, user.id)
  const mail = queueMail(work, "forgotten password", { account: "password_reset" }, [
    { ...to, secret: mailedLink(link, row.hash, RESET_LINK_LIFETIME) },
  ])
  await work.commit(
    [
      // Fails if the user changed since they were read; otherwise the link could go to a former address.
      work.guard(rowExists(users, and(eq(users.id, user.id), eq(users.email, user.email), eq(users.disabled, false)))),
      insertLinks(work, [row], unsentLinkExpiry()),
      ...mail.statements,
      work.audit("updated", "user", { id: user.id, name: fullName(user) }, { password: "link requested" }),
    ],
    answer,
  )
  mail.dispatch()
  return { ...answer, academy }
}

/**
 * Replaces a user's password with a temporary one and emails it to them. Unknown users are ignored.
 * @throws 403 for a user that the caller may not change, 409 for a disabled user
 */
export async function resendNewAccountEmail(work: UnitOfWork, base: string, { user_id, portalId }: Resend) {
  const { db, caller } = work
  const [rows] = await work.read([
    db
      .select({
        ...accountColumns,
        disabled: users.disabled,
      })
      .from(users)
      .where(eq(users.id, user_id)),
  ])
  const [user] = rows
  const status = "success" as const
  if (!user) return work.commit([], { status, message: "User not found. No email was sent." })
  requireCredentials(caller, user, "reset password")
  if (user.disabled) throw conflict("user_disabled", "The user is disabled. Enable the user first.")

  const password = groupCharacters(randomCode(16), 4)
  const temporary = { hash: await hashPassword(password), expiresAt: unsentLinkExpiry() }
  const validity = linkValidity(
    temporaryPasswords,
    [
      [temporaryPasswords.userId, user.id],
      [temporaryPasswords.hash, temporary.hash],
    ],
    LINK_LIFETIME,
  )
  const sessions = endSessions(work, [user.id])
  const mail = queueMail(
    work,
    "new password",
    { account: "password_temporary", url: signInUrl(work.env, base) },
    [{ userId: user.id, email: user.email, name: user.firstName, secret: { password, validity } }],
    { portalId: portalId ?? null },
  )
  // Fails if the user changed since they were read; otherwise the password could go to a former address.
  const same = and(
    eq(users.id, user.id),
    eq(users.email, user.email),
    eq(users.userType, user.userType),
    eq(users.disabled, false),
  )
  const answer = await work.commit(
    [
      work.guard(rowExists(users, same)),
      setPasswordHash(db, user.id, null),
      db.delete(passwordLinks).where(eq(passwordLinks.userId, user.id)),
      db
        .insert(temporaryPasswords)
        .values({ userId: user.id, ...temporary })
        .onConflictDoUpdate({ target: temporaryPasswords.userId, set: temporary }),
      ...sessions.statements,
      ...mail.statements,
      work.audit("updated", "user", { id: user.id, name: fullName(user) }, { password: "temporary" }),
    ],
    { status, message: "A temporary password has been emailed to the user." },
  )
  mail.dispatch()
  await sessions.notify()
  return answer
}

/**
 * Exchanges a correct temporary password for a set-password link. The temporary password opens no session.
 * @returns the error to return: 401 with `passwordChangeRequired` and `setPasswordUrl`
 */
export async function exchangeTemporaryPassword(
  work: UnitOfWork,
  base: string,
  user: { id: number; name: string; hash: string; expiresAt: number },
) {
  const { statements, links } = newPasswordLinks(work, base, [user.id], user.expiresAt)
  const isSame = and(eq(temporaryPasswords.userId, user.id), eq(temporaryPasswords.hash, user.hash))
  await work.commit(
    [
      work.guard(rowExists(temporaryPasswords, isSame)),
      work.db.delete(temporaryPasswords).where(isSame),
      ...statements,
      work.audit("updated", "user", { id: user.id, name: user.name }, { password: "temporary password used" }),
    ],
    {},
  )
  return unauthorized(
    "password_change_required",
    "This password was temporary. Set your own password at setPasswordUrl, then sign in.",
    {
      passwordChangeRequired: true,
      setPasswordUrl: links.get(user.id)?.link,
    },
  )
}

/** Deletes expired links. Run by the cron. */
export async function deleteExpiredLinks(db: Database): Promise<void> {
  const expired = lte(passwordLinks.expiresAt, now())
  await runInSlices(db, 3, (limit) =>
    db
      .delete(passwordLinks)
      .where(inFirstIds(passwordLinks.tokenHash, expired, limit))
      .returning({ userId: passwordLinks.userId }),
  )
}

/** Deletes expired temporary passwords. Run by the cron. */
export async function deleteExpiredTemporaryPasswords(db: Database): Promise<void> {
  const expired = lte(temporaryPasswords.expiresAt, now())
  await runInSlices(db, 2, (limit) =>
    db
      .delete(temporaryPasswords)
      .where(inFirstIds(temporaryPasswords.userId, expired, limit))
      .returning({ userId: temporaryPasswords.userId }),
  )
}
