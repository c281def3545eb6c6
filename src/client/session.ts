import { LecternError, parseJson, toError } from "./errors.ts"
import { createIdempotencyKey } from "./send.ts"

/** The tokens of a sign-in. Store them where only this app can read them. */
export interface Tokens {
  /** Bearer token. */
  token: string
  /** Expiry of the token, ISO 8601. */
  expiresAt: string
  /** Works once to get new tokens. Present if `signIn` was called with `device`. */
  refreshToken?: string | undefined
}

export interface SignIn {
  email: string
  password: string
  /** Code of the authenticator app or recovery code, if two-factor authentication is on. */
  code?: string
  /** Name in the user's list of devices. Returns a refresh token that is valid for 30 days. */
  device?: string
}

export interface SignedInUser {
  id: number
  firstName: string
  lastName: string
  email: string
  userType: string
}

/** An API key as an OAuth 2.0 client, exchanged for one-hour tokens. */
export interface OAuthClient {
  /** Id of the API key. */
  clientId: string | number
  /** The API key, `lk_…`. */
  clientSecret: string
  /** Limits the permissions of the tokens. */
  scope?: "read" | "write"
}

/** Called on every change of the tokens; undefined: signed out. */
export type OnTokens = (tokens: Tokens | undefined) => void | Promise<void>

/** Tokens are renewed this long before they expire. */
const RENEW_BEFORE_EXPIRY_MS = 60_000
/** Minimum interval of renewals: with a wrong device clock every token seems expired. */
const MIN_RENEW_INTERVAL_MS = 60_000
const RENEWABLE_CODES = new Set(["invalid_token", "session_ended", "invalid_key"])

/** Sends a request without a credential. */
type Post = (path: string, init: { headers?: Record<string, string>; body: string }) => Promise<Response>

async function parseResponse<T>(response: Response): Promise<T> {
  if (!response.ok) throw await toError(response)
  return (await parseJson(response)) as T
}

const JSON_BODY = { "content-type": "application/json" }
const jsonRequest = (body: object) => ({ headers: { ...JSON_BODY }, body: JSON.stringify(body) })

/** Provides the credential of a client, and renews it. */
export class Credentials {
  tokens: Tokens | undefined
  private renewal: Promise<void> | undefined
  private renewedAt = 0
  /** Idempotency key of a refresh without response: it allows sending the same refresh token again. */
  private refreshKey = ""
  private readonly post: Post
  private readonly apiKey: string | undefined
  private readonly oauth: OAuthClient | undefined
  private readonly onTokens: OnTokens | undefined

  constructor(
    post: Post,
    options: {
      apiKey?: string | undefined
      clientCredentials?: OAuthClient | undefined
      tokens?: Tokens | undefined
      onTokens?: OnTokens | undefined
    },
  ) {
    this.post = post
    this.apiKey = options.apiKey
    this.oauth = options.clientCredentials
    this.tokens = options.tokens
    this.onTokens = options.onTokens
  }

  /** The bearer token; renewed if it expires soon. undefined: not signed in. */
  async credential(): Promise<string | undefined> {
    if (this.apiKey) return this.apiKey
    if (this.oauth && !this.tokens) await this.renew()
    else if (this.expiresSoon()) {
      const previous = this.tokens
      // If the renewal fails, the token may still be valid; otherwise the request fails with 401.
      await this.renew().catch((error) => {
        if (this.tokens !== previous) throw error
      })
    }
    return this.tokens?.token
  }

  /** Replaces a rejected token. @returns whether there is a new one */
  async replace(rejected: string, response: Response): Promise<boolean> {
    if (this.apiKey || response.status !== 401) return false
    if (this.tokens && this.tokens.token !== rejected) return true
    if (!this.canRenew()) return false
    const { code } = await toError(response.clone() as Response)
    if (!RENEWABLE_CODES.has(code)) return false
    await this.renew()
    return this.tokens !== undefined && this.tokens.token !== rejected
  }

  async signIn(credentials: SignIn): Promise<SignedInUser> {
    const { user, ...tokens } = await parseResponse<Tokens & { user: SignedInUser }>(
      await this.post("/login", jsonRequest(credentials)),
    )
    await this.setTokens(tokens)
    return user
  }

  /** Ends the session on the server, and discards the tokens even if that fails. */
  async signOut(everywhere: boolean): Promise<void> {
    const token = this.tokens?.token
    if (!token) return
    const request = jsonRequest({ everywhere })
    try {
      const response = await this.post("/logout", {
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
      })
      if (!response.ok && response.status !== 401) throw await toError(response)
    } finally {
      await this.setTokens(undefined)
    }
  }

  private canRenew = () => this.oauth !== undefined || this.tokens?.refreshToken !== undefined

  private expiresSoon(): boolean {
    if (!this.tokens || !this.canRenew() || Date.now() - this.renewedAt < MIN_RENEW_INTERVAL_MS) return false
    return Date.parse(this.tokens.expiresAt) - Date.now() < RENEW_BEFORE_EXPIRY_MS
  }

  private async setTokens(tokens: Tokens | undefined) {
    this.tokens = tokens
    this.renewedAt = Date.now()
    this.refreshKey = ""
    await this.onTokens?.(tokens)
  }

  /** Concurrent calls share one renewal: using a refresh token twice revokes the device. */
  private renew(): Promise<void> {
    this.renewal ??= this.requestTokens().finally(() => {
      this.renewal = undefined
    })
    return this.renewal
  }

  private async requestTokens() {
    const { oauth, tokens } = this
    if (oauth) return this.setTokens(await this.exchangeKey(oauth))
    if (!tokens?.refreshToken) return
    try {
      this.refreshKey ||= createIdempotencyKey()
      const { headers, body } = jsonRequest({ refreshToken: tokens.refreshToken })
      const idempotentHeaders = { ...headers, "idempotency-key": this.refreshKey }
      const response = await this.post("/session/refresh", { headers: idempotentHeaders, body })
      const { token, expiresAt, refreshToken } = await parseResponse<Tokens>(response)
      await this.setTokens({ token, expiresAt, refreshToken })
    } catch (error) {
      const isExpired = error instanceof LecternError && error.status === 401
      // Keeps the tokens of a sign-in that happened meanwhile.
      if (isExpired && this.tokens === tokens) await this.setTokens(undefined)
      throw error
    }
  }

  private async exchangeKey({ clientId, clientSecret, scope }: OAuthClient): Promise<Tokens> {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: String(clientId),
      client_secret: clientSecret,
      ...(scope && { scope }),
    })
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const response = await this.post("/oauth/token", { headers, body: form.toString() })
    const { access_token, expires_in } = await parseResponse<{ access_token: string; expires_in: number }>(response)
    return { token: access_token, expiresAt: new Date(Date.now() + expires_in * 1000).toISOString() }
  }
}
