import { and, eq, gt, inArray, lte, sql } from "drizzle-orm"
import { passwordLinks, temporaryPasswords } from "../../../drizzle/passwords.ts"
import { users } from "../../../drizzle/users.ts"
import type { Bindings } from "../../bindings.ts"
import { account, ownPortalName, setPasswordHash } from "../../gate/accounts.ts"
import { accountClient, endSessions, spendCalls } from "../../gate/clients.ts"
import { requireCredentials } from "../../gate/credentials.ts"
import { callerAs } from "../../lib/access.ts"
import { DAY, HOUR, now } from "../../lib/clock.ts"
import { conflict, gone, invalid, unauthorized } from "../../lib/errors.ts"
import { hmac, hmacs, randomCode, randomToken } from "../../lib/secrets/crypto.ts"
import { hashPassword, weakness } from "../../lib/secrets/password.ts"
import type { Database } from "../../lib/sql/db.ts"
import { field, insertFrom } from "../../lib/sql/insert-from.ts"
import { type Letter, mailTo, type Outgoing, type Secret, SITE, untilMailed, validityOf } from "../../lib/sql/outbox.ts"
import { inSlices } from "../../lib/sql/slices.ts"
import { existsIn, idList, oneOfFirst, rowList } from "../../lib/sql/sql.ts"
import { type Statement, UnitOfWork } from "../../lib/sql/work.ts"
import { fullName, inGroups } from "../../lib/text/words.ts"
import { signInUrl } from "../../lib/web/academy.ts"
import { passwordNotice } from "./notices.ts"
import type { NewOwnPassword, Resend } from "./passwords.schemas.ts"
import { doorFor } from "./sso-doors.queries.ts"

/** How long a set-password link or a temporary password can be used once it is mailed. */
const LASTS = 2 * DAY
/** How long a link for a forgotten password can be used once it is mailed. */
const FORGOTTEN_LASTS = HOUR

const signed = (token: string) => `set-password ${token}`
const tokenHashes = (env: Bindings, token: string) => hmacs(env, "link", signed(token))
/** A link's page. The token is in the query: it reaches no other origin, since the page has no link that leaves. */
const linkTo = (base: string, token: string) => `${base}/set-password?token=${token}`

/** A one-time link's row and the link. Only a hash of its token is kept. */
function newLink(work: UnitOfWork, base: string, userId: number) {
  const token = randomToken()
  return { row: { userId, hash: hmac(work.env, "link", signed(token)) }, link: linkTo(base, token) }
}

/** The link as its mail carries it: it expires so long after the mail is sent. */
const mailedLink = (link: string, hash: string, lasts: number): Secret => ({
  link,
  validity: validityOf(passwordLinks, [[passwordLinks.tokenHash, hash]], lasts),
})

const insertLinks = (work: UnitOfWork, rows: { userId: number; hash: string }[], expiresAt: number): Statement =>
  insertFrom(
    work.db,
    passwordLinks,
    { tokenHash: field("hash"), userId: field("userId"), expiresAt, createdAt: now() },
    sql`from ${rowList(rows)} where true`,
  )

/**
 * One-time links with which users choose their password; earlier ones of theirs are void.
 * @param base the origin that links lead to, without a slash at the end
 * @returns statements for the batch that makes the users or changes them (after those), and each user's link with the
 *   hash by which it is known
 */
export function newPasswordLinks(
  work: UnitOfWork,
  base: string,
  userIds: number[],
  expiresAt = now() + LASTS,
): { statements: Statement[]; links: Map<number, { link: string; hash: string }> } {
  const made = userIds.map((userId) => newLink(work, base, userId))
  return {
    statements: [
      work.db.delete(passwordLinks).where(sql`${passwordLinks.userId} in ${idList(userIds)}`),
      insertLinks(
        work,
        made.map(({ row }) => row),
        expiresAt,
      ),
    ],
    links: new Map(made.map(({ row: { userId, hash }, link }) => [userId, { link, hash }])),
  }
}

interface Invited {
  id: number
  firstName: string
  email: string
}

