import { cards } from "../schema/cards.ts"
import { carts } from "../schema/carts.ts"
import { memberships } from "../schema/memberships.ts"
import { orders } from "../schema/orders.ts"
import { subscriptions } from "../schema/subscriptions.ts"
import { rowCounter, searchIndex } from "./declare.ts"

export const commerceTriggers = [
  ...searchIndex(memberships),
  ...rowCounter(cards),
  ...rowCounter(carts),
  ...rowCounter(orders, { by: [orders.status] }),
  ...rowCounter(subscriptions, { by: [subscriptions.status] }),
]
