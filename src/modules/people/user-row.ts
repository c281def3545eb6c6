import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { categories, userCategories } from "../../../drizzle/categories.ts"
import { portalMembers, portals } from "../../../drizzle/portals.ts"
import { userSources, users } from "../../../drizzle/users.ts"
import { avatarOf } from "../../lib/input/person.ts"
import type { RowOf } from "../../lib/sql/list.ts"
import { displayDate, relativeTime } from "../../lib/text/dates.ts"
import { displayUserType } from "./users.schemas.ts"

// The users list row, which the list and the export share: what is read, and what is made of it.

/**
 * The names of what a user belongs to, as a JSON array. They are put in order when they are written out: an order by
 * in here costs D1 a row for every user, names or none.
 */
const names = (name: SQLWrapper, from: SQL) => sql<string>`(select json_group_array(${name}) from ${from})`

/** Names in alphabetical order, separated by commas. */
const listed = (names: string): string => (JSON.parse(names) as string[]).sort((a, b) => a.localeCompare(b)).join(", ")

/** The columns of a users list row. */
export const userRowFields = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  disabled: users.disabled,
  email: users.email,
  avatar: users.avatar,
  userType: users.userType,
  createdAt: users.createdAt,
  lastLoginAt: users.lastLoginAt,
  source: sql<string>`(select ${userSources.name} from ${userSources} where ${userSources.id} = ${users.sourceId})`.as(
    "source",
  ),
  portals: names(
    portals.name,
    sql`${portalMembers} join ${portals} on ${portals.id} = ${portalMembers.portalId} where ${portalMembers.userId} = ${users.id}`,
  ).as("portals"),
  userCategory: names(
    categories.name,
    sql`${userCategories} join ${categories} on ${categories.id} = ${userCategories.categoryId} where ${userCategories.userId} = ${users.id} and ${categories.deletedAt} is null`,
  ).as("user_category_names"),
}

type UserRow = RowOf<typeof userRowFields>

/** A users list row as the document has it. */
export const toUserRow = (user: UserRow) => ({
  id: user.id,
  first_name: user.firstName,
  last_name: user.lastName,
  is_disabled: user.disabled,
  email: user.email,
  avatar: avatarOf(user),
  user_type: user.userType,
  display_user_type: displayUserType(user.userType),
  display_type: displayUserType(user.userType),
  created_at: displayDate(user.createdAt),
  last_login: relativeTime(user.lastLoginAt),
  source: user.source,
  portals: listed(user.portals),
  user_category: listed(user.userCategory),
})
