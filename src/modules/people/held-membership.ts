import { type SQL, sql } from "drizzle-orm"
import { users } from "../../../drizzle/users.ts"
import { DAY, now } from "../../lib/clock.ts"

/** The condition that a user's membership has not run out. No job ends one: it ends when its time comes. */
export const membershipHolds = (): SQL =>
  sql`(${users.membershipExpiresAt} is null or ${users.membershipExpiresAt} > ${now()})`

/** When a membership given now ends; null: never. */
export const membershipEnd = (expiresAfterDays: number): number | null =>
  expiresAfterDays > 0 ? now() + expiresAfterDays * DAY : null
