import * as oauth from "oauth4webapi"
import type { Bindings } from "../../env.ts"
import { MINUTE, now, SECOND } from "../../lib/clock.ts"
import { fetchOutbound, outboundUrl, resolvesToPublicAddress } from "../../lib/web/outbound.ts"
import { SsoRefusal } from "./sso-refusal.ts"

// OpenID Connect with one provider: authorization code, PKCE, nonce. Whatever a provider says is held against what was
// asked; nothing of its words reaches a page.

/** This service at a provider. */
export interface ClientRegistration {
  /** What the provider is called, to people. */
  name: string
  issuer: string
  clientId: string
  /** null: a public client. */
  clientSecret: string | null
  /** Where the provider sends the browser back. */
  redirectUri: string
}

/** What one sign-in is bound to; only the browser that began it has it. */
export interface AuthorizationBinding {
  state: string
  nonce: string
  /** PKCE's code verifier. */
  verifier: string
}

export type Claims = Record<string, unknown>

/** How long an isolate keeps what a provider tells of itself, and how many of them it keeps. */
const KEPT_FOR = 10 * MINUTE
const MOST_KEPT = 100

const known = new Map<string, { metadata: oauth.AuthorizationServer; until: number }>()

type Why = Record<string, string>
const failed = (name: string, why: Why) =>
  new SsoRefusal(502, `${name} does not answer as it should. Try again in a few minutes.`, why)
const misconfigured = (name: string, why: Why) =>
  new SsoRefusal(502, `${name} does not take this academy as its client. Tell an administrator.`, why)
const unproven = (name: string, why: Why) =>
  new SsoRefusal(401, `What ${name} answered does not prove who you are. Sign in again from the beginning.`, why)
const declined = (name: string, why: Why) =>
  new SsoRefusal(403, `${name} did not sign you in: you declined, or it does not let you use this academy.`, why)

/** What a proof that does not hold is called: a signature, an issuer, an audience, a nonce, a time. */
const UNPROVEN = new Set<string>([
  oauth.JWT_CLAIM_COMPARISON,
  oauth.JWT_TIMESTAMP_CHECK,
  oauth.JSON_ATTRIBUTE_COMPARISON,
  oauth.INVALID_RESPONSE,
  oauth.KEY_SELECTION,
])

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unreachable"

/** What an error on the way means. @param otherwise where an answer is not what it should be */
function toRefusal(error: unknown, name: string, otherwise = failed): SsoRefusal {
  if (error instanceof SsoRefusal) return error
  const code = codeOf(error)
  const said =
    error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError ? error.error : ""
  const why = { code, said, error: error instanceof Error ? error.message : String(error) }
  if (error instanceof oauth.AuthorizationResponseError)
    return said === "access_denied" ? declined(name, why) : failed(name, why)
  if (error instanceof oauth.ResponseBodyError)
    return said === "invalid_grant" ? unproven(name, why) : misconfigured(name, why)
  if (error instanceof oauth.WWWAuthenticateChallengeError) return misconfigured(name, why)
  return UNPROVEN.has(code) ? otherwise(name, why) : failed(name, why)
}

/** How the library is to call: by our own rules for addresses, which let HTTP through for a developer alone. */
const calling = (env: Bindings) => ({
  [oauth.customFetch]: (address: string, asked: oauth.CustomFetchOptions<string, URLSearchParams | undefined>) =>
    fetchOutbound(env, address, { method: asked.method, headers: asked.headers, body: asked.body ?? null }),
  [oauth.allowInsecureRequests]: true,
})

/** Refuses a provider whose name leads into a private network. @throws TypeError; as `fetch` does */
async function requireOutside(env: Bindings, addresses: (string | undefined)[]) {
  const origins = new Set(addresses.flatMap((address) => (address && URL.parse(address)?.origin) || []))
  const outside = await Promise.all([...origins].map((origin) => resolvesToPublicAddress(env, origin)))
  if (outside.includes(false)) throw new TypeError("The provider has no public address.")
}

/** What the provider tells of itself: its addresses, all of them public, and what it can do. */
async function discovered(env: Bindings, issuer: string): Promise<oauth.AuthorizationServer> {
  const kept = known.get(issuer)
  if (kept && kept.until > now()) return kept.metadata
  const url = new URL(issuer)
  await requireOutside(env, [issuer])
  const metadata = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, calling(env)))
  await requireOutside(env, [metadata.token_endpoint, metadata.jwks_uri, metadata.userinfo_endpoint])
  for (const oldest of known.keys()) {
    if (known.size < MOST_KEPT) break
    known.delete(oldest)
  }
  known.set(issuer, { metadata, until: now() + KEPT_FOR })
  return metadata
}