const INVITATION: Letter = {
  subject: `Your account at ${SITE}`,
  paragraphs: [`An account was made for you at ${SITE}. Choose a password to sign in.`],
  action: { label: "Choose a password" },
  closing: ["The link works once, within two days. Ask for another when it has passed."],
}

/** Mails each of these new users, who have no password, a one-time link to choose one. */
export function inviteUsers(
  work: UnitOfWork,
  base: string,
  invited: Invited[],
  { portalId }: { portalId?: number | undefined } = {},
): Outgoing {
  if (invited.length === 0) return { statements: [], dispatch: () => {} }
  const { statements, links } = newPasswordLinks(
    work,
    base,
    invited.map((user) => user.id),
    untilMailed(),
  )
  const mail = mailTo(
    work,
    "invitation",
    INVITATION,
    invited.map(({ id, firstName, email }) => {
      const { link, hash } = links.get(id) ?? { link: base, hash: "" }
      return { userId: id, email, name: firstName, secret: mailedLink(link, hash, LASTS) }
    }),
    { portalId: portalId ?? null },
  )
  return { statements: [...statements, ...mail.statements], dispatch: mail.dispatch }
}

/** Mails new users, who were given a password, where to sign in. The password is not in it. */
export const welcomeUsers = (work: UnitOfWork, base: string, welcomed: Invited[]): Outgoing =>
  mailTo(
    work,
    "welcome",
    {
      subject: `Your account at ${SITE}`,
      paragraphs: [
        `An account was made for you at ${SITE}. ` +
          "Sign in with this e-mail address and the password that you were given.",
      ],
      action: { label: "Sign in", url: signInUrl(work.env, base) },
    },
    welcomed.map(({ id, firstName, email }) => ({ userId: id, email, name: firstName })),
  )

const linkGone = () =>
  gone("link_void", "This link has been used, was replaced by a newer one or has expired. Ask for another.")

