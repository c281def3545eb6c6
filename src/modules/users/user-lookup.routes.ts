import { z } from "@hono/zod-openapi"
import { idByExternalId } from "../../db/external-ids.ts"
import { createApp, operation } from "../../http/operation.ts"
import { externalIdQuery } from "../../lib/input/external-id.ts"
import { email } from "../../lib/input/input.ts"
import { setEtag } from "../../lib/web/etag.ts"
import { toUserAnswer } from "./user-answer.ts"
import { getUser, idByEmail } from "./users.queries.ts"
import * as schemas from "./users.schemas.ts"

export const userLookup = createApp()

const byEmailQuery = z.object({
  email: email().openapi({ type: "string", format: "email", param: { required: true } }),
})

userLookup.openapi(
  operation({
    operationId: "getUserByExternalId",
    method: "get",
    path: "/api/user/by-external-id",
    summary: "Retrieve a user by external id",
    description: "The response is that of `GET /api/user/{id}`.",
    tag: "Users",
    access: "staff",
    record: true,
    extension: true,
    query: externalIdQuery,
    response: schemas.userDetail,
    errors: [404],
  }),
  async (c) => {
    const { db, caller } = c.var
    const user = await getUser(db, caller, idByExternalId("user", caller, c.req.valid("query")))
    const answer = toUserAnswer(user, caller)
    setEtag(c, user.version, answer)
    return c.json(answer, 200)
  },
)

userLookup.openapi(
  operation({
    operationId: "getUserByEmail",
    method: "get",
    path: "/api/user/by-email",
    summary: "Retrieve a user by email address",
    description: "The address matches in any case. The response is that of `GET /api/user/{id}`.",
    tag: "Users",
    access: "group_admin",
    record: true,
    extension: true,
    query: byEmailQuery,
    response: schemas.userDetail,
    errors: [404],
  }),
  async (c) => {
    const { db, caller } = c.var
    const user = await getUser(db, caller, idByEmail(c.req.valid("query").email))
    const answer = toUserAnswer(user, caller)
    setEtag(c, user.version, answer)
    return c.json(answer, 200)
  },
)
