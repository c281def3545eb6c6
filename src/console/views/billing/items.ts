import { number } from "../../messages/messages.ts"

interface Item {
  name: string
  quantity: number
}

/** The items of an order or a cart on one line. */
export const itemsText = (items: readonly Item[]) =>
  items.map(({ name, quantity }) => (quantity > 1 ? `${name} × ${number(quantity)}` : name)).join(", ")
