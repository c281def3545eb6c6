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

/** Selects the courses of a membership, for `planEnrollment`. */
export const membershipCourseIds = (membershipId: number | SQL): SQL =>
  sql`
    select ${membershipCourses.courseId} from ${membershipCourses}
    where ${membershipCourses.membershipId} = ${membershipId}`

/**
 * Assigns a membership to a user until `end` (null: no end) and enrolls them in its courses; an end in the past revokes
 * the membership. An equal membership with the same end does not change.
 * @throws 404, 403, 412; 409 if a course has too few seats, or if the membership to revoke is not the user's; 422 for
 *   an unknown membership, or if none is selected and the user has none
 */
export async function updateUserMembership(
  work: UnitOfWork,
  userId: number,
  { id, end, isNone }: MembershipUpdate,
  expectedVersion?: number,
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
  const user = requireVersion(rows, "user", expectedVersion)
  if (user.id !== caller.id && !canChangeUserOfType(caller, user.userType))
    throw forbidden("Your role does not allow you to change this user.")
  const at = now()
  const { membershipId: currentId, membershipExpiresAt: currentEnd } = user
  const hasNone = currentId === null || (currentEnd !== null && currentEnd <= at)
  if (isNone && hasNone) return work.commit([], { message: "The user has no membership." })
  const [membership] = known
  if (!membership)
    throw invalid(
      "id",
      id === undefined ? "id is required: the user has no membership." : "id does not match any membership.",
    )

  const { expiresAfterDays, name } = membership
  const isCurrent = !hasNone && currentId === membership.id
  const expiredAt = end && shiftDate(isCurrent ? currentEnd : null, end)
  const isRevoked = typeof expiredAt === "number" && expiredAt <= at
  const membershipExpiresAt = isRevoked ? null : expiredAt === undefined ? membershipEnd(expiresAfterDays) : expiredAt
  if (isRevoked && currentId !== null && currentId !== membership.id)
    throw conflict("membership_not_held", `The user does not have the membership ${name}.`)
  const isUnchanged = isCurrent && end !== undefined && membershipExpiresAt === currentEnd
  const until = membershipExpiresAt === null ? "with no end date" : `until ${displayDate(membershipExpiresAt)}`
  return changeMembership(work, user, {
    membership: { membershipId: isRevoked ? null : membership.id, membershipExpiresAt },
    message: isRevoked ? `Membership ${name} revoked.` : `Membership ${name} assigned ${until}.`,
    before: isRevoked || isUnchanged ? [] : plan.settle(...found).statements,
  })
}
