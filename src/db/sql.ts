import { type AnyColumn, SQL, type SQLWrapper, sql } from "drizzle-orm"
import { apiKeyNames } from "../../drizzle/schema/api-keys.ts"
import type { COUNTED, COUNTED_BY } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"

const jsonList = (values: readonly unknown[]): SQL => sql`(select value from json_each(${JSON.stringify(values)}))`

/** A list of ids as one bound parameter: D1 binds at most 100. For use after `in`. */
export const idList = (ids: readonly number[]): SQL => jsonList(ids)

/** A list of texts as one bound parameter. For use after `in`. */
export const textList = (texts: readonly string[]): SQL => jsonList(texts)

/**
 * The condition that a row is among the first `limit` rows that match: the slice of a cron run.
 * @param condition may end with `order by` if the order matters
 */
export const inFirstIds = (key: AnyColumn, condition: SQL | undefined, limit: number): SQL => sql`${key} in (
  select ${key} from ${key.table} where ${condition} limit ${limit}
)`

/** Rows as one bound parameter, to be read with `value ->> '$.member'`; or plain values. For use after `from`. */
export const rowList = (rows: readonly (object | number)[]): SQL => sql`json_each(${JSON.stringify(rows)})`

/** The condition that a table, or a join, has a matching row. */
export const rowExists = (table: SQLWrapper, condition: SQL | undefined): SQL => sql`exists (
  select 1 from ${table}
  where ${condition}
)`

/** The number of matching rows of a table or a join. */
export const rowCount = (table: SQLWrapper, condition: SQL | undefined): SQL<number> => sql<number>`(
  select count(*) from ${table}
  where ${condition}
)`

/** The condition for the rows that a batch inserted after an id. */
export const insertedAfter = (id: AnyColumn, afterId: number, count: number): SQL =>
  sql`${id} > ${afterId} and ${id} <= ${afterId + count}`

/** A constant as SQL text, such as a status: a partial index is used only where its condition is a literal. */
export const literal = (constant: string): SQL => sql.raw(`'${constant}'`)

/** A source with one row, to select expressions. */
export const SINGLE_ROW = sql`(select 1)`

const counterValue = (key: string | SQL): SQL<number> =>
  sql<number>`coalesce((select value from counters where key = ${key}), 0)`

type CountedBy = (typeof COUNTED_BY)[number]
export type CounterKey = (typeof COUNTED)[number] | `${CountedBy}:${string | number}`

/** The value of a counter; 0 if it does not exist. */
export const counter = (key: CounterKey): SQL<number> => counterValue(key)

/** The counter for the value of another table's column: `counterOf("group", groups.id)`. */
export const counterOf = (counted: CountedBy, value: SQLWrapper): SQL<number> =>
  counterValue(sql`${`${counted}:`} || ${value}`)

/**
 * A subquery with qualified column names. When selecting from one table, Drizzle drops the table names, and
 * `courses.id` in a subquery would refer to the subquery's own `id`.
 */
export const subquery = <T>(query: SQL<T>): SQL<T> => sql<T>`${query}`

/** A person's full name as SQL. Default: of `users`. */
export const fullNameIn = (person: { firstName: SQLWrapper; lastName: SQLWrapper } = users): SQL<string> =>
  subquery(sql<string>`trim(${person.firstName} || ' ' || ${person.lastName})`)

/** The full name of a user by id; null if there is none. */
export const userName = (userId: SQLWrapper): SQL<string | null> =>
  subquery(sql<string | null>`(
    select ${fullNameIn()}
    from ${users}
    where ${users.id} = ${userId}
  )`)

/** The name of the user or API key with a `Caller.id`, including deleted keys. */
export const actorName = (id: SQLWrapper): SQL<string | null> =>
  subquery(sql<string | null>`coalesce(
    ${userName(id)},
    (select ${apiKeyNames.name} from ${apiKeyNames} where ${apiKeyNames.id} = -${id})
  )`)

/** The matching rows of `users`, as `auditMany` records them. */
export function userRecords(condition: SQL, details: SQL | Record<string, unknown>): SQL {
  const json = details instanceof SQL ? details : JSON.stringify(details)
  return sql`
    select ${users.id} as id, ${fullNameIn()} as name, ${json} as details
    from ${users}
    where ${condition}`
}
