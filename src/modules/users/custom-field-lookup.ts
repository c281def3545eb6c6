import { sql } from "drizzle-orm"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import type { Filter } from "../../db/list/listing.ts"
import { rowExists, textList } from "../../db/sql.ts"
import { invalid } from "../../lib/errors.ts"

// Finds users by the values of searchable custom fields, on their index.

/** Filters users by the exact value of a searchable field. */
export function hasFieldValue(key: string, value: string): Filter {
  const matches = sql`${customFieldValues.searchable} and ${customFieldValues.value} = ${value}
    and ${customFieldValues.fieldId} = (
      select ${customFields.id} from ${customFields}
      where ${customFields.userMetaKey} collate nocase = ${key} and ${customFields.isSearchable}
    )`
  return {
    test: rowExists(customFieldValues, sql`${matches} and ${customFieldValues.userId} = ${users.id}`),
    ids: sql`select ${customFieldValues.userId} as id from ${customFieldValues} where ${matches}`,
  }
}

/** Selects the searchable fields with these keys, for `requireSearchable`. */
export const selectSearchableKeys = (db: Database, keys: string[]) =>
  db
    .select({ key: sql<string>`lower(${customFields.userMetaKey})`.as("lower_key") })
    .from(customFields)
    .where(
      sql`${customFields.isSearchable}
        and lower(${customFields.userMetaKey}) in ${textList(keys.map((key) => key.toLowerCase()))}`,
    )

/** @throws 422 for a key of no searchable field */
export function requireSearchable(keys: string[], searchable: { key: string }[]) {
  const known = new Set(searchable.map(({ key }) => key))
  const unknown = keys.filter((key) => !known.has(key.toLowerCase()))
  if (unknown.length > 0)
    throw invalid("customFields", `customFields has fields that are not searchable: ${unknown.join(", ")}.`)
}
