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

// Who belongs to a portal: two sets, its learners and its administrators. A user named in both administers the portal.

/** The sets as a call gives them; one that is left out stays as it is, save for those who are added and removed. */
export interface MemberChanges {
  member_ids?: number[] | undefined
  admin_ids?: number[] | undefined
  add_member_ids?: number[] | undefined
  remove_member_ids?: number[] | undefined
}

/** Whom a call wants in, as either. */
const wantedIn = ({ member_ids = [], admin_ids = [], add_member_ids = [] }: MemberChanges) =>
  new Set([...member_ids, ...admin_ids, ...add_member_ids])

/** A user that a call names, as the mutation's first trip finds it. */
interface Candidate {
  id: number
  userType: string
  /** What it is in the portal now. */
  role: PortalRole | null
  /** The portal's lists refuse its address. */
  refused: number
}

/** How many learners a portal has. A bound number would be read as 7.0, so that an id goes into the key here. */
export const learnerCount = (portal: number | AnyColumn) =>
  typeof portal === "number" ? counter(`portal_learners:${portal}`) : counterOf("portal_learners", portal)

/** The users that a call names, for the first trip. */
export function selectCandidates(db: Database, portalId: number, wanted: MemberChanges) {
  const named = new Set([...wantedIn(wanted), ...(wanted.remove_member_ids ?? [])])
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
    .where(sql`${users.id} in ${idList([...named])}`)
}

/** What a portal has before a call. */
interface Belonging {
  learners: number
  /** Whether somebody administers it whom the call's `admin_ids` do not name. */
  otherAdmins: number
}

/** What `planMembership` must know of a portal, for the first trip. */
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
  /** Whether anybody comes in, goes or gets another role. */
  changes: boolean
  /** The learners are these and no others. */
  isReplacement: boolean
  /** Who is to be a learner. */
  learners: number[]
  /** Which learners go. */
  leaving: number[]
  /** Who administers it; undefined: as before. */
  admins: number[] | undefined
  /** Those of them who did not before. */
  appointed: Candidate[]
  /** How many users come in, as either. */
  joining: number
  /** How many learners the portal has afterwards. */
  seats: number
  /** What to add to the answer's message. */
  remarks: string[]
}

/**
 * What a call's sets come to.
 * @param before what the portal has now
 */
export function planMembership(wanted: MemberChanges, found: Candidate[], before: Belonging): MembershipPlan {
  const { member_ids, admin_ids } = wanted
  const listed = admin_ids && new Set(admin_ids)
  const administers = (user: Candidate) => (listed ? listed.has(user.id) : user.role === "admin")
  const named = new Set(member_ids ?? wanted.add_member_ids)
  const removed = new Set(wanted.remove_member_ids)
  const within = wantedIn(wanted)

  const applicants = found.filter((user) => named.has(user.id) && !administers(user))
  const learners = applicants.filter((user) => user.role === "learner" || !user.refused)
  const admins = found.filter((user) => listed?.has(user.id))
  const leaving = found.filter((user) => user.role === "learner" && removed.has(user.id) && !within.has(user.id))
  const promoted = admins.filter((user) => user.role === "learner").length
  const added = learners.filter((user) => user.role !== "learner").length

  const unknown = within.size - found.filter((user) => within.has(user.id)).length
  const refused = applicants.length - learners.length
  const appointed = admins.filter((user) => user.role !== "admin")
  const seats = member_ids ? learners.length : before.learners - promoted - leaving.length + added
  return {
    // As many learners as before, none of them new: they are the same.
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
      ...(refused > 0 ? [`${refused} skipped: the portal does not accept their email addresses.`] : []),
    ],
  }
}

interface Openness {
  status: PortalStatus
  expiresAt: number
  expiryMessage: string | null
}

const hasExpired = ({ expiresAt }: Openness) => expiresAt > 0 && expiresAt <= now()

/** Does a portal take newcomers? */
export const isOpen = (portal: Openness): boolean => portal.status === "active" && !hasExpired(portal)

/** Refuses newcomers where a portal is inactive or has expired. @throws 409 */
export function requireOpen(portal: Openness) {
  if (hasExpired(portal))
    throw conflict(
      "portal_expired",
      portal.expiryMessage || "The portal has expired: it takes nobody new. Set a later expiryDate first.",
    )
  if (portal.status !== "active")
    throw conflict("portal_inactive", "The portal is inactive: it takes nobody new. Set its status to active first.")
}

/** Refuses more learners than there are seats. @throws 409 */
export function requirePortalSeats(totalSeat: number, seats: number) {
  if (totalSeat > 0 && seats > totalSeat)
    throw conflict(
      "no_seats_left",
      `The portal has ${pluralize(totalSeat, "seat")}, and ${pluralize(seats, "learner")} would need more. ` +
        "Nothing was changed.",
    )
}

/** Puts users into a portal; where they are learners, `guardPortalSeats` comes after it. */
export const joinPortal = (db: Database, portalId: number, userIds: number[], role: PortalRole = "learner") =>
  insertFrom(
    db,
    portalMembers,
    { portalId, userId: users.id, role },
    sql`from ${users} where ${users.id} in ${idList(userIds)}`,
  ).onConflictDoNothing()

/**
 * Takes out who leaves by name and puts in who joins, administrators first so that the others come into their scope.
 * Learners whom a whole set does not name leave by `portalPeopleChange` (reach.background.ts).
 */
export function setMembers(work: UnitOfWork, portalId: number, members: MembershipPlan): Statement[] {
  const { db } = work
  const { learners, leaving, admins = [] } = members
  const going = [
    sql`(role = 'learner' and user_id in ${idList([...leaving, ...admins])})`,
    ...(members.admins ? [sql`(role = 'admin' and user_id not in ${idList(admins)})`] : []),
  ]
  return [
    db.delete(portalMembers).where(sql`${portalMembers.portalId} = ${portalId} and (${sql.join(going, sql` or `)})`),
    joinPortal(db, portalId, admins, "admin"),
    joinPortal(db, portalId, learners),
  ]
}

/** Makes the batch fail unless the portal's learners have seats. For every batch that adds some, after it did. */
export function guardPortalSeats(work: UnitOfWork, portalId: number): Statement {
  const roomy = or(eq(portals.totalSeat, 0), gte(portals.totalSeat, learnerCount(portalId)))
  return work.guard(rowExists(portals, and(eq(portals.id, portalId), roomy)))
}
