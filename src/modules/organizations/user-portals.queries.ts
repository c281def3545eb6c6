import { and, eq, sql } from "drizzle-orm"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { canSeeUser } from "../../access/scope.ts"
import { promoteLearners } from "../../access/supervisors.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { idList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { memberType, userPortalColumns } from "./portal-columns.ts"
import { brandingFields } from "./portal-fields.ts"
import {
  administeredPortals,
  PORTAL_UNIQUE,
  portalDetails,
  portalRow,
  takenSlugs,
  unknownParent,
} from "./portals.queries.ts"
import type { PortalCreate } from "./portals.schemas.ts"

/**
 * A user's portals, by name, each with what the user is in it. A supervisor sees those that they administer.
 * @throws 404 for a user outside the caller's reach, 422 when an anonymous call names none
 */
export async function listUserPortals(
  db: Database,
  caller: Caller,
  query: { userId?: number | undefined; type?: string | undefined },
) {
  const userId = query.userId ?? caller.id
  if (userId === null) throw invalid("userId", "userId is required.")
  const type = query.type === "learner" ? "general" : query.type
  const visible = userId === caller.id ? [] : administeredPortals(caller).map((filter) => filter.test)
  const [known, rows] = await db.batch([
    db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), canSeeUser(caller, users.id))),
    db
      .select({ ...userPortalColumns.fields, logoUrl: portals.logoUrl })
      .from(portalMembers)
      .innerJoin(portals, eq(portals.id, portalMembers.portalId))
      .where(
        and(
          eq(portalMembers.userId, userId),
          ...(type === undefined ? [] : [sql`(${portals.portalType} = ${type} or ${memberType} = ${type})`]),
          ...visible,
        ),
      )
      .orderBy(sql`${portals.name} collate nocase`, portals.id),
  ])
  if (known.length === 0) throw notFound("user")
  return rows
}

/**
 * Creates portals that a user administers. Cloned are the administrators, or the branding and mail settings, of the
 * portal that the call names, else of each new portal's parent.
 * @param from the portal that the call names
 * @throws 422 for an unknown user or portal, for nothing to clone from, for a slug or code that is taken
 */
export async function createUserPortals(work: UnitOfWork, input: PortalCreate, from: number | undefined) {
  const { db } = work
  const { userId, clonePortalAdmins = false, cloneBrandingNotifications = false } = input
  const cloning = clonePortalAdmins || cloneBrandingNotifications
  const wanted = input.portals.map((portal) => ({ portal, source: from ?? portal.parentPortalId ?? undefined }))
  if (cloning && wanted.some(({ source }) => source === undefined))
    throw invalid("portalId", "portalId must name the portal to clone from, or each portal its parentPortalId.")
  const parents = input.portals.flatMap((portal) => portal.parentPortalId ?? [])
  const named = [...new Set([...parents, ...(from === undefined ? [] : [from])])]

  const [given, people, known, slugs] = await work.read([
    work.nextIds("portals", wanted.length),
    db.select({ id: users.id, userType: users.userType }).from(users).where(eq(users.id, userId)),
    db
      .select()
      .from(portals)
      .where(sql`${portals.id} in ${idList(named)}`),
    takenSlugs(
      db,
      input.portals.map((portal) => portal.name),
    ),
  ])
  if (people.length === 0) throw invalid("userId", "userId names no user.")
  const portalAt = new Map(known.map((portal) => [portal.id, portal]))
  if (from !== undefined && !portalAt.has(from)) throw invalid("portalId", "portalId names no portal.")
  if (parents.some((id) => !portalAt.has(id))) throw unknownParent()

  const taken = new Set(slugs.map((portal) => portal.slug))
  const first = firstRow(given).last - wanted.length + 1
  const rows = wanted.map(({ portal, source }, i) => {
    const model = cloneBrandingNotifications && source !== undefined ? portalAt.get(source) : undefined
    return { row: { ...portalRow(first + i, portal, taken), ...(model && brandingFields.updated(model, {})) }, source }
  })
  const promotion = promoteLearners(work, people, rows[0]?.row.userType ?? "portal_admin")
  const creation = rows.flatMap(({ row, source }): Statement[] => [
    db.insert(portals).values(row),
    db.insert(portalMembers).values({ portalId: row.id, userId, role: "admin" }),
    ...(clonePortalAdmins && source !== undefined ? [cloneAdmins(db, source, row.id)] : []),
    work.audit("created", "portal", row, {
      ...portalDetails(row),
      admin_ids: [userId],
      ...(cloning && { clonedFrom: source }),
    }),
  ])
  const answer = await work.commit(
    [
      work.guard(sql`(select count(*) from ${portals} where ${portals.id} in ${idList(named)}) = ${named.length}`),
      ...creation,
      ...promotion.statements,
    ],
    { message: `${pluralize(rows.length, "portal")} created.` },
    { unique: PORTAL_UNIQUE },
  )
  await promotion.notify()
  return answer
}

const cloneAdmins = (db: Database, source: number, portalId: number) =>
  insertFrom(
    db,
    portalMembers,
    { portalId, userId: portalMembers.userId, role: portalMembers.role },
    sql`
      from ${portalMembers}
      where ${portalMembers.portalId} = ${source} and ${portalMembers.role} = 'admin'`,
  ).onConflictDoNothing()
