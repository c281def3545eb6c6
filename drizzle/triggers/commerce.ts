import { cards } from "../cards.ts"
import { carts } from "../carts.ts"
import { memberships } from "../memberships.ts"
import { orders } from "../orders.ts"
import { subscriptions } from "../subscriptions.ts"
import { counted, searched } from "./declare.ts"

export const commerceTriggers = [
  ...searched(memberships),
  ...counted(cards),
  ...counted(carts),
  ...counted(orders, { by: [orders.status] }),
  ...counted(subscriptions, { by: [subscriptions.status] }),
]
