import { z } from "@hono/zod-openapi"

// OAuth 2.0 (RFC 6749): names and errors are those of the standard.

/** Error codes of RFC 6749; 429 and 503 use the code of its authorization endpoint. */
export const OAUTH_ERRORS = [
  "invalid_request",
  "invalid_client",
  "unsupported_grant_type",
  "invalid_scope",
  "temporarily_unavailable",
] as const

export const tokenRequest = z
  .object({
    grant_type: z.literal("client_credentials"),
    client_id: z
      .string()
      .optional()
      .openapi({ example: "7", description: "The API key's id, unless sent as HTTP Basic" }),
    client_secret: z
      .string()
      .optional()
      .openapi({ example: "lk_7_…", description: "The API key, unless sent as HTTP Basic" }),
    scope: z.string().optional().openapi({
      example: "read",
      description: "read, or read write; defaults to what the key allows",
    }),
  })
  .openapi("TokenRequest")

export const tokenAnswer = z
  .object({
    access_token: z.string().openapi({ description: "Send it as `Authorization: Bearer`" }),
    token_type: z.literal("Bearer"),
    expires_in: z.number().int().openapi({ description: "Seconds" }),
    scope: z.enum(["read", "read write"]),
  })
  .openapi("TokenAnswer")

export const tokenRefusal = z
  .object({ error: z.enum(OAUTH_ERRORS), error_description: z.string() })
  .openapi("TokenRefusal")

export const serverMetadata = z
  .object({
    issuer: z.string(),
    token_endpoint: z.string(),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    service_documentation: z.string(),
  })
  .openapi("AuthorizationServerMetadata")
