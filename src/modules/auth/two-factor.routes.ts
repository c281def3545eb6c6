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
    summary: "Retrieve the two-factor authentication status",
    description:
      "For the caller; callers who may turn it off for a user see the status of that user. The codes " +
      "are returned while " +
      "a prepared secret is not confirmed, and never once it is on.",
    tag: "Two-factor authentication",
    access: "general",
    query: schemas.twoFactorQuery,
    response: schemas.twoFactorState,
    errors: [404],
  }),
  async (c) => c.json(await getTwoFactor(c.var.work, c.req.valid("query").user_id), 200, NO_STORE),
)

twoFactor.openapi(
  operation({
    operationId: "prepareTwoFactor",
    method: "post",
    path: "/api/user/prepareTwoFactorAuth",
    summary: "Create a two-factor secret",
    description: "For the caller. The secret can be confirmed for one hour; a new one replaces it.",
    tag: "Two-factor authentication",
    access: "general",
    keys: "none",
    body: schemas.twoFactorUser,
    response: schemas.twoFactorPrepared,
    errors: [404, 409],
  }),
  async (c) => c.json(await prepareTwoFactor(c.var.work, c.req.valid("json").user_id), 200),
)

twoFactor.openapi(
  operation({
    operationId: "confirmTwoFactor",
    method: "post",
    path: "/api/user/confirmTwoFactorAuth",
    summary: "Turn on two-factor authentication",
    description:
      "For the caller, with a first code. Ends all sessions of the user, including the current one. " +
      "Limited to ten wrong codes in 15 minutes (429).",
    tag: "Two-factor authentication",
    access: "general",
    keys: "none",
    body: schemas.twoFactorConfirmation,
    response: schemas.twoFactorConfirmed,
    errors: [404, 409],
  }),
  async (c) => c.json(await confirmTwoFactor(c.var.work, c.req.valid("json")), 200),
)

twoFactor.openapi(
  operation({
    operationId: "disableTwoFactor",
    method: "post",
    path: "/api/user/disableTwoFactorAuth",
    summary: "Turn off two-factor authentication",
    description: "For the caller, or for a user that the caller may change. Ends all sessions of the user.",
    tag: "Two-factor authentication",
    access: "general",
    body: schemas.twoFactorUser,
    response: schemas.twoFactorDisabled,
    errors: [404],
  }),
  async (c) => c.json(await disableTwoFactor(c.var.work, c.req.valid("json").user_id), 200),
)
