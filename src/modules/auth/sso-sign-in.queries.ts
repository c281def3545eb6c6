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
import { guardPortalSeats, isOpen, joinPortal, learnerCount } from "../organizations/portal-members.ts"
import { accountLinkedNotice } from "../users/credential-notices.ts"
import { fieldsWithValues, metaDetails, writeUserMetas } from "../users/custom-field-values.ts"
import { ACADEMY_LEVEL, refusedAddresses } from "../users/email-rules.queries.ts"
import { insertUsers } from "../users/new-users.ts"
import { domainOf } from "./login-providers.queries.ts"
import { keysOf, revokeCredentials } from "./revoke-credentials.ts"
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

/** How long a person may take at the provider. */
export const SSO_STATE_LIFETIME = 10 * MINUTE

/**
 * A sign-in on its way, sealed in a cookie of the browser that began it. It holds all that the way back needs to ask
 * the provider, so that the database is read once there; whether the provider still is what it was, its version tells.
 */
interface Ticket extends AuthorizationBinding {
  providerId: number
  /** Of the provider: an answer to another one's address is none to this sign-in (RFC 9700, 4.4.2.2). */
  slug: string
  version: number
  name: string
  issuer: string
  clientId: string
  /** Sealed, as the database has it. */
  clientSecret: string | null
  portalId: number | null
  /** The claims that are of use; null: too many to carry. */
  wanted: string[] | null
  /** Where the browser goes on to, as it came. */
  next: string | null
  /** Epoch milliseconds. */
  until: number
}

/** What a cookie takes, sealed and with its name and attributes, is 4096 bytes: what may be of any length has these. */
const LONGEST_NEXT = 600
const LONGEST_WANTED = 300

const stale = () =>
  new SsoRefusal(400, "This sign-in was not begun in this browser, was begun again since, or took over ten minutes.")
const unknownProvider = () => new SsoRefusal(404, "No such sign-in provider.")
const forbidden = (text: string) => new SsoRefusal(403, text)
const conflict = (text: string) => new SsoRefusal(409, text)

/** @throws 502 where the client's secret cannot be read any more */
function registrationOf({ name, issuer, clientId, clientSecret }: Ticket, env: Bindings, redirectUri: string) {
  const secret = clientSecret === null ? null : decrypted(env, clientSecret)
  if (secret === undefined)
    throw new SsoRefusal(502, `The client secret of ${name} cannot be read. An administrator must enter it anew.`)
  return { name, issuer, clientId, clientSecret: secret, redirectUri } satisfies ClientRegistration
}

/**
 * Begins a sign-in.
 * @param base the origin that the provider sends the browser back to
 * @param slug the provider's
 * @param next where the browser goes on to in the end, as it was given
 * @returns where the browser goes now, and the cookie that it comes back with
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
  const ticket: Ticket = {
    ...newBinding(),
    providerId: provider.id,
    slug: provider.slug,
    version: provider.version,
    name: provider.name,
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    portalId: provider.portalId,
    wanted: JSON.stringify(wanted).length > LONGEST_WANTED ? null : wanted,
    next: next && next.length <= LONGEST_NEXT ? next : null,
    until: now() + SSO_STATE_LIFETIME,
  }
  const registration = registrationOf(ticket, env, callbackUrl(base, slug))
  const url = await authorizationUrl(env, registration, provider.scopes, ticket)
  return { url: url.href, ticket: encrypt(env, JSON.stringify(ticket)) }
}

/**
 * The sign-in that a cookie holds.
 * @param slug of the provider at whose address the browser came back
 * @throws 400 where it is none of ours, is too old, or was begun at another provider or with another state
 */
function readTicket(env: Bindings, sealed: string | undefined, slug: string, state: string | null): Ticket {
  const ticket = sealed === undefined ? undefined : opened(env, sealed)
  if (!ticket || ticket.until <= now() || ticket.slug !== slug || ticket.state !== state) throw stale()
  return ticket
}

function opened(env: Bindings, sealed: string): Ticket | undefined {
  const ticket = decrypted(env, sealed)
  return ticket === undefined ? undefined : JSON.parse(ticket)
}

/** A user as a sign-in looks at them. */
const candidate = ({ db }: UnitOfWork, { providerId, portalId }: Ticket, which: SQL | undefined) =>
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

