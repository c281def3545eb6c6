import { sign, verify } from "hono/jwt"

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
