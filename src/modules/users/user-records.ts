import { type SQL, sql } from "drizzle-orm"
import { categories, userCategories } from "../../../drizzle/schema/categories.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { UNIQUE_EXTERNAL_ID } from "../../db/external-ids.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { idList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { taken } from "../../lib/errors.ts"

export const emailTaken = (takenBy?: number) => taken("email", "email is already taken by another user.", takenBy)
export const UNIQUE_USER = { "users.email": () => emailTaken(), ...UNIQUE_EXTERNAL_ID }

/** Selects the existing user categories among `wanted`. */
export const knownUserCategories = (db: Database, wanted: number[]) =>
  db
    .select({ id: categories.id })
    .from(categories)
    .where(
      sql`${categories.id} in ${idList(wanted)} and ${categories.type} = 'user' and ${categories.deletedAt} is null`,
    )

export const setUserCategories = (db: Database, userId: number, categoryIds: number[]): Statement[] => [
  db
    .delete(userCategories)
    .where(sql`${userCategories.userId} = ${userId} and ${userCategories.categoryId} not in ${idList(categoryIds)}`),
  insertFrom(
    db,
    userCategories,
    { userId, categoryId: sql`value` },
    sql`from json_each(${JSON.stringify(categoryIds)}) where true`,
  ).onConflictDoNothing(),
]

/** What an identity provider sets in addition to the fields of the API (src/modules/scim). */
export interface Provisioning {
  columns?: Partial<Pick<typeof users.$inferSelect, "disabled" | "displayName" | "deprovisioned">>
  /** The condition on users that the provider sees. */
  within?: SQL
  /** Changes of the user's memberships, decided after the first round trip. They count as a change of the user. */
  memberships?: (userId: number) => Statement[]
  /** Further statements of the batch that changes the user. */
  statements?: (userId: number) => Statement[]
}

export const sameEmail = (email: string) => sql`${users.email} collate nocase = ${email}`
