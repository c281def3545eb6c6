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

/** RFC 6749, section 5.1: no token, and no word about one, is kept on the way. */
const NOT_KEPT = { "cache-control": "no-store", pragma: "no-cache" }

const refused = (c: Context<AppEnv>, { error, message }: OAuthError) => {
  const body = { error, error_description: message }
  if (error !== "invalid_client") return c.json(body, 400, NOT_KEPT)
  return c.json(body, 401, { ...NOT_KEPT, "www-authenticate": 'Basic realm="oauth"' })
}

const limit = bodyLimit({
  maxSize: 16_384,
  onError: (c) => refused(c, new OAuthError("invalid_request", "The body is larger than such a request can be.")),
})

/** The parameters of the body, each once. @throws OAuthError */
async function parametersOf(c: Context<AppEnv>): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header("content-type") ?? ""))
    throw new OAuthError("invalid_request", "Send the parameters as application/x-www-form-urlencoded.")
  const form = new URLSearchParams(await decodeBody(c))
  const names = [...form.keys()]
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new OAuthError("invalid_request", `${twice} is given more than once.`)
  const type = form.get("grant_type")
  if (!type) throw new OAuthError("invalid_request", "grant_type is required: client_credentials.")
  if (type !== "client_credentials")
    throw new OAuthError("unsupported_grant_type", "The only grant_type is client_credentials.")
  return form
}

async function exchanged(c: Context<AppEnv>): Promise<Response> {
  const form = await parametersOf(c)
  const client = clientCredentials(c.req.header("authorization"), form)
  return c.json(await exchangeKey(c.env, clientAddress(c), client, form.get("scope")), 200, NOT_KEPT)
}

oauth.post("/oauth/token", limit, (c) =>
  exchanged(c).catch((error: unknown) => {
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
  summary: "Exchange an API key for a token of an hour",
  description: [
    "OAuth 2.0's client credentials (RFC 6749): for programs that speak it; others send the key itself.",
    "The token ends with its key, at once. Errors are RFC 6749's.",
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
  summary: "Read where tokens are given out, and how (RFC 8414)",
  description: "Clients that discover their settings read it. It needs no credential.",
  tags: ["API keys"],
  security: [],
  responses: {
    200: { description: "The metadata", content: { "application/json": { schema: schemas.serverMetadata } } },
  },
})
