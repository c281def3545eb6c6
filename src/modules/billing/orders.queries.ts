import { desc, eq, sql } from "drizzle-orm"
import { ORDER_STATUSES, orders } from "../../../drizzle/schema/orders.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { OrderStatus } from "../../../drizzle/statuses.ts"
import {
  canSeePayments,
  guardUserExists,
  type OwnerParams,
  rowsInScope,
  selectVisibleUser,
} from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { changedSince } from "../../db/list/changed-since.ts"
import type { Filter, Listing, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { deleteRecords, readRecord, requireVersion, updateRecord } from "../../db/records.ts"
import { idsMatching } from "../../db/search.ts"
import { counter, textList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { fromMinor, toMinor } from "../../lib/input/money.ts"
import type { Context } from "../users/contexts.ts"
import { toItems, toStoredItems, totalOf } from "./line-items.ts"
import { orderColumns, orderFields, userOrderColumns } from "./order-fields.ts"
import type { NewOrder, OrderChanges } from "./orders.schemas.ts"
import { requireOwner } from "./owner.ts"

const nameOf = (id: number) => `Order ${id}`

/** @throws 422 for an unknown user and for amounts that the currency cannot represent */
export async function createOrder(work: UnitOfWork, input: NewOrder) {
  const { db } = work
  const { userId, currency } = input
  const items = toStoredItems(input.items, currency)
  const total = input.total === undefined ? totalOf(items) : toMinor(input.total, currency, "total")
  const { createdAt = now(), ...row } = orderFields.toInsert(input)
  const { items: _items, ...details } = { ...row, total }
  const [newIds, owners] = await work.read([work.nextIds("orders"), selectVisibleUser(db, work.caller, userId)])
  requireOwner(owners)
  const id = firstRow(newIds).last
  return work.commit(
    [
      guardUserExists(work, userId),
      db.insert(orders).values({ ...row, id, items, total, createdAt }),
      work.audit("created", "order", { id, name: nameOf(id) }, details),
    ],
    { id, message: "Order created." },
  )
}

/** @throws 404 */
export const getOrder = (db: Database, caller: Caller, id: number) =>
  readRecord(
    db,
    { table: orders, fields: orderColumns.fields, subject: "order" },
    id,
    canSeePayments(caller, orders.userId),
  )

/** Updates the provided fields; amounts keep their value when the currency changes. @throws 404, 412, 422 */
export async function updateOrder(work: UnitOfWork, id: number, changes: OrderChanges, expectedVersion?: number) {
  const [rows] = await work.read([work.db.select().from(orders).where(eq(orders.id, id))])
  const order = requireVersion(rows, "order", expectedVersion)
  const row = orderFields.toUpdate(order, changes)
  const { currency } = row
  const currentItems = () =>
    toItems(order.items, order.currency).map((item) => ({ ...item, price: String(item.price) }))
  const next = {
    ...row,
    items: toStoredItems(changes.items ?? currentItems(), currency),
    total: toMinor(changes.total ?? String(fromMinor(order.total, order.currency)), currency, "total"),
  }
  const answer = { message: "Order updated." }
  return updateRecord(work, { table: orders, record: order, next, subject: "order", name: nameOf(id), answer })
}

export const deleteOrders = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: orders, subject: "order", name: sql`'Order ' || ${orders.id}`, ids })

interface OrderSearch {
  status?: OrderStatus[] | undefined
  userId?: number | undefined
  nameOrEmail?: string | undefined
  updatedSince?: string | undefined
}

/** Orders of users whose name or email address contains the text. */
function ofMatchingUsers(text: string): Filter {
  const test = sql`${orders.userId} in ${idsMatching("users_search", text)}`
  return { test, ids: sql`select ${orders.id} as id from ${orders} where ${test}` }
}

const searchFilters = ({ status = [], userId, nameOrEmail }: OrderSearch): Filter[] => [
  ...(nameOrEmail ? [ofMatchingUsers(nameOrEmail)] : []),
  ...(userId ? [{ test: eq(orders.userId, userId) }] : []),
  // `+` disables the status index: the user's index finds the orders, and the status only filters them.
  ...(status.length > 0 ? [{ test: sql`+${orders.status} in ${textList(status)}` }] : []),
]

/** All orders with one of the statuses, read as one list part per status. `+` keeps the test from using an index. */
const byStatus = (statuses: readonly OrderStatus[]): Filter => ({
  test: sql`+${orders.status} in ${textList(statuses)}`,
  branches: statuses.map((status) => ({ test: eq(orders.status, status) })),
})

/** Every status, for a list that is read by status. */
const inAnyStatus: Filter = { ...byStatus(ORDER_STATUSES), test: sql`1` }

type OrderQuery = PageQuery & OwnerParams & { search_param: OrderSearch }

type Columns = Pick<typeof orderColumns, "fields" | "sort">

function orderPage(db: Database, caller: Caller, query: OrderQuery, { fields, sort }: Columns) {
  const owned = {
    table: orders,
    key: orders.id,
    userId: orders.userId,
    kind: "money",
    total: counter("orders"),
  } as const
  const { search_param: search } = query
  const { scope, total } = rowsInScope(caller, owned, query)
  const isUnfiltered = scope.length === 0 && !search.userId && !search.nameOrEmail
  const statuses = [...new Set(search.status)]
  // The index in the order of changes has no status.
  const isByStatus = query.order_by?.colName !== "updatedAt"
  const listing: Listing<typeof fields> = {
    table: orders,
    key: orders.id,
    fields,
    sort,
    narrowedBy: "user_id or a search_param",
    defaultSort: { colName: "created_at", direction: "desc" },
    scope: [...scope, ...(isUnfiltered && statuses.length === 0 && isByStatus ? [inAnyStatus] : [])],
    search: isUnfiltered ? (statuses.length > 0 ? [byStatus(statuses)] : []) : searchFilters(search),
    ...(total && { total }),
    ...(isUnfiltered &&
      statuses.length > 0 && {
        filtered: sql<number>`(${sql.join(
          statuses.map((status) => counter(`orders:${status}`)),
          sql` + `,
        )})`,
      }),
  }
  return preparePage(db, changedSince(listing, orders, query, search.updatedSince), query)
}

export async function listOrders(db: Database, caller: Caller, query: OrderQuery) {
  const found = orderPage(db, caller, query, orderColumns)
  return found.read(...(await db.batch(found.statements)))
}

/**
 * One page of orders, of one user if the query names one, with that user or else the caller, and the currency of the
 * newest order.
 * @throws 404 for a user whose orders the caller cannot see
 */
export async function listUserOrders(
  db: Database,
  caller: Caller,
  query: OrderQuery & { context?: Context | undefined },
) {
  const user_id = query.user_id ?? (query.context === "own" ? (caller.id ?? undefined) : undefined)
  const found = orderPage(db, caller, { ...query, user_id }, userOrderColumns)
  const [rows, totals, owners, newest] = await db.batch([
    ...found.statements,
    selectVisibleUser(db, caller, user_id ?? caller.id ?? 0, canSeePayments(caller, users.id)),
    db
      .select({ currency: orders.currency })
      .from(orders)
      .where(user_id === undefined ? canSeePayments(caller, orders.userId) : eq(orders.userId, user_id))
      .orderBy(desc(orders.createdAt))
      .limit(1),
  ])
  const [owner] = owners
  if (user_id !== undefined && !owner) throw notFound("user")
  return { page: found.read(rows, totals), owner, currency: newest[0]?.currency ?? "USD" }
}
