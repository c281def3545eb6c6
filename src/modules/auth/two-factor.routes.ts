import { createApp, operation } from "../../http/operation.ts"
import { NO_STORE } from "../../lib/web/answers.ts"
import { confirmTwoFactor, disableTwoFactor, getTwoFactor, prepareTwoFactor } from "./two-factor.queries.ts"
import * as schemas from "./two-factor.schemas.ts"

export const twoFactor = createApp()

twoFactor.openapi(
  operation({
    operationId: "getTwoFactorState",
    method: "get",
    path: "/api/user-meta/2fa",
    summary: "Read whether two-factor authentication is on",
    description:
      "Your own; whoever may turn it off for a user sees whether it is on. The codes are answered while a prepared " +
      "secret waits to be confirmed, and never once it is on.",
    tag: "Two-factor authentication",
    access: "general",
    query: schemas.twoFactorQuery,
    answer: schemas.twoFactorState,
    errors: [404],
  }),
  async (c) => c.json(await getTwoFactor(c.var.work, c.req.valid("query").user_id), 200, NO_STORE),
)

twoFactor.openapi(
  operation({
    operationId: "prepareTwoFactor",
    method: "post",
    path: "/api/user/prepareTwoFactorAuth",
    summary: "Make a two-factor secret",
    description: "For yourself. It waits an hour to be confirmed; a later one replaces it.",
    tag: "Two-factor authentication",
    access: "general",
    keys: "none",
    body: schemas.twoFactorUser,
    answer: schemas.twoFactorPrepared,
    errors: [404, 409],
  }),
  async (c) => c.json(await prepareTwoFactor(c.var.work, c.req.valid("json").user_id), 200),
)

twoFactor.openapi(
  operation({
    operationId: "confirmTwoFactor",
    method: "post",
    path: "/api/user/confirmTwoFactorAuth",
    summary: "Turn two-factor authentication on",
    description:
      "For yourself, with a first code. Ends every session of the user, the calling one too. " +
      "Ten wrong codes within 15 minutes: 429.",
    tag: "Two-factor authentication",
    access: "general",
    keys: "none",
    body: schemas.twoFactorConfirmation,
    answer: schemas.twoFactorConfirmed,
    errors: [404, 409],
  }),
  async (c) => c.json(await confirmTwoFactor(c.var.work, c.req.valid("json")), 200),
)

twoFactor.openapi(
  operation({
    operationId: "disableTwoFactor",
    method: "post",
    path: "/api/user/disableTwoFactorAuth",
    summary: "Turn two-factor authentication off",
    description: "Your own, or that of a user whom you may change. Ends every session of the user.",
    tag: "Two-factor authentication",
    access: "general",
    body: schemas.twoFactorUser,
    answer: schemas.twoFactorDisabled,
    errors: [404],
  }),
  async (c) => c.json(await disableTwoFactor(c.var.work, c.req.valid("json").user_id), 200),
)
