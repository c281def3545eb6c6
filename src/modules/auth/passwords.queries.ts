import { and, eq, gt, inArray, lte, sql } from "drizzle-orm"
import { passwordLinks, temporaryPasswords } from "../../../drizzle/schema/passwords.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns, primaryPortalName, setPasswordHash } from "../../access/accounts.ts"
import { limitCalls } from "../../access/attempts.ts"
import { accountClient } from "../../access/clients.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endSessions } from "../../access/revocations.ts"
import type { Database } from "../../db/client.ts"
import { type EmailTemplate, linkValidity, queueMail, SITE_PLACEHOLDER, unsentLinkExpiry } from "../../db/outbox.ts"
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

/** How long a link for a forgotten password can be used once it is mailed. */
const FORGOTTEN_LASTS = HOUR

const linkGone = () =>
  gone("link_expired", "This link has been used, was replaced by a newer one or has expired. Ask for another.")

/** The user of a link that still holds. */
const ownerOf = (work: UnitOfWork, token: string) =>
  work.db
    .select({
      ...accountColumns,
      site: primaryPortalName(users.id),
      isFirst: sql<boolean>`${users.passwordHash} is null and ${users.lastLoginAt} = 0`
        .mapWith(Boolean)
        .as("is_first_password"),
    })
    .from(passwordLinks)
    .innerJoin(users, eq(users.id, passwordLinks.userId))
    .where(liveLink(work, token))

const liveLink = (work: UnitOfWork, token: string) =>
  and(
    inArray(passwordLinks.tokenHash, tokenHashes(work.env, token)),
    gt(passwordLinks.expiresAt, now()),
    eq(users.disabled, false),
  )

/** Whose password a link sets. @throws 410 */
export async function getLinkOwner(work: UnitOfWork, token: string) {
  const [rows] = await work.db.batch([ownerOf(work, token)])
  const [user] = rows
  if (!user) throw linkGone()
  return user
}

/**
 * Sets the password of a link's user, whose address the link proves, spends the link and ends the user's sessions.
 * @param base the origin that the notice leads to
 * @throws 410, 422
 */
export async function setOwnPassword(work: UnitOfWork, base: string, { token, password }: NewOwnPassword) {
  const [rows] = await work.read([ownerOf(work, token)])
  const [user] = rows
  if (!user) throw linkGone()
  const weak = await weakness(password, user, work.env.ASSETS)
  if (weak) throw invalid("password", weak)
  const own = new UnitOfWork(work.db, callerAs(user.id, user.userType, work.caller.client), work.env)
  requireCredentials(own.caller, user, "password")
  const sessions = endSessions(own, [user.id])
  const notice = user.isFirst ? undefined : passwordChangedNotice(own, base, user)
  const hashes = tokenHashes(work.env, token)
  const answer = await own.commit(
    [
      own.guard(rowExists(passwordLinks, inArray(passwordLinks.tokenHash, hashes))),
      own.db.delete(passwordLinks).where(eq(passwordLinks.userId, user.id)),
      setPasswordHash(own.db, user.id, await hashPassword(password), { emailVerifiedAt: now() }),
      ...sessions.statements,
      ...(notice?.statements ?? []),
      own.audit("updated", "user", { id: user.id, name: fullName(user) }, { password: "changed", by: "link" }),
    ],
    { message: "Your password is set. Sign in with it." },
  )
  notice?.dispatch()
  await sessions.notify()
  return answer
}

const FORGOTTEN: EmailTemplate = {
  subject: `Choose a new password for ${SITE_PLACEHOLDER}`,
  paragraphs: [`Somebody, most likely you, asked for a new password for your account at ${SITE_PLACEHOLDER}.`],
  action: { label: "Choose a new password" },
  closing: [
    "The link works once, within an hour, and signs you out everywhere. " +
      "If you did not ask for it, do nothing: your password stays as it is.",
  ],
}

/** For whoever must sign in by a provider: a password of theirs would open nothing. */
const elsewhereLetter = (base: string, { name, slug }: { name: string; slug: string }): EmailTemplate => ({
  subject: `Sign in to ${SITE_PLACEHOLDER}`,
  paragraphs: [
    `Somebody, most likely you, asked for a new password for your account at ${SITE_PLACEHOLDER}. You need none: ` +
      `you sign in with ${name}.`,
  ],
  action: { label: `Sign in with ${name}`, url: `${base}/sso/${slug}/start` },
})

/** How many links an hour's quarter takes for one account, and from one network address. */
const MOST_FORGOTTEN = { ofAccount: 5, ofAddress: 50 }

/**
 * Mails whoever has this email address a link to choose a new password. Earlier links hold until one is used, or
 * anybody could void them. A call for an address that nobody has takes the same trips and writes as well: neither the
 * answer nor its time tells who has an account. Whoever must sign in by a provider is mailed so.
 * @param address the network address's client
 * @throws 429
 */
