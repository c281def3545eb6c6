import type { Bindings } from "../../env.ts"
import { MINUTE, now, SECOND } from "../../lib/clock.ts"
import { claimsSignedBy, uncheckedClaims } from "../../lib/crypto/jwt.ts"
import { malformed } from "../../lib/errors.ts"
import { providerKeys } from "./sso-openid.ts"

// The logout token of OpenID Connect Back-Channel Logout 1.0.

const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"

/** How long a logout token is accepted after it was issued. */
export const LOGOUT_TOKEN_LIFETIME = 5 * MINUTE

/** A logout token is refused, with the reason for the provider's log. */
export const invalidLogoutToken = (reason: string) => malformed(reason)

/** Who signed out: a session of the provider, or a person with all sessions. */
export interface LoggedOut {
  sid: string | undefined
  subject: string | undefined
  jti: string
}

const textOf = (claim: unknown) => (typeof claim === "string" && claim !== "" ? claim : undefined)

const toLoggedOut = ({ sid, sub, jti }: Record<string, unknown>): LoggedOut => ({
  sid: textOf(sid),
  subject: textOf(sub),
  jti: textOf(jti) ?? "",
})

/** Reads the claims of an unverified token, to find its session. @throws 400 */
export function readLogoutToken(token: string): LoggedOut {
  try {
    return toLoggedOut(uncheckedClaims(token))
  } catch {
    throw invalidLogoutToken("logout_token is not a JSON Web Token.")
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The problem of a token's claims; undefined: they are valid (section 2.6). */
function problemOf(claims: Record<string, unknown>, issuer: string, clientId: string): string | undefined {
  const { iss, aud, iat, events, nonce } = claims
  const { sid, subject, jti } = toLoggedOut(claims)
  if (iss !== issuer) return "iss is not the issuer."
  if (![aud].flat().includes(clientId)) return "aud does not contain the client."
  if (typeof iat !== "number") return "iat is missing."
  if (iat * SECOND < now() - LOGOUT_TOKEN_LIFETIME) return "The token is too old."
  if (!isObject(events) || !isObject(Reflect.get(events, LOGOUT_EVENT))) return "events has no logout event."
  if (nonce !== undefined) return "nonce is not allowed."
  if (jti === "") return "jti is missing."
  return sid === undefined && subject === undefined ? "sid or sub is required." : undefined
}

/** Verifies the signature and the claims of a logout token. @throws 400 */
export async function verifyLogoutToken(
  env: Bindings,
  { issuer, clientId }: { issuer: string; clientId: string },
  token: string,
): Promise<void> {
  const verified = async (isRetry = false): Promise<Record<string, unknown>> => {
    const keys = await providerKeys(env, issuer, isRetry)
    // The provider may have rotated its keys.
    return claimsSignedBy(token, keys, "logout+jwt").catch((error) =>
      isRetry ? Promise.reject(error) : verified(true),
    )
  }
  const claims = await verified().catch((error: unknown) => {
    throw invalidLogoutToken(`The token could not be verified: ${error instanceof Error ? error.name : "error"}.`)
  })
  const problem = problemOf(claims, issuer, clientId)
  if (problem) throw invalidLogoutToken(problem)
}
