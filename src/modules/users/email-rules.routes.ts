import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { getEmailRules, setEmailRules } from "./email-rules.queries.ts"
import * as schemas from "./email-rules.schemas.ts"

export const emailRules = createApp()

emailRules.openapi(
  operation({
    operationId: "getEmailRules",
    method: "get",
    path: "/api/user/getBlockedEmailsAndDomains",
    summary: "Read which email addresses and domains are blocked and allowed",
    description:
      "The most particular entry decides: an address before its domain, a domain (which stands for its subdomains) " +
      "before those above it. Where any are allowed, only those are.",
    tag: "Users",
    access: "staff",
    query: schemas.emailRulesQuery,
    answer: schemas.emailRuleLists,
    errors: [404],
  }),
  async (c) => c.json(await getEmailRules(c.var.db, c.req.valid("query").portalId), 200),
)

emailRules.openapi(
  operation({
    operationId: "updateEmailRules",
    method: "put",
    path: "/api/user/blockedEmailsAndDomains",
    summary: "Set which email addresses and domains are blocked and allowed",
    description: "A list that is given replaces the one that there is; one that is left out stays.",
    tag: "Users",
    access: "admin",
    extension: true,
    body: schemas.emailRuleChanges,
    answer: messageResponse,
    errors: [404],
  }),
  async (c) => c.json(await setEmailRules(c.var.work, c.req.valid("json")), 200),
)
