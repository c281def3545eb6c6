import { and, eq, type SQL, sql } from "drizzle-orm"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { ssoProviders, userIdentities } from "../../../drizzle/schema/sso.ts"
import { API_SOURCE, users } from "../../../drizzle/schema/users.ts"
import type { PortalStatus } from "../../../drizzle/statuses.ts"
import { accountColumns } from "../../access/accounts.ts"
import { sessionEpoch } from "../../access/clients.ts"
import { guardNotRevokedSince, lastRevocation } from "../../access/revocations.ts"
import { issueToken } from "../../access/session.ts"
import { ConflictError } from "../../db/commit-errors.ts"
import { rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs, hasRole } from "../../lib/caller.ts"
import { MINUTE, now } from "../../lib/clock.ts"
import { decrypted, encrypt } from "../../lib/crypto/crypto.ts"
import { fullName } from "../../lib/text/words.ts"
import { guardPortalSeats, isPortalOpen, joinPortal, learnerCount } from "../organizations/portal-members.ts"
import { accountLinkedNotice } from "../users/credential-notices.ts"
import { fieldsWithValues, metaDetails, writeUserMetas } from "../users/custom-field-values.ts"
import { ACADEMY_LEVEL, refusedAddresses } from "../users/email-rules.queries.ts"
import { insertUsers } from "../users/new-users.ts"
import { domainOf } from "./login-providers.queries.ts"
import { apiKeysOf, revokeCredentials } from "./revoke-credentials.ts"
import { onSignedIn } from "./signed-in.ts"
import { callbackUrl } from "./sso-addresses.ts"
import {
  type AuthorizationBinding,
  authorizationUrl,
  type ClientRegistration,
  getClaims,
  newBinding,
} from "./sso-openid.ts"
import { type ClaimedPerson, isEmailVerified, toPerson, toProfile, wantedClaims } from "./sso-person.ts"
import { SsoRefusal } from "./sso-refusal.ts"
/** How long a user may take at the provider. */
export const SSO_STATE_LIFETIME = 10 * MINUTE

/**
 * A sign-in in progress, encrypted in a cookie of the browser that started it. It contains everything that the callback
 * needs to call the provider, so that the callback reads the database once; the version detects changes of the
 * provider.
 */
interface SsoState extends AuthorizationBinding {
  providerId: number
  /** The provider's slug: a response to another provider's callback is rejected (RFC 9700, 4.4.2.2). */
  slug: string
  version: number
  name: string
  issuer: string
  clientId: string
  /** Encrypted, as in the database. */
  clientSecret: string | null
  portalId: number | null
  /** The claims to use; null if there are too many for the cookie. */
  wanted: string[] | null
  /** Where to redirect after the sign-in, as requested. */
  next: string | null
  /** Epoch milliseconds. */
  until: number
}

/** A cookie is limited to 4096 bytes including name and attributes; these limit the parts of variable length. */
const MAX_NEXT_LENGTH = 600
const MAX_WANTED_LENGTH = 300

const expiredSignIn = () =>
  new SsoRefusal(
    400,
    "This sign-in was started in another browser, was started again, or took more than ten minutes. Try again.",
  )
const unknownProvider = () => new SsoRefusal(404, "No such sign-in provider.")
const forbidden = (text: string) => new SsoRefusal(403, text)
const conflict = (text: string) => new SsoRefusal(409, text)

/** @throws 502 if the client secret cannot be decrypted */
function registrationOf({ name, issuer, clientId, clientSecret }: SsoState, env: Bindings, redirectUri: string) {
  const secret = clientSecret === null ? null : decrypted(env, clientSecret)
  if (secret === undefined)
    throw new SsoRefusal(502, `The client secret of ${name} cannot be read. An administrator must enter it again.`)
  return { name, issuer, clientId, clientSecret: secret, redirectUri } satisfies ClientRegistration
}

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
  const wanted = wantedClaims(provider.claims)
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
 * Decrypts and validates the cookie of a sign-in.
 * @param slug the provider's slug in the callback URL
 * @throws 400 if it is missing, forged, expired, or of another provider or state
 */
function readSsoState(env: Bindings, cookie: string | undefined, slug: string, stateParam: string | null): SsoState {
  const state = cookie === undefined ? undefined : decryptState(env, cookie)
  if (!state || state.until <= now() || state.slug !== slug || state.state !== stateParam) throw expiredSignIn()
  return state
}

