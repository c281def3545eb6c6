import { sql } from "drizzle-orm"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { LEARNER_TYPE } from "../../access/credentials.ts"
import type { Database } from "../../db/client.ts"
import { field, insertFrom } from "../../db/insert-from.ts"
import { namesOf } from "../../db/search.ts"
import { rowList } from "../../db/sql.ts"
import { userSearchText } from "./user-fields.ts"

/** Somebody who is about to be a user. */
export interface Newcomer {
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
export const insertUsers = (db: Database, newcomers: Newcomer[], all: OfAll) =>
  insertFrom(
    db,
    users,
    {
      id: field("id"),
      firstName: field("firstName"),
      lastName: field("lastName"),
      firstNameKey: field("firstNameKey"),
      lastNameKey: field("lastNameKey"),
      email: field("email"),
      passwordHash: field("passwordHash"),
      avatar: field("avatar"),
      userType: LEARNER_TYPE,
      sourceId: all.sourceId,
      membershipId: sql`membership.id`,
      membershipExpiresAt: sql`iif(membership.id is null, null, ${all.membershipExpiresAt})`,
      searchText: field("searchText"),
      createdAt: all.createdAt,
    },
    sql`
      from ${rowList(newcomers.map(toRow))}
      left join ${memberships} as membership on membership.id = ${all.membershipId}
      where true`,
  )

const toRow = (person: Newcomer) => ({
  id: person.id,
  ...namesOf(person),
  email: person.email,
  passwordHash: person.passwordHash,
  avatar: person.avatar ?? null,
  searchText: userSearchText(person),
})
