import { type SQL, sql } from "drizzle-orm"
import { categories, userCategories } from "../../../drizzle/categories.ts"
import { portalMembers, portals } from "../../../drizzle/portals.ts"
import { userSources, users } from "../../../drizzle/users.ts"
import { displayDate, relativeTime } from "../../lib/dates.ts"
import type { RowOf } from "../../lib/list.ts"
import { avatarOf } from "./avatar.ts"
import { displayUserType } from "./users.schemas.ts"

// The users list row, which the list and the export share: what is read, and what is made of it.

const names = (from: SQL) => sql<string>`coalesce((select group_concat(name, ', ') from (${from})), '')`

/** The columns of a users list row. The portals' and categories' names are in alphabetical order. */
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
    sql`select ${portals.name} as name from ${portalMembers} join ${portals} on ${portals.id} = ${portalMembers.portalId} where ${portalMembers.userId} = ${users.id} order by 1`,
  ).as("portals"),
  userCategory: names(
    sql`select ${categories.name} as name from ${userCategories} join ${categories} on ${categories.id} = ${userCategories.categoryId} where ${userCategories.userId} = ${users.id} and ${categories.deletedAt} is null order by 1`,
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
  portals: user.portals,
  user_category: user.userCategory,
})
