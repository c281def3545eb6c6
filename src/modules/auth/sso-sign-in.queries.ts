import { and, eq } from "drizzle-orm"
import { ssoProviders } from "../../../drizzle/schema/sso.ts"
import { sessionEpoch } from "../../access/clients.ts"
import { endOtherSessions, guardNotRevokedSince } from "../../access/revocations.ts"
import { issueToken } from "../../access/session.ts"
import { ConflictError } from "../../db/commit-errors.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import { callerAs } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { encrypt } from "../../lib/crypto/crypto.ts"
import { fullName } from "../../lib/text/words.ts"
import { accountLinkedNotice } from "../users/credential-notices.ts"
import { revokeCredentials } from "./revoke-credentials.ts"
import { onSignedIn } from "./signed-in.ts"
import { callbackUrl } from "./sso-addresses.ts"
import { providerSessionCookie, recordProviderSession } from "./sso-logout.queries.ts"
import { authorizationUrl, getClaims, newBinding } from "./sso-openid.ts"
import { type ClaimedPerson, toPerson, wantedClaims } from "./sso-person.ts"
import { readSsoState, registrationOf, SSO_STATE_LIFETIME, type SsoState } from "./sso-state.ts"
import { resolveUser, unknownProvider } from "./sso-user.queries.ts"

/** A cookie is limited to 4096 bytes including name and attributes; these limit the parts of variable length. */
const MAX_NEXT_LENGTH = 600

const MAX_WANTED_LENGTH = 300

/**
 * Starts a sign-in.
 * @param base the origin of the redirect URI
 * @param slug the provider's slug
 * @param next where to redirect in the end
 * @returns the provider's URL and the cookie of the sign-in
 * @throws 404, 502
 */
export async function beginSignIn(work: UnitOfWork, base: string, slug: string, next: string | undefined) {
  const { db, env } = work
  const [rows] = await db.batch([
    db
      .select()
      .from(ssoProviders)
      .where(and(eq(ssoProviders.slug, slug), eq(ssoProviders.active, true))),
  ])
  const [provider] = rows
  if (!provider) throw unknownProvider()
  const wanted = wantedClaims(provider)
  const state: SsoState = {
    ...newBinding(),
    providerId: provider.id,
    slug: provider.slug,
    version: provider.version,
    name: provider.name,
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    portalId: provider.portalId,
    wanted: JSON.stringify(wanted).length > MAX_WANTED_LENGTH ? null : wanted,
    next: next && next.length <= MAX_NEXT_LENGTH ? next : null,
    until: now() + SSO_STATE_LIFETIME,
  }
  const registration = registrationOf(state, env, callbackUrl(base, slug))
  const url = await authorizationUrl(env, registration, provider.scopes, state)
  return { url: url.href, cookie: encrypt(env, JSON.stringify(state)) }
}

/**
 * Opens a session for a person of a provider. If this is the first proof of the account's address, all other
 * credentials of the account are revoked: someone may have registered the address before its owner (pre-hijacking).
 * @throws 403, 404, 409, 503
 */
async function openSession(
  work: UnitOfWork,
  state: SsoState,
  person: ClaimedPerson,
): Promise<{ token: string; userType: string; provider: typeof ssoProviders.$inferSelect }> {
  const resolved = await resolveUser(work, state, person)
  const { provider, user, ending, statements, linked, unproven } = resolved
  const { id, userType } = user
  const { db, env } = work
  const userWork = new UnitOfWork(db, callerAs(id, userType, work.caller.client), env)
  const revoked = unproven && revokeCredentials(userWork, user, unproven.keyIds)
  const ended = revoked ?? (resolved.isRoleChanged ? endOtherSessions(userWork, id) : undefined)
  const notice = unproven && accountLinkedNotice(userWork, provider.name, { ...user, email: unproven.email })
  // Read between the query and the commit, see `notEndedSince`.
  const before = await sessionEpoch(env, id)
  const sessionId = crypto.randomUUID()
  const { sid } = person.claims
  await userWork.commit(
    [
      guardNotRevokedSince(userWork, id, ending),
      ...(ended?.statements ?? []),
      ...(notice?.statements ?? []),
      ...statements(userWork),
      ...(typeof sid === "string" && sid !== ""
        ? [recordProviderSession(db, { providerId: provider.id, sid, userId: id, sessionId })]
        : []),
      ...onSignedIn(userWork, id, linked ? { emailVerifiedAt: now() } : {}),
      userWork.audit(
        "login",
        "user",
        { id, name: fullName(user) },
        { provider: provider.name, ...(linked && { linked: true }), ...(revoked && { credentials: "voided" }) },
      ),
    ],
    {},
    { unique: { "users.email": () => new ConflictError(), "user_identities.": () => new ConflictError() } },
  )
  notice?.dispatch()
  const epoch = ended ? await ended.epoch() : before
  const { token } = await issueToken(env, { id: sessionId, userId: id, userType, epoch })
  return { token, userType, provider }
}

/**
 * Completes a sign-in: reads the provider's claims, finds or creates the user, and opens a session. Two round trips.
 * @param cookie the cookie of the sign-in
 * @param parameters the query of the callback
 * @throws 400 if this browser did not start the sign-in, 401 for an invalid proof, 403 and 409 for people who cannot
 *   sign in, 404 if the provider is not active, 502 if it fails
 */
export async function finishSignIn(
  work: UnitOfWork,
  base: string,
  slug: string,
  cookie: string | undefined,
  parameters: URLSearchParams,
): Promise<{ token: string; userType: string; next: string | undefined; providerSession: string | undefined }> {
  const { env } = work
  const state = readSsoState(env, cookie, slug, parameters.get("state"))
  const registration = registrationOf(state, env, callbackUrl(base, slug))
  const { claims, idToken } = await getClaims(env, registration, state, parameters, state.wanted)
  const person = toPerson(claims)
  const { token, userType, provider } = await work.retryOnConflict(() => openSession(work, state, person))
  const { name, issuer, clientId } = provider
  return {
    token,
    userType,
    next: state.next ?? undefined,
    providerSession: provider.endsSession ? providerSessionCookie(env, { name, issuer, clientId, idToken }) : undefined,
  }
}
