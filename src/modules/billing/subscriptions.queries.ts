import { eq, type SQL, sql } from "drizzle-orm"
import { cards } from "../../../drizzle/schema/cards.ts"
import { subscriptions } from "../../../drizzle/schema/subscriptions.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { SubscriptionStatus } from "../../../drizzle/statuses.ts"
import {
  canSeePayments,
  guardUserExists,
  type OwnerParams,
  rowsInScope,
  selectVisibleUser,
} from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { deleteRecords, readRecord, requireVersion, updateRecord } from "../../db/records.ts"
import { runInSlices } from "../../db/slices.ts"
import { counter, literal, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { fromMinor, toMinor } from "../../lib/input/money.ts"
import { shiftDate } from "../../lib/text/dates.ts"
import { requireOwner } from "./owner.ts"
import { currentStatus, hasEnded, subscriptionColumns, subscriptionFields } from "./subscription-fields.ts"
import type { NewSubscription, SubscriptionChanges } from "./subscriptions.schemas.ts"

const active = literal(SubscriptionStatus.Active)

/** Selects the subscriptions that are stored as Active but have ended, by the index of the end. */
const selectLapsed = (columns: SQL) =>
  sql`select ${columns} from ${subscriptions} where ${subscriptions.status} = ${active} and ${hasEnded()}`

/** The condition of the current status: an Active subscription that has ended is Expired, even before the cron runs. */
function hasStatus(status: SubscriptionStatus): SQL {
  const stored = sql`+${subscriptions.status}`
  if (status === SubscriptionStatus.Active) return sql`(${stored} = ${active} and not ${hasEnded()})`
  if (status === SubscriptionStatus.Cancelled) return sql`${stored} = ${literal(SubscriptionStatus.Cancelled)}`
  const expired = literal(SubscriptionStatus.Expired)
  return sql`(${stored} = ${expired} or (${stored} = ${active} and ${hasEnded()}))`
}

/** The condition that the current status is one of these. */
const hasAnyStatus = (statuses: SubscriptionStatus[]): SQL => sql`(${sql.join(statuses.map(hasStatus), sql` or `)})`

/** All subscriptions with one of the statuses (none: with any), read as one branch per status. */
function byStatus(statuses: SubscriptionStatus[]): Filter {
  const isStored = (one: SubscriptionStatus) => eq(subscriptions.status, one)
  if (statuses.length === 0)
    return { test: sql`1`, branches: subscriptions.status.enumValues.map((one) => ({ test: isStored(one) })) }
  const branchesOf = (status: SubscriptionStatus): Filter[] => {
    if (status === SubscriptionStatus.Cancelled) return [{ test: isStored(status) }]
    if (status === SubscriptionStatus.Active) return [{ test: sql`${isStored(status)} and not ${hasEnded()}` }]
    return [{ test: isStored(status) }, { test: sql`1`, ids: selectLapsed(sql`${subscriptions.id} as id`) }]
  }
  return { test: hasAnyStatus(statuses), branches: statuses.flatMap(branchesOf) }
}

/** The number of subscriptions with a current status: the counter, corrected by the few that have just ended. */
function countOf(status: SubscriptionStatus): SQL<number> {
  const stored = counter(`subscriptions:${status}`)
  if (status === SubscriptionStatus.Cancelled) return stored
  const sign = sql.raw(status === SubscriptionStatus.Active ? "-" : "+")
  return sql<number>`(${stored} ${sign} (${selectLapsed(sql`count(*)`)}))`
}

/** The row, four index entries and the counters. */
const ROWS_WRITTEN_PER_EXPIRY = 12

/**
 * Marks subscriptions that have ended as Expired. Responses do not depend on it, because they compute the status from
 * the end; it keeps the number of corrections small. Run by the cron.
 */
export async function expireSubscriptions(db: Database): Promise<void> {
  await runInSlices(db, ROWS_WRITTEN_PER_EXPIRY, (limit) => {
    const ended = sql`${selectLapsed(sql`${subscriptions.id}`)} order by ${subscriptions.endAt} limit ${limit}`
    return db
      .update(subscriptions)
      .set({ status: SubscriptionStatus.Expired })
      .where(sql`${subscriptions.id} in (${ended})`)
      .returning({ id: subscriptions.id })
  })
}

const isCardOf = (userId: number, cardId: number) =>
  rowExists(cards, sql`${cards.id} = ${cardId} and ${cards.userId} = ${userId}`)

const selectCardOwner = (db: Database, cardId: number | null | undefined) =>
  db
    .select({ userId: cards.userId })
    .from(cards)
    .where(eq(cards.id, cardId ?? 0))

function requireCard(found: { userId: number }[], userId: number) {
  if (found[0]?.userId !== userId) throw invalid("cardId", "cardId must be a card of the same user.")
}

function requireOrder(startAt: number, endAt: number) {
  if (endAt > 0 && endAt < startAt) throw invalid("end_date", "end_date must not be before start_date.")
}

/** @throws 422 for an unknown user, another user's card, an end before the start, too many decimals */
export async function createSubscription(work: UnitOfWork, input: NewSubscription) {
  const { db } = work
  const { userId, cardId } = input
  const at = now()
  const { createdAt = at, startAt = at, ...inserted } = subscriptionFields.toInsert(input)
  const row = { ...inserted, startAt, total: toMinor(input.total, input.currency, "total") }
  requireOrder(startAt, row.endAt)
  const [newIds, owners, card] = await work.read([
    work.nextIds("subscriptions"),
    selectVisibleUser(db, work.caller, userId),
    selectCardOwner(db, cardId),
  ])
  requireOwner(owners)
  if (cardId) requireCard(card, userId)
  const id = firstRow(newIds).last
  return work.commit(
    [
      ...(cardId ? [work.guard(isCardOf(userId, cardId))] : []),
      guardUserExists(work, userId),
      db.insert(subscriptions).values({ ...row, id, createdAt }),
      work.audit("created", "subscription", { id, name: row.subscriptionName }, row),
    ],
    { id, message: "Subscription created." },
  )
}

/** @throws 404 */
export const getSubscription = (db: Database, caller: Caller, id: number) =>
  readRecord(
    db,
    { table: subscriptions, fields: subscriptionColumns.fields, subject: "subscription" },
    id,
    canSeePayments(caller, subscriptions.userId),
  )

/** Updates the provided fields. @throws 404, 412, 422 */
export async function updateSubscription(
  work: UnitOfWork,
  id: number,
  changes: SubscriptionChanges,
  expectedVersion?: number,
) {
  const { db } = work
  const { cardId } = changes
  const [rows, card] = await work.read([
    db.select().from(subscriptions).where(eq(subscriptions.id, id)),
    selectCardOwner(db, cardId),
  ])
  const subscription = requireVersion(rows, "subscription", expectedVersion)
  if (cardId) requireCard(card, subscription.userId)
  const row = subscriptionFields.toUpdate(subscription, changes)
  const total = changes.total ?? String(fromMinor(subscription.total, subscription.currency))
  const { start_date: start, end_date: end } = changes
  const startAt = start ? shiftDate(subscription.startAt, start) : subscription.startAt
  const endAt = end === undefined ? subscription.endAt : end ? shiftDate(subscription.endAt, end) : 0
  const hasEnded = (end: number) => end > 0 && end <= now()
  // A subscription that has ended is Active again with a later end.
  const renewed = subscription.status === SubscriptionStatus.Expired && hasEnded(subscription.endAt) && !hasEnded(endAt)
  // Clients may send back the current status, which changes nothing.
  const newStatus = changes.status === currentStatus(subscription) ? undefined : changes.status
  const next = {
    ...row,
    total: toMinor(total, row.currency, "total"),
    status: newStatus ?? (renewed ? SubscriptionStatus.Active : subscription.status),
    startAt,
    endAt,
  }
  requireOrder(next.startAt, next.endAt)
  return updateRecord(work, {
    table: subscriptions,
    record: subscription,
    next,
    subject: "subscription",
    name: next.subscriptionName,
    answer: { message: "Subscription updated." },
    before: cardId ? [work.guard(isCardOf(subscription.userId, cardId))] : [],
  })
}

export const deleteSubscriptions = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: subscriptions, subject: "subscription", name: subscriptions.subscriptionName, ids })

