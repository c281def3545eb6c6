import { and, eq, type SQL, sql } from "drizzle-orm"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import type { PortalStatus } from "../../../drizzle/statuses.ts"
import { administersPortal } from "../../access/scope.ts"
import { promoteLearners } from "../../access/supervisors.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { changedFields, deleteRecords, guardUnchanged, requireVersion, updateChanged } from "../../db/records.ts"
import { searchFilter } from "../../db/search.ts"
import { slugify } from "../../db/slug.ts"
import { counter, rowExists, textList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { randomCode } from "../../lib/crypto/crypto.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { requireLogo, selectLogo } from "../settings/logo.ts"
import { portalColumns, portalDetailColumns } from "./portal-columns.ts"
import { brandingFields, portalFields } from "./portal-fields.ts"
import {
  guardPortalSeats,
  planMembership,
  requireOpenPortal,
  requirePortalSeats,
  selectCandidates,
  selectMemberCounts,
  setMembers,
} from "./portal-members.ts"
import type { NewPortal, PortalChanges, PortalFields } from "./portals.schemas.ts"
import { hasOtherDescendants, portalDeletion, portalPeopleChange } from "./supervisor-scope.background.ts"

export const PORTAL_UNIQUE = {
  "portals.slug": () => invalid("slug", "slug is taken: another portal has it already."),
  "portals.referral_code": () => invalid("referralCode", "referralCode is taken: another portal has it already."),
}

/** The portals that the caller may see: all for staff and above, those that they administer for a supervisor. */
export const administeredPortals = (caller: Caller): Filter[] =>
  canSeeAllUsers(caller)
    ? []
    : [
        {
          test: administersPortal(caller, portals.id),
          ids: sql`
            select ${portalMembers.portalId} as id
            from ${portalMembers}
            where ${portalMembers.userId} = ${caller.id} and ${portalMembers.role} = 'admin'`,
        },
      ]

/** The row of a new portal. */
export function portalRow(id: number, input: PortalFields, slugs: Set<string>) {
  const row = portalFields.toInsert(input)
  return {
    ...row,
    id,
    slug: row.slug ?? freeSlug(row.name, id, slugs),
    referralCode: row.referralCode ?? randomCode(10),
    searchText: portalFields.searchText(row),
    createdAt: now(),
  }
}

/** The name's slug, or where that is taken the slug and the id, which no other portal has. */
function freeSlug(name: string, id: number, taken: Set<string>) {
  const slug = slugify(name)
  const free = slug && !taken.has(slug) ? slug : `${slug || "portal"}-${id}`
  taken.add(free)
  return free
}

/** Which of these names' slugs are taken. */
export const takenSlugs = (db: Database, names: string[]) =>
  db
    .select({ slug: portals.slug })
    .from(portals)
    .where(sql`${portals.slug} in ${textList(names.map(slugify))}`)

export const unknownParent = () => invalid("parentPortalId", "parentPortalId names no portal.")

/** The portal, its parent, the parent's parent and so on. */
const lineage = (id: number | null): SQL => sql`(
  with recursive above(id) as (
    select id from portals where id = ${id}
    union
    select parent_portal_id from portals join above using (id)
    where parent_portal_id is not null
  )
  select id from above
)`

/** The condition that there is a portal with an id. */
const portalExists = (id: number): SQL => rowExists(portals, eq(portals.id, id))

/** @throws 409 for more learners than seats, 422 for a slug or code that is taken, an unknown parent or logo */
export async function createPortal(work: UnitOfWork, input: NewPortal) {
  const { db } = work
  const { member_ids, admin_ids, name } = input
  const parentId = input.parentPortalId ?? null
  const [given, slugs, above, found, files] = await work.read([
    work.nextIds("portals"),
    takenSlugs(db, [name]),
    db
      .select({ id: portals.id })
      .from(portals)
      .where(eq(portals.id, parentId ?? 0)),
    selectCandidates(db, 0, input),
    selectLogo(db, input.logoUrl),
  ])
  if (parentId !== null && above.length === 0) throw unknownParent()
  const id = firstRow(given).last
  const taken = new Set(slugs.map((portal) => portal.slug))
  const row = { ...portalRow(id, input, taken), ...brandingFields.toInsert(input) }
  const members = planMembership(input, found, { learners: 0, otherAdmins: 0 })
  requirePortalSeats(row.totalSeat, members.seats)
  const promotion = promoteLearners(work, members.appointed, row.userType)
  const answer = await work.commit(
    [
      ...(parentId === null ? [] : [work.guard(portalExists(parentId))]),
      ...requireLogo(work, row.logoUrl, files),
      db.insert(portals).values(row),
      ...setMembers(work, id, members),
      guardPortalSeats(work, id),
      ...promotion.statements,
      work.audit("created", "portal", { id, name }, { ...portalDetails(row), member_ids, admin_ids }),
    ],
    { id, message: ["Portal created.", ...members.remarks].join(" ") },
    { unique: PORTAL_UNIQUE },
  )
  await promotion.notify()
  return answer
}

/** What of a portal's row the audit log shows. */
export const portalDetails = ({ searchText: _, createdAt: __, ...row }: ReturnType<typeof portalRow>) => row

/** A portal with its administrators. @throws 404 for one that the caller does not administer */
export async function getPortal(db: Database, caller: Caller, id: number) {
  const visible = and(eq(portals.id, id), ...administeredPortals(caller).map((filter) => filter.test))
  const [rows, admins] = await db.batch([
    db
      .select({ ...portalDetailColumns.fields, version: portals.version })
      .from(portals)
      .where(visible),
    db
      .select({ id: portalMembers.userId })
      .from(portalMembers)
      .where(and(eq(portalMembers.portalId, id), sql`${portalMembers.role} = 'admin'`))
      .orderBy(portalMembers.userId),
  ])
  const [found] = rows
  if (!found) throw notFound("portal")
  return { ...found, adminIds: admins.map((admin) => admin.id) }
}

/**
 * Changes the given fields and leaves the others; `member_ids` and `admin_ids` replace the sets.
 * @throws 404, 409 for newcomers to a closed portal or more learners than seats, 412, 422
 */
export async function updatePortal(work: UnitOfWork, id: number, changes: PortalChanges, demanded?: number) {
  const { db } = work
  const { member_ids, admin_ids, add_member_ids, remove_member_ids, ...given } = changes
  const people = { member_ids, admin_ids, add_member_ids, remove_member_ids }
  const prepared = planBackgroundWork(work, portalPeopleChange, {
    id,
    keep: member_ids ?? null,
    admins: admin_ids?.length ?? null,
  })
  const [planned, rows, above, found, taken, files] = await work.read([
    prepared.question,
    db.select().from(portals).where(eq(portals.id, id)),
    db.select({ id: sql<number>`above.id`.as("id") }).from(sql`${lineage(given.parentPortalId ?? null)} as above`),
    selectCandidates(db, id, people),
    selectMemberCounts(db, id, people),
    selectLogo(db, given.logoUrl),
  ])
  const portal = requireVersion(rows, "portal", demanded)
  if (given.parentPortalId) {
    if (above.length === 0) throw unknownParent()
    if (above.some((row) => row.id === id))
      throw invalid("parentPortalId", "parentPortalId names the portal itself or one below it.")
  }
  const next = { ...portalFields.toUpdate(portal, given), ...brandingFields.toUpdate(portal, given) }
  const members = planMembership(people, found, firstRow(taken))
  if (members.joining > 0) requireOpenPortal(next)
  requirePortalSeats(next.totalSeat, members.seats)
  const promotion = promoteLearners(work, members.appointed, next.userType)
  const changed = changedFields(portal, next)
  const message = ["Portal updated.", ...members.remarks].join(" ")
  if (Object.keys(changed).length === 0 && !members.changes) return work.commit([], { message })
  const rest = members.changes
    ? prepared.decide(planned, {
        id,
        keep: members.isReplacement ? [...members.learners, ...(members.admins ?? [])] : null,
        admins: members.admins?.length ?? null,
      })
    : undefined
  const answer = await work.commit(
    [
      guardUnchanged(portals, portal),
      ...requireLogo(work, changed.logoUrl, files),
      ...(given.parentPortalId
        ? [work.guard(sql`${portalExists(given.parentPortalId)} and ${id} not in ${lineage(given.parentPortalId)}`)]
        : []),
      updateChanged(db, portals, portal, { ...changed, searchText: portalFields.searchText(next) }),
      ...(members.changes ? setMembers(work, id, members) : []),
      ...(rest?.statements ?? []),
      // Learners that a job takes out still count: `requirePortalSeats` has compared what remains.
      ...(rest?.job.jobId && members.isReplacement ? [] : [guardPortalSeats(work, id)]),
      ...promotion.statements,
      work.audit("updated", "portal", { id, name: next.name }, { ...changed, ...(members.changes && people) }),
    ],
    { message, ...rest?.job },
    { unique: PORTAL_UNIQUE },
  )
  await promotion.notify()
  await rest?.start()
  return answer
}

/** Deletes portals with all who belong to them (users stay); one with portals below it is kept unless they go too. */
export const deletePortals = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: portals,
    subject: "portal",
    name: portals.name,
    ids,
    undeletable: {
      when: hasOtherDescendants(ids),
      because: "they have child portals",
    },
    cascade: portalDeletion,
  })

/** One page of the portals that the caller may see; with `portalId`, of those below that portal. */
export async function listPortals(
  db: Database,
  caller: Caller,
  query: PageQuery & {
    portalId?: number | undefined
    search_param: { name?: string | undefined; status?: PortalStatus | undefined; portalType?: string | undefined }
  },
) {
  const { name, status, portalType } = query.search_param
  const scope: Filter[] = [
    ...(query.portalId === undefined ? [] : [{ test: eq(portals.parentPortalId, query.portalId) }]),
    ...administeredPortals(caller),
  ]
  return readPage(
    db,
    {
      table: portals,
      key: portals.id,
      fields: portalColumns.fields,
      sort: portalColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope,
      search: [
        ...(name ? [searchFilter(portals, name)] : []),
        ...(status ? [{ test: eq(portals.status, status) }] : []),
        ...(portalType ? [{ test: eq(portals.portalType, portalType) }] : []),
      ],
      ...(scope.length === 0 && { total: counter("portals") }),
    },
    query,
  )
}
