import { sql } from "drizzle-orm"
import { portalMembers } from "../../../drizzle/portals.ts"
import { users } from "../../../drizzle/users.ts"
import { usersInScope } from "../../gate/scope.ts"
import type { Caller } from "../../lib/access.ts"
import { type Sheet, sheet } from "../../lib/sheet/sheet.ts"
import type { Database } from "../../lib/sql/db.ts"
import type { Filter } from "../../lib/sql/list.ts"
import { existsIn, idList } from "../../lib/sql/sql.ts"
import { linkedTo } from "../../lib/sql/walk.ts"
import { reportColumns, reportFields } from "./custom-field-columns.ts"
import { userColumns } from "./user-columns.ts"
import { userFilters } from "./users.queries.ts"
import type { UserExport } from "./users.schemas.ts"

const inPortals = (portalIds: number[]): Filter => ({
  test: existsIn(
    portalMembers,
    sql`${portalMembers.userId} = ${users.id} and ${portalMembers.portalId} in ${idList(portalIds)}`,
  ),
  ...linkedTo(portalMembers, portalMembers.userId, portalMembers.portalId, portalIds),
})

/**
 * The users that the caller may see and the filter admits, in the order of their ids, with the custom fields that
 * include the export.
 */
export async function openUserSheet(db: Database, caller: Caller, filter: UserExport): Promise<Sheet> {
  const scope = usersInScope(caller, users.id, {})
  const narrowed = [
    ...userFilters(filter.search_param),
    ...(filter.searchPortalIds ? [inPortals(filter.searchPortalIds)] : []),
  ]
  const [fields] = await db.batch([reportFields(db, "export-users")])
  const custom = reportColumns(fields, users.id)
  return sheet(db, {
    headers: [...userColumns.names, ...custom.headers],
    walk: {
      table: users,
      key: users.id,
      fields: { ...userColumns.fields, customValues: custom.values },
      filters: [...narrowed, ...scope.filters],
      ...(narrowed.length === 0 && { total: scope.total }),
    },
    toCells: (user) => [...userColumns.toCells(user), ...custom.cells(user.customValues)],
  })
}
