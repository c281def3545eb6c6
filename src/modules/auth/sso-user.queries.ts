import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import { groups } from "../../../drizzle/schema/groups.ts"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { ssoProviders, userIdentities } from "../../../drizzle/schema/sso.ts"
import { API_SOURCE, users } from "../../../drizzle/schema/users.ts"
import type { PortalStatus } from "../../../drizzle/statuses.ts"
import { lastRevocation } from "../../access/revocations.ts"
import { ConflictError } from "../../db/commit-errors.ts"
import { rowExists, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { hasRole } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { fullName } from "../../lib/text/words.ts"
import { guardPortalSeats, isPortalOpen, joinPortal, learnerCount } from "../organizations/portal-members.ts"
import { fieldsWithValues, metaDetails, writeUserMetas } from "../users/custom-field-values.ts"
import { ACADEMY_LEVEL, refusedAddresses } from "../users/email-rules.queries.ts"
import { insertUsers } from "../users/new-users.ts"
import { domainOf } from "./login-providers.queries.ts"
import { apiKeysOf } from "./revoke-credentials.ts"
import { accountExtras, planAccountUpdates, planNewAccount } from "./sso-account-updates.ts"
import { type ClaimedPerson, isEmailVerified, toProfile } from "./sso-person.ts"
import { SsoRefusal } from "./sso-refusal.ts"
import type { SsoState } from "./sso-state.ts"

// The user of a person at a provider: known, found by the address, or new.

export const unknownProvider = () => new SsoRefusal(404, "sso.unknown")

const forbidden = (key: SsoRefusal["key"], params?: Record<string, string>) => new SsoRefusal(403, key, params)

const conflict = (key: SsoRefusal["key"], params?: Record<string, string>) => new SsoRefusal(409, key, params)

/** Selects a user with everything that a sign-in checks. */
const candidate = ({ db }: UnitOfWork, { providerId, portalId }: SsoState, condition: SQL | undefined) =>
  db
    .select({
      ...getTableColumns(users),
      ...accountExtras,
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
    .where(condition)

type Candidate = Awaited<ReturnType<typeof candidate>>[number]

/** The mapping of a provider without groups that were deleted. */
const existingMappedGroups = subquery(
  sql`(
    select json_group_object(mapped.key, mapped.value) from json_each(${ssoProviders.groups}) mapped
    where exists (select 1 from ${groups} where ${groups.id} = mapped.value)
  )`,
)
  .mapWith(ssoProviders.groups)
  .as("mapped_groups")

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
    db
      .select({ ...getTableColumns(ssoProviders), groups: existingMappedGroups })
      .from(ssoProviders)
      .where(eq(ssoProviders.id, state.providerId)),
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

const noAccount = (name: string) => forbidden("sso.no-account", { provider: name })

/** @throws 403 for users who may not sign in with the provider */
function requireSignInAllowed(provider: Provider, user: Candidate) {
  if (user.disabled) throw forbidden("sso.disabled")
  if (user.userType === "owner") throw forbidden("sso.owner")
  if (provider.portalId === null) return
  // An administrator of a portal could make its provider assert any address, so it can sign in only the portal's
  // members.
  if (!user.belongs || hasRole({ kind: "user", userType: user.userType }, "staff"))
    throw forbidden("sso.not-member", { provider: provider.name })
}

/** @throws 403 for an address outside the provider's domains */
function requireDomain({ name, domains }: Provider, email: string | undefined) {
  if (email !== undefined && domains.length > 0 && !domains.includes(domainOf(email)))
    throw forbidden("sso.domain", { provider: name, domain: domainOf(email) })
}

/** The verified address of a person without a linked user. @throws 403 if the provider does not verify it */
function verifiedEmail({ name, claims }: Provider, person: ClaimedPerson): string {
  const { email } = person
  if (email === undefined) throw forbidden("sso.no-email", { provider: name })
  if (!isEmailVerified(person, claims)) throw forbidden("sso.unverified-email", { provider: name })
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
    throw portal.expiryMessage ? conflict("sso.custom", { text: portal.expiryMessage }) : conflict("sso.closed")
  if (portal.totalSeat > 0 && portal.learners >= portal.totalSeat) throw conflict("sso.full")
}

/** The user to sign in, and the statements that this requires. */
interface ResolvedUser {
  user: { id: number; firstName: string; lastName: string; userType: string }
  ending: string | null
  /** Statements that create the account and link it, executed as the user. */
  statements: (userWork: UnitOfWork) => Statement[]
  linked: boolean
  /** Whether the claims gave the user another role, which ends their other sessions. */
  isRoleChanged: boolean
  /** An existing account whose address was never verified: its address and API keys. */
  unproven?: { email: string; keyIds: number[] }
}

/** Finds the user of a person, or prepares a new one. @throws 403, 409 */
export async function resolveUser(
  work: UnitOfWork,
  state: SsoState,
  person: ClaimedPerson,
): Promise<ResolvedUser & { provider: Provider }> {
  const found = await readSignInContext(work, state, person)
  const [[provider], [known], [sameEmail], keys, refused, fields, [portal], ids] = found
  if (!provider?.active) throw unknownProvider()
  if (provider.version !== state.version) throw conflict("sso.changed", { provider: provider.name })
  requireDomain(provider, person.email)
  if (known) {
    requireSignInAllowed(provider, known)
    return { provider, ...planAccountUpdates(provider, person, known, fields), ending: known.ending, linked: false }
  }

  const email = verifiedEmail(provider, person)
  const link = (userId: number) =>
    work.db
      .insert(userIdentities)
      .values({ providerId: provider.id, subject: person.subject, userId, createdAt: now() })
  if (sameEmail) {
    requireSignInAllowed(provider, sameEmail)
    if (sameEmail.linked) throw forbidden("sso.linked")
    // An account that was never used contains nothing of another person.
    const isSafe = sameEmail.isProven || !sameEmail.wasUsed
    const { user, isRoleChanged, statements } = planAccountUpdates(provider, person, sameEmail, fields)
    return {
      provider,
      user,
      isRoleChanged,
      ending: sameEmail.ending,
      statements: (userWork) => [
        ...(isSafe ? [] : [userWork.db.delete(userIdentities).where(eq(userIdentities.userId, sameEmail.id))]),
        link(sameEmail.id),
        ...statements(userWork),
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
  const mapped = planNewAccount(provider, person, newId.last)
  const { firstName, lastName } = profile
  const user = { id: newId.last, firstName, lastName, userType: mapped.userType }
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
    ...mapped.statements(userWork),
    link(user.id),
    userWork.audit(
      "created",
      "user",
      { id: user.id, name: fullName(user) },
      { email, provider: provider.name, portalId: provider.portalId, ...mapped.details, ...metaDetails(profile.metas) },
    ),
  ]
  return { provider, user, ending: null, statements, linked: true, isRoleChanged: false }
}
