import { and, eq, type SQL, sql } from "drizzle-orm"
import { apiKeyNames } from "../../../drizzle/schema/api-keys.ts"
import { auditLogs, auditPeople } from "../../../drizzle/schema/audit.ts"
import { supervisorScope } from "../../../drizzle/schema/groups.ts"
import { type ScopeParams, usersInScope } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { Filter } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { idsMatching } from "../../db/search.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import type { Period } from "../../lib/text/dates.ts"
import type { AuditQuery } from "./audit.schemas.ts"
import { auditColumns, auditSort } from "./audit-columns.ts"
import {
  ALL_AUDIT_ROWS,
  countAll,
  countByKinds,
  countByPerformers,
  isInSpan,
  type KindFilter,
  mergedInOrder,
  ofKinds,
  type Span,
  SUBJECTS,
  spanOf,
} from "./audit-counts.ts"

/** What is in both; undefined: no bound at all. */
function both(one: Period | undefined, other: Period | undefined): Period | undefined {
  if (!one || !other) return one ?? other
  return { from: Math.max(one.from, other.from), until: Math.min(one.until, other.until) }
}

interface Narrowing extends KindFilter {
  span: Span
}

/** How many rows there are of everyone, by the ids and the running numbers. */
const countEveryone = ({ span, ...kinds }: Narrowing): SQL<number> =>
  kinds.action || kinds.subject ? countByKinds(kinds, span) : countAll(span)

/** The pluses keep the database on the index of the performer, or of the affected user. */
const tests = ({ span, action, subject }: Narrowing) =>
  and(
    isInSpan(sql`${auditLogs.id}`, span),
    action ? sql`+${auditLogs.action} = ${action}` : undefined,
    subject ? sql`+${auditLogs.subject} = ${subject}` : undefined,
  ) ?? sql`1`

/**
 * How many rows some users made: by their running numbers, and of a kind by their index.
 * @param performers a query of their ids, in brackets
 */
const countBy = (performers: SQL, narrowing: Narrowing): SQL<number> =>
  narrowing.action || narrowing.subject
    ? sql<number>`(
        select count(*) from ${auditLogs} where ${auditLogs.performedBy} in ${performers} and ${tests(narrowing)}
      )`
    : countByPerformers(performers, narrowing.span)

/** The rows of what was done to a user by others. */
const doneTo = (userId: number, span: Span) => sql`(
  select ${auditPeople.logId} as id from ${auditPeople}
  where ${auditPeople.userId} = ${userId} and ${isInSpan(sql`${auditPeople.logId}`, span)}
)`

/** How many rows concern a user: what they did, and what was done to them. */
function countConcerning(userId: number, narrowing: Narrowing): SQL<number> {
  const { span, action, subject } = narrowing
  const undergone =
    action || subject
      ? sql`(
          select count(*) from ${doneTo(userId, span)} as undergone
          cross join ${auditLogs} on ${auditLogs.id} = undergone.id
          where ${tests(narrowing)}
        )`
      : sql`(select count(*) from ${doneTo(userId, span)})`
  return sql<number>`(${countBy(sql`(select ${userId} as id)`, narrowing)} + ${undergone})`
}

/**
 * What a user did, and what was done to them, in a span. The two have no row in common: each has an index of its own,
 * which an order of everyone's rows reads side by side.
 */
