import { sql } from "drizzle-orm"
import { passwordLinks } from "../../../drizzle/schema/passwords.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import {
  type EmailTemplate,
  linkValidity,
  type QueuedMail,
  queueMail,
  type Secret,
  SITE_PLACEHOLDER,
  unsentLinkExpiry,
} from "../../db/outbox.ts"
import { idList, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { DAY, now } from "../../lib/clock.ts"
import { hmac, hmacs, randomToken } from "../../lib/crypto/crypto.ts"
import { signInUrl } from "../../lib/web/academy.ts"

/** How long a set-password link or a temporary password can be used once it is mailed. */
export const LINK_LIFETIME = 2 * DAY

const signed = (token: string) => `set-password ${token}`
export const tokenHashes = (env: Bindings, token: string) => hmacs(env, "link", signed(token))
/** A link's page. The token is in the query: it reaches no other origin, since the page has no link that leaves. */
const linkTo = (base: string, token: string) => `${base}/set-password?token=${token}`

/** A one-time link's row and the link. Only a hash of its token is kept. */
export function newLink(work: UnitOfWork, base: string, userId: number) {
  const token = randomToken()
  return { row: { userId, hash: hmac(work.env, "link", signed(token)) }, link: linkTo(base, token) }
}

/** The link as its mail carries it: it expires so long after the mail is sent. */
export const mailedLink = (link: string, hash: string, lasts: number): Secret => ({
  link,
  validity: linkValidity(passwordLinks, [[passwordLinks.tokenHash, hash]], lasts),
})

export const insertLinks = (work: UnitOfWork, rows: { userId: number; hash: string }[], expiresAt: number): Statement =>
  insertFrom(
    work.db,
    passwordLinks,
    { tokenHash: jsonField("hash"), userId: jsonField("userId"), expiresAt, createdAt: now() },
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
  expiresAt = now() + LINK_LIFETIME,
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

const INVITATION: EmailTemplate = {
  subject: `Your account at ${SITE_PLACEHOLDER}`,
  paragraphs: [`An account was made for you at ${SITE_PLACEHOLDER}. Choose a password to sign in.`],
  action: { label: "Choose a password" },
  closing: ["The link works once, within two days. Ask for another when it has passed."],
}

/** Mails each of these new users, who have no password, a one-time link to choose one. */
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
    "invitation",
    INVITATION,
    invited.map(({ id, firstName, email }) => {
      const { link, hash } = links.get(id) ?? { link: base, hash: "" }
      return { userId: id, email, name: firstName, secret: mailedLink(link, hash, LINK_LIFETIME) }
    }),
    { portalId: portalId ?? null },
  )
  return { statements: [...statements, ...mail.statements], dispatch: mail.dispatch }
}

/** Mails new users, who were given a password, where to sign in. The password is not in it. */
export const welcomeUsers = (work: UnitOfWork, base: string, welcomed: Invited[]): QueuedMail =>
  queueMail(
    work,
    "welcome",
    {
      subject: `Your account at ${SITE_PLACEHOLDER}`,
      paragraphs: [
        `An account was made for you at ${SITE_PLACEHOLDER}. ` +
          "Sign in with this email address and the password that you were given.",
      ],
      action: { label: "Sign in", url: signInUrl(work.env, base) },
    },
    welcomed.map(({ id, firstName, email }) => ({ userId: id, email, name: firstName })),
  )
