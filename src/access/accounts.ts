import { type AnyColumn, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { Database } from "../db/client.ts"
import { subquery } from "../db/sql.ts"
import { now } from "../lib/clock.ts"

// What signing in, passwords and appointments change of a user. All else of a user is written by src/modules/people.

/** Who a user is to those who sign them in, list them and name them. */
export const account = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  userType: users.userType,
}

/** What lists show of a person. */
interface Shown {
  firstName: string
  lastName: string
  email: string
  avatar: string | null
}

/** Who a user is, by the column of their id: one lookup for all of it. */
export const personOf = (userId: AnyColumn): SQL<Shown> =>
  subquery(sql`(
    select json_object(
      'firstName', ${users.firstName},
      'lastName', ${users.lastName},
      'email', ${users.email},
      'avatar', ${users.avatar}
    )
    from ${users}
    where ${users.id} = ${userId}
  )`).mapWith((json: string): Shown => JSON.parse(json))

/** The portal in whose name a user is written to: the first of theirs that says how it sends, else the first. */
export const ownPortal = (userId: SQLWrapper): SQL<number | null> => sql`(
  select own.id from ${portalMembers}
  join ${portals} as own on own.id = ${portalMembers.portalId}
  where ${portalMembers.userId} = ${userId}
  order by own.sender_name is null and own.reply_to is null, own.id
  limit 1
)`

/** The name of that portal, which stands before the academy's; null: the user belongs to none. */
export const ownPortalName = (userId: SQLWrapper): SQL.Aliased<string | null> =>
  sql<string | null>`(select ${portals.name} from ${portals} where ${portals.id} = ${ownPortal(userId)})`.as("site")

const nextVersion = sql`${users.version} + 1`

/** When it was proven that a user's address is theirs, where it just was. */
interface Proven {
  emailVerifiedAt?: number
}

/**
 * Sets a user's password.
 * @param passwordHash null: no password holds, but a temporary one
 * @param proven whether that proves the user's address
 */
export const setPasswordHash = (db: Database, userId: number, passwordHash: string | null, proven: Proven = {}) =>
  db
    .update(users)
    .set({ passwordHash, ...proven, version: nextVersion })
    .where(eq(users.id, userId))

/** Sets the type of the users for whom a condition holds. Their sessions must end in the same batch. */
export const setUserType = (db: Database, which: SQL, userType: string) =>
  db.update(users).set({ userType, version: nextVersion }).where(which)

/** Notes that a user has signed in now. @param proven as in `setPasswordHash` */
export const noteSignIn = (db: Database, userId: number, proven: Proven = {}) =>
  db
    .update(users)
    .set({ lastLoginAt: now(), ...proven })
    .where(eq(users.id, userId))
