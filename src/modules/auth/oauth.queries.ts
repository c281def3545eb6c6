import { limitAttempts } from "../../access/attempts.ts"
import { keyGrant } from "../../access/clients.ts"
import { issueKeyToken, parseKey } from "../../access/keys.ts"
import type { Bindings } from "../../env.ts"
import type { Grant, KeyAccess } from "../../lib/caller.ts"
import type { OAUTH_ERRORS } from "./oauth.schemas.ts"

/** Why no token is given out, as RFC 6749 has it. */
export class OAuthError extends Error {
  override readonly name = "OAuthError"
  readonly error: (typeof OAUTH_ERRORS)[number]

  constructor(error: (typeof OAUTH_ERRORS)[number], message: string) {
    super(message)
    this.error = error
  }
}

/** What a client sends to be known by. */
interface KnownBy {
  id: string
  secret: string
}

const malformedBasic = () => new OAuthError("invalid_request", "The Authorization header is not valid HTTP Basic.")

/** A part of HTTP Basic, which RFC 6749 has encoded as a form's value. */
const decoded = (part: string) => decodeURIComponent(part.replaceAll("+", " "))

function ofBasic(authorization: string): KnownBy {
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

/**
 * The credentials of a client: HTTP Basic, or parameters of the body, and not both.
 * @throws OAuthError
 */
export function clientCredentials(authorization: string | undefined, form: URLSearchParams): KnownBy {
  const id = form.get("client_id")
  const secret = form.get("client_secret")
  const basic = authorization && /^Basic\b/i.test(authorization) ? ofBasic(authorization) : undefined
  if (basic) {
    if (secret !== null || (id !== null && id !== basic.id))
      throw new OAuthError("invalid_request", "Send the client's credentials once: as HTTP Basic or in the body.")
    return basic
  }
  if (!id || !secret)
    throw new OAuthError("invalid_client", "Send client_id (the API key's id) and client_secret (the key).")
  return { id, secret }
}

/** What a client asks for; what its key allows unless it says. @throws OAuthError */
function accessAsked(scope: string | null, { access }: Grant): KeyAccess {
  const asked = (scope ?? "").split(" ").filter(Boolean)
  const unknown = asked.filter((one) => one !== "read" && one !== "write")
  if (unknown.length > 0) throw new OAuthError("invalid_scope", `There is no scope ${unknown.join(", ")}: read, write.`)
  if (asked.length === 0) return access
  if (asked.includes("write") && access === "read") throw new OAuthError("invalid_scope", "This key may only read.")
  return asked.includes("write") ? "write" : "read"
}

/**
 * Exchanges an API key for a token of an hour, which ends with the key.
 * @param address where the call comes from: a wrong key is one of its attempts
 * @throws OAuthError; ApiError 429 after too many wrong keys, 503 when the key cannot be checked
 */
export async function exchangeKey(env: Bindings, address: string, { id, secret }: KnownBy, scope: string | null) {
  const grant = await limitAttempts(env, { address }, async () => {
    const proof = parseKey(env, secret)
    const found = proof && String(proof.keyId) === id ? await keyGrant(env, proof) : undefined
    return { verdict: found ? "held" : "wrong", result: found }
  })
  if (!grant) throw new OAuthError("invalid_client", "client_id or client_secret is wrong, expired or revoked.")
  const access = accessAsked(scope, grant)
  const { token, seconds } = await issueKeyToken(env, grant, access)
  const granted = access === "write" ? ("read write" as const) : ("read" as const)
  return { access_token: token, token_type: "Bearer" as const, expires_in: seconds, scope: granted }
}
