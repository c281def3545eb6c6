import { type SQL, sql } from "drizzle-orm"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { updateRecord as changeRecord } from "../../db/records.ts"
import { idList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { DAY, now } from "../../lib/clock.ts"
import { fullName } from "../../lib/text/words.ts"
import { auditUsers } from "./many-users.queries.ts"

/** Whether a user's membership has not expired. No job ends a membership; its end date does. */
export const isMembershipActive = (): SQL =>
  sql`(${users.membershipExpiresAt} is null or ${users.membershipExpiresAt} > ${now()})`

/** When a membership that starts now ends; null: never. */
export const membershipEnd = (expiresAfterDays: number): number | null =>
  expiresAfterDays > 0 ? now() + expiresAfterDays * DAY : null

/** Assigns a membership to users, as part of a larger batch. */
export function assignMembership(
  work: UnitOfWork,
  { id, expiresAfterDays }: { id: number; expiresAfterDays: number },
  userIds: number[],
): Statement[] {
  const values = { membershipId: id, membershipExpiresAt: membershipEnd(expiresAfterDays) }
  const these = sql`${users.id} in ${idList(userIds)}`
  return [
    work.guard(sql`(select count(*) from ${users} where ${these}) = ${userIds.length}`),
    work.db
      .update(users)
      .set({ ...values, version: sql`${users.version} + 1`, updatedAt: nextUpdatedAt })
      .where(these),
    auditUsers(work, "updated", userIds, sql`${JSON.stringify(values)}`),
  ]
}

/** Removes a deleted membership from users. */
export const removeMemberships = (db: Database, which: SQL): Statement =>
  db.update(users).set({ membershipId: null, updatedAt: nextUpdatedAt }).where(which)

interface Member {
  id: number
  version: number
  firstName: string
  lastName: string
  membershipId: number | null
  membershipExpiresAt: number | null
}

/**
 * Assigns a membership to one user, or removes it.
 * @param user as read by the first round trip
 * @param change.before statements that run before the change
 * @throws 409, also for an erased user
 */
export const changeMembership = (
  work: UnitOfWork,
  user: Member,
  change: { membership: Pick<Member, "membershipId" | "membershipExpiresAt">; message: string; before: Statement[] },
) =>
  changeRecord(work, {
    table: users,
    record: user,
    next: change.membership,
    subject: "user",
    name: fullName(user),
    answer: { message: change.message },
    before: change.before,
  })
