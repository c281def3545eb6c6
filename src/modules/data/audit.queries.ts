import { and, eq, gte, lt, ne, type SQL, sql } from "drizzle-orm"
import { AUDIT_ACTIONS, auditLogs, auditPeople, auditTallies } from "../../../drizzle/audit.ts"
import { reach } from "../../../drizzle/groups.ts"
import { usersInScope, type Within } from "../../gate/scope.ts"
import { type Caller, seesEveryone } from "../../lib/access.ts"
import { DAY, now } from "../../lib/clock.ts"
import type { Database } from "../../lib/sql/db.ts"
import { type Filter, page } from "../../lib/sql/list.ts"
import { foundIn } from "../../lib/sql/search.ts"
import { textList } from "../../lib/sql/sql.ts"
import type { AuditAction } from "../../lib/sql/work.ts"
import type { Period } from "../../lib/text/dates.ts"
import type { AuditQuery } from "./audit.schemas.ts"
import { auditColumns } from "./audit-columns.ts"

/** Nothing was recorded earlier: what bounds a period that a call leaves open. */
const BEGINNING = Date.UTC(2000, 0, 1)

/** What is in both; undefined: no bound at all. */
function both(one: Period | undefined, other: Period | undefined): Period | undefined {
  if (!one && !other) return undefined
  return {
    from: Math.max(one?.from ?? 0, other?.from ?? 0, BEGINNING),
    until: Math.min(
      one?.until ?? Number.MAX_SAFE_INTEGER,
      other?.until ?? Number.MAX_SAFE_INTEGER,
      Math.ceil(now() / DAY) * DAY + DAY,
    ),
  }
}

/** A period of whole days: the months that lie wholly in it, and what is left at its ends, as days and as times. */
function parts({ from, until }: Period) {
  const months: string[] = []
  const days: string[] = []
  const ends: Period[] = []
  for (let at = from; at < until; ) {
    const date = new Date(at)
    const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
    const day = date.toISOString().slice(0, 10)
    if (date.getUTCDate() === 1 && nextMonth <= until) {
      months.push(`m:${day.slice(0, 7)}`)
      at = nextMonth
      continue
    }
    days.push(`d:${day}`)
    const end = ends.at(-1)
    if (end?.until === at) end.until += DAY
    else ends.push({ from: at, until: at + DAY })
    at += DAY
  }
  return { months, days, ends }
}

interface Narrowing {
  period: Period | undefined
  action: AuditAction | undefined
  subject: string | undefined
}

/** The kept counts of some audiences in some periods, together. @param audiences a list to be read after `in` */
const kept = (audiences: SQL, periods: string[], action: SQL, subject: SQL) =>
  sql<number>`coalesce((
    select sum(${auditTallies.total}) from ${auditTallies}
    where ${auditTallies.audience} in ${audiences}
      and ${auditTallies.period} in ${textList(periods)}
      and ${action}
      and ${subject}
  ), 0)`

/** How many rows there are of everyone, by the kept counts. */
function countEveryone({ period, action, subject }: Narrowing): SQL<number> {
  const { months, days } = period ? parts(period) : { months: [""], days: [] }
  const whole = !action && !subject
  return kept(
    sql`('all')`,
    [...months, ...days],
    action ? eq(auditTallies.action, action) : whole ? eq(auditTallies.action, "") : ne(auditTallies.action, ""),
    subject ? eq(auditTallies.subject, subject) : whole ? eq(auditTallies.subject, "") : sql`1`,
  )
}

/** The plus keeps the database on the user's own index. */
const tests = ({ period, action, subject }: Narrowing, plus = sql``) =>
  and(
    period && and(gte(auditLogs.createdAt, period.from), lt(auditLogs.createdAt, period.until)),
    action ? sql`${plus}${auditLogs.action} = ${action}` : undefined,
    subject ? sql`${plus}${auditLogs.subject} = ${subject}` : undefined,
  ) ?? sql`1`

const PLUS = sql`+`

/**
 * How many rows some users made: by the kept counts, and in a period by their index.
 * @param performers read after `in`
 */
function countBy(performers: SQL, narrowing: Narrowing): SQL<number> {
  if (narrowing.period)
    return sql<number>`(
      select count(*) from ${auditLogs}
      where ${auditLogs.performedBy} in ${performers} and ${tests(narrowing, PLUS)}
    )`
  const { action, subject } = narrowing
  return kept(
    sql`(select 'by:' || cast(value as integer) from (select null as value union all select * from ${performers}))`,
    [""],
    action ? eq(auditTallies.action, action) : sql`1`,
    subject ? eq(auditTallies.subject, subject) : sql`1`,
  )
}

/** The rows of what was done to a user by others. */
const doneTo = (userId: number) =>
  sql`(select ${auditPeople.logId} as id from ${auditPeople} where ${auditPeople.userId} = ${userId})`

/** How many rows concern a user: what they did, and what was done to them. */
function countConcerning(userId: number, narrowing: Narrowing): SQL<number> {
  const isNarrow = narrowing.period || narrowing.action || narrowing.subject
  const undergone = isNarrow
    ? sql`(
        select count(*) from ${doneTo(userId)} as undergone
        cross join ${auditLogs} on ${auditLogs.id} = undergone.id
        where ${tests(narrowing, PLUS)}
      )`
    : sql`(select count(*) from ${doneTo(userId)})`
  return sql<number>`(${countBy(sql`(select ${userId})`, narrowing)} + ${undergone})`
}

/**
 * What a user did, and what was done to them. The two have no row in common: each has an index of its own, which an
 * order of everyone's rows reads side by side.
 */