/** All that decides who a person is here, in one trip. An id for a user is taken only where one may be made. */
function surroundingsOf(work: UnitOfWork, ticket: Ticket, { subject, email }: ClaimedPerson) {
  const { db } = work
  const identity = sql`${userIdentities.providerId} = ${ticket.providerId} and ${userIdentities.subject} = ${subject}`
  const linked = sql`${users.id} in (select ${userIdentities.userId} from ${userIdentities} where ${identity})`
  const sameEmail = sql`${users.email} collate nocase = ${email ?? ""}`
  const creates = rowExists(ssoProviders, and(eq(ssoProviders.id, ticket.providerId), eq(ssoProviders.creates, true)))
  const isNew = sql`${creates} and not ${rowExists(userIdentities, identity)} and not ${rowExists(users, sameEmail)}`
  return work.read([
    db.select().from(ssoProviders).where(eq(ssoProviders.id, ticket.providerId)),
    candidate(work, ticket, linked),
    candidate(work, ticket, sameEmail),
    keysOf(work, sql`select ${users.id} from ${users} where ${sameEmail}`),
    refusedAddresses(
      db,
      email === undefined ? [] : [email],
      sql`select ${ACADEMY_LEVEL} as level union all select ${ticket.portalId ?? ACADEMY_LEVEL}`,
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
      .where(eq(portals.id, ticket.portalId ?? 0)),
    work.nextIds("users", 1, isNew),
  ])
}

type Provider = typeof ssoProviders.$inferSelect

const notHere = (name: string) =>
  forbidden(`${name} signed you in, but there is no account for you here. Ask whoever runs the academy for one.`)

/** Refuses who may not be signed in by a provider, whoever they are there. @throws 403 */
function requireSignable(provider: Provider, user: Candidate) {
  if (user.disabled) throw forbidden("Your account is disabled. Ask whoever runs the academy.")
  if (user.userType === "owner") throw forbidden("Owners sign in with their password.")
  if (provider.portalId === null) return
  // Whoever runs a portal's provider could name any address: it speaks for the portal's own people alone.
  if (!user.belongs || hasRole({ kind: "user", userType: user.userType }, "staff"))
    throw forbidden(`${provider.name} signs in the members of its portal alone, and your account is none of them.`)
}

/** Refuses an address that the provider does not speak for. @throws 403 */
function requireDomain({ name, domains }: Provider, email: string | undefined) {
  if (email !== undefined && domains.length > 0 && !domains.includes(domainOf(email)))
    throw forbidden(`Addresses of ${domainOf(email)} are not signed in by ${name}. Use your other account there.`)
}

/** The address of somebody who is not known yet. @throws 403 where the provider does not vouch for it */
function vouchedEmail({ name, claims }: Provider, person: ClaimedPerson): string {
  const { email } = person
  if (email === undefined)
    throw forbidden(`${name} did not tell your email address, by which your account would be found.`)
  if (!isEmailVerified(person, claims))
    throw forbidden(`${name} has not verified your email address, so that nobody is signed in by it. Verify it there.`)
  return email
}

interface PortalStanding {
  status: PortalStatus
  expiresAt: number
  expiryMessage: string | null
  totalSeat: number
  learners: number
}

/** Refuses somebody new where their portal takes nobody. @throws 409 */
function requirePlace(portal: PortalStanding | undefined) {
  if (!portal) return
  if (!isOpen(portal)) throw conflict(portal.expiryMessage || "The portal takes nobody new. Ask whoever runs it.")
  if (portal.totalSeat > 0 && portal.learners >= portal.totalSeat)
    throw conflict("The portal has no seat left. Ask whoever runs it.")
}

/** A user to be signed in, with what is to be written for it. */
interface Arrival {
  user: { id: number; firstName: string; lastName: string; userType: string }
  ending: string | null
  /** As the user: those of an account that is made, and of the link. */
  statements: (own: UnitOfWork) => Statement[]
  linked: boolean
  /** An account that may be in somebody else's hands: its address, and the API keys that were made with it. */
  unproven?: { email: string; keyIds: number[] }
}

/** Finds a person's user, or makes one. @throws 403, 409 */
async function arrivalOf(
  work: UnitOfWork,
  ticket: Ticket,
  person: ClaimedPerson,
): Promise<Arrival & { provider: Provider }> {
  const found = await surroundingsOf(work, ticket, person)
  const [[provider], [known], [same], keys, refused, fields, [portal], ids] = found
  if (!provider?.active) throw unknownProvider()
  if (provider.version !== ticket.version) throw conflict(`${provider.name} was changed meanwhile. Sign in again.`)
  requireDomain(provider, person.email)
  if (known) {
    requireSignable(provider, known)
    return { provider, user: known, ending: known.ending, statements: () => [], linked: false }
  }

  const email = vouchedEmail(provider, person)
  const link = (userId: number) =>
    work.db
      .insert(userIdentities)
      .values({ providerId: provider.id, subject: person.subject, userId, createdAt: now() })
  if (same) {
    requireSignable(provider, same)
    if (same.linked)
      throw forbidden("Your address was somebody else's before: their account has it. Ask whoever runs the academy.")
    // One that only waits for its person to come first holds nothing of anybody's.
    const isSafe = same.isProven || !same.wasUsed
    return {
      provider,
      user: same,
      ending: same.ending,
      statements: ({ db }) => [
        ...(isSafe ? [] : [db.delete(userIdentities).where(eq(userIdentities.userId, same.id))]),
        link(same.id),
      ],
      linked: true,
      ...(!isSafe && { unproven: { email: same.email, keyIds: keys.map(({ id }) => id) } }),
    }
  }

  const [given] = ids
  if (!provider.creates || refused.length > 0) throw notHere(provider.name)
  requirePlace(portal)
  // A user went, or the provider changed, between two statements of the trip.
  if (!given) throw new ConflictError()
  const profile = toProfile(provider.claims, person, email, fields)
  const user = { id: given.last, firstName: profile.firstName, lastName: profile.lastName, userType: "general" }
  const statements = (own: UnitOfWork) => [
    insertUsers(own.db, [{ ...user, email, avatar: profile.avatar, passwordHash: null }], {
      sourceId: API_SOURCE,
      membershipId: null,
      membershipExpiresAt: null,
      createdAt: now(),
    }),
    ...writeUserMetas(own.db, user.id, profile.metas),
    ...(provider.portalId === null
      ? []
      : [joinPortal(own.db, provider.portalId, [user.id]), guardPortalSeats(own, provider.portalId)]),
    link(user.id),
    own.audit(
      "created",
      "user",
      { id: user.id, name: fullName(user) },
      { email, provider: provider.name, portalId: provider.portalId, ...metaDetails(profile.metas) },
    ),
  ]
  return { provider, user, ending: null, statements, linked: true }
}

/**
 * Opens a session for a person of a provider. Where it is the first to prove the account's address, whatever else
 * opened the account no longer does: somebody may have taken the address before its owner came (pre-hijacking).
 * @throws 403, 404, 409, 503
 */
async function openFor(
  work: UnitOfWork,
  ticket: Ticket,
  person: ClaimedPerson,
): Promise<{ token: string; userType: string }> {
  const { provider, user, ending, statements, linked, unproven } = await arrivalOf(work, ticket, person)
  const { id, userType } = user
  const { db, env } = work
  const own = new UnitOfWork(db, callerAs(id, userType, work.caller.client), env)
  const voided = unproven && revokeCredentials(own, user, unproven.keyIds)
  const notice = unproven && accountLinkedNotice(own, provider.name, { ...user, email: unproven.email })
  // Between the read and the commit, see `guardNotRevokedSince`.
  const before = await sessionEpoch(env, id)
  await own.commit(
    [
      guardNotRevokedSince(own, id, ending),
      ...(voided?.statements ?? []),
      ...(notice?.statements ?? []),
      ...statements(own),
      ...onSignedIn(own, id, linked ? { emailVerifiedAt: now() } : {}),
      own.audit(
        "login",
        "user",
        { id, name: fullName(user) },
        { provider: provider.name, ...(linked && { linked: true }), ...(voided && { credentials: "voided" }) },
      ),
    ],
    {},
    { unique: { "users.email": () => new ConflictError(), "user_identities.": () => new ConflictError() } },
  )
  notice?.dispatch()
  const { token } = await issueToken(env, { userId: id, userType, epoch: voided ? await voided.epoch() : before })
  return { token, userType }
}

/**
 * Ends a sign-in: asks the provider who came back, finds or makes their user, and opens a session. Two trips.
 * @param sealed the cookie that the browser came back with
 * @param parameters of the address to which the provider sent it
 * @throws 400 for a sign-in that this browser did not begin, 401 for what proves nothing, 403 and 409 for whom it does
 * not sign in, 404 for a provider that is not active any more, 502 where it fails
 */
export async function finishSignIn(
  work: UnitOfWork,
  base: string,
  slug: string,
  sealed: string | undefined,
  parameters: URLSearchParams,
): Promise<{ token: string; userType: string; next: string | undefined }> {
  const { env } = work
  const ticket = readTicket(env, sealed, slug, parameters.get("state"))
  const registration = registrationOf(ticket, env, callbackUrl(base, slug))
  const person = toPerson(await getClaims(env, registration, ticket, parameters, ticket.wanted))
  const opened = await work.retryOnConflict(() => openFor(work, ticket, person))
  return { ...opened, next: ticket.next ?? undefined }
}
