import { type ApiError, unauthorized } from "../lib/errors.ts"
import { isKey } from "./keys.ts"

// What a call is answered whose credential is none: loaded by the first of them.

const HOW = "Send it as `Authorization: Bearer` and the token or API key."

/** Does HTTP Basic, as the user or the password, carry an API key? */
function isKeyInBasic(authorization: string): boolean {
  const encoded = /^Basic\s+(\S+)$/i.exec(authorization)?.[1] ?? ""
  return Buffer.from(encoded, "base64").toString("latin1").split(":", 2).some(isKey)
}

/** An API key that came in another header, or as HTTP Basic. */
export const misplacedKey = (): ApiError => unauthorized("invalid_key", `An API key is not taken from here. ${HOW}`)

/** @param authorization the header, which holds neither a token nor a key */
export function refusedAuthorization(authorization: string): ApiError {
  const token = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1]
  if (token === undefined)
    return isKeyInBasic(authorization)
      ? misplacedKey()
      : unauthorized("invalid_token", `This is no bearer token. ${HOW}`)
  return isKey(token)
    ? unauthorized(
        "invalid_key",
        "This is not a whole API key: a character is missing, added or changed. Copy it again.",
      )
    : unauthorized("invalid_token", "The token is invalid or has expired. Sign in again.")
}
