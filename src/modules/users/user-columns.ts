import { z } from "@hono/zod-openapi"
import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { categories, userCategories } from "../../../drizzle/schema/categories.ts"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { userSources, users } from "../../../drizzle/schema/users.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { displayDateTime, relativeTime } from "../../lib/text/dates.ts"
import { displayUserType } from "./user-types.ts"

// The columns of the users list and of the users export.

/**
 * The names of what a user belongs to, as a JSON array. They are sorted when they are written out: an order by
 * in here costs D1 a row for every user, names or none.
 */
const names = (name: SQLWrapper, from: SQL) => sql<string>`(select json_group_array(${name}) from ${from})`

/** Names in alphabetical order, separated by commas. */
const listed = (names: string): string => (JSON.parse(names) as string[]).sort((a, b) => a.localeCompare(b)).join(", ")

/** In the order of the names that types are shown by: `general` is a Learner. */
const displayedType = sql`iif(${users.userType} = 'general', 'learner', ${users.userType})`

const shownType = () => column(users.userType, z.string(), { show: displayUserType, sort: { sorted: displayedType } })

/** The initials that stand in for an avatar, as they sort. */
const initialsKey = sql`substr(${users.firstNameKey}, 1, 1) || substr(${users.lastNameKey}, 1, 1)`

export const userColumns = listColumns({
  id: integerColumn(users.id),
  first_name: column(users.firstName, z.string(), { sort: users.firstNameKey }),
  last_name: column(users.lastName, z.string(), { sort: users.lastNameKey }),
  is_disabled: column(users.disabled, z.boolean(), { sort: { sorted: users.disabled } }),
  email: nameColumn(users.email),
  avatar: column(
    { firstName: users.firstName, lastName: users.lastName, avatar: users.avatar },
    z.string().openapi({ description: "Initials, vector markup or an image's URL" }),
    { show: avatarOf, sort: { sorted: sql`coalesce(substr(${users.avatar}, 1, 200), ${initialsKey}) collate nocase` } },
  ),
  user_type: textColumn(users.userType),
  display_user_type: shownType(),
  display_type: shownType(),
  created_at: dateColumn(users.createdAt),
  last_login: column(users.lastLoginAt, z.string().openapi({ example: "3 days ago" }), {
    show: relativeTime,
    sort: { sorted: users.lastLoginAt },
    // A file is read on another day, so it has a moment where the list says how long ago it was.
    cell: (at) => (at ? displayDateTime(at) : "Never"),
  }),
  source: column(
    sql<string>`(select ${userSources.name} from ${userSources} where ${userSources.id} = ${users.sourceId})`,
    z.string(),
  ),
  portals: column(
    names(
      portals.name,
      sql`${portalMembers}
        join ${portals} on ${portals.id} = ${portalMembers.portalId}
        where ${portalMembers.userId} = ${users.id}`,
    ),
    z.string().openapi({ description: "Names, separated by commas" }),
    { show: listed },
  ),
  user_category: column(
    names(
      categories.name,
      sql`${userCategories}
        join ${categories} on ${categories.id} = ${userCategories.categoryId}
        where ${userCategories.userId} = ${users.id} and ${categories.deletedAt} is null`,
    ),
    z.string().openapi({ description: "Names, separated by commas" }),
    { show: listed },
  ),
})
