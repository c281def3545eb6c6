import { createApp, operation } from "../../http/operation.ts"
import { NO_STORE } from "../../lib/web/answers.ts"
import { lookUpGroups, validateKey } from "./credential.queries.ts"
import * as schemas from "./credential.schemas.ts"

export const credential = createApp()

credential.openapi(
  operation({
    operationId: "validateCredentialKey",
    method: "get",
    path: "/api/credential/validate-key/{key}",
    summary: "Check a key of the credential provider",
    description:
      "Asks the provider. If it rejects the key, the response is 200 with the status error. " +
      "The key is not stored, logged or returned.",
    tag: "Credential provider",
    access: "admin",
    params: schemas.keyInPath,
    rest: true,
    response: schemas.validity,
    errors: [502],
  }),
  async (c) => c.json(await validateKey(c.env, c.req.valid("param").key), 200, NO_STORE),
)

credential.openapi(
  operation({
    operationId: "lookUpCredentialGroups",
    method: "get",
    path: "/api/credential/group/lookup",
    summary: "Look up the credential provider's groups",
    description: "Calls the provider with this service's own key.",
    tag: "Credential provider",
    access: "staff",
    response: schemas.providerGroupLookup,
    errors: [502],
  }),
  async (c) => c.json(await lookUpGroups(c.env), 200),
)
