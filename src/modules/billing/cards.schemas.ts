import { z } from "@hono/zod-openapi"
import { id, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { cardColumns, cardFields, savedCardColumns } from "./card-fields.ts"

export const newCard = z.object(cardFields.create).openapi("NewCard")
export type NewCard = z.output<typeof newCard>

export const cardChanges = z.object(cardFields.change).openapi("CardChanges")
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
