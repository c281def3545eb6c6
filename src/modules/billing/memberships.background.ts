import { sql } from "drizzle-orm"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { type Deletion, deletionStatements } from "../../db/records.ts"
import { counter, idList, rowExists } from "../../db/sql.ts"
import { isMembershipActive, removeMemberships } from "../users/held-membership.ts"

/** Whether a user has the membership. */
export const hasMembers = () =>
  rowExists(users, sql`${users.membershipId} = ${memberships.id} and ${isMembershipActive()}`)

/** Deletes memberships that only expired for users. Memberships that were assigned meanwhile are not deleted. */
export const membershipDeletion: BackgroundKind<Deletion> = {
  name: "memberships.delete",
  stages: [
    {
      table: users,
      where: ({ ids }) => sql`${users.membershipId} in ${idList(ids)} and not ${isMembershipActive()}`,
      key: [users.membershipId, users.id],
      weight: 5,
      total: () => counter("users"),
      change: ({ db }, _, which) => [removeMemberships(db, which)],
    },
  ],
  finish: (work, params) => deletionStatements(memberships, hasMembers())(work, params),
}
