import { z } from "@hono/zod-openapi"
import { id, keepIfNull, optional, requiredText, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { cardColumns, savedCardColumns } from "./card-columns.ts"

/** Whether a text contains what could be a card number, with any separators. */
const containsCardNumber = (value: string) => /(?:\d[ .-]?){12,}/.test(value)
const label = (max: number) =>
  requiredText(max)
    .refine((value) => !containsCardNumber(value), { error: "must not contain a card number; send only last4" })
    .openapi({ type: "string", minLength: 1, maxLength: max })

const fields = {
  last4: z
    .string()
    .regex(/^\d{4}$/, { error: "must be exactly the last four digits of the card, as text" })
    .openapi({ type: "string", pattern: "^\\d{4}$", example: "4242" }),
  payment_gateway_name: label(100).openapi({ example: "stripe" }),
  card_type: label(50).openapi({ example: "visa" }),
}

export const newCard = z.object({ userId: id(), ...fields }).openapi("NewCard")
export type NewCard = z.output<typeof newCard>

export const cardChanges = z
  .object({
    last4: keepIfNull(fields.last4),
    payment_gateway_name: keepIfNull(fields.payment_gateway_name),
    card_type: keepIfNull(fields.card_type),
  })
  .openapi("CardChanges")
export type CardChanges = z.output<typeof cardChanges>

export const savedCards = z.array(savedCardColumns.row.openapi("SavedCard"))
export const savedCardsQuery = z.object({
  userId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Defaults to the caller" }),
})

export const card = cardColumns.row.openapi("Card")
export const cardListQuery = listQuery(Object.keys(cardColumns.sort), {
  userId: optional(id()),
  last4: optional(text(4)),
})
export const cardList = listResponse(card)

export const cardDeletion = z.object({ paymentTokenId: id() })
export const cardDeletionAnswer = z.object({ status: z.literal("success"), message: z.string() })
