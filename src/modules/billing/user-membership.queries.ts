import { and, eq, type SQL, sql } from "drizzle-orm"
import { membershipCourses } from "../../../drizzle/schema/membership-courses.ts"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { canSeeUser } from "../../access/scope.ts"
import { requireVersion } from "../../db/records.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { canChangeUserOfType } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { conflict, forbidden, invalid } from "../../lib/errors.ts"
import { displayDate, shiftDate } from "../../lib/text/dates.ts"
import { planEnrollment } from "../enrollments/enrollments.queries.ts"
import { changeMembership, membershipEnd } from "../users/held-membership.ts"
import type { MembershipUpdate } from "./user-membership.schemas.ts"

/** The courses that a membership gives, for `planEnrollment`. */
export const membershipCourseIds = (membershipId: number | SQL): SQL =>
  sql`
    select ${membershipCourses.courseId} from ${membershipCourses}
    where ${membershipCourses.membershipId} = ${membershipId}`

/**
 * Gives a user a membership until `end` (null: without an end), and enrolls them in its courses. Where that is in the
 * past, takes the membership away. What the user holds already, to the day, stays as it is.
 * @throws 404, 403, 412; 409 when a course has too few seats left, or another membership than the one to be taken
 *   away is held; 422 for an unknown membership, or none given and none held
 */
export async function updateUserMembership(
  work: UnitOfWork,
  userId: number,
  { id, end, isNone }: MembershipUpdate,
  demanded?: number,
) {
  const { db, caller } = work
  const wanted = id ?? sql`(select ${users.membershipId} from ${users} where ${users.id} = ${userId})`
  const plan = planEnrollment(work, { userIds: [userId], courseIds: membershipCourseIds(wanted) })
  const [rows, known, ...found] = await work.read([
    db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), canSeeUser(caller, users.id))),
    db.select().from(memberships).where(eq(memberships.id, wanted)),
    ...plan.reads,
  ])
  const user = requireVersion(rows, "user", demanded)
  if (user.id !== caller.id && !canChangeUserOfType(caller, user.userType))
    throw forbidden("Your role does not allow you to change this user.")
  const at = now()
  const { membershipId: heldId, membershipExpiresAt: heldUntil } = user
  const holdsNone = heldId === null || (heldUntil !== null && heldUntil <= at)
  if (isNone && holdsNone) return work.commit([], { message: "The user has no membership." })
  const [membership] = known
  if (!membership)
    throw invalid("id", id === undefined ? "id is required: the user has no membership." : "id names no membership.")

  const { expiresAfterDays, name } = membership
  const isHeld = !holdsNone && heldId === membership.id
  const expiredAt = end && shiftDate(isHeld ? heldUntil : null, end)
  const revoked = typeof expiredAt === "number" && expiredAt <= at
  const membershipExpiresAt = revoked ? null : expiredAt === undefined ? membershipEnd(expiresAfterDays) : expiredAt
  if (revoked && heldId !== null && heldId !== membership.id)
    throw conflict("membership_not_held", `The user does not hold ${name}.`)
  const stays = isHeld && end !== undefined && membershipExpiresAt === heldUntil
  const until = membershipExpiresAt === null ? "without an end" : `until ${displayDate(membershipExpiresAt)}`
  return changeMembership(work, user, {
    held: { membershipId: revoked ? null : membership.id, membershipExpiresAt },
    message: revoked ? `Membership ${name} revoked.` : `Membership ${name} given ${until}.`,
    before: revoked || stays ? [] : plan.settle(...found).statements,
  })
}