function concerning(userId: number, everyone: boolean, span: Span): Filter {
  const theirs = eq(auditLogs.performedBy, userId)
  const did = sql`${theirs} and ${isInSpan(sql`${auditLogs.id}`, span)}`
  const test = sql`(${did} or ${auditLogs.id} in ${doneTo(userId, span)})`
  if (!everyone) {
    const ids = sql`
      select ${auditLogs.id} as id from ${auditLogs} where ${did}
      union all
      select id from ${doneTo(userId, span)}`
    return { test, ids }
  }
  const lists = [
    { id: sql`${auditLogs.id}`, where: sql`${auditLogs} where ${theirs}` },
    { id: sql`${auditPeople.logId}`, where: sql`${auditPeople} where ${auditPeople.userId} = ${userId}` },
  ]
  return {
    test,
    branches: [{ test: did }, { test: sql`1`, ids: doneTo(userId, span) }],
    mergeRanges: mergedInOrder(lists, span),
  }
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
function inScope(caller: Caller, within: ScopeParams): Filter[] {
  const reached = sql`
    select ${supervisorScope.userId} from ${supervisorScope} where ${supervisorScope.supervisorId} = ${caller.id}
    union
    select ${caller.id}`
  // What the call names, without what the role allows: that stands before, with the caller's own rows.
  const named = usersInScope({ ...caller, userType: "owner" }, auditLogs.performedBy, within).filters
  return [
    ...(canSeeAllUsers(caller) ? [] : [ofPeople(reached)]),
    ...named.flatMap(({ ids }) => (ids ? [ofPeople(sql`select id from (${ids})`)] : [])),
  ]
}

/** Rows that one user made, or those who are found by a text. */
function performedBy(user: number | string): Filter {
  const test =
    typeof user === "number" ? eq(auditLogs.performedBy, user) : sql`${auditLogs.performedBy} in ${named(user)}`
  return { test, ids: sql`select ${auditLogs.id} as id from ${auditLogs} where ${test}` }
}

/** Who is called so. Of keys there are few, deleted ones included. */
const named = (text: string) => sql`(
  select id from ${idsMatching("users_search", text)}
  union all
  select -${apiKeyNames.id} from ${apiKeyNames} where instr(lower(${apiKeyNames.name}), lower(${text}))
)`

/**
 * One page of the audit log, as far as the caller's role reaches, and the kinds of records that it knows.
 * @throws 422 for more than an order but the time's can sort
 */
export async function listAudit(db: Database, caller: Caller, query: AuditQuery) {
  const { user_id: concerned, activityName: action, performedOn, dates, performed_by } = query.search_param
  const own = query.context === "own" && caller.id !== null
  const performer = performed_by ?? (own && concerned === undefined ? (caller.id ?? undefined) : undefined)
  const kinds = { action, subject: performedOn?.toLowerCase() }
  const narrowing = { span: spanOf(both(query.selectedMonth, dates)), ...kinds }
  const scope = inScope(caller, query)
  const everyone = scope.length === 0
  // In the order of time an index has each user's rows; further conditions test them.
  const walked = everyone && (query.order_by?.colName ?? "created_at") === "created_at" && typeof performer !== "string"
  const made = performer === undefined ? undefined : performedBy(performer)
  const people: Filter[] = [
    ...(concerned === undefined ? [] : [concerning(concerned, everyone, narrowing.span)]),
    ...(made ? [walked ? { test: made.test } : made] : []),
  ]
  const isOfKinds = Boolean(action ?? kinds.subject)
  const narrow = tests(narrowing)
  const found = preparePage(
    db,
    {
      table: auditLogs,
      key: auditLogs.id,
      fields: auditColumns.fields,
      sort: auditSort(caller),
      narrowedBy: "selectedMonth, portalId, group_id or a search_param",
      defaultSort: { colName: "created_at", direction: "desc" },
      scope,
      search: [
        ...people,
        ...(everyone && people.length === 0 && isOfKinds
          ? [ofKinds(kinds, narrowing.span, narrow)]
          : isOfKinds || ((query.selectedMonth || dates) && concerned === undefined)
            ? [{ test: narrow }]
            : []),
      ],
      ...(everyone && {
        total: countAll(ALL_AUDIT_ROWS),
        ...filteredOf(concerned, performer, narrowing),
      }),
    },
    query,
  )
  const [rows, totals, subjects] = await db.batch([
    ...found.statements,
    db.select({ subject: sql<string>`subjects.subject`.as("subject") }).from(sql`(${SUBJECTS}) as subjects`),
  ])
  return { page: found.read(rows, totals), kinds: subjects.map((row) => row.subject) }
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
    filtered: countBy(
      typeof performer === "number" ? sql`(select ${performer} as id)` : named(performer ?? ""),
      narrowing,
    ),
  }
}
