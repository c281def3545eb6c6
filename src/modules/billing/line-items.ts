import { z } from "@hono/zod-openapi"
import type { StoredItem } from "../../../drizzle/schema/orders.ts"
import { invalid } from "../../lib/errors.ts"
import { id, integer, list, nonEmpty, requiredText, withDefault } from "../../lib/input/input.ts"
import { amount, fromMinor, toMinor } from "../../lib/input/money.ts"

// The lines of an order or a cart: at most 100.

// 0 is in its range, so that it is refused rather than read as a field that was left out.
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

/** @throws 422 for a price that the currency cannot have */
export const toStoredItems = (items: LineItemInput[], currency: string): StoredItem[] =>
  items.map(({ type, id, name, quantity, price }, at) => ({
    type,
    id,
    name,
    quantity,
    price: toMinor(price, currency, `items.${at}.price`),
  }))

/** What the lines cost together, in minor units. @throws 422 when that is more than can be counted exactly */
export function sumOf(items: StoredItem[]): number {
  const sum = items.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  if (!Number.isSafeInteger(sum)) throw invalid("items", "items are too expensive to be added up exactly.")
  return sum
}

export const lineItem = z.object({
  type: z.string(),
  id: z.number().int(),
  name: z.string(),
  quantity: z.number().int(),
  price: z.number().openapi({ description: "Of one, in the currency's main unit" }),
})

export const toItems = (items: StoredItem[], currency: string) =>
  items.map(({ type, id, name, quantity, price }) => ({ type, id, name, quantity, price: fromMinor(price, currency) }))

/** `Algebra, Geometry × 2` */
export const itemsText = (items: StoredItem[]): string =>
  items.map(({ name, quantity }) => (quantity > 1 ? `${name} × ${quantity}` : name)).join(", ")
