import { type SQL, sql } from "drizzle-orm"
import { AUDIT_ACTIONS } from "../../../drizzle/schema/audit.ts"
import type { AuditAction } from "../../db/audit-rows.ts"
import type { Filter } from "../../db/list/listing.ts"
import { textList } from "../../db/sql.ts"
import { DAY, now } from "../../lib/clock.ts"
import type { Period } from "../../lib/text/dates.ts"

// The audit log only grows and has no counters. Its ids have no gaps, its times never decrease, and each row has
// running numbers (drizzle/schema/audit.ts). So a time is found as an id, and a count is the difference of two numbers.

/** The rows from one id up to another, which is exclusive. undefined: no bound. */
export interface Span {
  from: SQL | undefined
  until: SQL | undefined
}

/** All rows. */
export const ALL_AUDIT_ROWS: Span = { from: undefined, until: undefined }

/** Filters rows by kind. A kind is a subject and an action. */
export interface KindFilter {
  subject: string | undefined
  action: AuditAction | undefined
}

/** Finds the first id at a time or later, by binary search. @param time in Unix milliseconds */
export const idAt = (time: number): SQL<number> => sql<number>`(
  with recursive search(low, high) as (
    select 1, 1 + coalesce(max(id), 0) from audit_logs
    union all
    select iif(middle.created_at < ${time}, middle.id + 1, low), iif(middle.created_at < ${time}, high, middle.id)
    from search cross join audit_logs as middle on middle.id = (low + high) / 2
    where low < high
  )
  select low from search where low = high
)`

/** The rows of a period. A bound before all rows or after today needs no search. */
export const spanOf = (period: Period | undefined): Span => ({
  from: period && period.from > 0 ? idAt(period.from) : undefined,
  until: period && period.until < now() + DAY ? idAt(period.until) : undefined,
})

/** The condition that an id is in a span. */
export const isInSpan = (id: SQL, { from, until }: Span): SQL =>
  sql`${from ? sql`${id} >= ${from}` : sql`1`} and ${until ? sql`${id} < ${until}` : sql`1`}`

/** The number of rows in a span. */
export const countAll = ({ from, until }: Span): SQL<number> =>
  sql<number>`max(0, ${until ?? sql`(select 1 + coalesce(max(id), 0) from audit_logs)`} - ${from ?? sql`1`})`

/** The number of rows in a span that match a condition. @param number the running number of these rows */
function countBy(number: SQL, condition: SQL, { from, until }: Span): SQL {
  const before = (id: SQL | undefined) => sql`coalesce((
    select ${number} from audit_logs as numbered
    where ${condition} ${id && sql`and numbered.id < ${id}`}
    order by numbered.id desc limit 1
  ), 0)`
  return from ? sql`max(0, ${before(until)} - ${before(from)})` : before(until)
}

/** The number of rows in a span by some performers. @param performers a query of their ids, in parentheses */
export const countByPerformers = (performers: SQL, span: Span): SQL<number> => sql<number>`(
  select coalesce(sum(${countBy(sql`performer_number`, sql`numbered.performed_by = performers.id`, span)}), 0)
  from ${performers} as performers
)`

/** Selects every `subject` of the log. Each one is found in the index after the previous one. */
export const SUBJECTS = sql`
  with recursive subjects(subject) as (
    select min(subject) from audit_logs
    union all
    select (select min(next.subject) from audit_logs as next where next.subject > subjects.subject)
    from subjects where subject is not null
  )
  select subject from subjects where subject is not null`

/** Selects the kinds of a filter, as `subject` and `action`. */
const kindsOf = ({ subject, action }: KindFilter) => sql`
  select subject, verbs.value as action
  from (${subject === undefined ? SUBJECTS : sql`select ${subject} as subject`})
    cross join ${textList(action ? [action] : AUDIT_ACTIONS)} as verbs`

/** The number of rows of some kinds in a span. */
export function countByKinds(kinds: KindFilter, span: Span): SQL<number> {
  const which = sql`numbered.subject = kinds.subject and numbered.action = kinds.action`
  return sql<number>`(
    select coalesce(sum(${countBy(sql`kind_number`, which, span)}), 0) from (${kindsOf(kinds)}) as kinds
  )`
}

/**
 * The bounds of a page within a span: the id before its first row, and a comparison with the last possible id.
 * @param afterId the last id of the previous page
 */
function pageOf({ from, until }: Span, ascending: boolean, afterId: number | undefined) {
  const after = afterId === undefined ? undefined : sql`${afterId}`
  const first = ascending ? from && sql`${from} - 1` : until
  const furthest = sql.raw(ascending ? "max" : "min")
  return {
    start: after && first ? sql`${furthest}(${after}, ${first})` : (after ?? first),
    end: ascending ? until && sql`< ${until}` : from && sql`>= ${from}`,
    past: sql.raw(ascending ? ">" : "<"),
    direction: sql.raw(ascending ? "asc" : "desc"),
  }
}

/**
 * Merges several queries in the order of time.
 * @param lists for each query the id, and the SQL after `from` with a condition
 */
export const mergedInOrder =
  (lists: { id: SQL; where: SQL }[], span: Span): NonNullable<Filter["mergeRanges"]> =>
  ({ ascending, afterId, limit }) => {
    const { start, end, past, direction } = pageOf(span, ascending, afterId)
    const pages = lists.map(
      ({ id, where }) => sql`
        select id from (
          select ${id} as id from ${where} ${start && sql`and ${id} ${past} ${start}`} ${end && sql`and ${id} ${end}`}
          order by 1 ${direction} limit ${limit}
        )`,
    )
    return sql`${sql.join(pages, sql` union all `)} order by 1 ${direction} limit ${limit}`
  }

/** Filters rows by kind within a span. @param test the condition on a row */
export function ofKinds(kinds: KindFilter, span: Span, test: SQL): Filter {
  const ofKind = (kind: SQL) => sql`row.subject = ${kind}.subject and row.action = ${kind}.action`
  return {
    test,
    allIds: sql`
      select row.id as id from (${kindsOf(kinds)}) as kinds
      cross join audit_logs as row on ${ofKind(sql`kinds`)} and ${isInSpan(sql`row.id`, span)}`,
    // The queue starts with the first row of each kind. When a row is removed, the next row of its kind is added.
    mergeRanges: ({ ascending, afterId, limit }) => {
      const { start, end, past, direction } = pageOf(span, ascending, afterId)
      const nearest = sql.raw(ascending ? "min" : "max")
      const next = (kind: SQL, after: SQL | undefined) => sql`(
        select ${nearest}(row.id) from audit_logs as row
        where ${ofKind(kind)} ${after && sql`and row.id ${past} ${after}`}
      )`
      return sql`
        with recursive queue(id, subject, action) as (
          select ${next(sql`kinds`, start)}, subject, action from (${kindsOf(kinds)}) as kinds
          union all
          select ${next(sql`queue`, sql`queue.id`)}, subject, action from queue where id is not null
          order by 1 ${direction} nulls last
          limit ${limit}
        )
        select id from queue where ${end ? sql`id ${end}` : sql`id is not null`}`
    },
  }
}
