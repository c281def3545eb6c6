import { type SQL, sql } from "drizzle-orm"

/** A list of ids of any length as one bound parameter: D1 binds at most 100. For use after `in`. */
export const idList = (ids: readonly number[]): SQL => sql`(select value from json_each(${JSON.stringify(ids)}))`

/** Rows as one bound parameter, to be read with `value ->> '$.member'`. For use after `from`. */
export const rowList = (rows: readonly object[]): SQL => sql`json_each(${JSON.stringify(rows)})`

/** A kept count by its key, 0 where nothing was ever counted. */
export const counter = (key: string | SQL): SQL<number> =>
  sql<number>`coalesce((select value from counters where key = ${key}), 0)`

/**
 * A subquery to select, with the tables of its columns named. Of a selection from one table Drizzle drops the names, and
 * `courses.id` within a subquery then reads as the subquery's own `id`.
 */
export const subquery = <T>(query: SQL<T>): SQL<T> => sql<T>`${query}`
