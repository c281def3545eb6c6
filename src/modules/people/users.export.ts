import { sql } from "drizzle-orm"
import { portalMembers } from "../../../drizzle/portals.ts"
import { users } from "../../../drizzle/users.ts"
import { usersInScope } from "../../gate/scope.ts"
import type { Caller } from "../../lib/access.ts"
import { type Sheet, sheet } from "../../lib/sheet/sheet.ts"
import type { Database } from "../../lib/sql/db.ts"
import type { Filter } from "../../lib/sql/list.ts"
import { idList } from "../../lib/sql/sql.ts"
import { linkedTo } from "../../lib/sql/walk.ts"
import { displayDateTime } from "../../lib/text/dates.ts"
import { reportColumns, reportFields } from "./custom-field-columns.ts"
import { toUserRow, userRowFields } from "./user-row.ts"
import { userFilters } from "./users.queries.ts"
import type { UserExport } from "./users.schemas.ts"

/** The list row's fields, by their names there. */
const COLUMNS = [
  "id",
  "first_name",
  "last_name",
  "is_disabled",
  "email",
  "avatar",
  "user_type",
  "display_user_type",
  "display_type",
  "created_at",
  "last_login",
  "source",
  "portals",
  "user_category",
] as const satisfies (keyof ReturnType<typeof toUserRow>)[]

const inPortals = (portalIds: number[]): Filter => ({
  test: sql`exists (select 1 from ${portalMembers} where ${portalMembers.userId} = ${users.id} and ${portalMembers.portalId} in ${idList(portalIds)})`,
  ...linkedTo(portalMembers, portalMembers.userId, portalMembers.portalId, portalIds),
})

/** The users that the caller may see and its filter admits, in the order of their ids, with the custom fields that include the export. */
export async function openUserSheet(db: Database, caller: Caller, filter: UserExport): Promise<Sheet> {
  const scope = usersInScope(caller, users.id, {})
  const narrowed = [
    ...userFilters(filter.search_param),
    ...(filter.searchPortalIds ? [inPortals(filter.searchPortalIds)] : []),
  ]
  const [fields] = await db.batch([reportFields(db, "export-users")])
  const custom = reportColumns(fields, users.id)
  return sheet(db, {
    headers: [...COLUMNS, ...custom.headers],
    walk: {
      table: users,
      key: users.id,
      fields: { ...userRowFields, customValues: custom.values },
      filters: [...narrowed, ...scope.filters],
      ...(narrowed.length === 0 && { total: scope.total }),
    },
    toCells: (user) => {
      // A file is read on another day: a moment, where the list says how long ago it was.
      const row = { ...toUserRow(user), last_login: user.lastLoginAt ? displayDateTime(user.lastLoginAt) : "Never" }
      return [...COLUMNS.map((name) => row[name]), ...custom.cells(user.customValues)]
    },
  })
}
