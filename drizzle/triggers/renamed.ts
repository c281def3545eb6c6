import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { users } from "../schema/users.ts"
import { changed, type DatabaseObject, trigger } from "./declare.ts"

/**
 * Keeps what rows of a table hold of their user, for lists in their order: a trigger for each column, so that one that
 * stays is not written.
 * @param copied the users' columns, under the same names in both tables
 */
export function userColumnCopies(table: SQLiteTable, copied: AnySQLiteColumn[]): DatabaseObject[] {
  const name = getTableName(table)
  return copied.map((column) =>
    trigger(
      `${name}_user_${column.name}_changed`,
      { on: users, after: "update", of: [column], if: changed(column) },
      `
    UPDATE ${name} SET ${column.name} = new.${column.name}
    WHERE user_id = new.id`,
    ),
  )
}

/** What names sort by. */
export const NAME_KEYS = [users.firstNameKey, users.lastNameKey]
