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
 * Lists a user's portals by name, with the user's type in each. Supervisors see only portals that they administer.
 * @throws 404, 422 if an anonymous caller names no user
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
 * Creates portals that a user administers. Administrators or branding are cloned from the portal in the query, or else
 * from each portal's parent.
 * @param from the portal to clone from
 * @throws 422 for an unknown user or portal, nothing to clone from, or a taken slug or code
 */
export async function createUserPortals(work: UnitOfWork, input: PortalCreate, from: number | undefined) {
  const { db } = work
  const { userId, clonePortalAdmins = false, cloneBrandingNotifications = false } = input
  const isCloning = clonePortalAdmins || cloneBrandingNotifications
  const wanted = input.portals.map((portal) => ({ portal, source: from ?? portal.parentPortalId ?? undefined }))
  if (isCloning && wanted.some(({ source }) => source === undefined))
    throw invalid("portalId", "portalId is required for cloning, unless each portal has a parentPortalId.")
  const parents = input.portals.flatMap((portal) => portal.parentPortalId ?? [])
  const sourceIds = [...new Set([...parents, ...(from === undefined ? [] : [from])])]

  const [newIds, people, known, slugs] = await work.read([
    work.nextIds("portals", wanted.length),
    db.select({ id: users.id, userType: users.userType }).from(users).where(eq(users.id, userId)),
    db
      .select()
      .from(portals)
      .where(sql`${portals.id} in ${idList(sourceIds)}`),
    takenSlugs(
      db,
      input.portals.map((portal) => portal.name),
    ),
  ])
  if (people.length === 0) throw invalid("userId", "userId does not match any user.")
  const portalsById = new Map(known.map((portal) => [portal.id, portal]))
  if (from !== undefined && !portalsById.has(from)) throw invalid("portalId", "portalId does not match any portal.")
  if (parents.some((id) => !portalsById.has(id))) throw unknownParent()

  const taken = new Set(slugs.map((portal) => portal.slug))
  const first = firstRow(newIds).last - wanted.length + 1
  const rows = wanted.map(({ portal, source }, i) => {
    const template = cloneBrandingNotifications && source !== undefined ? portalsById.get(source) : undefined
    return { row: { ...portalRow(first + i, portal, taken), ...(template && brandingOf(template)) }, source }
  })
  const promotion = promoteLearners(work, people, rows[0]?.row.userType ?? "portal_admin")
  const creation = rows.flatMap(({ row, source }): Statement[] => [
    db.insert(portals).values(row),
    db.insert(portalMembers).values({ portalId: row.id, userId, role: "admin" }),
    ...(clonePortalAdmins && source !== undefined ? [cloneAdmins(db, source, row.id)] : []),
    work.audit("created", "portal", row, {
      ...portalDetails(row),
      admin_ids: [userId],
      ...(isCloning && { clonedFrom: source }),
    }),
  ])
  const answer = await work.commit(
    [
      work.guard(
        sql`(select count(*) from ${portals} where ${portals.id} in ${idList(sourceIds)}) = ${sourceIds.length}`,
      ),
      ...creation,
      ...promotion.statements,
    ],
    { message: `${pluralize(rows.length, "portal")} created.` },
    { unique: PORTAL_UNIQUE },
  )
  await promotion.notify()
  return answer
}

/** The branding and email settings of a portal. */
const brandingOf = (portal: typeof portals.$inferSelect) => ({
  logoUrl: portal.logoUrl,
  primaryColor: portal.primaryColor,
  secondaryColor: portal.secondaryColor,
  senderName: portal.senderName,
  replyTo: portal.replyTo,
})

const cloneAdmins = (db: Database, source: number, portalId: number) =>
  insertFrom(
    db,
    portalMembers,
    { portalId, userId: portalMembers.userId, role: portalMembers.role },
    sql`
      from ${portalMembers}
      where ${portalMembers.portalId} = ${source} and ${portalMembers.role} = 'admin'`,
  ).onConflictDoNothing()
