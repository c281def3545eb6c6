import { type AnyColumn, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { nextUpdatedAt } from "../../drizzle/schema/columns.ts"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { settings } from "../../drizzle/schema/settings.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { Database } from "../db/client.ts"
import { subquery } from "../db/sql.ts"
import { now } from "../lib/clock.ts"

// The columns of a user that sign-in, passwords and role changes write. src/modules/users writes all others.

/** The columns of a user for sign-in, lists and names. */
export const accountColumns = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  userType: users.userType,
}

/** A person as lists show them. */
interface Person {
  firstName: string
  lastName: string
  email: string
  avatar: string | null
}

/** A user's person fields by the column with the user's id: one lookup for all of them. */
export const personSummary = (userId: AnyColumn): SQL<Person> =>
  subquery(sql`(
    select json_object(
      'firstName', ${users.firstName},
      'lastName', ${users.lastName},
      'email', ${users.email},
      'avatar', ${users.avatar}
    )
    from ${users}
    where ${users.id} = ${userId}
  )`).mapWith((json: string): Person => JSON.parse(json))

/** The portal that sends a user's emails: their first with sender settings, else their first. */
export const primaryPortalId = (userId: SQLWrapper): SQL<number | null> => sql`(
  select own.id from ${portalMembers}
  join ${portals} as own on own.id = ${portalMembers.portalId}
  where ${portalMembers.userId} = ${userId}
  order by own.sender_name is null and own.reply_to is null, own.id
  limit 1
)`

/** The name that a user sees: that of this portal, else the academy's setting; null: neither is set. */
export const userSiteName = (userId: SQLWrapper): SQL.Aliased<string | null> =>
  sql<string | null>`coalesce(
    (select ${portals.name} from ${portals} where ${portals.id} = ${primaryPortalId(userId)}),
    (select ${settings.name} from ${settings})
  )`.as("site")

/** The language of a person: their own, else the academy's; null: neither is set. */
export const userLanguage = (userId: SQLWrapper): SQL.Aliased<string | null> =>
  sql<string | null>`coalesce(
    (select ${users.language} from ${users} where ${users.id} = ${userId}),
    (select ${settings.language} from ${settings})
  )`.as("person_language")

const nextVersion = sql`${users.version} + 1`

/** Set when the user has just proven that the email address is theirs. */
interface Verification {
  emailVerifiedAt?: number
}

/**
 * Sets a user's password.
 * @param passwordHash null: the account has no password except a temporary one
 * @param verification set if this also verifies the user's email address
 */
export const setPasswordHash = (
  db: Database,
  userId: number,
  passwordHash: string | null,
  verification: Verification = {},
) =>
  db
    .update(users)
    .set({ passwordHash, ...verification, version: nextVersion, updatedAt: nextUpdatedAt })
    .where(eq(users.id, userId))

/** Sets the type of all users that match a condition. Their sessions must be ended in the same batch. */
export const setUserType = (db: Database, which: SQL, userType: string) =>
  db.update(users).set({ userType, version: nextVersion, updatedAt: nextUpdatedAt }).where(which)

/** Records that a user has signed in now. @param loginAwards the new value of the column */
export const recordSignIn = (db: Database, userId: number, loginAwards: SQL, verification: Verification = {}) =>
  db
    .update(users)
    .set({ lastLoginAt: now(), loginAwards, ...verification })
    .where(eq(users.id, userId))
