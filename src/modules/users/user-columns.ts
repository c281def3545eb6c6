import { z } from "@hono/zod-openapi"
import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { categories, userCategories } from "../../../drizzle/schema/categories.ts"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { userSources, users } from "../../../drizzle/schema/users.ts"
import { administersPortal } from "../../access/scope.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { column, isoSchemaOrNull, listColumns, timeColumn } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn, updatedAtColumn } from "../../lib/spreadsheet/date-columns.ts"
import { externalIdColumn } from "../../lib/spreadsheet/external-id-column.ts"
import { displayDateTime, relativeTime } from "../../lib/text/dates.ts"
import { displayUserType } from "./user-types.ts"

// The columns of the users list and of the users export.

/** Names of related records as a JSON array. They are sorted in JavaScript: ORDER BY here reads a row more per user. */
const nameList = (name: SQLWrapper, from: SQL) => sql<string>`(select json_group_array(${name}) from ${from})`

/** The names of a user's portals. @param which a condition on portals */
const portalNames = (which: SQL) =>
  nameList(
    portals.name,
    sql`${portalMembers}
      join ${portals} on ${portals.id} = ${portalMembers.portalId}
      where ${portalMembers.userId} = ${users.id} and ${which}`,
  )

/** Sorts names and joins them with commas. */
const joinNames = (names: string): string =>
  (JSON.parse(names) as string[]).sort((a, b) => a.localeCompare(b)).join(", ")

/** Sorts by the displayed name: `general` is displayed as Learner. */
const displayedType = sql`iif(${users.userType} = 'general', 'learner', ${users.userType})`

const displayTypeColumn = () =>
  column(users.userType, z.string(), { show: displayUserType, sort: { sorted: displayedType } })

/** The sort key of users without an avatar, who are shown by their initials. */
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
  display_user_type: displayTypeColumn(),
  display_type: displayTypeColumn(),
  created_at: dateColumn(users.createdAt),
  updatedAt: updatedAtColumn(users.updatedAt),
  last_login: timeColumn(users.lastLoginAt, z.string().openapi({ example: "3 days ago" }), isoSchemaOrNull(), {
    show: relativeTime,
    sort: { sorted: users.lastLoginAt },
    // An export is read on another day, so it contains a date instead of a relative time.
    cell: (at) => (at ? displayDateTime(at) : "Never"),
  }),
  source: column(
    sql<string>`(select ${userSources.name} from ${userSources} where ${userSources.id} = ${users.sourceId})`,
    z.string(),
  ),
  portals: column(portalNames(sql`1`), z.string().openapi({ description: "Names, separated by commas" }), {
    show: joinNames,
  }),
  user_category: column(
    nameList(
      categories.name,
      sql`${userCategories}
        join ${categories} on ${categories.id} = ${userCategories.categoryId}
        where ${userCategories.userId} = ${users.id} and ${categories.deletedAt} is null`,
    ),
    z.string().openapi({ description: "Names, separated by commas" }),
    { show: joinNames },
  ),
  externalId: externalIdColumn("user", users.id),
})

/** What the list and the export select. Supervisors see of other users only the portals that they administer. */
export function userListFields(caller: Caller): typeof userColumns.fields {
  const { fields } = userColumns
  if (canSeeAllUsers(caller)) return fields
  const isVisible = sql`(${users.id} = ${caller.id} or ${administersPortal(caller, portals.id)})`
  return { ...fields, list_portals: portalNames(isVisible).as("list_portals") }
}
