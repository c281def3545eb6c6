import { and, eq, getTableColumns, lte, sql } from "drizzle-orm"
import { ssoLogoutTokens, ssoProviders, ssoSessions, userIdentities } from "../../../drizzle/schema/sso.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns } from "../../access/accounts.ts"
import { endSessions, endSessionsById } from "../../access/revocations.ts"
import type { Database } from "../../db/client.ts"
import { runInSlices } from "../../db/slices.ts"
import { rowExists } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { decrypted, encrypt, sha256Text } from "../../lib/crypto/crypto.ts"
import { SESSION_LIFETIME } from "../../lib/lifetimes.ts"
import { fullName } from "../../lib/text/words.ts"
import { invalidLogoutToken, LOGOUT_TOKEN_LIFETIME, readLogoutToken, verifyLogoutToken } from "./sso-logout-token.ts"
import { endSessionUrl } from "./sso-openid.ts"

// Signing out at the provider, and because the provider says so.

/** What the browser keeps of a session that a provider opened, encrypted in a cookie. */
interface ProviderSession {
  name: string
  issuer: string
  clientId: string
  /** null: too long for a cookie. */
  idToken: string | null
}

/** A cookie is limited to 4096 bytes including name and attributes, and encryption adds a third. */
const MAX_ID_TOKEN_LENGTH = 2500

/** The cookie of a session that a provider opened. */
export function providerSessionCookie(env: Bindings, { idToken, ...session }: ProviderSession): string {
  const kept = idToken !== null && idToken.length <= MAX_ID_TOKEN_LENGTH ? idToken : null
  return encrypt(env, JSON.stringify({ ...session, idToken: kept } satisfies ProviderSession))
}

/**
 * The provider's address at which the person signs out there, and its name.
 * @param cookie the cookie of the session
 * @returns undefined without a valid cookie, and if the provider has no such address
 */
export async function providerSignOut(env: Bindings, base: string, cookie: string | undefined) {
  const text = cookie && decrypted(env, cookie)
  if (!text) return undefined
  const { name, issuer, clientId, idToken } = JSON.parse(text) as ProviderSession
  const url = await endSessionUrl(env, issuer, {
    client_id: clientId,
    post_logout_redirect_uri: `${base}/login`,
    ...(idToken !== null && { id_token_hint: idToken }),
  })
  return url && { name, url: url.href }
}

/** Records a session by the `sid` of the provider, in the batch of the sign-in. */
export const recordProviderSession = (
  db: Database,
  session: { providerId: number; sid: string; userId: number; sessionId: string },
) => db.insert(ssoSessions).values({ ...session, expiresAt: now() + SESSION_LIFETIME })

/**
 * Ends what a provider's logout token names: the sessions of its `sid`, or without one all sessions of its `sub`. A
 * token works once. Nobody may be signed in.
 * @throws 400, 503
 */
export async function signOutByProvider(work: UnitOfWork, slug: string, token: string): Promise<void> {
  const { db, env } = work
  const { sid = "", subject = "", jti } = readLogoutToken(token)
  const ofProvider = and(eq(ssoProviders.slug, slug), eq(ssoProviders.active, true))
  const providerId = sql`(select ${ssoProviders.id} from ${ssoProviders} where ${ofProvider})`
  const jtiHash = sha256Text(jti)
  const [[provider], people, sessions, used] = await work.read([
    db
      .select({
        ...getTableColumns(ssoProviders),
        sendsSid: rowExists(ssoSessions, eq(ssoSessions.providerId, ssoProviders.id)).mapWith(Boolean).as("sends_sid"),
      })
      .from(ssoProviders)
      .where(ofProvider),
    db
      .select(accountColumns)
      .from(userIdentities)
      .innerJoin(users, eq(users.id, userIdentities.userId))
      .where(and(eq(userIdentities.providerId, providerId), eq(userIdentities.subject, subject))),
    db
      .select({ ...accountColumns, sessionId: ssoSessions.sessionId })
      .from(ssoSessions)
      .innerJoin(users, eq(users.id, ssoSessions.userId))
      .where(and(eq(ssoSessions.providerId, providerId), eq(ssoSessions.sid, sid))),
    db
      .select({ jtiHash: ssoLogoutTokens.jtiHash })
      .from(ssoLogoutTokens)
      .where(and(eq(ssoLogoutTokens.providerId, providerId), eq(ssoLogoutTokens.jtiHash, jtiHash))),
  ])
  if (!provider) throw invalidLogoutToken("No such sign-in provider.")
  await verifyLogoutToken(env, provider, token)
  const replayed = () => invalidLogoutToken("The token was used before.")
  if (used.length > 0) throw replayed()

  // The session of an unknown sid has ended, unless the provider's ID tokens have no sid.
  const user = sid !== "" && provider.sendsSid ? sessions[0] : (sessions[0] ?? people[0])
  const userWork = user ? new UnitOfWork(db, callerAs(user.id, user.userType, work.caller.client), env) : work
  const whole = user && sessions.length === 0 ? endSessions(userWork, [user.id]) : undefined
  // Before the token counts as used, so that the provider can repeat a call that failed.
  if (user && !whole)
    await endSessionsById(
      env,
      user.id,
      sessions.map(({ sessionId }) => sessionId),
    )
  await userWork.commit(
    [
      db
        .insert(ssoLogoutTokens)
        .values({ providerId: provider.id, jtiHash, expiresAt: now() + 2 * LOGOUT_TOKEN_LIFETIME }),
      ...(whole?.statements ?? []),
      ...(whole || !user
        ? []
        : [db.delete(ssoSessions).where(and(eq(ssoSessions.providerId, provider.id), eq(ssoSessions.sid, sid)))]),
      ...(user
        ? [
            userWork.audit(
              "updated",
              "user",
              { id: user.id, name: fullName(user) },
              { signedOutBy: provider.name, ...(whole && { sessions: "all" }) },
            ),
          ]
        : []),
    ],
    {},
    {
      unique: { "sso_logout_tokens.": replayed },
      ...(whole && { marker: whole.isCommitted }),
    },
  )
  await whole?.notify()
}

/** Deletes expired sessions and logout tokens. Run by the cron. */
export async function deleteExpiredProviderSessions(db: Database): Promise<void> {
  await runInSlices(db, 2, (limit) =>
    db
      .delete(ssoSessions)
      .where(
        sql`(${ssoSessions.providerId}, ${ssoSessions.sid}, ${ssoSessions.sessionId}) in (
          select provider_id, sid, session_id from ${ssoSessions}
          where ${lte(ssoSessions.expiresAt, now())} limit ${limit}
        )`,
      )
      .returning({ id: ssoSessions.userId }),
  )
  await runInSlices(db, 2, (limit) =>
    db
      .delete(ssoLogoutTokens)
      .where(
        sql`(${ssoLogoutTokens.providerId}, ${ssoLogoutTokens.jtiHash}) in (
          select provider_id, jti_hash from ${ssoLogoutTokens}
          where ${lte(ssoLogoutTokens.expiresAt, now())} limit ${limit}
        )`,
      )
      .returning({ id: ssoLogoutTokens.providerId }),
  )
}
