import { and, eq, sql } from "drizzle-orm"
import { carts } from "../../../drizzle/schema/carts.ts"
import { users } from "../../../drizzle/schema/users.ts"
import {
  canSeePayments,
  guardUserExists,
  type OwnerParams,
  rowsInScope,
  selectVisibleUser,
} from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { queueMail } from "../../db/outbox.ts"
import { deleteRecords, guardUnchanged, readRecord, requireVersion, updateRecord } from "../../db/records.ts"
import { counter, fullNameIn } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { conflict, notFound } from "../../lib/errors.ts"
import { fromMinor, toMinor } from "../../lib/input/money.ts"
import { cartColumns, cartFields } from "./cart-fields.ts"
import type { CartChanges, NewCart } from "./carts.schemas.ts"
import { toItems, toStoredItems, totalOf } from "./line-items.ts"
import { requireOwner } from "./owner.ts"

const nameOf = (id: number) => `Cart ${id}`

/** @throws 422 for an unknown user and for amounts that the currency cannot represent */
export async function createCart(work: UnitOfWork, input: NewCart) {
  const { db } = work
  const { userId, currency } = input
  const items = toStoredItems(input.items, currency)
  const total = input.total === undefined ? totalOf(items) : toMinor(input.total, currency, "total")
  const { createdAt = now(), ...row } = cartFields.toInsert(input)
  const { items: _items, ...details } = { ...row, total }
  const [newIds, owners] = await work.read([work.nextIds("carts"), selectVisibleUser(db, work.caller, userId)])
  requireOwner(owners)
  const id = firstRow(newIds).last
  return work.commit(
    [
      guardUserExists(work, userId),
      db.insert(carts).values({ ...row, id, items, total, createdAt }),
      work.audit("created", "cart", { id, name: nameOf(id) }, details),
    ],
    { id, message: "Cart created." },
  )
}

/** @throws 404 */
export const getCart = (db: Database, caller: Caller, id: number) =>
  readRecord(
    db,
    { table: carts, fields: cartColumns.fields, subject: "cart" },
    id,
    canSeePayments(caller, carts.userId),
  )

/** Updates the provided fields. New items without a total are summed. @throws 404, 412, 422 */
export async function updateCart(work: UnitOfWork, id: number, changes: CartChanges, expectedVersion?: number) {
  const [rows] = await work.read([work.db.select().from(carts).where(eq(carts.id, id))])
  const cart = requireVersion(rows, "cart", expectedVersion)
  const row = cartFields.toUpdate(cart, changes)
  const { currency } = row
  const currentItems = () => toItems(cart.items, cart.currency).map((item) => ({ ...item, price: String(item.price) }))
  const items = toStoredItems(changes.items ?? currentItems(), currency)
  const currentTotal = () => toMinor(String(fromMinor(cart.total, cart.currency)), currency, "total")
  const defaultTotal = changes.items ? () => totalOf(items) : currentTotal
  const total = changes.total === undefined ? defaultTotal() : toMinor(changes.total, currency, "total")
  const { items: _items, ...details } = { ...row, total }
  return updateRecord(work, {
    table: carts,
    record: cart,
    next: { ...row, items, total },
    subject: "cart",
    name: nameOf(id),
    answer: { message: "Cart updated." },
    details,
  })
}

export const deleteCarts = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: carts, subject: "cart", name: sql`'Cart ' || ${carts.id}`, ids })

/** Emails users the content of their cart. @throws 404; 409 for a disabled user */
export async function sendCartReminder(work: UnitOfWork, id: number) {
  const { db } = work
  const [rows] = await work.read([
    db
      .select({
        id: carts.id,
        userId: carts.userId,
        userName: fullNameIn().as("user_name"),
        items: carts.items,
        total: carts.total,
        currency: carts.currency,
        version: sql<number>`${carts.version}`.as("cart_version"),
        email: users.email,
        disabled: users.disabled,
      })
      .from(carts)
      .innerJoin(users, eq(users.id, carts.userId))
      .where(and(eq(carts.id, id), canSeePayments(work.caller, carts.userId))),
  ])
  const [cart] = rows
  if (!cart) throw notFound("cart")
  if (cart.disabled) throw conflict("user_disabled", "The user of the cart is disabled. No reminder was sent.")
  const { userId, email, userName: name, currency } = cart
  const items = cart.items.map((item) => ({ name: item.name, quantity: item.quantity, price: item.price }))
  const template = { account: "cart_reminder", cart: { items, total: cart.total, currency } } as const
  const mail = queueMail(work, "cart reminder", template, [{ userId, email, name }])
  const answer = await work.commit(
    [
      guardUnchanged(carts, cart),
      db
        .update(carts)
        .set({ remindedAt: now(), version: sql`${carts.version} + 1` })
        .where(eq(carts.id, id)),
      work.audit("updated", "cart", { id, name: nameOf(id) }, { userId, reminded: true }),
      ...mail.statements,
    ],
    { message: `Reminder sent to ${email}.` },
  )
  mail.dispatch()
  return answer
}

interface CartSearch {
  userId?: number | undefined
  reminded?: boolean | undefined
}

export async function listCarts(
  db: Database,
  caller: Caller,
  query: PageQuery & OwnerParams & { search_param: CartSearch },
) {
  const { userId, reminded } = query.search_param
  return readPage(
    db,
    {
      table: carts,
      key: carts.id,
      fields: cartColumns.fields,
      sort: cartColumns.sort,
      narrowedBy: "a search_param",
      defaultSort: { colName: "created_at", direction: "desc" },
      ...rowsInScope(
        caller,
        { table: carts, key: carts.id, userId: carts.userId, kind: "money", total: counter("carts") },
        query,
      ),
      search: [
        ...(userId ? [{ test: eq(carts.userId, userId) }] : []),
        ...(reminded === undefined ? [] : [{ test: sql`${carts.remindedAt} ${sql.raw(reminded ? ">" : "=")} 0` }]),
      ],
    },
    query,
  )
}
