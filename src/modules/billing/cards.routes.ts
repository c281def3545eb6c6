import { recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { cardColumns, savedCardColumns } from "./card-fields.ts"
import { createCard, deleteCard, deleteCards, getCard, listCards, listSavedCards, updateCard } from "./cards.queries.ts"
import * as schemas from "./cards.schemas.ts"

export const cards = createApp()

cards.openapi(
  operation({
    operationId: "listSavedCards",
    method: "get",
    path: "/api/user/saved-cards",
    summary: "List a user's cards",
    description: "Returns the caller's own cards; admins can list any user's.",
    tag: "Cards",
    access: "general",
    query: schemas.savedCardsQuery,
    response: schemas.savedCards,
    errors: [404],
  }),
  async (c) => {
    const found = await listSavedCards(c.var.db, c.var.caller, c.req.valid("query").userId)
    return c.json(
      found.map((row) => savedCardColumns.toRow(row)),
      200,
    )
  },
)

cards.openapi(
  operation({
    operationId: "deleteSavedCard",
    method: "post",
    path: "/api/user/delete-card",
    summary: "Delete a card",
    description: [
      "paymentTokenId is the card's id.",
      "Returns 400 if an active subscription uses the card or if the card changed during the request.",
    ].join(" "),
    tag: "Cards",
    access: "general",
    body: schemas.cardDeletion,
    response: schemas.cardDeletionAnswer,
    errors: [404],
  }),
  async (c) => c.json(await deleteCard(c.var.work, c.req.valid("json").paymentTokenId), 200),
)

const declared = recordOperations({
  tag: "Cards",
  names: ["a card", "cards"],
  paths: {
    create: "/api/card/create",
    list: "/api/card/tabularlist",
    record: "/api/card/{id}",
    delete: "/api/card/delete",
  },
  access: { read: "general", change: "admin" },
  newRecord: schemas.newCard,
  changes: schemas.cardChanges,
  listQuery: schemas.cardListQuery,
  list: schemas.cardList,
  record: schemas.card,
  describe: {
    create: "Mirrors a card of the payment gateway. Only the last four digits of the number are accepted.",
    list: "Returns the caller's own cards; admins see all cards.",
    remove: "Cards that an active subscription uses are not deleted.",
  },
})

cards.openapi(declared.create, async (c) => c.json(await createCard(c.var.work, c.req.valid("json")), 200))

cards.openapi(declared.list, async (c) =>
  c.json(listPage(c, await listCards(c.var.db, c.var.caller, c.req.valid("query")), cardColumns.toRow), 200),
)

cards.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getCard(c.var.db, c.var.caller, c.req.valid("param").id), cardColumns.toRow), 200),
)

cards.openapi(declared.change, async (c) =>
  c.json(await updateCard(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

cards.openapi(declared.remove, async (c) => c.json(await deleteCards(c.var.work, c.req.valid("json").delete_ids), 200))
