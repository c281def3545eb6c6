import { cards } from "../schema/cards.ts"
import { carts } from "../schema/carts.ts"
import { memberships } from "../schema/memberships.ts"
import { orders } from "../schema/orders.ts"
import { subscriptions } from "../schema/subscriptions.ts"
import { counted, searched } from "./declare.ts"

export const commerceTriggers = [
  ...searched(memberships),
  ...counted(cards),
  ...counted(carts),
  ...counted(orders, { by: [orders.status] }),
  ...counted(subscriptions, { by: [subscriptions.status] }),
]
