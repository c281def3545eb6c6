import { limitAttempts } from "../../access/attempts.ts"
import { keyGrant } from "../../access/clients.ts"
import { issueKeyToken, parseKey } from "../../access/keys.ts"
import type { Bindings } from "../../env.ts"
import type { Grant, KeyAccess } from "../../lib/caller.ts"
import type { OAUTH_ERRORS } from "./oauth.schemas.ts"

/** An error of the token endpoint as defined by RFC 6749. */
export class OAuthError extends Error {
  override readonly name = "OAuthError"
  readonly error: (typeof OAUTH_ERRORS)[number]

  constructor(error: (typeof OAUTH_ERRORS)[number], message: string) {
    super(message)
    this.error = error
  }
}

interface ClientCredentials {
  id: string
  secret: string
}

const malformedBasic = () => new OAuthError("invalid_request", "The Authorization header is not valid HTTP Basic.")

/** Decodes a part of HTTP Basic, which RFC 6749 encodes like a form value. */
const decoded = (part: string) => decodeURIComponent(part.replaceAll("+", " "))

function parseBasic(authorization: string): ClientCredentials {
  const encoded = /^Basic\s+([A-Za-z0-9+/_-]+=*)\s*$/i.exec(authorization)?.[1]
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8")
  const colon = text.indexOf(":")
  if (colon < 0) throw malformedBasic()
  try {
    return { id: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) }
  } catch {
    throw malformedBasic()
  }
}

/** Reads the client's credentials from HTTP Basic or the body, but not both. @throws OAuthError */
export function clientCredentials(authorization: string | undefined, form: URLSearchParams): ClientCredentials {
  const id = form.get("client_id")
  const secret = form.get("client_secret")
  const basic = authorization && /^Basic\b/i.test(authorization) ? parseBasic(authorization) : undefined
  if (basic) {
    if (secret !== null || (id !== null && id !== basic.id))
      throw new OAuthError(
        "invalid_request",
        "Send the client credentials either as HTTP Basic or in the body, not both.",
      )
    return basic
  }
  if (!id || !secret)
    throw new OAuthError("invalid_client", "Send client_id (the API key's id) and client_secret (the key).")
  return { id, secret }
}

/** The access that a client requests; defaults to what its key allows. @throws OAuthError */
function requestedAccess(scope: string | null, { access }: Grant): KeyAccess {
  const requested = (scope ?? "").split(" ").filter(Boolean)
  const unknown = requested.filter((value) => value !== "read" && value !== "write")
  if (unknown.length > 0)
    throw new OAuthError("invalid_scope", `Unknown scope ${unknown.join(", ")}. Use read or write.`)
  if (requested.length === 0) return access
  if (requested.includes("write") && access === "read") throw new OAuthError("invalid_scope", "This key may only read.")
  return requested.includes("write") ? "write" : "read"
}

/**
 * Exchanges an API key for a token that is valid for one hour and ends with the key.
 * @param address the caller's network address, whose wrong attempts are limited
 * @throws OAuthError; ApiError 429 after too many wrong keys, 503 if the key cannot be checked
 */
export async function exchangeKey(
  env: Bindings,
  address: string,
  { id, secret }: ClientCredentials,
  scope: string | null,
) {
  const grant = await limitAttempts(env, { address }, async () => {
    const proof = parseKey(env, secret)
    const found = proof && String(proof.keyId) === id ? await keyGrant(env, proof) : undefined
    return { verdict: found ? "correct" : "wrong", result: found }
  })
  if (!grant) throw new OAuthError("invalid_client", "client_id or client_secret is wrong, expired or revoked.")
  const access = requestedAccess(scope, grant)
  const { token, seconds } = await issueKeyToken(env, grant, access)
  const granted = access === "write" ? ("read write" as const) : ("read" as const)
  return { access_token: token, token_type: "Bearer" as const, expires_in: seconds, scope: granted }
}
