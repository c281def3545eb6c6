import { and, eq, type SQL, sql } from "drizzle-orm"
import { memberships } from "../../../drizzle/memberships.ts"
import { users } from "../../../drizzle/users.ts"
import { mayChange } from "../../gate/access.ts"
import { mayKnow } from "../../gate/scope.ts"
import { DAY, now } from "../../lib/clock.ts"
import { displayDate } from "../../lib/dates.ts"
import { forbidden, invalid } from "../../lib/errors.ts"
import { change, current } from "../../lib/records.ts"
import { fullName } from "../../lib/words.ts"
import type { UnitOfWork } from "../../lib/work.ts"
import type { MembershipUpdate } from "./user-membership.schemas.ts"

/** The condition that a user's membership has not run out. No job ends one: it ends when its time comes. */
export const membershipHolds = (): SQL =>
  sql`(${users.membershipExpiresAt} is null or ${users.membershipExpiresAt} > ${now()})`

/**
 * Gives a user a membership until `expiredAt`, or takes it away where that is in the past.
 * @throws 404, 403, 412, 422 for an unknown membership, or none given and none held
 */
export async function updateMembership(
  work: UnitOfWork,
  userId: number,
  { id, expiredAt }: MembershipUpdate,
  demanded?: number,
) {
  const { db, caller } = work
  const wanted = id ?? sql`(select ${users.membershipId} from ${users} where ${users.id} = ${userId})`
  const [rows, known] = await work.read([
    db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), mayKnow(caller, users.id))),
    db.select().from(memberships).where(eq(memberships.id, wanted)),
  ])
  const user = current(rows, "user", demanded)
  if (user.id !== caller.id && !mayChange(caller, user.userType))
    throw forbidden("Your role does not allow you to change this user.")
  const [membership] = known
  if (!membership)
    throw invalid("id", id === undefined ? "id is required: the user has no membership." : "id names no membership.")

  const at = now()
  const { expiresAfterDays, name } = membership
  const revoked = expiredAt !== undefined && expiredAt <= at
  const membershipExpiresAt = revoked
    ? null
    : (expiredAt ?? (expiresAfterDays > 0 ? at + expiresAfterDays * DAY : null))
  const until = membershipExpiresAt === null ? "without an end" : `until ${displayDate(membershipExpiresAt)}`
  return change(work, {
    table: users,
    record: user,
    next: { membershipId: revoked ? null : membership.id, membershipExpiresAt },
    subject: "user",
    name: fullName(user),
    answer: { message: revoked ? `Membership ${name} revoked.` : `Membership ${name} given ${until}.` },
  })
}
