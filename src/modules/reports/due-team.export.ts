import { sql } from "drizzle-orm"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { counter } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { sheet } from "../../lib/spreadsheet/sheet.ts"
import type { TeamFilters } from "./due.schemas.ts"
import { teamColumns } from "./due-columns.ts"
import { dueSubject } from "./due-selection.ts"

/** The people of an export: never one user. */
export const wholeTeam = ({ group_id, portalId, supervisor_id }: TeamFilters) => ({
  ...{ user_id: undefined, group_id, portalId, supervisor_id },
})

/** Opens the list of people with their due training, in the order of ids. */
export async function openDueTeamSheet(db: Database, caller: Caller, filters: TeamFilters) {
  const { members, allowed } = dueSubject(caller, wholeTeam(filters))
  const ids = members && sql`select ${members.set.userId} as id from ${members.set.from} where ${members.set.condition}`
  return sheet(db, {
    headers: teamColumns.names,
    iterator: {
      table: users,
      key: users.id,
      fields: teamColumns.fields,
      filters: [...(ids ? [{ test: sql`1`, ids }] : []), { test: allowed }],
      ...(!members && { total: counter("users") }),
    },
    toCells: (row) => teamColumns.toCells(row),
  })
}