function concerning(userId: number, everyone: boolean): Filter {
  const did = eq(auditLogs.performedBy, userId)
  const test = sql`(${did} or ${auditLogs.id} in ${doneTo(userId)})`
  if (everyone) return { test, parts: [{ test: did }, { test: sql`1`, ids: doneTo(userId) }] }
  const ids = sql`
    select ${auditLogs.id} as id from ${auditLogs} where ${did}
    union all
    select id from ${doneTo(userId)}`
  return { test, ids }
}

/** What some people did but to others, and what was done to them. @param people a query of their ids */
function ofPeople(people: SQL): Filter {
  const own = sql`${auditLogs.performedBy} in (${people}) and not ${auditLogs.others}`
  const undergone = sql`
    select ${auditPeople.logId} as id from ${auditPeople}
    where ${auditPeople.userId} in (${people})`
  return {
    test: sql`(${own} or ${auditLogs.id} in (${undergone}))`,
    ids: sql`
      select ${auditLogs.id} as id from ${auditLogs} where ${own}
      union
      ${undergone}`,
  }
}

/** What the caller may see, of the portal and the group that they name: nothing bounds staff who name none. */
function inScope(caller: Caller, within: Within): Filter[] {
  const reached = sql`
    select ${reach.userId} from ${reach} where ${reach.supervisorId} = ${caller.id}
    union
    select ${caller.id}`
  // What the call names, without what the role allows: that stands before, with the caller's own rows.
  const named = usersInScope({ ...caller, userType: "owner" }, auditLogs.performedBy, within).filters
  return [
    ...(seesEveryone(caller) ? [] : [ofPeople(reached)]),
    ...named.flatMap(({ ids }) => (ids ? [ofPeople(sql`select id from (${ids})`)] : [])),
  ]
}

/** Rows that one user made, or those who are found by a text. */
function performedBy(user: number | string): Filter {
  const test =
    typeof user === "number" ? eq(auditLogs.performedBy, user) : sql`${auditLogs.performedBy} in ${named(user)}`
  return { test, ids: sql`select ${auditLogs.id} as id from ${auditLogs} where ${test}` }
}

const named = (text: string) => foundIn("users_search", text)

/** Under these contexts callers ask for what they did themselves. */
const OWN = new Set(["user", "learner", "student"])

/**
 * One page of the audit log, as far as the caller's role reaches, and the kinds of records that it knows.
 * @throws 422 for more than an order but the time's can sort
 */
export async function listAudit(db: Database, caller: Caller, query: AuditQuery) {
  const { user_id: concerned, activityName: action, performedOn, dates, performed_by } = query.search_param
  const own = OWN.has(query.context?.toLowerCase() ?? "") && caller.id !== null
  const performer = performed_by ?? (own && concerned === undefined ? (caller.id ?? undefined) : undefined)
  const narrowing = { period: both(query.selectedMonth, dates), action, subject: performedOn?.toLowerCase() }
  const { subject } = narrowing
  const scope = inScope(caller, query)
  const everyone = scope.length === 0
  // In the order of time an index has each user's rows; further conditions test them.
  const walked = everyone && (query.order_by?.colName ?? "created_at") === "created_at" && typeof performer !== "string"
  const made = performer === undefined ? undefined : performedBy(performer)
  const people: Filter[] = [
    ...(concerned === undefined ? [] : [concerning(concerned, everyone)]),
    ...(made ? [walked ? { test: made.test } : made] : []),
  ]
  const kindAlone = everyone && people.length === 0 && subject && !action
  const found = page(
    db,
    {
      table: auditLogs,
      key: auditLogs.id,
      fields: auditColumns.fields,
      sort: auditColumns.sort,
      narrowedBy: "selectedMonth, portalId, group_id or a search_param",
      defaultSort: { colName: "created_at", direction: "desc" },
      scope,
      search: [
        ...people,
        ...(narrowing.period || action || subject
          ? [
              {
                test: tests(narrowing, people.length > 0 ? PLUS : undefined),
                // The index has a kind's rows verb by verb.
                ...(kindAlone && {
                  parts: AUDIT_ACTIONS.map((verb) => ({ test: tests({ ...narrowing, action: verb }) })),
                }),
              },
            ]
          : []),
      ],
      ...(everyone && {
        total: countEveryone({ period: undefined, action: undefined, subject: undefined }),
        ...filteredOf(concerned, performer, narrowing),
      }),
    },
    query,
  )
  const [rows, totals, kinds] = await db.batch([
    ...found.statements,
    db
      .select({ subject: sql<string>`kinds.subject`.as("subject") })
      .from(
        sql`(
          select distinct subject from ${auditTallies}
          where ${auditTallies.audience} = 'all' and ${auditTallies.period} = '' and ${auditTallies.subject} <> ''
        ) as kinds`,
      )
      .orderBy(sql`1`),
  ])
  return { page: found.read(rows, totals), kinds: kinds.map((row) => row.subject) }
}

/** How many rows the search finds, where kept counts know: of everyone, or of one way of naming people. */
function filteredOf(
  concerned: number | undefined,
  performer: number | string | undefined,
  narrowing: Narrowing,
): { filtered?: SQL<number> } {
  if (concerned === undefined && performer === undefined) return { filtered: countEveryone(narrowing) }
  if (concerned !== undefined) return performer === undefined ? { filtered: countConcerning(concerned, narrowing) } : {}
  return {
    filtered: countBy(typeof performer === "number" ? sql`(select ${performer})` : named(performer ?? ""), narrowing),
  }
}
