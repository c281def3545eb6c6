import { z } from "@hono/zod-openapi"
import type { StoredItem } from "../../../drizzle/schema/orders.ts"
import { invalid } from "../../lib/errors.ts"
import { id, integer, list, nonEmpty, requiredText, withDefault } from "../../lib/input/input.ts"
import { amount, fromMinor, toMinor } from "../../lib/input/money.ts"

// The items of an order or a cart, at most 100. The range includes 0, so that it is rejected and not read as omitted.
const quantity = withDefault(integer(0, 1_000_000), 1).refine((value) => value > 0, { error: "must be 1 or more" })

const item = z.object({
  type: requiredText(50).openapi({ example: "course" }),
  id: id(),
  name: requiredText(255),
  quantity: quantity.openapi({ type: "integer", minimum: 1, default: 1 }),
  price: amount(),
})

export const lineItems = () => nonEmpty(list(item, 100)).openapi({ minItems: 1 })

export type LineItemInput = z.output<typeof item>

/** @throws 422 for a price that the currency cannot represent */
export const toStoredItems = (items: LineItemInput[], currency: string): StoredItem[] =>
  items.map(({ type, id, name, quantity, price }, at) => ({
    type,
    id,
    name,
    quantity,
    price: toMinor(price, currency, `items.${at}.price`),
  }))

/** The sum of the items in minor units. @throws 422 if it is not a safe integer */
export function totalOf(items: StoredItem[]): number {
  const sum = items.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  if (!Number.isSafeInteger(sum)) throw invalid("items", "The sum of items is too large.")
  return sum
}

export const lineItem = z.object({
  type: z.string(),
  id: z.number().int(),
  name: z.string(),
  quantity: z.number().int(),
  price: z.number().openapi({ description: "Unit price in the currency's main unit" }),
})

export const toItems = (items: StoredItem[], currency: string) =>
  items.map(({ type, id, name, quantity, price }) => ({ type, id, name, quantity, price: fromMinor(price, currency) }))

/** `Algebra, Geometry × 2` */
export const itemsText = (items: StoredItem[]): string =>
  items.map(({ name, quantity }) => (quantity > 1 ? `${name} × ${quantity}` : name)).join(", ")
