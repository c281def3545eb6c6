import { and, eq, gte, lt, ne, type SQL, sql } from "drizzle-orm"
import { auditLogs, auditTallies } from "../../../drizzle/audit.ts"
import { users } from "../../../drizzle/users.ts"
import type { Caller } from "../../gate/access.ts"
import { rowsInScope } from "../../gate/scope.ts"
import { DAY, now } from "../../lib/clock.ts"
import type { Period } from "../../lib/dates.ts"
import type { Database } from "../../lib/db.ts"
import { invalid } from "../../lib/errors.ts"
import { type Filter, page } from "../../lib/list.ts"
import { substring } from "../../lib/search.ts"
import { subquery } from "../../lib/sql.ts"
import type { AuditQuery } from "./audit.schemas.ts"

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
  action: string | undefined
  subject: string | undefined
}

/** The kept counts of some audiences in some periods, together. @param audiences a list to be read after `in` */
const kept = (audiences: SQL, periods: string[], action: SQL, subject: SQL) =>
  sql<number>`coalesce((select sum(${auditTallies.total}) from ${auditTallies} where ${auditTallies.audience} in ${audiences} and ${auditTallies.period} in (select value from json_each(${JSON.stringify(periods)})) and ${action} and ${subject}), 0)`

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

/** How many rows there are of some people: by the kept counts of whole months, and by their index at a period's ends. */
function countPeople(audiences: SQL, people: SQL, { period, action, subject }: Narrowing): SQL<number> {
  const { months, ends } = period ? parts(period) : { months: [""], ends: [] }
  const tallied = kept(
    audiences,
    months,
    action ? eq(auditTallies.action, action) : sql`1`,
    subject ? eq(auditTallies.subject, subject) : sql`1`,
  )
  const rows = ends.map(({ from, until }) => {
    const test = and(
      people,
      gte(auditLogs.createdAt, from),
      lt(auditLogs.createdAt, until),
      action ? sql`+${auditLogs.action} = ${action}` : undefined,
      subject ? sql`+${auditLogs.subject} = ${subject}` : undefined,
    )
    return sql`(select count(*) from ${auditLogs} where ${test})`
  })
  return sql<number>`(${sql.join([tallied, ...rows], sql` + `)})`
}

/** Rows of one user, or of those who are found by a text. */
function byUser(column: typeof auditLogs.userId | typeof auditLogs.performedBy, user: number | string): Filter {
  const test = typeof user === "number" ? eq(column, user) : sql`${column} in ${named(user)}`
  return { test, ids: sql`select ${auditLogs.id} as id from ${auditLogs} where ${test}` }
}

const named = (text: string) => sql`(select rowid from users_search where users_search match ${substring(text)})`

/** Under these contexts a caller asks for what it did itself. */
const OWN = new Set(["user", "learner", "student"])

/**
 * One page of the audit log, as far as the caller's role reaches, and the kinds of records that it knows.
 * @throws 422 for everyone's rows, searched, in an order that has no index then
 */
export async function listAudit(db: Database, caller: Caller, query: AuditQuery) {
  const { user_id: concerned, activityName: action, performedOn, dates, performed_by } = query.search_param
  const own = OWN.has(query.context?.toLowerCase() ?? "") && caller.id !== null
  const performer = performed_by ?? (own && concerned === undefined ? (caller.id ?? undefined) : undefined)
  const period = both(query.selectedMonth, dates)
  const subject = performedOn?.toLowerCase()
  const narrowing = { period, action, subject }
  const { scope } = rowsInScope(
    caller,
    { table: auditLogs, key: auditLogs.id, userId: auditLogs.userId, kind: "learning" },
    { portalId: query.portalId, group_id: query.group_id },
  )
  const everyone = scope.length === 0
  const inTime = (query.order_by?.colName ?? "created_at") === "created_at"
  const people: Filter[] = [
    ...(concerned === undefined ? [] : [byUser(auditLogs.userId, concerned)]),
    ...(performer === undefined ? [] : [byUser(auditLogs.performedBy, performer)]),
  ]
  if (everyone && !inTime && people.length === 0 && (period || action || subject))
    throw invalid(
      "order_by",
      "order_by can be created_at alone for everyone's activities of one kind or time; name a user_id or performed_by for the others.",
    )
  // Of everyone's rows in the order of time an index has each user's; what else is looked for tests them.
  const walked = everyone && inTime && typeof performer !== "string"
  const found = page(
    db,
    {
      table: auditLogs,
      key: auditLogs.id,
      fields: {
        performedBy: auditLogs.performedBy,
        performerName: subquery(
          sql<
            string | null
          >`(select trim(${users.firstName} || ' ' || ${users.lastName}) from ${users} where ${users.id} = ${auditLogs.performedBy})`,
        ).as("performer_name"),
        effectOn: auditLogs.effectOn,
        subject: auditLogs.subject,
        action: auditLogs.action,
        createdAt: auditLogs.createdAt,
        details: auditLogs.details,
      },
      sort: {
        created_at: auditLogs.createdAt,
        action: auditLogs.action,
        subject: auditLogs.subject,
        effect_on: sql`${auditLogs.effectOn} collate nocase`,
      },
      defaultSort: { colName: "created_at", direction: "desc" },
      scope,
      search: [
        ...(walked ? people.map(({ test }) => ({ test })) : people),
        ...(period
          ? [{ test: sql`${gte(auditLogs.createdAt, period.from)} and ${lt(auditLogs.createdAt, period.until)}` }]
          : []),
        ...(action ? [{ test: tested(auditLogs.action, action, people) }] : []),
        ...(subject ? [{ test: tested(auditLogs.subject, subject, people) }] : []),
      ],
      ...(everyone && {
        total: countEveryone({ period: undefined, action: undefined, subject: undefined }),
        ...filteredOf(concerned, performer, people, narrowing),
      }),
    },
    query,
  )
  const [rows, totals, kinds] = await db.batch([
    ...found.statements,
    db
      .select({ subject: sql<string>`kinds.subject`.as("subject") })
      .from(
        sql`(select distinct subject from ${auditTallies} where ${auditTallies.audience} = 'all' and ${auditTallies.period} = '' and ${auditTallies.subject} <> '') as kinds`,
      )
      .orderBy(sql`1`),
  ])
  return { page: found.read(rows, totals), kinds: kinds.map((row) => row.subject) }
}

/** The plus keeps the database on the user's own index. */
const tested = (column: typeof auditLogs.action | typeof auditLogs.subject, value: string, people: Filter[]) =>
  people.length > 0 ? sql`+${column} = ${value}` : eq(column, value)

/** How many rows the search finds, where kept counts know: of everyone, or of one way of naming people. */
function filteredOf(
  concerned: number | undefined,
  performer: number | string | undefined,
  people: Filter[],
  narrowing: Narrowing,
): { filtered?: SQL<number> } {
  const [only] = people
  if (!only) return { filtered: countEveryone(narrowing) }
  if (people.length > 1) return {}
  const audiences =
    concerned !== undefined
      ? sql`(${`of:${concerned}`})`
      : typeof performer === "number"
        ? sql`(${`by:${performer}`})`
        : sql`(select 'by:' || rowid from ${named(performer ?? "")} as people)`
  return { filtered: countPeople(audiences, only.test, narrowing) }
}
