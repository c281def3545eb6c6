import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion } from "../../lib/web/etag.ts"
import { updateUserMembership } from "./user-membership.queries.ts"
import { membershipUpdate } from "./user-membership.schemas.ts"

export const userMembership = createApp()

userMembership.openapi(
  operation({
    operationId: "updateUserMembership",
    method: "put",
    path: "/api/user/{id}/update-membership",
    summary: "Assign a membership to a user, or revoke it",
    description: [
      "The older format is {membership: {id, name, expired_at}}.",
      "A user has at most one membership; a new one replaces it.",
      "Honors If-Match.",
    ].join(" "),
    tag: "Users",
    access: "admin",
    pathIdFields: ["userId", "user_id"],
    body: membershipUpdate,
    response: messageResponse,
    errors: [409, 412],
  }),
  async (c) =>
    c.json(
      await updateUserMembership(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)),
      200,
    ),
)
