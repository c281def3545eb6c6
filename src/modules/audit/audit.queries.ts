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

/** The intersection of two periods; undefined: unbounded. */
function intersect(one: Period | undefined, other: Period | undefined): Period | undefined {
  if (!one || !other) return one ?? other
  return { from: Math.max(one.from, other.from), until: Math.min(one.until, other.until) }
}

interface AuditFilter extends KindFilter {
  span: Span
}

/** The number of rows of all users, from the ids and the running numbers. */
const countOfAllUsers = ({ span, ...kinds }: AuditFilter): SQL<number> =>
  kinds.action || kinds.subject ? countByKinds(kinds, span) : countAll(span)

/** The condition of a filter. The pluses make SQLite use the index of the performer or of the affected user. */
const matchesFilter = ({ span, action, subject }: AuditFilter) =>
  and(
    isInSpan(sql`${auditLogs.id}`, span),
    action ? sql`+${auditLogs.action} = ${action}` : undefined,
    subject ? sql`+${auditLogs.subject} = ${subject}` : undefined,
  ) ?? sql`1`

/**
 * The number of rows by some performers: from the running numbers, or counted in the index of the performer for a kind.
 * @param performers a query of their ids, in parentheses
 */
const countBy = (performers: SQL, filter: AuditFilter): SQL<number> =>
  filter.action || filter.subject
    ? sql<number>`(
        select count(*) from ${auditLogs} where ${auditLogs.performedBy} in ${performers} and ${matchesFilter(filter)}
      )`
    : countByPerformers(performers, filter.span)

/** Selects the rows about a user by other performers. */
const rowsAffecting = (userId: number, span: Span) => sql`(
  select ${auditPeople.logId} as id from ${auditPeople}
  where ${auditPeople.userId} = ${userId} and ${isInSpan(sql`${auditPeople.logId}`, span)}
)`

/** The number of rows that concern a user, as the performer or as the affected user. */
function countConcerning(userId: number, filter: AuditFilter): SQL<number> {
  const { span, action, subject } = filter
  const affecting =
    action || subject
      ? sql`(
          select count(*) from ${rowsAffecting(userId, span)} as affecting
          cross join ${auditLogs} on ${auditLogs.id} = affecting.id
          where ${matchesFilter(filter)}
        )`
      : sql`(select count(*) from ${rowsAffecting(userId, span)})`
  return sql<number>`(${countBy(sql`(select ${userId} as id)`, filter)} + ${affecting})`
}

/**
 * Filters rows that concern a user, as the performer or as the affected user. No row is both. Each has its own index;
 * for callers who see all rows, the two indexes are merged in the order of time.
 */
function concerning(userId: number, seesAll: boolean, span: Span): Filter {
  const isPerformer = eq(auditLogs.performedBy, userId)
  const isPerformedInSpan = sql`${isPerformer} and ${isInSpan(sql`${auditLogs.id}`, span)}`
  const test = sql`(${isPerformedInSpan} or ${auditLogs.id} in ${rowsAffecting(userId, span)})`
  if (!seesAll) {
    const ids = sql`
      select ${auditLogs.id} as id from ${auditLogs} where ${isPerformedInSpan}
      union all
      select id from ${rowsAffecting(userId, span)}`
    return { test, ids }
  }
  const lists = [
    { id: sql`${auditLogs.id}`, where: sql`${auditLogs} where ${isPerformer}` },
    { id: sql`${auditPeople.logId}`, where: sql`${auditPeople} where ${auditPeople.userId} = ${userId}` },
  ]
  return {
    test,
    branches: [{ test: isPerformedInSpan }, { test: sql`1`, ids: rowsAffecting(userId, span) }],
    mergeRanges: mergedInOrder(lists, span),
  }
}

/** Filters rows that concern some people, except what they did to others. @param people a query of their ids */
function ofPeople(people: SQL): Filter {
  const own = sql`${auditLogs.performedBy} in (${people}) and not ${auditLogs.others}`
  const affecting = sql`
    select ${auditPeople.logId} as id from ${auditPeople}
    where ${auditPeople.userId} in (${people})`
  return {
    test: sql`(${own} or ${auditLogs.id} in (${affecting}))`,
    ids: sql`
      select ${auditLogs.id} as id from ${auditLogs} where ${own}
      union
      ${affecting}`,
  }
}

