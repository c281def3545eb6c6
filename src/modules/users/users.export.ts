import { users } from "../../../drizzle/schema/users.ts"
import { NO_ONE } from "../../access/audience-condition.schema.ts"
import { checkAudience, type MissingReferences } from "../../access/audience-condition.ts"
import type { Database } from "../../db/client.ts"
import type { Caller } from "../../lib/caller.ts"
import { type Sheet, sheet } from "../../lib/spreadsheet/sheet.ts"
import type { ExportCheck } from "../exports/export-files.ts"
import { reportColumns, reportFields } from "./custom-field-columns.ts"
import { userColumns, userListFields } from "./user-columns.ts"
import { userListFilters } from "./users.queries.ts"
import type { UserFilters } from "./users.schemas.ts"

/** Refuses an export whose audience refers to what the caller cannot see, as the list does. */
export const audienceCheck: ExportCheck<UserFilters, [MissingReferences[]]> = {
  read: ({ db, caller }, { search_param: { audience } }) => [checkAudience(db, caller, audience ?? NO_ONE).statement],
  validate: ({ db, caller }, [missing], { search_param: { audience } }) =>
    checkAudience(db, caller, audience ?? NO_ONE).verify(missing),
}

/** Exports the users of the list by id, with the custom fields that the export includes. */
export async function openUserSheet(db: Database, caller: Caller, filter: UserFilters): Promise<Sheet> {
  const { scope, search, total } = userListFilters(caller, filter)
  const [fields] = await db.batch([reportFields(db, "export-users")])
  const custom = reportColumns(fields, users.id)
  return sheet(db, {
    headers: [...userColumns.names, ...custom.headers],
    keys: [...userColumns.names, ...custom.keys],
    iterator: {
      table: users,
      key: users.id,
      fields: { ...userListFields(caller), customValues: custom.values },
      filters: [...search, ...scope],
      ...(search.length === 0 && { total }),
    },
    toCells: (user) => [...userColumns.toCells(user), ...custom.cells(user.customValues)],
  })
}
