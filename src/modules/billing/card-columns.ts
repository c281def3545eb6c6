import { z } from "@hono/zod-openapi"
import { cards } from "../../../drizzle/schema/cards.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, sortedTextColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"

const saved = {
  id: integerColumn(cards.id),
  last4: textColumn(cards.last4),
  payment_gateway_name: sortedTextColumn(cards.paymentGatewayName),
  card_type: sortedTextColumn(cards.cardType),
}

/** The columns of the list of a user's saved cards. */
export const savedCardColumns = listColumns(saved)

/** The columns of the list of cards and of a single card. */
export const cardColumns = listColumns({
  ...saved,
  userId: column(cards.userId, z.number().int()),
  created_at: dateColumn(cards.createdAt),
})
