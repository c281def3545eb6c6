import { z } from "@hono/zod-openapi"
import { cards } from "../../../drizzle/schema/cards.ts"
import { id, keepIfNull, requiredText } from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, sortedTextColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"

/** Whether a text contains what could be a card number, with any separators. */
const containsCardNumber = (value: string) => /(?:\d[ .-]?){12,}/.test(value)
const label = (max: number) =>
  requiredText(max)
    .refine((value) => !containsCardNumber(value), { error: "must not contain a card number; send only last4" })
    .openapi({ type: "string", minLength: 1, maxLength: max })

const last4 = z
  .string()
  .regex(/^\d{4}$/, { error: "must be exactly the last four digits of the card, as text" })
  .openapi({ type: "string", pattern: "^\\d{4}$", example: "4242" })
const gateway = label(100).openapi({ example: "stripe" })
const cardType = label(50).openapi({ example: "visa" })

export const cardFields = recordFields(cards, {
  last4: { create: last4, change: keepIfNull(last4), answer: textColumn(cards.last4), listed: true },
  payment_gateway_name: {
    column: "paymentGatewayName",
    create: gateway,
    change: keepIfNull(gateway),
    answer: sortedTextColumn(cards.paymentGatewayName),
    listed: true,
  },
  card_type: {
    column: "cardType",
    create: cardType,
    change: keepIfNull(cardType),
    answer: sortedTextColumn(cards.cardType),
    listed: true,
  },
  userId: { create: id(), change: false, answer: column(cards.userId, z.number().int()) },
})

const cardId = integerColumn(cards.id)

/** The columns of the list of a user's saved cards. */
export const savedCardColumns = listColumns({ id: cardId, ...cardFields.listed })

/** The columns of the list of cards and of a single card. */
export const cardColumns = listColumns({ id: cardId, ...cardFields.answers, created_at: dateColumn(cards.createdAt) })
