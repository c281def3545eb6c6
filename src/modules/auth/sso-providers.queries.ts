import { and, eq, sql } from "drizzle-orm"
import { customFields } from "../../../drizzle/schema/custom-fields.ts"
import { groups } from "../../../drizzle/schema/groups.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { ssoProviders, userIdentities } from "../../../drizzle/schema/sso.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { requireAssignableRole } from "../../access/credentials.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import {
  changedFields,
  deleteRecords,
  existingRecords,
  readRecord,
  requireExisting,
  requireVersion,
  updateRecord,
} from "../../db/records.ts"
import { uniqueSlug } from "../../db/slug.ts"
import { counter, idList, userRecords } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { encrypt } from "../../lib/crypto/crypto.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { outboundUrl } from "../../lib/web/outbound.ts"
import { CLAIMED_FIELDS, ssoProviderColumns, ssoProviderFields } from "./sso-provider-fields.ts"
import { providerDeletion, providerUnlinking } from "./sso-providers.background.ts"
import type { NewSsoProvider, SsoProviderChanges, Unlinking } from "./sso-providers.schemas.ts"

const SUBJECT = "sso provider"

const UNIQUE = {
  "sso_providers.slug": () => invalid("slug", "slug is already taken by another provider."),
}

/** @throws 422 for an issuer that cannot be called */
function requireIssuer(env: Bindings, issuer: string) {
  const url = outboundUrl(env, issuer)
  if (!url || url.search || url.hash)
    throw invalid(
      "issuer",
      "issuer must be an https URL at a public host without a query, exactly as the provider publishes it.",
    )
}

/** Selects an owner who can sign in with a password. */
const ownerWithPassword = (db: Database) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.userType, "owner"), eq(users.disabled, false), sql`${users.passwordHash} is not null`))
    .limit(1)

/** An owner must be able to sign in and turn off a forced provider that fails. @throws 409 */
function requireOwnerPassword(owners: unknown[]) {
  if (owners.length === 0)
    throw conflict(
      "login_method_required",
      "No owner has a password. Set a password for an owner first, so that they can sign in if the provider fails.",
    )
}

/** Selects the custom fields that claims refer to. */
const claimedCustomFields = (db: Database, claims: Record<string, string>) =>
  db
    .select({ key: customFields.userMetaKey })
    .from(customFields)
    .where(sql`lower(${customFields.userMetaKey}) in (
      select lower(value) from json_each(${JSON.stringify(Object.values(claims))})
    )`)

/** Requires the fields of claims to exist. @throws 422 */
function requireFields(claims: Record<string, string>, found: { key: string }[]) {
  const known = new Set<string>([...CLAIMED_FIELDS, ...found.map(({ key }) => key.toLowerCase())])
  const missing = Object.values(claims).filter((field) => !known.has(field) && !known.has(field.toLowerCase()))
  if (missing.length > 0) throw invalid("claims", `claims name fields that do not exist: ${missing.join(", ")}.`)
}

/** Claims assign no role that the caller may not assign. @throws 403, 422 */
function requireRoles(caller: Caller, { portalId, roles }: { portalId: number | null; roles: Record<string, string> }) {
  const assigned = new Set(Object.values(roles))
  for (const role of assigned) requireAssignableRole(caller, role)
  if (portalId !== null && assigned.size > 0) throw invalid("roles", "A portal's provider cannot assign roles.")
}

/**
 * @throws 403 for a role above the caller's; 409 if no owner has a password; 422 for an invalid issuer, a taken slug,
 *   an unknown portal, group or field
 */
export async function createSsoProvider(work: UnitOfWork, input: NewSsoProvider) {
  const { db, env } = work
  const { slug, clientSecret, ...row } = ssoProviderFields.toInsert(input)
  const { name, portalId } = row
  requireIssuer(env, row.issuer)
  requireRoles(work.caller, row)
  const groupIds = [...new Set(Object.values(row.groups))]
  const [ids, found, owners, customFields, foundGroups] = await work.read([
    work.nextIds("sso_providers"),
    existingRecords(db, portals, portalId === null ? [] : [portalId]),
    ownerWithPassword(db),
    claimedCustomFields(db, row.claims),
    existingRecords(db, groups, groupIds),
  ])
  requireExisting("groups", groupIds, foundGroups)
  requireExisting("portalId", portalId === null ? [] : [portalId], found)
  requireFields(row.claims, customFields)
  if (row.forced) requireOwnerPassword(owners)
  const id = firstRow(ids).last
  return work.commit(
    [
      db.insert(ssoProviders).values({
        ...row,
        id,
        slug: slug ?? uniqueSlug(ssoProviders, name, id, "provider"),
        clientSecret: clientSecret && encrypt(env, clientSecret),
        createdAt: now(),
      }),
      work.audit("created", SUBJECT, { id, name }, { ...row, ...(slug && { slug }) }),
    ],
    { id, message: "Provider created." },
    { unique: UNIQUE },
  )
}

/** @throws 404 */
export const getSsoProvider = (db: Database, id: number) =>
  readRecord(db, { table: ssoProviders, fields: ssoProviderColumns.fields, subject: SUBJECT }, id)

/**
 * Updates the provided fields. Another issuer or client id deletes the links to users, because its subjects are other
 * people.
 * @throws 404, 409 if no owner has a password, 412, 422
 */
