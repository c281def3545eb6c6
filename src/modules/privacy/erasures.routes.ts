import { createApp, operation } from "../../http/operation.ts"
import { eraseUser, getErasureProgress } from "./erasures.queries.ts"
import * as schemas from "./erasures.schemas.ts"

export const erasures = createApp()

erasures.openapi(
  operation({
    operationId: "eraseUser",
    method: "post",
    path: "/api/user/erase",
    summary: "Erase a person",
    description: [
      "Cannot be undone. The account is anonymized immediately, and its sessions, devices and keys end.",
      "Other personal data is erased in the background. Results, orders and audit entries stay, without the name.",
      "Only owners can erase owners.",
    ].join(" "),
    tag: "Users",
    access: "admin",
    signedIn: true,
    keys: "none",
    extension: true,
    body: schemas.newErasure,
    response: schemas.erasureStarted,
    errors: [404, 409],
  }),
  async (c) => c.json(await eraseUser(c.var.work, c.req.valid("json")), 200),
)

erasures.openapi(
  operation({
    operationId: "getErasureProgress",
    method: "get",
    path: "/api/user/erase/progress/{id}",
    summary: "Get the progress of an erasure",
    description: "By the ID of the user. Erasures are never deleted.",
    tag: "Users",
    access: "admin",
    signedIn: true,
    extension: true,
    response: schemas.erasureState,
  }),
  async (c) => c.json(await getErasureProgress(c.var.work, c.req.valid("param").id), 200),
)
