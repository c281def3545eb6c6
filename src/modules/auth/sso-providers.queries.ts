import { and, eq, sql } from "drizzle-orm"
import { customFields } from "../../../drizzle/schema/custom-fields.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { ssoProviders, userIdentities } from "../../../drizzle/schema/sso.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import {
  changedFields,
  deleteRecords,
  existingRecords,
  readOne,
  requireAll,
  requireVersion,
  updateRecord,
} from "../../db/records.ts"
import { uniqueSlug } from "../../db/slug.ts"
import { counter, idList, userRecords } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import { encrypt } from "../../lib/crypto/crypto.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { outboundUrl } from "../../lib/web/outbound.ts"
import { ssoProviderColumns } from "./sso-provider-columns.ts"
import { providerDeletion, providerUnlinking } from "./sso-providers.background.ts"
import {
  CLAIMED_FIELDS,
  type NewSsoProvider,
  type SsoProviderChanges,
  type Unlinking,
} from "./sso-providers.schemas.ts"

const SUBJECT = "sso provider"

const UNIQUE = {
  "sso_providers.slug": () => invalid("slug", "slug is taken: another provider has it already."),
}

/** Refuses an issuer below which nothing may be asked. @throws 422 */
function requireIssuer(env: Bindings, issuer: string) {
  const url = outboundUrl(env, issuer)
  if (!url || url.search || url.hash)
    throw invalid("issuer", "issuer must be an https URL at a public host, without a query, as the provider has it.")
}

/** The owners who can sign in by a password, if there are any. */
const ownerWithPassword = (db: Database) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.userType, "owner"), eq(users.disabled, false), sql`${users.passwordHash} is not null`))
    .limit(1)

/** Somebody must be able to sign in, and switch it off again, where a provider that is forced fails. @throws 409 */
function requireWayIn(owners: unknown[]) {
  if (owners.length === 0)
    throw conflict(
      "login_method_required",
      "There is no owner with a password, who could sign in if the provider fails. Give an owner one first.",
    )
}

/** Which of the fields that claims are to fill there are. */
const fieldsNamed = (db: Database, claims: Record<string, string>) =>
  db
    .select({ key: customFields.userMetaKey })
    .from(customFields)
    .where(sql`lower(${customFields.userMetaKey}) in (
      select lower(value) from json_each(${JSON.stringify(Object.values(claims))})
    )`)

/** Refuses claims for fields that there are not. @throws 422 */
function requireFields(claims: Record<string, string>, found: { key: string }[]) {
  const there = new Set<string>([...CLAIMED_FIELDS, ...found.map(({ key }) => key.toLowerCase())])
  const missing = Object.values(claims).filter((field) => !there.has(field) && !there.has(field.toLowerCase()))
  if (missing.length > 0) throw invalid("claims", `claims name fields that do not exist: ${missing.join(", ")}.`)
}

/** @throws 422 for an issuer that may not be called, a taken slug, an unknown portal or field; 409 without a way in */
export async function createSsoProvider(work: UnitOfWork, input: NewSsoProvider) {
  const { db, env } = work
  const { name, slug, clientSecret, portalId = null, create: creates, force: forced, ...given } = input
  requireIssuer(env, given.issuer)
  const [ids, found, owners, fields] = await work.read([
    work.nextIds("sso_providers"),
    existingRecords(db, portals, portalId === null ? [] : [portalId]),
    ownerWithPassword(db),
    fieldsNamed(db, given.claims),
  ])
  requireAll("portalId", portalId === null ? [] : [portalId], found)
  requireFields(given.claims, fields)
  if (forced) requireWayIn(owners)
  const id = firstRow(ids).last
  const row = { ...given, name, portalId, creates, forced }
  return work.commit(
    [
      db.insert(ssoProviders).values({
        ...row,
        id,
        slug: slug ?? uniqueSlug(ssoProviders, name, id, "provider"),
        clientSecret: clientSecret === undefined ? null : encrypt(env, clientSecret),
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
  readOne(db, { table: ssoProviders, fields: ssoProviderColumns.fields, subject: SUBJECT }, id)

/**
 * Changes the given fields and leaves the others. Another issuer or client id undoes the links to users: its subjects
 * are other people's.
 * @throws 404, 409 without a way in, 412, 422
 */
export async function updateSsoProvider(work: UnitOfWork, id: number, changes: SsoProviderChanges, demanded?: number) {
  const { db, env } = work
  const { clientSecret, create: creates, force: forced, ...given } = changes
  const plan = planBackgroundWork(work, providerUnlinking, { ids: [id], active: false })
  const [rows, found, owners, fields, planned] = await work.read([
    db.select().from(ssoProviders).where(eq(ssoProviders.id, id)),
    existingRecords(db, portals, given.portalId ? [given.portalId] : []),
    ownerWithPassword(db),
    fieldsNamed(db, given.claims ?? {}),
    plan.question,
  ])
  const provider = requireVersion(rows, SUBJECT, demanded)
  const { clientSecret: sealed, ...before } = provider
  const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const next = {
    ...before,
    ...(kept as Partial<typeof before>),
    creates: creates ?? before.creates,
    forced: forced ?? before.forced,
  }
  if (next.issuer !== before.issuer) requireIssuer(env, next.issuer)
  if (next.portalId !== before.portalId && next.portalId !== null) requireAll("portalId", [next.portalId], found)
  if (JSON.stringify(next.claims) !== JSON.stringify(before.claims)) requireFields(next.claims, fields)
  if (next.forced && next.active && !(before.forced && before.active)) requireWayIn(owners)
  const secret = clientSecret === undefined ? sealed : clientSecret && encrypt(env, clientSecret)
  const others = next.issuer !== before.issuer || next.clientId !== before.clientId
  const told = changedFields(before, next)
  const unlinked = others ? plan.decide(planned, { ids: [id], active: next.active }) : undefined
  const jobId = unlinked?.job.jobId
  const answer = await updateRecord(work, {
    table: ssoProviders,
    record: provider,
    // While links to the people of before are there, nobody signs in through it.
    next: { ...next, active: next.active && jobId === undefined, clientSecret: secret },
    subject: SUBJECT,
    name: next.name,
    answer: { message: "Provider updated.", ...unlinked?.job },
    details: { ...told, ...(secret !== sealed && { clientSecret: secret === null ? "removed" : "changed" }) },
    before:
      jobId === undefined && others
        ? [db.delete(userIdentities).where(eq(userIdentities.providerId, id))]
        : (unlinked?.statements ?? []),
    unique: UNIQUE,
  })
  await unlinked?.start()
  return answer
}

/** Deletes providers, with the links of their people to users; the users stay. */
export const deleteSsoProviders = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: ssoProviders,
    subject: SUBJECT,
    name: ssoProviders.name,
    ids,
    cascade: providerDeletion,
    // Nobody signs in through it from now on.
    meanwhile: (going) => [
      work.db
        .update(ssoProviders)
        .set({ active: false })
        .where(sql`${ssoProviders.id} in ${idList(going)}`),
    ],
  })

/** One page of providers, by name. */
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
 * Undoes the links of users to the people of a provider: at their next sign-in they are found by their address again.
 * Users who have none are counted, never an error.
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