export async function updateSsoProvider(
  work: UnitOfWork,
  id: number,
  changes: SsoProviderChanges,
  expectedVersion?: number,
) {
  const { db, env } = work
  const { clientSecret, portalId, claims = {} } = changes
  const groupIds = [...new Set(Object.values(changes.groups ?? {}))]
  const plan = planBackgroundWork(work, providerUnlinking, { ids: [id], active: false })
  const [rows, found, owners, customFields, foundGroups, planned] = await work.read([
    db.select().from(ssoProviders).where(eq(ssoProviders.id, id)),
    existingRecords(db, portals, portalId ? [portalId] : []),
    ownerWithPassword(db),
    claimedCustomFields(db, claims),
    existingRecords(db, groups, groupIds),
    plan.question,
  ])
  const provider = requireVersion(rows, SUBJECT, expectedVersion)
  const { clientSecret: encryptedSecret, ...before } = provider
  const { clientSecret: _secret, ...next } = ssoProviderFields.toUpdate(provider, changes)
  // What a deleted group left in the mapping can be sent back.
  const added = groupIds.filter((groupId) => !Object.values(before.groups).includes(groupId))
  requireExisting("groups", added, foundGroups)
  requireRoles(work.caller, next)
  if (next.issuer !== before.issuer) requireIssuer(env, next.issuer)
  if (next.portalId !== before.portalId && next.portalId !== null) requireExisting("portalId", [next.portalId], found)
  if (JSON.stringify(next.claims) !== JSON.stringify(before.claims)) requireFields(next.claims, customFields)
  if (next.forced && next.active && !(before.forced && before.active)) requireOwnerPassword(owners)
  const secret = clientSecret === undefined ? encryptedSecret : clientSecret && encrypt(env, clientSecret)
  const isOtherClient = next.issuer !== before.issuer || next.clientId !== before.clientId
  const auditDetails = changedFields(before, next)
  const unlinked = isOtherClient ? plan.decide(planned, { ids: [id], active: next.active }) : undefined
  const jobId = unlinked?.job.jobId
  const answer = await updateRecord(work, {
    table: ssoProviders,
    record: provider,
    // The provider signs nobody in until the job has deleted the links to its former people.
    next: { ...next, active: next.active && jobId === undefined, clientSecret: secret },
    subject: SUBJECT,
    name: next.name,
    answer: { message: "Provider updated.", ...unlinked?.job },
    details: {
      ...auditDetails,
      ...(secret !== encryptedSecret && { clientSecret: secret === null ? "removed" : "changed" }),
    },
    before:
      jobId === undefined && isOtherClient
        ? [db.delete(userIdentities).where(eq(userIdentities.providerId, id))]
        : (unlinked?.statements ?? []),
    unique: UNIQUE,
  })
  await unlinked?.start()
  return answer
}

/** Deletes providers with the links between their people and users; the users remain. */
export const deleteSsoProviders = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: ssoProviders,
    subject: SUBJECT,
    name: ssoProviders.name,
    ids,
    cascade: providerDeletion,
    // Inactive providers sign nobody in while the job runs.
    beforeJob: (deletedIds) => [
      work.db
        .update(ssoProviders)
        .set({ active: false })
        .where(sql`${ssoProviders.id} in ${idList(deletedIds)}`),
    ],
  })

/** One page of providers, sorted by name. */
export async function listSsoProviders(
  db: Database,
  query: PageQuery & { search_param?: { portalId?: number | undefined } },
) {
  const portalId = query.search_param?.portalId
  return readPage(
    db,
    {
      table: ssoProviders,
      key: ssoProviders.id,
      fields: ssoProviderColumns.fields,
      sort: ssoProviderColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [],
      search: portalId === undefined ? [] : [{ test: eq(ssoProviders.portalId, portalId) }],
      total: counter("sso_providers"),
    },
    query,
  )
}

/**
 * Deletes the links between users and the people of a provider. At the next sign-in, users are matched by address
 * again. Users without a link are counted.
 * @throws 404
 */
export async function unlinkUsers(work: UnitOfWork, { provider_id: providerId, user_ids: wanted }: Unlinking) {
  const { db } = work
  const linked = and(eq(userIdentities.providerId, providerId), sql`${userIdentities.userId} in ${idList(wanted)}`)
  const [providers, found] = await work.read([
    db.select({ name: ssoProviders.name }).from(ssoProviders).where(eq(ssoProviders.id, providerId)),
    db.select({ id: userIdentities.userId }).from(userIdentities).where(linked),
  ])
  const [provider] = providers
  if (!provider) throw notFound(SUBJECT)
  const userIds = found.map((row) => row.id)
  const unknown = wanted.length - userIds.length
  const answer = {
    message: [
      `${pluralize(userIds.length, "user")} unlinked.`,
      ...(unknown > 0 ? [`${pluralize(unknown, "id")} not linked.`] : []),
    ].join(" "),
  }
  if (userIds.length === 0) return work.commit([], answer)
  return work.commit(
    [
      db.delete(userIdentities).where(linked),
      work.auditMany(
        "updated",
        "user",
        userRecords(sql`${users.id} in ${idList(userIds)}`, { unlinkedFrom: provider.name }),
      ),
    ],
    answer,
  )
}
