import type { Context } from "hono"
import { bodyLimit } from "hono/body-limit"
import { createApp } from "../../http/operation.ts"
import { ApiError } from "../../lib/errors.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { decodeBody } from "../../lib/web/body.ts"
import { clientAddress } from "../../middleware/identify.ts"
import { clientCredentials, exchangeKey, OAuthError } from "./oauth.queries.ts"
import * as schemas from "./oauth.schemas.ts"

export const oauth = createApp()

/** RFC 6749, section 5.1: responses with tokens must not be cached. */
const NOT_KEPT = { "cache-control": "no-store", pragma: "no-cache" }

const refused = (c: Context<AppEnv>, { error, message }: OAuthError) => {
  const body = { error, error_description: message }
  if (error !== "invalid_client") return c.json(body, 400, NOT_KEPT)
  return c.json(body, 401, { ...NOT_KEPT, "www-authenticate": 'Basic realm="oauth"' })
}

const limit = bodyLimit({
  maxSize: 16_384,
  onError: (c) => refused(c, new OAuthError("invalid_request", "The request body is too large.")),
})

/** The parameters of the body, without duplicates. @throws OAuthError */
async function parametersOf(c: Context<AppEnv>): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header("content-type") ?? ""))
    throw new OAuthError("invalid_request", "Send the parameters as application/x-www-form-urlencoded.")
  const form = new URLSearchParams(await decodeBody(c))
  const names = [...form.keys()]
  const duplicate = names.find((name, i) => names.indexOf(name) !== i)
  if (duplicate !== undefined) throw new OAuthError("invalid_request", `${duplicate} is sent more than once.`)
  const type = form.get("grant_type")
  if (!type) throw new OAuthError("invalid_request", "grant_type is required: client_credentials.")
  if (type !== "client_credentials")
    throw new OAuthError("unsupported_grant_type", "The only grant_type is client_credentials.")
  return form
}

async function exchangeForToken(c: Context<AppEnv>): Promise<Response> {
  const form = await parametersOf(c)
  const client = clientCredentials(c.req.header("authorization"), form)
  return c.json(await exchangeKey(c.env, clientAddress(c), client, form.get("scope")), 200, NOT_KEPT)
}

oauth.post("/oauth/token", limit, (c) =>
  exchangeForToken(c).catch((error: unknown) => {
    if (error instanceof OAuthError) return refused(c, error)
    if (!(error instanceof ApiError)) throw error
    if (error.status === 400 || error.status === 415)
      return refused(c, new OAuthError("invalid_request", error.message))
    const body = { error: "temporarily_unavailable", error_description: error.message }
    return c.json(body, error.status, { ...error.headers, ...NOT_KEPT })
  }),
)

oauth.get("/.well-known/oauth-authorization-server", (c) => {
  const issuer = baseUrl(c)
  return c.json({
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    grant_types_supported: ["client_credentials"],
    response_types_supported: [],
    scopes_supported: ["read", "write"],
    service_documentation: `${issuer}/docs`,
  })
})

const refusal = (description: string) => ({
  description,
  content: { "application/json": { schema: schemas.tokenRefusal } },
})

oauth.openAPIRegistry.registerPath({
  method: "post",
  path: "/oauth/token",
  operationId: "exchangeApiKey",
  summary: "Exchange an API key for an access token",
  description: [
    "Implements the OAuth 2.0 client credentials grant (RFC 6749). The token is valid for one hour. " +
      "Clients without OAuth send the key itself.",
    "The token stops working immediately when its key is deleted or regenerated. Errors follow RFC 6749.",
  ].join(" "),
  tags: ["API keys"],
  security: [],
  request: {
    body: { required: true, content: { "application/x-www-form-urlencoded": { schema: schemas.tokenRequest } } },
  },
  responses: {
    200: { description: "The token", content: { "application/json": { schema: schemas.tokenAnswer } } },
    400: refusal("A parameter is missing, wrong or given twice"),
    401: refusal("The client's credentials are missing, wrong, expired or revoked"),
    429: refusal("Too many calls, or wrong credentials, from this network address"),
    503: refusal("The key cannot be checked right now"),
  },
})

oauth.openAPIRegistry.registerPath({
  method: "get",
  path: "/.well-known/oauth-authorization-server",
  operationId: "getAuthorizationServer",
  summary: "Retrieve the OAuth server metadata (RFC 8414)",
  description: "For clients that discover their settings. No credentials are required.",
  tags: ["API keys"],
  security: [],
  responses: {
    200: { description: "The metadata", content: { "application/json": { schema: schemas.serverMetadata } } },
  },
})
