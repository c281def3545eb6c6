import { cards } from "../../drizzle/schema/cards.ts"
import { orders } from "../../drizzle/schema/orders.ts"
import { subscriptions } from "../../drizzle/schema/subscriptions.ts"
import { db, nextId } from "./index.ts"

export async function card(userId: number, overrides: Partial<typeof cards.$inferInsert> = {}) {
  const id = await nextId("cards")
  const row = { id, userId, last4: "4242", paymentGatewayName: "stripe", cardType: "visa", createdAt: Date.now() }
  await db.insert(cards).values({ ...row, ...overrides })
  return id
}

/** 49.90 dollars per period, from now on without an end. */
export async function subscription(userId: number, overrides: Partial<typeof subscriptions.$inferInsert> = {}) {
  const id = await nextId("subscriptions")
  const time = Date.now()
  const row = { id, userId, subscriptionName: "Monthly", total: 4990, currency: "USD", startAt: time, createdAt: time }
  await db.insert(subscriptions).values({ ...row, status: "Active", ...overrides })
  return id
}

/** 49.90 dollars for one course. */
export async function order(userId: number, overrides: Partial<typeof orders.$inferInsert> = {}) {
  const id = await nextId("orders")
  const items = [{ type: "course", id: 1, name: "Algebra", quantity: 1, price: 4990 }]
  const row = { id, userId, items, total: 4990, currency: "USD", createdAt: Date.now() }
  await db.insert(orders).values({ ...row, status: "completed", ...overrides })
  return id
}