interface SubscriptionSearch {
  status?: SubscriptionStatus[] | undefined
  userId?: number | undefined
}

const searchFilters = (statuses: SubscriptionStatus[], userId: number | undefined): Filter[] => [
  ...(userId ? [{ test: eq(subscriptions.userId, userId) }] : []),
  ...(statuses.length > 0 ? [{ test: hasAnyStatus(statuses) }] : []),
]

type SubscriptionQuery = PageQuery & OwnerParams & { search_param: SubscriptionSearch }

/**
 * Returns one page of the subscriptions that the caller may see, of one user if the query names one.
 * @throws 404 for a user whose subscriptions the caller cannot see
 */
export async function listSubscriptions(
  db: Database,
  caller: Caller,
  query: SubscriptionQuery,
  { fields, sort }: Pick<typeof subscriptionColumns, "fields" | "sort"> = subscriptionColumns,
) {
  const owned = {
    table: subscriptions,
    key: subscriptions.id,
    userId: subscriptions.userId,
    kind: "money",
    total: counter("subscriptions"),
  } as const
  const { userId, status = [] } = query.search_param
  const statuses = [...new Set(status)]
  const { scope, total } = rowsInScope(caller, owned, query)
  const isUnfiltered = scope.length === 0 && !userId
  const found = preparePage(
    db,
    {
      table: subscriptions,
      key: subscriptions.id,
      fields,
      sort,
      narrowedBy: "user_id or a search_param",
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: [...scope, ...(isUnfiltered && statuses.length === 0 ? [byStatus([])] : [])],
      search: isUnfiltered ? (statuses.length > 0 ? [byStatus(statuses)] : []) : searchFilters(statuses, userId),
      ...(total && { total }),
      ...(isUnfiltered &&
        statuses.length > 0 && { filtered: sql<number>`(${sql.join(statuses.map(countOf), sql` + `)})` }),
    },
    query,
  )
  const [rows, totals, owners] = await db.batch([
    ...found.statements,
    selectVisibleUser(db, caller, query.user_id ?? 0, canSeePayments(caller, users.id)),
  ])
  if (query.user_id !== undefined && owners.length === 0) throw notFound("user")
  return found.read(rows, totals)
}
