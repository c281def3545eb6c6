import { errorOf, jsonOf, LecternError } from "./errors.ts"
import { newKey } from "./send.ts"

/** What a sign-in gives: keep it where only this app can read it. */
export interface Tokens {
  /** For `Authorization: Bearer`. */
  token: string
  /** When the token ends, ISO 8601. */
  expiresAt: string
  /** Of a device: gives a new pair, once. There where `signIn` was given a `device`. */
  refreshToken?: string | undefined
}

/** Who signs in. */
export interface SignIn {
  email: string
  password: string
  /** The authenticator's code, or a recovery code: with two-factor on. */
  code?: string
  /** What this device is called in the user's list of devices; gives a refresh token of 30 days. */
  device?: string
}

/** Who has signed in. */
export interface SignedInUser {
  id: number
  firstName: string
  lastName: string
  email: string
  userType: string
}

/** An API key, to be exchanged for tokens of an hour: an OAuth 2.0 client with its secret. */
export interface OAuthClient {
  /** The key's id. */
  clientId: string | number
  /** The key itself, `lk_…`. */
  clientSecret: string
  /** Narrows what the tokens may do. */
  scope?: "read" | "write"
}

/** Told of every change of the tokens; undefined: signed out, by whomever. */
export type OnTokens = (tokens: Tokens | undefined) => void | Promise<void>

/** A credential is renewed so long before it ends. */
const MARGIN = 60_000
/** Of a device whose clock is wrong every token seems to have ended: it is not renewed at each call. */
const PATIENCE = 60_000
const RENEWABLE = new Set(["invalid_token", "session_ended", "invalid_key"])

/** How the session sends its own calls, without a credential. */
type Post = (path: string, init: { headers?: Record<string, string>; body: string }) => Promise<Response>

/** @throws LecternError when the answer is one */
async function answered<T>(response: Response): Promise<T> {
  if (!response.ok) throw await errorOf(response)
  return (await jsonOf(response)) as T
}

const JSON_BODY = { "content-type": "application/json" }
const json = (body: object) => ({ headers: { ...JSON_BODY }, body: JSON.stringify(body) })

/** The credential of a client: which it is, and how it is renewed. */
export class Credentials {
  tokens: Tokens | undefined
  private renewal: Promise<void> | undefined
  private renewedAt = 0
  /** Of the refresh that is under way, or whose answer never came: with it the refresh token may be sent once more. */
  private refreshKey = ""
  private readonly post: Post
  private readonly apiKey: string | undefined
  private readonly oauth: OAuthClient | undefined
  private readonly onTokens: OnTokens | undefined

  constructor(
    post: Post,
    given: {
      apiKey?: string | undefined
      clientCredentials?: OAuthClient | undefined
      tokens?: Tokens | undefined
      onTokens?: OnTokens | undefined
    },
  ) {
    this.post = post
    this.apiKey = given.apiKey
    this.oauth = given.clientCredentials
    this.tokens = given.tokens
    this.onTokens = given.onTokens
  }

  /** What goes behind `Bearer`; renewed first when it ends soon. undefined: nobody is signed in. */
  async credential(): Promise<string | undefined> {
    if (this.apiKey) return this.apiKey
    if (this.oauth && !this.tokens) await this.renew()
    else if (this.endsSoon()) {
      const before = this.tokens
      // Should it fail, the token may still hold; and if it does not, the answer says so.
      await this.renew().catch((error) => {
        if (this.tokens !== before) throw error
      })
    }
    return this.tokens?.token
  }

  /** Gets another credential in place of one that was refused. @returns whether there is another */
  async replace(refused: string, response: Response): Promise<boolean> {
    if (this.apiKey || response.status !== 401) return false
    if (this.tokens && this.tokens.token !== refused) return true
    if (!this.canRenew()) return false
    const { code } = await errorOf(response.clone() as Response)
    if (!RENEWABLE.has(code)) return false
    await this.renew()
    return this.tokens !== undefined && this.tokens.token !== refused
  }

  async signIn(given: SignIn): Promise<SignedInUser> {
    const { user, ...tokens } = await answered<Tokens & { user: SignedInUser }>(await this.post("/login", json(given)))
    await this.keep(tokens)
    return user
  }

  /** Ends the session at the service, and forgets it whatever the service says. */
  async signOut(everywhere: boolean): Promise<void> {
    const token = this.tokens?.token
    if (!token) return
    const body = json({ everywhere })
    try {
      const response = await this.post("/logout", {
        ...body,
        headers: { ...body.headers, authorization: `Bearer ${token}` },
      })
      if (!response.ok && response.status !== 401) throw await errorOf(response)
    } finally {
      await this.keep(undefined)
    }
  }

  private canRenew = () => this.oauth !== undefined || this.tokens?.refreshToken !== undefined

  private endsSoon(): boolean {
    if (!this.tokens || !this.canRenew() || Date.now() - this.renewedAt < PATIENCE) return false
    return Date.parse(this.tokens.expiresAt) - Date.now() < MARGIN
  }

  private async keep(tokens: Tokens | undefined) {
    this.tokens = tokens
    this.renewedAt = Date.now()
    this.refreshKey = ""
    await this.onTokens?.(tokens)
  }

  /** However many calls ask at once, one renewal is sent: a refresh token that is used twice ends its device. */
  private renew(): Promise<void> {
    this.renewal ??= this.renewed().finally(() => {
      this.renewal = undefined
    })
    return this.renewal
  }

  private async renewed() {
    const { oauth, tokens } = this
    if (oauth) return this.keep(await this.exchanged(oauth))
    if (!tokens?.refreshToken) return
    try {
      this.refreshKey ||= newKey()
      const { headers, body } = json({ refreshToken: tokens.refreshToken })
      const repeatable = { ...headers, "idempotency-key": this.refreshKey }
      const response = await this.post("/session/refresh", { headers: repeatable, body })
      const { token, expiresAt, refreshToken } = await answered<Tokens>(response)
      await this.keep({ token, expiresAt, refreshToken })
    } catch (error) {
      const ended = error instanceof LecternError && error.status === 401
      // Who signed in meanwhile stays signed in.
      if (ended && this.tokens === tokens) await this.keep(undefined)
      throw error
    }
  }

  private async exchanged({ clientId, clientSecret, scope }: OAuthClient): Promise<Tokens> {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: String(clientId),
      client_secret: clientSecret,
      ...(scope && { scope }),
    })
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const response = await this.post("/oauth/token", { headers, body: form.toString() })
    const { access_token, expires_in } = await answered<{ access_token: string; expires_in: number }>(response)
    return { token: access_token, expiresAt: new Date(Date.now() + expires_in * 1000).toISOString() }
  }
}