/**
 * Checks the signature of an ID token. Where none of the keys that are cached has the token's key id, the provider may
 * have rotated its keys: they are fetched once more.
 */
async function validateSignature(env: Bindings, server: oauth.AuthorizationServer, response: Response) {
  try {
    await oauth.validateApplicationLevelSignature(server, response, calling(env))
  } catch (error) {
    if (codeOf(error) !== oauth.KEY_SELECTION) throw error
    // The library caches keys by the object that describes the server: a copy has none yet.
    const copy = { ...server }
    await oauth.validateApplicationLevelSignature(copy, response, calling(env))
    const kept = known.get(server.issuer)
    if (kept?.metadata === server) known.set(server.issuer, { ...kept, metadata: copy })
  }
}

/** How far a provider's clock may be ahead of ours. */
const MAX_CLOCK_SKEW = MINUTE

/**
 * What OpenID Connect Core (3.1.3.7) asks of an ID token beside what the library checks: that it was issued to this
 * client, and before now, and names somebody. @throws 401
 */
function requireOwnToken({ name, clientId }: ClientRegistration, { azp, iat, sub }: oauth.IDToken) {
  const wrong = [
    ...(azp === undefined || azp === clientId ? [] : ["azp"]),
    ...(iat * SECOND <= now() + MAX_CLOCK_SKEW ? [] : ["iat"]),
    ...(sub === "" ? ["sub"] : []),
  ]
  if (wrong.length > 0) throw unproven(name, { code: "ID_TOKEN_CLAIM", claims: wrong.join(" ") })
}

/** What a new sign-in is bound to. */
export const newBinding = (): AuthorizationBinding => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
})

/** Where the browser goes to be signed in. @throws 502 */
export async function authorizationUrl(
  env: Bindings,
  registration: ClientRegistration,
  scopes: string,
  { state, nonce, verifier }: AuthorizationBinding,
): Promise<URL> {
  try {
    const { authorization_endpoint: endpoint = "" } = await discovered(env, registration.issuer)
    const url = outboundUrl(env, endpoint)
    if (!url) throw new TypeError("The provider has no authorization endpoint that may be called.")
    const parameters = {
      client_id: registration.clientId,
      redirect_uri: registration.redirectUri,
      response_type: "code",
      scope: scopes,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url
  } catch (error) {
    throw toRefusal(error, registration.name)
  }
}

/** How this service proves who it is at the token endpoint. */
function authentication(
  { clientSecret }: ClientRegistration,
  { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] }: oauth.AuthorizationServer,
): oauth.ClientAuth {
  if (clientSecret === null) return oauth.None()
  // Where both are taken: many providers do not decode what Basic has to encode of a secret.
  return methods.includes("client_secret_post")
    ? oauth.ClientSecretPost(clientSecret)
    : oauth.ClientSecretBasic(clientSecret)
}

/**
 * Who a provider says the person is: the claims of the ID token, and of UserInfo those that are wanted and not in it.
 * The ID token's issuer, audience, authorized party, nonce, times and signature hold.
 * @param parameters of the address that the provider sent the browser to
 * @param wanted the claims that are of use; null: whatever UserInfo has
 * @throws 401 for what does not prove it, 403 where the provider says no, 502 where it fails
 */
export async function getClaims(
  env: Bindings,
  registration: ClientRegistration,
  { state, nonce, verifier }: AuthorizationBinding,
  parameters: URLSearchParams,
  wanted: readonly string[] | null,
): Promise<Claims & { sub: string }> {
  try {
    const server = await discovered(env, registration.issuer)
    const client: oauth.Client = { client_id: registration.clientId }
    const answered = oauth.validateAuthResponse(server, client, parameters, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication(registration, server),
      answered,
      registration.redirectUri,
      verifier,
      calling(env),
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    await validateSignature(env, server, response)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (!claims) throw new TypeError("The provider answered no ID token.")
    requireOwnToken(registration, claims)
    const missing = !wanted || wanted.some((claim) => claims[claim] === undefined)
    if (!missing || !server.userinfo_endpoint) return { ...claims }
    const told = await oauth.userInfoRequest(server, client, tokens.access_token, calling(env))
    return { ...(await oauth.processUserInfoResponse(server, client, claims.sub, told)), ...claims }
  } catch (error) {
    throw toRefusal(error, registration.name, unproven)
  }
}