/** The rows that the caller may see, limited to the requested portal and group. Staff see all rows. */
function inScope(caller: Caller, within: ScopeParams): Filter[] {
  const visiblePeople = sql`
    select ${supervisorScope.userId} from ${supervisorScope} where ${supervisorScope.supervisorId} = ${caller.id}
    union
    select ${caller.id}`
  // Only the portal and the group of the request. The filter of the role, with the caller's own rows, is above.
  const requested = usersInScope({ ...caller, userType: "owner" }, auditLogs.performedBy, within).filters
  return [
    ...(canSeeAllUsers(caller) ? [] : [ofPeople(visiblePeople)]),
    ...requested.flatMap(({ ids }) => (ids ? [ofPeople(sql`select id from (${ids})`)] : [])),
  ]
}

/** Filters rows by performer: by id, or by part of the name or email address. */
function performedBy(user: number | string): Filter {
  const test =
    typeof user === "number"
      ? eq(auditLogs.performedBy, user)
      : sql`${auditLogs.performedBy} in ${performersNamed(user)}`
  return { test, ids: sql`select ${auditLogs.id} as id from ${auditLogs} where ${test}` }
}

/** Selects the users and API keys whose name contains a text. There are few keys, including deleted ones. */
const performersNamed = (text: string) => sql`(
  select id from ${idsMatching("users_search", text)}
  union all
  select -${apiKeyNames.id} from ${apiKeyNames} where instr(lower(${apiKeyNames.name}), lower(${text}))
)`

/**
 * Returns one page of the audit log that the caller may see, and the kinds of records in the log.
 * @throws 422 for more rows than can be sorted, in orders other than time
 */
export async function listAudit(db: Database, caller: Caller, query: AuditQuery) {
  const { user_id: concerned, activityName: action, performedOn, dates, performed_by } = query.search_param
  const own = query.context === "own" && caller.id !== null
  const performer = performed_by ?? (own && concerned === undefined ? (caller.id ?? undefined) : undefined)
  const kinds = { action, subject: performedOn?.toLowerCase() }
  const filter = { span: spanOf(intersect(query.selectedMonth, dates)), ...kinds }
  const scope = inScope(caller, query)
  const seesAll = scope.length === 0
  // In the order of time, the index of the performer has the rows, and other conditions test them.
  const isInTimeOrder =
    seesAll && (query.order_by?.colName ?? "created_at") === "created_at" && typeof performer !== "string"
  const byPerformer = performer === undefined ? undefined : performedBy(performer)
  const people: Filter[] = [
    ...(concerned === undefined ? [] : [concerning(concerned, seesAll, filter.span)]),
    ...(byPerformer ? [isInTimeOrder ? { test: byPerformer.test } : byPerformer] : []),
  ]
  const isOfKinds = Boolean(action ?? kinds.subject)
  const matches = matchesFilter(filter)
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
        ...(seesAll && people.length === 0 && isOfKinds
          ? [ofKinds(kinds, filter.span, matches)]
          : isOfKinds || ((query.selectedMonth || dates) && concerned === undefined)
            ? [{ test: matches }]
            : []),
      ],
      ...(seesAll && {
        total: countAll(ALL_AUDIT_ROWS),
        ...countOfMatches(concerned, performer, filter),
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

/** The number of matches if counters have it: of all users, or of one filter by person. */
function countOfMatches(
  concerned: number | undefined,
  performer: number | string | undefined,
  filter: AuditFilter,
): { filtered?: SQL<number> } {
  if (concerned === undefined && performer === undefined) return { filtered: countOfAllUsers(filter) }
  if (concerned !== undefined) return performer === undefined ? { filtered: countConcerning(concerned, filter) } : {}
  return {
    filtered: countBy(
      typeof performer === "number" ? sql`(select ${performer} as id)` : performersNamed(performer ?? ""),
      filter,
    ),
  }
}
