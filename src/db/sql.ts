import { type AnyColumn, SQL, type SQLWrapper, sql } from "drizzle-orm"
import { apiKeyNames } from "../../drizzle/schema/api-keys.ts"
import type { COUNTED, COUNTED_BY } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"

const jsonList = (values: readonly unknown[]): SQL => sql`(select value from json_each(${JSON.stringify(values)}))`

/** A list of ids of any length as one bound parameter: D1 binds at most 100. For use after `in`. */
export const idList = (ids: readonly number[]): SQL => jsonList(ids)

/** A list of texts, as `idList` has ids. */
export const textList = (texts: readonly string[]): SQL => jsonList(texts)

/**
 * The condition that a row is one of the first few for which another holds: what one run of the cron looks after.
 * @param which the other, and the order where it matters
 */
export const inFirstIds = (key: AnyColumn, which: SQL | undefined, limit: number): SQL => sql`${key} in (
  select ${key} from ${key.table} where ${which} limit ${limit}
)`

/** Rows as one bound parameter, to be read with `value ->> '$.member'`; or bare values. For use after `from`. */
export const rowList = (rows: readonly (object | number)[]): SQL => sql`json_each(${JSON.stringify(rows)})`

/** The condition that a table, or a join, has a row for which another condition holds. */
export const rowExists = (table: SQLWrapper, which: SQL | undefined): SQL => sql`exists (
  select 1 from ${table}
  where ${which}
)`

/** How many rows of a table, or of a join, a condition holds for. */
export const rowCount = (table: SQLWrapper, which: SQL | undefined): SQL<number> => sql<number>`(
  select count(*) from ${table}
  where ${which}
)`

/** The rows that took the ids after one: those that a batch made. */
export const insertedAfter = (id: AnyColumn, afterId: number, count: number): SQL =>
  sql`${id} > ${afterId} and ${id} <= ${afterId + count}`

/** A constant as SQL text, such as a status: a partial index is used only where its condition is a literal. */
export const literal = (constant: string): SQL => sql.raw(`'${constant}'`)

/** What to select from for one row of values that no table has. */
export const SINGLE_ROW = sql`(select 1)`

const keptCount = (key: string | SQL): SQL<number> =>
  sql<number>`coalesce((select value from counters where key = ${key}), 0)`

type CountedBy = (typeof COUNTED_BY)[number]
export type CounterKey = (typeof COUNTED)[number] | `${CountedBy}:${string | number}`

/** A kept count by its key, 0 where nothing was ever counted. */
export const counter = (key: CounterKey): SQL<number> => keptCount(key)

/** A kept count by the value that another table's row has: `counterOf("group", groups.id)`. */
export const counterOf = (counted: CountedBy, value: SQLWrapper): SQL<number> =>
  keptCount(sql`${`${counted}:`} || ${value}`)

/**
 * A subquery to select, with the tables of its columns named. Of a selection from one table Drizzle drops the names,
 * and `courses.id` within a subquery then reads as the subquery's own `id`.
 */
export const subquery = <T>(query: SQL<T>): SQL<T> => sql<T>`${query}`

/** A person's full name as SQL: one name alone where the other is empty. Of `users` unless told. */
export const fullNameIn = (person: { firstName: SQLWrapper; lastName: SQLWrapper } = users): SQL<string> =>
  subquery(sql<string>`trim(${person.firstName} || ' ' || ${person.lastName})`)

/** The full name of a user by its id, looked up; null where there is none. */
export const userName = (userId: SQLWrapper): SQL<string | null> =>
  subquery(sql<string | null>`(
    select ${fullNameIn()}
    from ${users}
    where ${users.id} = ${userId}
  )`)

/** The name of whoever did something, by what a `Caller` calls itself: a user's, or a key's, deleted ones too. */
export const actorName = (id: SQLWrapper): SQL<string | null> =>
  subquery(sql<string | null>`coalesce(
    ${userName(id)},
    (select ${apiKeyNames.name} from ${apiKeyNames} where ${apiKeyNames.id} = -${id})
  )`)

/** Those of `users` for whom a condition holds, as `auditMany` records them. */
export function userRecords(which: SQL, details: SQL | Record<string, unknown>): SQL {
  const told = details instanceof SQL ? details : JSON.stringify(details)
  return sql`
    select ${users.id} as id, ${fullNameIn()} as name, ${told} as details
    from ${users}
    where ${which}`
}