function decryptState(env: Bindings, cookie: string): SsoState | undefined {
  const text = decrypted(env, cookie)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Selects a user with everything that a sign-in checks. */
const candidate = ({ db }: UnitOfWork, { providerId, portalId }: SsoState, which: SQL | undefined) =>
  db
    .select({
      ...accountColumns,
      disabled: users.disabled,
      isProven: sql<boolean>`${users.emailVerifiedAt} > 0`.mapWith(Boolean).as("is_proven"),
      wasUsed: sql<boolean>`${users.passwordHash} is not null or ${users.lastLoginAt} > 0`
        .mapWith(Boolean)
        .as("was_used"),
      ending: lastRevocation(users.id).as("ending"),
      belongs: rowExists(
        portalMembers,
        and(eq(portalMembers.portalId, portalId ?? 0), eq(portalMembers.userId, users.id)),
      )
        .mapWith(Boolean)
        .as("belongs"),
      linked: rowExists(
        userIdentities,
        and(eq(userIdentities.providerId, providerId), eq(userIdentities.userId, users.id)),
      )
        .mapWith(Boolean)
        .as("linked"),
    })
    .from(users)
    .where(which)

type Candidate = Awaited<ReturnType<typeof candidate>>[number]

/**
 * Reads everything that decides about a sign-in, in one round trip. Reserves a user id only if a user may be created.
 */
function readSignInContext(work: UnitOfWork, state: SsoState, { subject, email }: ClaimedPerson) {
  const { db } = work
  const identity = sql`${userIdentities.providerId} = ${state.providerId} and ${userIdentities.subject} = ${subject}`
  const linked = sql`${users.id} in (select ${userIdentities.userId} from ${userIdentities} where ${identity})`
  const sameEmail = sql`${users.email} collate nocase = ${email ?? ""}`
  const creates = rowExists(ssoProviders, and(eq(ssoProviders.id, state.providerId), eq(ssoProviders.creates, true)))
  const isNew = sql`${creates} and not ${rowExists(userIdentities, identity)} and not ${rowExists(users, sameEmail)}`
  return work.read([
    db.select().from(ssoProviders).where(eq(ssoProviders.id, state.providerId)),
    candidate(work, state, linked),
    candidate(work, state, sameEmail),
    apiKeysOf(work, sql`select ${users.id} from ${users} where ${sameEmail}`),
    refusedAddresses(
      db,
      email === undefined ? [] : [email],
      sql`select ${ACADEMY_LEVEL} as level union all select ${state.portalId ?? ACADEMY_LEVEL}`,
    ),
    fieldsWithValues(db, 0),
    db
      .select({
        status: portals.status,
        expiresAt: portals.expiresAt,
        expiryMessage: portals.expiryMessage,
        totalSeat: portals.totalSeat,
        learners: learnerCount(portals.id).as("learners"),
      })
      .from(portals)
      .where(eq(portals.id, state.portalId ?? 0)),
    work.nextIds("users", 1, isNew),
  ])
}

type Provider = typeof ssoProviders.$inferSelect

const noAccount = (name: string) =>
  forbidden(`${name} signed you in, but you don't have an account here. Contact an administrator.`)

/** @throws 403 for users who may not sign in with the provider */
function requireSignInAllowed(provider: Provider, user: Candidate) {
  if (user.disabled) throw forbidden("Your account is disabled. Contact an administrator.")
  if (user.userType === "owner") throw forbidden("Owners must sign in with their password.")
  if (provider.portalId === null) return
  // An administrator of a portal could make its provider assert any address, so it can sign in only the portal's
  // members.
  if (!user.belongs || hasRole({ kind: "user", userType: user.userType }, "staff"))
    throw forbidden(`${provider.name} can only sign in members of its portal, and you aren't a member.`)
}

/** @throws 403 for an address outside the provider's domains */
function requireDomain({ name, domains }: Provider, email: string | undefined) {
  if (email !== undefined && domains.length > 0 && !domains.includes(domainOf(email)))
    throw forbidden(`${name} can't sign in addresses of ${domainOf(email)}. Use another account.`)
}

/** The verified address of a person without a linked user. @throws 403 if the provider does not verify it */
function verifiedEmail({ name, claims }: Provider, person: ClaimedPerson): string {
  const { email } = person
  if (email === undefined)
    throw forbidden(`${name} didn't provide your email address, which is needed to find your account.`)
  if (!isEmailVerified(person, claims))
    throw forbidden(`Your email address isn't verified at ${name}. Verify it there, then try again.`)
  return email
}

interface PortalCapacity {
  status: PortalStatus
  expiresAt: number
  expiryMessage: string | null
  totalSeat: number
  learners: number
}

/** @throws 409 if the portal accepts no new members */
function requireSeat(portal: PortalCapacity | undefined) {
  if (!portal) return
  if (!isPortalOpen(portal))
    throw conflict(portal.expiryMessage || "This portal doesn't accept new members. Contact its administrator.")
  if (portal.totalSeat > 0 && portal.learners >= portal.totalSeat)
    throw conflict("This portal has no seats left. Contact its administrator.")
}

/** The user to sign in, and the statements that this requires. */
interface ResolvedUser {
  user: { id: number; firstName: string; lastName: string; userType: string }
  ending: string | null
  /** Statements that create the account and link it, executed as the user. */
  statements: (userWork: UnitOfWork) => Statement[]
  linked: boolean
  /** An existing account whose address was never verified: its address and API keys. */
  unproven?: { email: string; keyIds: number[] }
}

/** Finds the user of a person, or prepares a new one. @throws 403, 409 */
async function resolveUser(
  work: UnitOfWork,
  state: SsoState,
  person: ClaimedPerson,
): Promise<ResolvedUser & { provider: Provider }> {
  const found = await readSignInContext(work, state, person)
  const [[provider], [known], [sameEmail], keys, refused, fields, [portal], ids] = found
  if (!provider?.active) throw unknownProvider()
  if (provider.version !== state.version) throw conflict(`${provider.name} was changed in the meantime. Sign in again.`)
  requireDomain(provider, person.email)
  if (known) {
    requireSignInAllowed(provider, known)
    return { provider, user: known, ending: known.ending, statements: () => [], linked: false }
  }

  const email = verifiedEmail(provider, person)
  const link = (userId: number) =>
    work.db
      .insert(userIdentities)
      .values({ providerId: provider.id, subject: person.subject, userId, createdAt: now() })
  if (sameEmail) {
    requireSignInAllowed(provider, sameEmail)
    if (sameEmail.linked)
      throw forbidden(
        "The account with your address is linked to another person at this provider. Contact an administrator.",
      )
    // An account that was never used contains nothing of another person.
    const isSafe = sameEmail.isProven || !sameEmail.wasUsed
    return {
      provider,
      user: sameEmail,
      ending: sameEmail.ending,
      statements: ({ db }) => [
        ...(isSafe ? [] : [db.delete(userIdentities).where(eq(userIdentities.userId, sameEmail.id))]),
        link(sameEmail.id),
      ],
      linked: true,
      ...(!isSafe && { unproven: { email: sameEmail.email, keyIds: keys.map(({ id }) => id) } }),
    }
  }

  const [newId] = ids
  if (!provider.creates || refused.length > 0) throw noAccount(provider.name)
  requireSeat(portal)
  // A user was deleted, or the provider changed, between two statements of the query batch.
  if (!newId) throw new ConflictError()
  const profile = toProfile(provider.claims, person, email, fields)
  const user = { id: newId.last, firstName: profile.firstName, lastName: profile.lastName, userType: "general" }
  const statements = (userWork: UnitOfWork) => [
    insertUsers(userWork.db, [{ ...user, email, avatar: profile.avatar, passwordHash: null }], {
      sourceId: API_SOURCE,
      membershipId: null,
      membershipExpiresAt: null,
      createdAt: now(),
    }),
    ...writeUserMetas(userWork.db, user.id, profile.metas),
    ...(provider.portalId === null
      ? []
      : [joinPortal(userWork.db, provider.portalId, [user.id]), guardPortalSeats(userWork, provider.portalId)]),
    link(user.id),
    userWork.audit(
      "created",
      "user",
      { id: user.id, name: fullName(user) },
      { email, provider: provider.name, portalId: provider.portalId, ...metaDetails(profile.metas) },
    ),
  ]
  return { provider, user, ending: null, statements, linked: true }
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
): Promise<{ token: string; userType: string }> {
  const { provider, user, ending, statements, linked, unproven } = await resolveUser(work, state, person)
  const { id, userType } = user
  const { db, env } = work
  const userWork = new UnitOfWork(db, callerAs(id, userType, work.caller.client), env)
  const revoked = unproven && revokeCredentials(userWork, user, unproven.keyIds)
  const notice = unproven && accountLinkedNotice(userWork, provider.name, { ...user, email: unproven.email })
  // Read between the query and the commit, see `notEndedSince`.
  const before = await sessionEpoch(env, id)
  await userWork.commit(
    [
      guardNotRevokedSince(userWork, id, ending),
      ...(revoked?.statements ?? []),
      ...(notice?.statements ?? []),
      ...statements(userWork),
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
  const { token } = await issueToken(env, { userId: id, userType, epoch: revoked ? await revoked.epoch() : before })
  return { token, userType }
}

/**
 * Completes a sign-in: reads the provider's claims, finds or creates the user, and opens a session. Two round trips.
 * @param cookie the cookie of the sign-in
 * @param parameters the query of the callback
 * @throws 400 if this browser did not start the sign-in, 401 for an invalid proof, 403 and 409 for people who cannot
 * sign
 * in, 404 if the provider is not active, 502 if it fails
 */
export async function finishSignIn(
  work: UnitOfWork,
  base: string,
  slug: string,
  cookie: string | undefined,
  parameters: URLSearchParams,
): Promise<{ token: string; userType: string; next: string | undefined }> {
  const { env } = work
  const state = readSsoState(env, cookie, slug, parameters.get("state"))
  const registration = registrationOf(state, env, callbackUrl(base, slug))
  const person = toPerson(await getClaims(env, registration, state, parameters, state.wanted))
  const opened = await work.retryOnConflict(() => openSession(work, state, person))
  return { ...opened, next: state.next ?? undefined }
}
