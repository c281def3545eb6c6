import * as oauth from "oauth4webapi"
import type { Bindings } from "../../env.ts"
import { MINUTE, now, SECOND } from "../../lib/clock.ts"
import { fetchOutbound, outboundUrl, resolvesToPublicAddress } from "../../lib/web/outbound.ts"
import { SsoRefusal } from "./sso-refusal.ts"

// OpenID Connect with one provider: authorization code, PKCE, nonce. Every response of a provider is validated; none of
// its texts reach a page.

/** This service's registration as a client of a provider. */
export interface ClientRegistration {
  /** The display name of the provider. */
  name: string
  issuer: string
  clientId: string
  /** null for a public client. */
  clientSecret: string | null
  /** The redirect URI. */
  redirectUri: string
}

/** What binds a sign-in to the browser that started it. */
export interface AuthorizationBinding {
  state: string
  nonce: string
  /** The PKCE code verifier. */
  verifier: string
}

export type Claims = Record<string, unknown>

/** How long an isolate caches the metadata of a provider, and of how many providers. */
const METADATA_TTL = 10 * MINUTE
const MAX_CACHED_PROVIDERS = 100

const metadataCache = new Map<string, { metadata: oauth.AuthorizationServer; expiresAt: number }>()

type LogDetails = Record<string, string>
const providerFailed = (name: string, details: LogDetails) =>
  new SsoRefusal(502, "sso.no-response", { provider: name }, details)
const misconfigured = (name: string, details: LogDetails) =>
  new SsoRefusal(502, "sso.misconfigured", { provider: name }, details)
const invalidProof = (name: string, details: LogDetails) =>
  new SsoRefusal(401, "sso.unverified-response", { provider: name }, details)
const declined = (name: string, details: LogDetails) => new SsoRefusal(403, "sso.declined", { provider: name }, details)

/** Error codes of invalid signatures, issuers, audiences, nonces and times. */
const INVALID_PROOF_CODES = new Set<string>([
  oauth.JWT_CLAIM_COMPARISON,
  oauth.JWT_TIMESTAMP_CHECK,
  oauth.JSON_ATTRIBUTE_COMPARISON,
  oauth.INVALID_RESPONSE,
  oauth.KEY_SELECTION,
])

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unreachable"

/** Maps an error to a refusal. @param onInvalidProof the refusal for an invalid response */
function toRefusal(error: unknown, name: string, onInvalidProof = providerFailed): SsoRefusal {
  if (error instanceof SsoRefusal) return error
  const code = codeOf(error)
  const providerError =
    error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError ? error.error : ""
  const details = { code, providerError, error: error instanceof Error ? error.message : String(error) }
  if (error instanceof oauth.AuthorizationResponseError)
    return providerError === "access_denied" ? declined(name, details) : providerFailed(name, details)
  if (error instanceof oauth.ResponseBodyError)
    return providerError === "invalid_grant" ? invalidProof(name, details) : misconfigured(name, details)
  if (error instanceof oauth.WWWAuthenticateChallengeError) return misconfigured(name, details)
  return INVALID_PROOF_CODES.has(code) ? onInvalidProof(name, details) : providerFailed(name, details)
}

/** Options of the library: calls go through our outbound rules, which allow HTTP in development only. */
const requestOptions = (env: Bindings) => ({
  [oauth.customFetch]: (address: string, options: oauth.CustomFetchOptions<string, URLSearchParams | undefined>) =>
    fetchOutbound(env, address, { method: options.method, headers: options.headers, body: options.body ?? null }),
  [oauth.allowInsecureRequests]: true,
})

/** Rejects a provider whose name resolves to a private network. @throws TypeError, as `fetch` does */
async function requirePublicAddresses(env: Bindings, addresses: (string | undefined)[]) {
  const origins = new Set(addresses.flatMap((address) => (address && URL.parse(address)?.origin) || []))
  const isPublic = await Promise.all([...origins].map((origin) => resolvesToPublicAddress(env, origin)))
  if (isPublic.includes(false)) throw new TypeError("The provider has no public address.")
}

/** The metadata of a provider, with all of its addresses checked to be public. */
async function discover(env: Bindings, issuer: string): Promise<oauth.AuthorizationServer> {
  const cached = metadataCache.get(issuer)
  if (cached && cached.expiresAt > now()) return cached.metadata
  const url = new URL(issuer)
  await requirePublicAddresses(env, [issuer])
  const metadata = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, requestOptions(env)))
  await requirePublicAddresses(env, [metadata.token_endpoint, metadata.jwks_uri, metadata.userinfo_endpoint])
  for (const oldest of metadataCache.keys()) {
    if (metadataCache.size < MAX_CACHED_PROVIDERS) break
    metadataCache.delete(oldest)
  }
  metadataCache.set(issuer, { metadata, expiresAt: now() + METADATA_TTL })
  return metadata
}

type ProviderKey = JsonWebKey & { kid: string }

const keysCache = new Map<string, { keys: ProviderKey[]; expiresAt: number }>()

