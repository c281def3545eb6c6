import type { Bindings } from "../../env.ts"
import { MINUTE, now } from "../../lib/clock.ts"
import { decrypted } from "../../lib/crypto/crypto.ts"
import type { AuthorizationBinding, ClientRegistration } from "./sso-openid.ts"
import { SsoRefusal } from "./sso-refusal.ts"

// The state of a sign-in between its start and its callback, in an encrypted cookie.

/** How long a user may take at the provider. */
export const SSO_STATE_LIFETIME = 10 * MINUTE

/**
 * A sign-in in progress, encrypted in a cookie of the browser that started it. It contains everything that the callback
 * needs to call the provider, so that the callback reads the database once; the version detects changes of the
 * provider.
 */
export interface SsoState extends AuthorizationBinding {
  providerId: number
  /** The provider's slug: a response to another provider's callback is rejected (RFC 9700, 4.4.2.2). */
  slug: string
  version: number
  name: string
  issuer: string
  clientId: string
  /** Encrypted, as in the database. */
  clientSecret: string | null
  portalId: number | null
  /** The claims to use; null if there are too many for the cookie. */
  wanted: string[] | null
  /** Where to redirect after the sign-in, as requested. */
  next: string | null
  /** Epoch milliseconds. */
  until: number
}

const expiredSignIn = () => new SsoRefusal(400, "sso.expired")

/** @throws 502 if the client secret cannot be decrypted */
export function registrationOf({ name, issuer, clientId, clientSecret }: SsoState, env: Bindings, redirectUri: string) {
  const secret = clientSecret === null ? null : decrypted(env, clientSecret)
  if (secret === undefined) throw new SsoRefusal(502, "sso.secret", { provider: name })
  return { name, issuer, clientId, clientSecret: secret, redirectUri } satisfies ClientRegistration
}

/**
 * Decrypts and validates the cookie of a sign-in.
 * @param slug the provider's slug in the callback URL
 * @throws 400 if it is missing, forged, expired, or of another provider or state
 */
export function readSsoState(
  env: Bindings,
  cookie: string | undefined,
  slug: string,
  stateParam: string | null,
): SsoState {
  const state = cookie === undefined ? undefined : decryptState(env, cookie)
  if (!state || state.until <= now() || state.slug !== slug || state.state !== stateParam) throw expiredSignIn()
  return state
}

function decryptState(env: Bindings, cookie: string): SsoState | undefined {
  const text = decrypted(env, cookie)
  return text === undefined ? undefined : JSON.parse(text)
}
