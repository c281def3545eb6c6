import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { quickEditUsers } from "./quick-edit.queries.ts"
import { usersQuickEdit } from "./quick-edit.schemas.ts"

export const quickEdit = createApp()

quickEdit.openapi(
  operation({
    operationId: "quickEditUsers",
    method: "post",
    path: "/api/user/quickEdit",
    summary: "Disable or enable users, assign a membership, and enroll them in courses and learning paths",
    description: "A membership also enrolls in its courses. Only administrators can assign one.",
    tag: "Users",
    access: "staff",
    body: usersQuickEdit,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await quickEditUsers(c.var.work, c.req.valid("json")), 200),
)
