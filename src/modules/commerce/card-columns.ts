import { z } from "@hono/zod-openapi"
import { cards } from "../../../drizzle/cards.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { displayDate } from "../../lib/text/dates.ts"

const saved = {
  id: column(cards.id, z.number().int(), { sort: cards.id }),
  last4: column(cards.last4, z.string(), { sort: cards.last4 }),
  payment_gateway_name: column(cards.paymentGatewayName, z.string(), { sort: cards.paymentGatewayName }),
  card_type: column(cards.cardType, z.string(), { sort: cards.cardType }),
}

/** The columns of the list of a user's saved cards. */
export const savedCardColumns = listColumns(saved)

/** The columns of the list of cards; a card by itself is answered alike. */
export const cardColumns = listColumns({
  ...saved,
  userId: column(cards.userId, z.number().int()),
  created_at: column(cards.createdAt, z.string(), { show: displayDate, sort: cards.createdAt }),
})
