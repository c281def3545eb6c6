import { sign, verify } from "hono/jwt"

/** Signs claims with HMAC-SHA256: a JSON Web Token (RFC 7519). */
export const signClaims = (claims: Record<string, unknown>, secret: string | CryptoKey): Promise<string> =>
  sign(claims, secret, "HS256")

/**
 * The claims of a token.
 * @throws when it was not signed with this secret, was changed, has expired or does not hold yet
 */
export const verifiedClaims = (token: string, secret: string | CryptoKey): Promise<Record<string, unknown>> =>
  verify(token, secret, "HS256")
