import { createApp, operation } from "../../http/operation.ts"
import { eraseUser, erasureProgress } from "./erasures.queries.ts"
import * as schemas from "./erasures.schemas.ts"

export const erasures = createApp()

erasures.openapi(
  operation({
    operationId: "eraseUser",
    method: "post",
    path: "/api/user/erase",
    summary: "Erase a person",
    description: [
      "Cannot be undone. At once the account is nobody's and its sessions, devices and keys end;",
      "whatever else is held of the person goes in the background. What was learned, ordered and done stays",
      "and counts, of an erased user without a name. An owner alone erases an owner.",
    ].join(" "),
    tag: "Users",
    access: "admin",
    signedIn: true,
    keys: "none",
    extension: true,
    body: schemas.newErasure,
    answer: schemas.erasureBegun,
    errors: [404, 409],
  }),
  async (c) => c.json(await eraseUser(c.var.work, c.req.valid("json")), 200),
)

erasures.openapi(
  operation({
    operationId: "getErasureProgress",
    method: "get",
    path: "/api/user/erase/progress/{id}",
    summary: "Ask how far the erasure of a person is",
    description: "By the user's id. What is known of an erasure is known for ever.",
    tag: "Users",
    access: "admin",
    signedIn: true,
    extension: true,
    answer: schemas.erasureState,
  }),
  async (c) => c.json(await erasureProgress(c.var.work, c.req.valid("param").id), 200),
)
