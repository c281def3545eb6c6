import { type SQL, sql } from "drizzle-orm"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { updateRecord as changeRecord } from "../../db/records.ts"
import { idList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { DAY, now } from "../../lib/clock.ts"
import { fullName } from "../../lib/text/words.ts"
import { auditUsers } from "./many-users.queries.ts"

/** The condition that a user's membership has not run out. No job ends one: it ends when its time comes. */
export const isMembershipActive = (): SQL =>
  sql`(${users.membershipExpiresAt} is null or ${users.membershipExpiresAt} > ${now()})`

/** When a membership given now ends; null: never. */
export const membershipEnd = (expiresAfterDays: number): number | null =>
  expiresAfterDays > 0 ? now() + expiresAfterDays * DAY : null

/** Gives users a membership, for the batch of whatever else comes with it. */
export function assignMembership(
  work: UnitOfWork,
  { id, expiresAfterDays }: { id: number; expiresAfterDays: number },
  userIds: number[],
): Statement[] {
  const given = { membershipId: id, membershipExpiresAt: membershipEnd(expiresAfterDays) }
  const these = sql`${users.id} in ${idList(userIds)}`
  return [
    work.guard(sql`(select count(*) from ${users} where ${these}) = ${userIds.length}`),
    work.db
      .update(users)
      .set({ ...given, version: sql`${users.version} + 1` })
      .where(these),
    auditUsers(work, "updated", userIds, sql`${JSON.stringify(given)}`),
  ]
}

/** Takes a membership that is deleted from users who held it once. */
export const removeMemberships = (db: Database, which: SQL): Statement =>
  db.update(users).set({ membershipId: null }).where(which)

interface Holder {
  id: number
  version: number
  firstName: string
  lastName: string
  membershipId: number | null
  membershipExpiresAt: number | null
}

/**
 * Gives one user a membership, or takes it away.
 * @param user as the first trip found them
 * @param before further statements of the batch
 * @throws 409
 */
export const changeMembership = (
  work: UnitOfWork,
  user: Holder,
  change: { held: Pick<Holder, "membershipId" | "membershipExpiresAt">; message: string; before: Statement[] },
) =>
  changeRecord(work, {
    table: users,
    record: user,
    next: change.held,
    subject: "user",
    name: fullName(user),
    answer: { message: change.message },
    before: change.before,
  })
