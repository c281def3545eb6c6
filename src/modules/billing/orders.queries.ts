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
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { page } from "../../db/list/page.ts"
import { deleteRecords, readOne, requireVersion, updateRecord } from "../../db/records.ts"
import { idsMatching } from "../../db/search.ts"
import { counter, textList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { fromMinor, toMinor } from "../../lib/input/money.ts"
import type { Context } from "../users/contexts.ts"
import { sumOf, toItems, toStoredItems } from "./line-items.ts"
import { orderColumns, userOrderColumns } from "./order-columns.ts"
import type { NewOrder, OrderChanges } from "./orders.schemas.ts"
import { requireOwner } from "./owner.ts"

const nameOf = (id: number) => `Order ${id}`

/** @throws 422 for an unknown user, and for amounts that the currency cannot have */
export async function createOrder(work: UnitOfWork, input: NewOrder) {
  const { db } = work
  const { userId, currency = "USD", status = "pending" } = input
  const items = toStoredItems(input.items, currency)
  const total = input.total === undefined ? sumOf(items) : toMinor(input.total, currency, "total")
  const [given, owners] = await work.read([work.nextIds("orders"), selectVisibleUser(db, work.caller, userId)])
  requireOwner(owners)
  const id = firstRow(given).last
  return work.commit(
    [
      guardUserExists(work, userId),
      db.insert(orders).values({ id, userId, items, total, currency, status, createdAt: input.created_at ?? now() }),
      work.audit("created", "order", { id, name: nameOf(id) }, { userId, total, currency, status }),
    ],
    { id, message: "Order created." },
  )
}

/** @throws 404 */
export const getOrder = (db: Database, caller: Caller, id: number) =>
  readOne(
    db,
    { table: orders, fields: orderColumns.fields, subject: "order" },
    id,
    canSeePayments(caller, orders.userId),
  )

/**
 * Changes the given fields and leaves the others: amounts keep their value when the currency changes.
 * @throws 404, 412, 422
 */
export async function updateOrder(work: UnitOfWork, id: number, changes: OrderChanges, demanded?: number) {
  const [rows] = await work.read([work.db.select().from(orders).where(eq(orders.id, id))])
  const order = requireVersion(rows, "order", demanded)
  const currency = changes.currency ?? order.currency
  const asGiven = () => toItems(order.items, order.currency).map((item) => ({ ...item, price: String(item.price) }))
  const next = {
    items: toStoredItems(changes.items ?? asGiven(), currency),
    total: toMinor(changes.total ?? String(fromMinor(order.total, order.currency)), currency, "total"),
    currency,
    status: changes.status ?? order.status,
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
}

/** Orders of the users whose name or email address holds the text. */
function ofUsersNamed(text: string): Filter {
  const test = sql`${orders.userId} in ${idsMatching("users_search", text)}`
  return { test, ids: sql`select ${orders.id} as id from ${orders} where ${test}` }
}

const searching = ({ status = [], userId, nameOrEmail }: OrderSearch): Filter[] => [
  ...(nameOrEmail ? [ofUsersNamed(nameOrEmail)] : []),
  ...(userId ? [{ test: eq(orders.userId, userId) }] : []),
  // The user leads to the orders, and a status only tests them.
  ...(status.length > 0 ? [{ test: sql`+${orders.status} in ${textList(status)}` }] : []),
]

/**
 * Everyone's orders of some statuses, a part of the list each. The test by itself leaves the choice of an index to
 * others.
 */
const byStatus = (statuses: readonly OrderStatus[]): Filter => ({
  test: sql`+${orders.status} in ${textList(statuses)}`,
  branches: statuses.map((status) => ({ test: eq(orders.status, status) })),
})

/** All of them, for the list that is read by status. */
const inAnyStatus: Filter = { ...byStatus(ORDER_STATUSES), test: sql`1` }

type OrderQuery = PageQuery & OwnerParams & { search_param: OrderSearch }

type Columns = Pick<typeof orderColumns, "fields" | "sort">

function pageOfOrders(db: Database, caller: Caller, query: OrderQuery, { fields, sort }: Columns) {
  const owned = {
    table: orders,
    key: orders.id,
    userId: orders.userId,
    kind: "money",
    total: counter("orders"),
  } as const
  const { search_param: search } = query
  const { scope, total } = rowsInScope(caller, owned, query)
  const everyones = scope.length === 0 && !search.userId && !search.nameOrEmail
  const statuses = [...new Set(search.status)]
  return page(
    db,
    {
      table: orders,
      key: orders.id,
      fields,
      sort,
      narrowedBy: "user_id or a search_param",
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: [...scope, ...(everyones && statuses.length === 0 ? [inAnyStatus] : [])],
      search: everyones ? (statuses.length > 0 ? [byStatus(statuses)] : []) : searching(search),
      ...(total && { total }),
      ...(everyones &&
        statuses.length > 0 && {
          filtered: sql<number>`(${sql.join(
            statuses.map((status) => counter(`orders:${status}`)),
            sql` + `,
          )})`,
        }),
    },
    query,
  )
}

/** One page of the orders that the caller may see. */
export async function listOrders(db: Database, caller: Caller, query: OrderQuery) {
  const found = pageOfOrders(db, caller, query, orderColumns)
  return found.read(...(await db.batch(found.statements)))
}

/**
 * One page of orders, of one user where the call names one, with the user whom they are of, or else the caller, and the
 * newest order's currency.
 * @throws 404 for a user whose orders are not the caller's to see
 */
export async function listUserOrders(
  db: Database,
  caller: Caller,
  query: OrderQuery & { context?: Context | undefined },
) {
  const user_id = query.user_id ?? (query.context === "own" ? (caller.id ?? undefined) : undefined)
  const found = pageOfOrders(db, caller, { ...query, user_id }, userOrderColumns)
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
