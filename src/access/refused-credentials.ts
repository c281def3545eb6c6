import { type ApiError, unauthorized } from "../lib/errors.ts"
import { isApiKey } from "./keys.ts"

// The errors for invalid credentials. Loaded when first needed.

const HOW_TO_SEND = "Send `Authorization: Bearer` followed by the token or API key."

/** Whether an HTTP Basic header contains an API key as the user or the password. */
function isKeyInBasic(authorization: string): boolean {
  const encoded = /^Basic\s+(\S+)$/i.exec(authorization)?.[1] ?? ""
  return Buffer.from(encoded, "base64").toString("latin1").split(":", 2).some(isApiKey)
}

/** An API key in another header, or in HTTP Basic. */
export const misplacedKey = (): ApiError =>
  unauthorized("invalid_key", `The API key is in the wrong place. ${HOW_TO_SEND}`)

/** @param authorization a header without a valid token or key */
export function refusedAuthorization(authorization: string): ApiError {
  const token = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1]
  if (token === undefined)
    return isKeyInBasic(authorization)
      ? misplacedKey()
      : unauthorized("invalid_token", `The Authorization header is not a bearer token. ${HOW_TO_SEND}`)
  return isApiKey(token)
    ? unauthorized(
        "invalid_key",
        "The API key is malformed. Copy it again: a character may be missing, added or changed.",
      )
    : unauthorized("invalid_token", "The token is invalid or has expired. Sign in again.")
}
