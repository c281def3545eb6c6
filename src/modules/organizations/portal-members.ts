import { type AnyColumn, and, eq, gte, or, sql } from "drizzle-orm"
import { type PortalRole, portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { PortalStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { counter, counterOf, idList, rowExists, SINGLE_ROW } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { conflict } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { isRefusedBy } from "../users/email-rules.queries.ts"

// The members of a portal: its learners and its administrators. A user in both sets is an administrator.

/** The sets in the input. Omitted sets do not change, except for added and removed members. */
export interface MemberChanges {
  member_ids?: number[] | undefined
  admin_ids?: number[] | undefined
  add_member_ids?: number[] | undefined
  remove_member_ids?: number[] | undefined
}

/** The users that the input adds as learners or administrators. */
const addedUserIds = ({ member_ids = [], admin_ids = [], add_member_ids = [] }: MemberChanges) =>
  new Set([...member_ids, ...admin_ids, ...add_member_ids])

/** A user of the input, as read by the first round trip. */
interface Candidate {
  id: number
  userType: string
  /** The current role in the portal. */
  role: PortalRole | null
  /** Whether the portal's email rules refuse the user's address. */
  refused: number
}

/** The number of learners of a portal. Ids are inlined: a bound number would be read as 7.0 in the key. */
export const learnerCount = (portal: number | AnyColumn) =>
  typeof portal === "number" ? counter(`portal_learners:${portal}`) : counterOf("portal_learners", portal)

/** Selects the users of the input, for the first round trip. */
export function selectCandidates(db: Database, portalId: number, wanted: MemberChanges) {
  const ids = new Set([...addedUserIds(wanted), ...(wanted.remove_member_ids ?? [])])
  const role = sql`(
    select ${portalMembers.role}
    from ${portalMembers}
    where ${portalMembers.portalId} = ${portalId} and ${portalMembers.userId} = ${users.id}
  )`
  const refused = isRefusedBy(sql`${users.email}`, portalId)
  return db
    .select({
      id: users.id,
      userType: users.userType,
      role: sql<PortalRole | null>`${role}`.as("role_now"),
      refused: sql<number>`${refused}`.as("refused"),
    })
    .from(users)
    .where(sql`${users.id} in ${idList([...ids])}`)
}

/** The members of a portal before the change. */
interface MemberCounts {
  learners: number
  /** Whether the portal has administrators who are not in the input's `admin_ids`. */
  otherAdmins: number
}

/** Selects what `planMembership` needs, for the first round trip. */
export const selectMemberCounts = (db: Database, portalId: number, { admin_ids = [] }: MemberChanges) =>
  db
    .select({
      learners: learnerCount(portalId).as("learners"),
      otherAdmins: sql<number>`exists (
        select 1 from portal_members
        where portal_id = ${portalId} and role = 'admin' and user_id not in ${idList(admin_ids)}
      )`.as("other_admins"),
    })
    .from(SINGLE_ROW)

export interface MembershipPlan {
  /** Whether any membership or role changes. */
  changes: boolean
  /** Whether the learners replace the current set. */
  isReplacement: boolean
  /** The ids of the learners to add or keep. */
  learners: number[]
  /** The ids of learners to remove. */
  leaving: number[]
  /** The ids of the administrators; undefined: unchanged. */
  admins: number[] | undefined
  /** The new administrators. */
  appointed: Candidate[]
  /** The number of users who join in any role. */
  joining: number
  /** The number of learners after the change. */
  seats: number
  /** Sentences to append to the response message. */
  remarks: string[]
}

/** Plans the changes of a portal's members. @param before the current members */
export function planMembership(wanted: MemberChanges, found: Candidate[], before: MemberCounts): MembershipPlan {
  const { member_ids, admin_ids } = wanted
  const adminIds = admin_ids && new Set(admin_ids)
  const administers = (user: Candidate) => (adminIds ? adminIds.has(user.id) : user.role === "admin")
  const memberIds = new Set(member_ids ?? wanted.add_member_ids)
  const removed = new Set(wanted.remove_member_ids)
  const addedIds = addedUserIds(wanted)

  const requested = found.filter((user) => memberIds.has(user.id) && !administers(user))
  const learners = requested.filter((user) => user.role === "learner" || !user.refused)
  const admins = found.filter((user) => adminIds?.has(user.id))
  const leaving = found.filter((user) => user.role === "learner" && removed.has(user.id) && !addedIds.has(user.id))
  const promoted = admins.filter((user) => user.role === "learner").length
  const added = learners.filter((user) => user.role !== "learner").length

  const unknown = addedIds.size - found.filter((user) => addedIds.has(user.id)).length
  const refused = requested.length - learners.length
  const appointed = admins.filter((user) => user.role !== "admin")
  const seats = member_ids ? learners.length : before.learners - promoted - leaving.length + added
  return {
    // An equal number of learners without new ones means the same learners.
    changes: added > 0 || appointed.length > 0 || seats !== before.learners || (!!admin_ids && before.otherAdmins > 0),
    isReplacement: member_ids !== undefined,
    learners: learners.map((user) => user.id),
    leaving: leaving.map((user) => user.id),
    admins: admin_ids && admins.map((user) => user.id),
    appointed,
    joining: [...learners, ...admins].filter((user) => user.role === null).length,
    seats,
    remarks: [
      ...(unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : []),
      ...(refused > 0 ? [`${refused} skipped: the portal doesn't accept their email addresses.`] : []),
    ],
  }
}

interface PortalState {
  status: PortalStatus
  expiresAt: number
  expiryMessage: string | null
}

const hasExpired = ({ expiresAt }: PortalState) => expiresAt > 0 && expiresAt <= now()

/** Whether a portal accepts new members. */
export const isPortalOpen = (portal: PortalState): boolean => portal.status === "active" && !hasExpired(portal)

/** Requires the portal to accept new members. @throws 409 */
export function requireOpenPortal(portal: PortalState) {
  if (hasExpired(portal))
    throw conflict(
      "portal_expired",
      portal.expiryMessage || "The portal has expired and accepts no new members. Set a later expiryDate first.",
    )
  if (portal.status !== "active")
    throw conflict(
      "portal_inactive",
      "The portal is inactive and accepts no new members. Set its status to active first.",
    )
}

/** @throws 409 if there are more learners than seats */
export function requirePortalSeats(totalSeat: number, seats: number) {
  if (totalSeat > 0 && seats > totalSeat)
    throw conflict(
      "no_seats_left",
      `The portal has ${pluralize(totalSeat, "seat")}, but would have ${pluralize(seats, "learner")}. ` +
        "Nothing was changed.",
    )
}

/** Adds users to a portal. For learners, `guardPortalSeats` must follow. */
export const joinPortal = (db: Database, portalId: number, userIds: number[], role: PortalRole = "learner") =>
  insertFrom(
    db,
    portalMembers,
    { portalId, userId: users.id, role },
    sql`from ${users} where ${users.id} in ${idList(userIds)}`,
  ).onConflictDoNothing()

/**
 * Removes and adds single members, administrators first so that added learners come into their scope. If the learners
 * replace a set, `portalPeopleChange` (supervisor-scope.background.ts) removes the others.
 */
export function setMembers(work: UnitOfWork, portalId: number, members: MembershipPlan): Statement[] {
  const { db } = work
  const { learners, leaving, admins = [] } = members
  const removed = [
    sql`(role = 'learner' and user_id in ${idList([...leaving, ...admins])})`,
    ...(members.admins ? [sql`(role = 'admin' and user_id not in ${idList(admins)})`] : []),
  ]
  return [
    db.delete(portalMembers).where(sql`${portalMembers.portalId} = ${portalId} and (${sql.join(removed, sql` or `)})`),
    joinPortal(db, portalId, admins, "admin"),
    joinPortal(db, portalId, learners),
  ]
}

/** Fails the batch if the portal has more learners than seats. Must follow every statement that adds learners. */
export function guardPortalSeats(work: UnitOfWork, portalId: number): Statement {
  const hasSeats = or(eq(portals.totalSeat, 0), gte(portals.totalSeat, learnerCount(portalId)))
  return work.guard(rowExists(portals, and(eq(portals.id, portalId), hasSeats)))
}
