import { and, eq, type SQL, sql } from "drizzle-orm"
import { type PortalRole, portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import type { Database } from "../../db/client.ts"
import { guardUnchanged, requireExisting, updateChanged } from "../../db/records.ts"
import { idList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { hasRole } from "../../lib/caller.ts"
import { forbidden, invalid } from "../../lib/errors.ts"
import { isRefusedBy } from "../users/email-rules.queries.ts"
import { guardPortalSeats, joinPortal, learnerCount, requireOpenPortal, requirePortalSeats } from "./portal-members.ts"

// Changes of the portals of one user, in the batch that changes the user. They do what PUT /api/portal/{id} does.

/** The portals that a request names. */
export interface WantedPortals {
  /** The complete set; without one, the current portals. */
  all?: number[] | undefined
  add?: number[] | undefined
  remove?: number[] | undefined
}

/** Each changed portal takes some statements of the batch. */
const MAX_CHANGED = 50

const mentioned = ({ all = [], add = [], remove = [] }: WantedPortals) => [...all, ...add, ...remove]

/** Selects what `planUserPortals` needs, for the first round trip. @param email the address after the change */
export function selectUserPortals(db: Database, user: { id: number; email: SQL }, wanted: WantedPortals) {
  const membership = and(eq(portalMembers.portalId, portals.id), eq(portalMembers.userId, user.id))
  return db
    .select({
      id: portals.id,
      name: portals.name,
      version: portals.version,
      status: portals.status,
      expiresAt: portals.expiresAt,
      expiryMessage: portals.expiryMessage,
      totalSeat: portals.totalSeat,
      role: sql<PortalRole | null>`${portalMembers.role}`.as("role_now"),
      learners: learnerCount(portals.id).as("learners"),
      refused: sql<number>`${isRefusedBy(user.email, sql`${portals.id}`)}`.as("refused"),
    })
    .from(portals)
    .leftJoin(portalMembers, membership)
    .where(
      sql`${portals.id} in ${idList(mentioned(wanted))}
        or ${portals.id} in (select mine.portal_id from portal_members as mine where mine.user_id = ${user.id})`,
    )
}

type UserPortal = Awaited<ReturnType<typeof selectUserPortals>>[number]

/**
 * The statements that make a user a learner of the wanted portals and of no others. Portals that the user administers
 * stay as they are.
 * @throws 403 below admin, 409 for a closed or full portal, 422 for one that is unknown or refuses the user's address
 */
export function planUserPortals(work: UnitOfWork, userId: number, wanted: WantedPortals, found: UserPortal[]) {
  const isLearner = ({ role }: UserPortal) => role === "learner"
  const base = wanted.all ?? found.filter(isLearner).map(({ id }) => id)
  const next = new Set([...base, ...(wanted.add ?? [])])
  for (const id of wanted.remove ?? []) next.delete(id)
  requireExisting("portals", [...next], found)
  const joined = found.filter(({ id, role }) => next.has(id) && role === null)
  const left = found.filter((portal) => isLearner(portal) && !next.has(portal.id))
  const count = joined.length + left.length
  if (count === 0) return []
  if (!hasRole(work.caller, "admin")) throw forbidden("Changing the portals of a user takes the role admin.")
  if (count > MAX_CHANGED) throw invalid("portals", `portals must change at most ${MAX_CHANGED} portals at once.`)
  for (const portal of joined) {
    requireOpenPortal(portal)
    if (portal.refused) throw invalid("portals", `portals: ${portal.name} does not accept the user's email address.`)
    requirePortalSeats(portal.totalSeat, portal.learners + 1)
  }
  return [
    ...left.flatMap((portal) =>
      changePortal(work, portal, { remove_member_ids: [userId] }, [
        work.db
          .delete(portalMembers)
          .where(
            and(
              eq(portalMembers.portalId, portal.id),
              eq(portalMembers.userId, userId),
              sql`${portalMembers.role} = 'learner'`,
            ),
          ),
      ]),
    ),
    ...joined.flatMap((portal) =>
      changePortal(work, portal, { add_member_ids: [userId] }, [
        joinPortal(work.db, portal.id, [userId]),
        guardPortalSeats(work, portal.id),
      ]),
    ),
  ]
}

const changePortal = (work: UnitOfWork, portal: UserPortal, details: object, statements: Statement[]): Statement[] => [
  guardUnchanged(portals, portal),
  updateChanged(work.db, portals, portal, {}),
  ...statements,
  work.audit("updated", "portal", portal, { ...details }),
]