export async function forgotPassword(work: UnitOfWork, base: string, address: string, { email }: { email: string }) {
  const { db, env } = work
  await limitCalls(env, "forgot", { account: accountClient(email), address }, MOST_FORGOTTEN)
  const [[user], [door]] = await work.read([
    db
      .select(accountColumns)
      .from(users)
      .where(and(sql`${users.email} collate nocase = ${email}`, eq(users.disabled, false))),
    forcedProvider(db, email),
  ])
  const answer = { message: "If there is an account with this address, a link is on its way to it." }
  // Gives out no id, but writes: a batch that writes takes longer than one that does not.
  if (!user) return work.commit([work.nextIds("users", 0)], answer, { mark: () => sql`true` })
  const to = { userId: user.id, email: user.email, name: user.firstName }
  if (door && user.userType !== "owner") {
    const mail = queueMail(work, "sign-in by a provider", elsewhereLetter(base, door), [to])
    await work.commit(mail.statements, answer, { mark: mail.isCommitted })
    mail.dispatch()
    return answer
  }
  const { row, link } = newLink(work, base, user.id)
  const mail = queueMail(work, "forgotten password", FORGOTTEN, [
    { ...to, secret: mailedLink(link, row.hash, FORGOTTEN_LASTS) },
  ])
  await work.commit(
    [
      // To whom the mail goes: as they were read, or the link would go to a former address.
      work.guard(rowExists(users, and(eq(users.id, user.id), eq(users.email, user.email), eq(users.disabled, false)))),
      insertLinks(work, [row], unsentLinkExpiry()),
      ...mail.statements,
      work.audit("updated", "user", { id: user.id, name: fullName(user) }, { password: "link asked for" }),
    ],
    answer,
  )
  mail.dispatch()
  return answer
}

const NEW_PASSWORD: EmailTemplate = {
  subject: `Your account at ${SITE_PLACEHOLDER}`,
  paragraphs: [
    `Here is a new password for your account at ${SITE_PLACEHOLDER}. It works once, within two days: ` +
      "sign in with it, and choose a password of your own.",
  ],
  closing: ["Your former password no longer works."],
}

/**
 * Replaces a user's password with a temporary one, and mails it to them. An unknown user is ignored.
 * @throws 403 for a user whom the caller may not change, 409 for a disabled one
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
  if (!user) return work.commit([], { status, message: "There is no such user; no email was sent." })
  requireCredentials(caller, user, "reset password")
  if (user.disabled) throw conflict("user_disabled", "The user is disabled. Enable them first.")

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
    { ...NEW_PASSWORD, action: { label: "Sign in", url: signInUrl(work.env, base) } },
    [{ userId: user.id, email: user.email, name: user.firstName, secret: { password, validity } }],
    { portalId: portalId ?? null },
  )
  // To whom the mail goes, and whether it may: as they were read, or the password would go to a former address.
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
    { status, message: "A new password was made and is on its way by email." },
  )
  mail.dispatch()
  await sessions.notify()
  return answer
}

/**
 * Exchanges a temporary password, which held, for a link: it opens no session, and never holds again.
 * @returns the error to answer: 401 with `passwordChangeRequired` and `setPasswordUrl`
 */
export async function exchangeTemporaryPassword(
  work: UnitOfWork,
  base: string,
  user: { id: number; name: string; hash: string; expiresAt: number },
) {
  const { statements, links } = newPasswordLinks(work, base, [user.id], user.expiresAt)
  const mine = and(eq(temporaryPasswords.userId, user.id), eq(temporaryPasswords.hash, user.hash))
  await work.commit(
    [
      work.guard(rowExists(temporaryPasswords, mine)),
      work.db.delete(temporaryPasswords).where(mine),
      ...statements,
      work.audit("updated", "user", { id: user.id, name: user.name }, { password: "temporary password used" }),
    ],
    {},
  )
  return unauthorized(
    "password_change_required",
    "This password was for one time. Choose a password of your own at setPasswordUrl, then sign in.",
    {
      passwordChangeRequired: true,
      setPasswordUrl: links.get(user.id)?.link,
    },
  )
}

/** Deletes links that have expired. Run by the cron. */
export async function deleteExpiredLinks(db: Database): Promise<void> {
  const expired = lte(passwordLinks.expiresAt, now())
  await runInSlices(db, 3, (limit) =>
    db
      .delete(passwordLinks)
      .where(inFirstIds(passwordLinks.tokenHash, expired, limit))
      .returning({ userId: passwordLinks.userId }),
  )
}

/** Deletes temporary passwords that have expired. Run by the cron. */
export async function deleteExpiredTemporaryPasswords(db: Database): Promise<void> {
  const expired = lte(temporaryPasswords.expiresAt, now())
  await runInSlices(db, 2, (limit) =>
    db
      .delete(temporaryPasswords)
      .where(inFirstIds(temporaryPasswords.userId, expired, limit))
      .returning({ userId: temporaryPasswords.userId }),
  )
}