/** The user of a link that still holds. */
const ownerOf = (work: UnitOfWork, token: string) =>
  work.db
    .select({
      ...account,
      site: ownPortalName(users.id),
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
export async function linkOwner(work: UnitOfWork, token: string) {
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
  const notice = user.isFirst ? undefined : passwordNotice(own, base, user)
  const hashes = tokenHashes(work.env, token)
  const answer = await own.commit(
    [
      own.guard(existsIn(passwordLinks, inArray(passwordLinks.tokenHash, hashes))),
      own.db.delete(passwordLinks).where(eq(passwordLinks.userId, user.id)),
      setPasswordHash(own.db, user.id, await hashPassword(password), { emailVerifiedAt: now() }),
      ...sessions.statements,
      ...(notice?.statements ?? []),
      own.audit("updated", "user", { id: user.id, name: fullName(user) }, { password: "changed", by: "link" }),
    ],
    { message: "Your password is set. Sign in with it." },
  )
  notice?.dispatch()
  await sessions.tell()
  return answer
}

const FORGOTTEN: Letter = {
  subject: `Choose a new password for ${SITE}`,
  paragraphs: [`Somebody, most likely you, asked for a new password for your account at ${SITE}.`],
  action: { label: "Choose a new password" },
  closing: [
    "The link works once, within an hour, and signs you out everywhere. " +
      "If you did not ask for it, do nothing: your password stays as it is.",
  ],
}

/** For whoever must sign in by a provider: a password of theirs would open nothing. */
const elsewhereLetter = (base: string, { name, slug }: { name: string; slug: string }): Letter => ({
  subject: `Sign in to ${SITE}`,
  paragraphs: [
    `Somebody, most likely you, asked for a new password for your account at ${SITE}. You need none: ` +
      `you sign in with ${name}.`,
  ],
  action: { label: `Sign in with ${name}`, url: `${base}/sso/${slug}/start` },
})

/** How many links an hour's quarter takes for one account, and from one network address. */
const MOST_FORGOTTEN = { ofAccount: 5, ofAddress: 50 }

/**
 * Mails whoever has this e-mail address a link to choose a new password. Earlier links hold until one is used, or
 * anybody could void them. A call for an address that nobody has takes the same trips and writes as well: neither the
 * answer nor its time tells who has an account. Whoever must sign in by a provider is mailed so.
 * @param address the network address's client
 * @throws 429
 */
export async function forgotPassword(work: UnitOfWork, base: string, address: string, { email }: { email: string }) {
  const { db, env } = work
  await spendCalls(env, "forgot", { account: accountClient(email), address }, MOST_FORGOTTEN)
  const [[user], [door]] = await work.read([
    db
      .select(account)
      .from(users)
      .where(and(sql`${users.email} collate nocase = ${email}`, eq(users.disabled, false))),
    doorFor(db, email),
  ])
  const answer = { message: "If there is an account with this address, a link is on its way to it." }
  // Gives out no id, but writes: a batch that writes takes longer than one that does not.
  if (!user) return work.commit([work.nextIds("users", 0)], answer, { mark: () => sql`true` })
  const to = { userId: user.id, email: user.email, name: user.firstName }
  if (door && user.userType !== "owner") {
    const mail = mailTo(work, "sign-in by a provider", elsewhereLetter(base, door), [to])
    await work.commit(mail.statements, answer, { mark: mail.landed })
    mail.dispatch()
    return answer
  }
  const { row, link } = newLink(work, base, user.id)
  const mail = mailTo(work, "forgotten password", FORGOTTEN, [
    { ...to, secret: mailedLink(link, row.hash, FORGOTTEN_LASTS) },
  ])
  await work.commit(
    [
      // To whom the mail goes: as they were read, or the link would go to a former address.
      work.guard(existsIn(users, and(eq(users.id, user.id), eq(users.email, user.email), eq(users.disabled, false)))),
      insertLinks(work, [row], untilMailed()),
      ...mail.statements,
      work.audit("updated", "user", { id: user.id, name: fullName(user) }, { password: "link asked for" }),
    ],
    answer,
  )
  mail.dispatch()
  return answer
}

const NEW_PASSWORD: Letter = {
  subject: `Your account at ${SITE}`,
  paragraphs: [
    `Here is a new password for your account at ${SITE}. It works once, within two days: ` +
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
        ...account,
        disabled: users.disabled,
      })
      .from(users)
      .where(eq(users.id, user_id)),
  ])
  const [user] = rows
  const status = "success" as const
  if (!user) return work.commit([], { status, message: "There is no such user; no e-mail was sent." })
  requireCredentials(caller, user, "reset password")
  if (user.disabled) throw conflict("user_disabled", "The user is disabled. Enable them first.")

  const password = inGroups(randomCode(16), 4)
  const temporary = { hash: await hashPassword(password), expiresAt: untilMailed() }
  const validity = validityOf(
    temporaryPasswords,
    [
      [temporaryPasswords.userId, user.id],
      [temporaryPasswords.hash, temporary.hash],
    ],
    LASTS,
  )
  const sessions = endSessions(work, [user.id])
  const mail = mailTo(
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
      work.guard(existsIn(users, same)),
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
    { status, message: "A new password was made and is on its way by e-mail." },
  )
  mail.dispatch()
  await sessions.tell()
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
      work.guard(existsIn(temporaryPasswords, mine)),
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
export async function forgetLinks(db: Database): Promise<void> {
  const expired = lte(passwordLinks.expiresAt, now())
  await inSlices(db, 3, (limit) =>
    db
      .delete(passwordLinks)
      .where(oneOfFirst(passwordLinks.tokenHash, expired, limit))
      .returning({ userId: passwordLinks.userId }),
  )
}

/** Deletes temporary passwords that have expired. Run by the cron. */
export async function forgetTemporaryPasswords(db: Database): Promise<void> {
  const expired = lte(temporaryPasswords.expiresAt, now())
  await inSlices(db, 2, (limit) =>
    db
      .delete(temporaryPasswords)
      .where(oneOfFirst(temporaryPasswords.userId, expired, limit))
      .returning({ userId: temporaryPasswords.userId }),
  )
}
