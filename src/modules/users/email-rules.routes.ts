import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { contentVersion, expectedVersion, setEtag } from "../../lib/web/etag.ts"
import { getEmailRules, setEmailRules } from "./email-rules.queries.ts"
import * as schemas from "./email-rules.schemas.ts"

export const emailRules = createApp()

emailRules.openapi(
  operation({
    operationId: "getEmailRules",
    method: "get",
    path: "/api/user/getBlockedEmailsAndDomains",
    summary: "Retrieve the blocked and allowed email addresses and domains",
    description:
      "The most specific entry decides: an address before its domain, a domain (which includes its subdomains) " +
      "before its parent domains. If there are allowed entries, only those are accepted.",
    tag: "Users",
    access: "staff",
    record: true,
    query: schemas.emailRulesQuery,
    response: schemas.emailRuleLists,
    errors: [404],
  }),
  async (c) => {
    const lists = await getEmailRules(c.var.db, c.req.valid("query").portalId)
    setEtag(c, contentVersion(lists), lists)
    return c.json(lists, 200)
  },
)

emailRules.openapi(
  operation({
    operationId: "updateEmailRules",
    method: "put",
    path: "/api/user/blockedEmailsAndDomains",
    summary: "Update the blocked and allowed email addresses and domains",
    description: "A provided list replaces the stored one; an omitted list does not change.",
    tag: "Users",
    access: "admin",
    extension: true,
    body: schemas.emailRuleChanges,
    response: messageResponse,
    errors: [404, 409, 412],
  }),
  async (c) => c.json(await setEmailRules(c.var.work, c.req.valid("json"), expectedVersion(c)), 200),
)
