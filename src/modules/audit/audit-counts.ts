import { type SQL, sql } from "drizzle-orm"
import { AUDIT_ACTIONS, COMMON_KINDS } from "../../../drizzle/schema/audit.ts"
import type { AuditAction } from "../../db/audit-rows.ts"
import { commonKindOf, countOfCommonKind, nextOfCommonKind } from "../../db/common-kinds.ts"
import type { Filter } from "../../db/list/listing.ts"
import { literal, textList } from "../../db/sql.ts"
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

/**
 * Selects every `subject` of the log. Each one is found in the index after the previous one; the newest row has the
 * numbers of the common kinds, which are in no index.
 */
export const SUBJECTS = sql`
  with recursive subjects(subject) as (
    select min(subject) from audit_logs where kind_number is not null
    union all
    select (
      select min(next.subject) from audit_logs as next
      where next.subject > subjects.subject and next.kind_number is not null
    )
    from subjects where subject is not null
  )
  select subject from subjects where subject is not null
  ${sql.join(
    COMMON_KINDS.map(
      ({ subject }, at) =>
        sql`union select ${literal(subject)} where ${countOfCommonKind(sql.raw(String(at + 1)), sql`1`)} > 0`,
    ),
    sql` `,
  )}`

/** Selects the kinds of a filter: `subject`, `action`, and `common`, the number of a common kind. */
const kindsOf = ({ subject, action }: KindFilter) => sql`
  select subject, verbs.value as action, ${commonKindOf(sql`subject`, sql`verbs.value`)} as common
  from (${subject === undefined ? SUBJECTS : sql`select ${subject} as subject`})
    cross join ${textList(action ? [action] : AUDIT_ACTIONS)} as verbs`

/** The number of rows of some kinds in a span. */
export function countByKinds(kinds: KindFilter, span: Span): SQL<number> {
  const which = sql`
    numbered.subject = kinds.subject and numbered.action = kinds.action and numbered.kind_number is not null`
  const common = (id: SQL | undefined) => countOfCommonKind(sql`kinds.common`, id ? sql`numbered.id < ${id}` : sql`1`)
  const countOfCommon = sql`max(0, ${common(span.until)} - ${span.from ? common(span.from) : 0})`
  return sql<number>`(
    select coalesce(
      sum(iif(kinds.common is null, ${countBy(sql`kind_number`, which, span)}, ${countOfCommon})), 0
    )
    from (${kindsOf(kinds)}) as kinds
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
  /** The next row of a kind. @param kind a row with `subject`, `action`, and `common` */
  const next = (kind: SQL, ascending: boolean, after: SQL | undefined) => sql`iif(
    ${kind}.common is null,
    (
      select ${sql.raw(ascending ? "min" : "max")}(row.id) from audit_logs as row
      where row.subject = ${kind}.subject and row.action = ${kind}.action and row.kind_number is not null
        ${after && sql`and row.id ${sql.raw(ascending ? ">" : "<")} ${after}`}
    ),
    ${nextOfCommonKind(sql`${kind}.common`, { after, ascending })}
  )`
  /**
   * The rows of the kinds, after a row and up to another. Starts with the first row of each kind. When a row is
   * removed from the queue, the next row of its kind is added.
   */
  const queue = ({
    ascending,
    start,
    end,
    order,
  }: Record<"start" | "end" | "order", SQL | undefined> & { ascending: boolean }) => sql`
    with recursive queue(id, subject, action, common) as (
      select ${next(sql`kinds`, ascending, start)}, subject, action, common from (${kindsOf(kinds)}) as kinds
      union all
      select ${next(sql`queue`, ascending, sql`queue.id`)}, subject, action, common from queue
      where ${end ? sql`id ${end}` : sql`id is not null`}
      ${order}
    )
    select id from queue where ${end ? sql`id ${end}` : sql`id is not null`}`
  const all = pageOf(span, true, undefined)
  return {
    test,
    allIds: queue({ ascending: true, start: all.start, end: all.end, order: undefined }),
    mergeRanges: ({ ascending, afterId, limit }) => {
      const { start, end, direction } = pageOf(span, ascending, afterId)
      return queue({ ascending, start, end, order: sql`order by 1 ${direction} nulls last limit ${limit}` })
    },
  }
}
