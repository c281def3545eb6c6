import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { users } from "../schema/users.ts"
import { changed, type DatabaseObject, trigger } from "./declare.ts"

/**
 * Copies columns of users to the rows that refer to them, for sorted lists. Each column has its own trigger, so that
 * unchanged columns are not written.
 * @param columns the users' columns, under the same names in both tables
 */
export function userColumnCopies(table: SQLiteTable, columns: AnySQLiteColumn[]): DatabaseObject[] {
  const name = getTableName(table)
  return columns.map((column) =>
    trigger(
      `${name}_user_${column.name}_changed`,
      { on: users, after: "update", of: [column], if: changed(column) },
      `
    UPDATE ${name} SET ${column.name} = new.${column.name}
    WHERE user_id = new.id`,
    ),
  )
}

/** The sort keys of names. */
export const NAME_KEYS = [users.firstNameKey, users.lastNameKey]
