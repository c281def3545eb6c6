import { decode, sign, verify, verifyWithJwks } from "hono/jwt"
import { decodeHeader } from "hono/utils/jwt/jwt"

/** Signs claims with HMAC-SHA256: a JSON Web Token (RFC 7519). */
export const signClaims = (claims: Record<string, unknown>, secret: string | CryptoKey): Promise<string> =>
  sign(claims, secret, "HS256")

/** The claims of a token. @throws if no secret matches, or the token was changed, has expired or is not valid yet */
export async function verifiedClaims(token: string, secrets: (string | CryptoKey)[]): Promise<Record<string, unknown>> {
  const verified = await Promise.allSettled(secrets.map((secret) => verify(token, secret, "HS256")))
  const valid = verified.find((outcome) => outcome.status === "fulfilled") ?? verified[0]
  if (valid?.status !== "fulfilled") throw valid?.reason
  return valid.value
}

/** The signature algorithms that OpenID Connect providers use. */
const PROVIDER_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"] as const

/**
 * The claims of a token that one of a provider's keys signed.
 * @param type the `typ` that it may have instead of JWT
 * @throws if no key matches, or the token is not valid now
 */
export async function claimsSignedBy(
  token: string,
  keys: (JsonWebKey & { kid: string })[],
  type: string,
): Promise<Record<string, unknown>> {
  const { typ } = decodeHeader(token)
  const verification = typ?.toLowerCase() === type ? { typ: type } : {}
  return verifyWithJwks(token, { keys, allowedAlgorithms: PROVIDER_ALGORITHMS, verification })
}

/** The claims of a token whose signature was not checked. @throws for anything but a token */
export const uncheckedClaims = (token: string): Record<string, unknown> => decode(token).payload
