import { sql } from "drizzle-orm"
import { passwordLinks } from "../../../drizzle/schema/passwords.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { linkValidity, type QueuedMail, queueMail, type Secret, unsentLinkExpiry } from "../../db/outbox.ts"
import { idList, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { DAY, now } from "../../lib/clock.ts"
import { hmac, hmacs, randomToken } from "../../lib/crypto/crypto.ts"
import { signInUrl } from "../../lib/web/academy.ts"

/** How long a set-password link or a temporary password is valid after it was mailed. */
export const LINK_LIFETIME = 2 * DAY

const signedText = (token: string) => `set-password ${token}`
export const tokenHashes = (env: Bindings, token: string) => hmacs(env, "link", signedText(token))
/** The token is in the query string. It does not leak by the referrer: the page has no external links. */
const setPasswordUrl = (base: string, token: string) => `${base}/set-password?token=${token}`

/** A one-time link and its row, which stores only a hash of the token. */
export function newLink(work: UnitOfWork, base: string, userId: number) {
  const token = randomToken()
  return { row: { userId, hash: hmac(work.env, "link", signedText(token)) }, link: setPasswordUrl(base, token) }
}

/** A link in an email; it expires `lifetime` milliseconds after the email is sent. */
export const mailedLink = (link: string, hash: string, lifetime: number): Secret => ({
  link,
  validity: linkValidity(passwordLinks, [[passwordLinks.tokenHash, hash]], lifetime),
})

export const insertLinks = (work: UnitOfWork, rows: { userId: number; hash: string }[], expiresAt: number): Statement =>
  insertFrom(
    work.db,
    passwordLinks,
    { tokenHash: jsonField("hash"), userId: jsonField("userId"), expiresAt, createdAt: now() },
    sql`from ${rowList(rows)} where true`,
  )

/**
 * Creates one-time links for users to set their password. Their earlier links stop working.
 * @param base the origin of the links, without a trailing slash
 * @returns statements that run after those that create or change the users, and the link and token hash of each user
 */
export function newPasswordLinks(
  work: UnitOfWork,
  base: string,
  userIds: number[],
  expiresAt = now() + LINK_LIFETIME,
): { statements: Statement[]; links: Map<number, { link: string; hash: string }> } {
  const created = userIds.map((userId) => newLink(work, base, userId))
  return {
    statements: [
      work.db.delete(passwordLinks).where(sql`${passwordLinks.userId} in ${idList(userIds)}`),
      insertLinks(
        work,
        created.map(({ row }) => row),
        expiresAt,
      ),
    ],
    links: new Map(created.map(({ row: { userId, hash }, link }) => [userId, { link, hash }])),
  }
}

interface Invited {
  id: number
  firstName: string
  email: string
}

/** Emails new users without a password a one-time link to set one. */
export function inviteUsers(
  work: UnitOfWork,
  base: string,
  invited: Invited[],
  { portalId }: { portalId?: number | undefined } = {},
): QueuedMail {
  if (invited.length === 0) return { statements: [], dispatch: () => {} }
  const { statements, links } = newPasswordLinks(
    work,
    base,
    invited.map((user) => user.id),
    unsentLinkExpiry(),
  )
  const mail = queueMail(
    work,
    "invited",
    { notification: "invited", base },
    invited.map(({ id, firstName, email }) => {
      const { link, hash } = links.get(id) ?? { link: base, hash: "" }
      return { userId: id, email, name: firstName, secret: mailedLink(link, hash, LINK_LIFETIME) }
    }),
    { portalId: portalId ?? null },
  )
  return { statements: [...statements, ...mail.statements], dispatch: mail.dispatch }
}

/** Emails new users who have a password a sign-in link. The email does not contain the password. */
export const welcomeUsers = (work: UnitOfWork, base: string, recipients: Invited[]): QueuedMail =>
  queueMail(
    work,
    "welcome",
    { account: "welcome", url: signInUrl(work.env, base) },
    recipients.map(({ id, firstName, email }) => ({ userId: id, email, name: firstName })),
  )
