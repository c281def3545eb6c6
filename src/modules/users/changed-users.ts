import { sql } from "drizzle-orm"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { sortableNames } from "../../db/search.ts"
import { rowList } from "../../db/sql.ts"
import { userSearchText } from "./user-fields.ts"

/** A user with the names after a change. */
export interface RenamedUser {
  id: number
  email: string
  firstName: string
  lastName: string
}

const given = (field: string) => sql`given.value ->> ${sql.raw(`'$.${field}'`)}`

/** Changes the names of many users in one statement, and increments their versions. */
export function renameUsers(db: Database, people: RenamedUser[]) {
  const rows = people.map((one) => ({ id: one.id, ...sortableNames(one), searchText: userSearchText(one) }))
  return db
    .update(users)
    .set({
      firstName: given("firstName"),
      lastName: given("lastName"),
      firstNameKey: given("firstNameKey"),
      lastNameKey: given("lastNameKey"),
      searchText: given("searchText"),
      version: sql`${users.version} + 1`,
    })
    .from(sql`${rowList(rows)} as given`)
    .where(sql`${users.id} = ${given("id")}`)
}
