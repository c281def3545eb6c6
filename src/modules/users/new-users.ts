import { sql } from "drizzle-orm"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { LEARNER_TYPE } from "../../access/credentials.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { sortableNames } from "../../db/search.ts"
import { rowList } from "../../db/sql.ts"
import { userSearchText } from "./user-fields.ts"

/** Somebody who is about to be a user. */
export interface NewUserRow {
  id: number
  email: string
  firstName: string
  lastName: string
  /** An image's address; none: the initials are shown. */
  avatar?: string | null
  /** null: an account without a password. */
  passwordHash: string | null
}

interface OfAll {
  sourceId: number
  /** One that has gone is passed over. */
  membershipId: number | null
  membershipExpiresAt: number | null
  createdAt: number
}

/** Makes learners of many people, in one statement. */
export const insertUsers = (db: Database, newcomers: NewUserRow[], all: OfAll) =>
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
      sourceId: all.sourceId,
      membershipId: sql`membership.id`,
      membershipExpiresAt: sql`iif(membership.id is null, null, ${all.membershipExpiresAt})`,
      searchText: jsonField("searchText"),
      createdAt: all.createdAt,
    },
    sql`
      from ${rowList(newcomers.map(toRow))}
      left join ${memberships} as membership on membership.id = ${all.membershipId}
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
