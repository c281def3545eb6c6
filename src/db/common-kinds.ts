import { type SQL, sql } from "drizzle-orm"
import { COMMON_KINDS } from "../../drizzle/schema/audit.ts"
import { literal } from "./sql.ts"

// The kinds that make up most of the audit log are in no index. Every row of the log has the number of their rows up to
// itself (drizzle/schema/audit.ts). Kinds are numbered from 1, in the order of COMMON_KINDS.

/** The number of the kind with a subject and an action; null: it is indexed. */
export const commonKindOf = (subject: SQL, action: SQL): SQL => {
  const cases = COMMON_KINDS.map(
    (kind, at) => sql`when ${subject} = ${literal(kind.subject)} and ${action} = ${literal(kind.action)}
      then ${sql.raw(String(at + 1))}`,
  )
  return sql`case ${sql.join(cases, sql` `)} end`
}

/** The number of the kind of sign-ins. */
export const SIGN_INS = sql.raw(String(1 + COMMON_KINDS.findIndex(({ column }) => column === "sign_ins")))

/** The number of rows of a kind up to a row. @param row the alias of a row of the log */
const countAt = (kind: SQL, row: string) => {
  const cases = COMMON_KINDS.map(({ column }, at) => `when ${at + 1} then ${row}.${column}`)
  return sql`case ${kind} ${sql.raw(cases.join(" "))} end`
}

/** The number of rows of a kind among those that match a condition on `numbered.id`, which the newest row has. */
export const countOfCommonKind = (kind: SQL, condition: SQL): SQL<number> => sql<number>`coalesce((
  select ${countAt(kind, "numbered")} from audit_logs as numbered
  where ${condition} order by numbered.id desc limit 1
), 0)`

/** Finds the n-th row of a kind by binary search; null if there is none. */
const nthOfCommonKind = (kind: SQL, n: SQL): SQL<number | null> => sql<number | null>`(
  with recursive search(low, high, n) as (
    select 1, max(id), ${n} from audit_logs
    union all
    select
      iif(${countAt(kind, "middle")} < n, middle.id + 1, low),
      iif(${countAt(kind, "middle")} < n, high, middle.id),
      n
    from search cross join audit_logs as middle on middle.id = (low + high) / 2
    where low < high and n > 0
  )
  select found.id from search cross join audit_logs as found on found.id = low
  where low = high and n > 0 and ${countAt(kind, "found")} = n
)`

/** Finds the next row of a kind. @param after the id after which it is in the order; undefined: the first one */
export function nextOfCommonKind(kind: SQL, { after, ascending }: { after: SQL | undefined; ascending: boolean }) {
  if (!ascending) return nthOfCommonKind(kind, countOfCommonKind(kind, after ? sql`numbered.id < ${after}` : sql`1`))
  return nthOfCommonKind(kind, after ? sql`1 + ${countOfCommonKind(kind, sql`numbered.id <= ${after}`)}` : sql`1`)
}