/** The public keys of a provider. @param isFresh reads them again. @throws TypeError and others, if it fails */
export async function providerKeys(env: Bindings, issuer: string, isFresh = false): Promise<ProviderKey[]> {
  const { jwks_uri: address = "" } = await discover(env, issuer)
  const cached = keysCache.get(address)
  if (cached && !isFresh && cached.expiresAt > now()) return cached.keys
  const response = await fetchOutbound(env, address)
  const { keys } = (await response.json()) as { keys: ProviderKey[] }
  if (keysCache.size >= MAX_CACHED_PROVIDERS) keysCache.clear()
  keysCache.set(address, { keys, expiresAt: now() + METADATA_TTL })
  return keys
}

/** Where a person signs out at a provider (OpenID Connect RP-Initiated Logout); undefined if it has no such address. */
export async function endSessionUrl(
  env: Bindings,
  issuer: string,
  parameters: Record<string, string>,
): Promise<URL | undefined> {
  const metadata = await discover(env, issuer).catch(() => undefined)
  const url = outboundUrl(env, metadata?.end_session_endpoint ?? "")
  for (const [name, value] of Object.entries(parameters)) url?.searchParams.set(name, value)
  return url
}

/**
 * Validates the signature of an ID token. Fetches the keys again if none matches: the provider may have rotated them.
 */
async function validateSignature(env: Bindings, server: oauth.AuthorizationServer, response: Response) {
  try {
    await oauth.validateApplicationLevelSignature(server, response, requestOptions(env))
  } catch (error) {
    if (codeOf(error) !== oauth.KEY_SELECTION) throw error
    // The library caches keys by the metadata object, so a copy has no cached keys.
    const copy = { ...server }
    await oauth.validateApplicationLevelSignature(copy, response, requestOptions(env))
    const cached = metadataCache.get(server.issuer)
    if (cached?.metadata === server) metadataCache.set(server.issuer, { ...cached, metadata: copy })
  }
}

/** How far the clock of a provider may be ahead. */
const MAX_CLOCK_SKEW = MINUTE

/** Checks of OpenID Connect Core 3.1.3.7 that the library leaves out: client, issue time and subject. @throws 401 */
function requireOwnToken({ name, clientId }: ClientRegistration, { azp, iat, sub }: oauth.IDToken) {
  const invalidClaims = [
    ...(azp === undefined || azp === clientId ? [] : ["azp"]),
    ...(iat * SECOND <= now() + MAX_CLOCK_SKEW ? [] : ["iat"]),
    ...(sub === "" ? ["sub"] : []),
  ]
  if (invalidClaims.length > 0) throw invalidProof(name, { code: "ID_TOKEN_CLAIM", claims: invalidClaims.join(" ") })
}

/** Random values that bind a new sign-in to its browser. */
export const newBinding = (): AuthorizationBinding => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
})

/** The provider's URL to send the browser to. @throws 502 */
export async function authorizationUrl(
  env: Bindings,
  registration: ClientRegistration,
  scopes: string,
  { state, nonce, verifier }: AuthorizationBinding,
): Promise<URL> {
  try {
    const { authorization_endpoint: endpoint = "" } = await discover(env, registration.issuer)
    const url = outboundUrl(env, endpoint)
    if (!url) throw new TypeError("The provider has no authorization endpoint at a public address.")
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

/** How this service authenticates at the token endpoint. */
function authentication(
  { clientSecret }: ClientRegistration,
  { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] }: oauth.AuthorizationServer,
): oauth.ClientAuth {
  if (clientSecret === null) return oauth.None()
  // Preferred if both are supported: many providers do not decode the escaped secret of HTTP Basic.
  return methods.includes("client_secret_post")
    ? oauth.ClientSecretPost(clientSecret)
    : oauth.ClientSecretBasic(clientSecret)
}

/**
 * The claims of the ID token, plus wanted claims that only UserInfo has. Validates issuer, audience, authorized party,
 * nonce, times and signature of the ID token.
 * @param parameters the query of the callback
 * @param wanted the claims to use; null: all of UserInfo
 * @throws 401 for an invalid proof, 403 if the provider refuses, 502 if it fails
 */
export async function getClaims(
  env: Bindings,
  registration: ClientRegistration,
  { state, nonce, verifier }: AuthorizationBinding,
  parameters: URLSearchParams,
  wanted: readonly string[] | null,
): Promise<{ claims: Claims & { sub: string }; idToken: string }> {
  try {
    const server = await discover(env, registration.issuer)
    const client: oauth.Client = { client_id: registration.clientId }
    const validated = oauth.validateAuthResponse(server, client, parameters, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication(registration, server),
      validated,
      registration.redirectUri,
      verifier,
      requestOptions(env),
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
    const idToken = tokens.id_token ?? ""
    if (!missing || !server.userinfo_endpoint) return { claims: { ...claims }, idToken }
    const userInfo = await oauth.userInfoRequest(server, client, tokens.access_token, requestOptions(env))
    const userClaims = await oauth.processUserInfoResponse(server, client, claims.sub, userInfo)
    return { claims: { ...userClaims, ...claims }, idToken }
  } catch (error) {
    throw toRefusal(error, registration.name, invalidProof)
  }
}
