import { getTableName } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { users } from "../users.ts"
import { changed, type Declared, trigger } from "./declare.ts"

/** Keeps the names and the address that rows of a table hold of their user, for lists in their order. */
export function renamed(table: SQLiteTable): Declared {
  const name = getTableName(table)
  const named = [users.firstName, users.lastName, users.email]
  const copied = [users.firstName, users.lastName, users.firstNameKey, users.lastNameKey, users.email]
  return trigger(
    `${name}_user_renamed`,
    { on: users, after: "update", of: named, if: changed(...named) },
    `
    UPDATE ${name} SET
      ${copied.map((column) => `${column.name} = new.${column.name}`).join(",\n      ")}
    WHERE user_id = new.id`,
  )
}
