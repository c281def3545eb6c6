import { sql } from "drizzle-orm"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { LEARNER_TYPE } from "../../access/credentials.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { sortableNames } from "../../db/search.ts"
import { rowList } from "../../db/sql.ts"
import { userSearchText } from "./user-fields.ts"

export interface NewUserRow {
  id: number
  email: string
  firstName: string
  lastName: string
  /** An image's URL; without one, the initials are shown. */
  avatar?: string | null
  /** null: the account has no password. */
  passwordHash: string | null
}

interface SharedValues {
  sourceId: number
  /** Ignored if the membership was deleted. */
  membershipId: number | null
  membershipExpiresAt: number | null
  createdAt: number
}

/** Creates many learners in one statement. */
export const insertUsers = (db: Database, people: NewUserRow[], shared: SharedValues) =>
  insertFrom(
    db,
    users,
    {
      id: jsonField("id"),
      firstName: jsonField("firstName"),
      lastName: jsonField("lastName"),
      firstNameKey: jsonField("firstNameKey"),
      lastNameKey: jsonField("lastNameKey"),
      email: jsonField("email"),
      passwordHash: jsonField("passwordHash"),
      avatar: jsonField("avatar"),
      userType: LEARNER_TYPE,
      sourceId: shared.sourceId,
      membershipId: sql`membership.id`,
      membershipExpiresAt: sql`iif(membership.id is null, null, ${shared.membershipExpiresAt})`,
      searchText: jsonField("searchText"),
      createdAt: shared.createdAt,
    },
    sql`
      from ${rowList(people.map(toRow))}
      left join ${memberships} as membership on membership.id = ${shared.membershipId}
      where true`,
  )

const toRow = (person: NewUserRow) => ({
  id: person.id,
  ...sortableNames(person),
  email: person.email,
  passwordHash: person.passwordHash,
  avatar: person.avatar ?? null,
  searchText: userSearchText(person),
})
