import { env } from "cloudflare:workers"
import { expect, vi } from "vitest"
import type { signedIn } from "../factories/index.ts"
import { call, post } from "./client.ts"

// A stand-in for OpenID Connect providers, which receives all outgoing requests of the Worker.

type Claims = Record<string, unknown>

const CLIENT_ID = "lectern"
export const CLIENT_SECRET = "s3cret-of-the-client"

const base64url = (bytes: ArrayBuffer | Uint8Array | string) => Buffer.from(bytes as Uint8Array).toString("base64url")

async function newKey(kid: string) {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" }
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair
  const jwk = (await crypto.subtle.exportKey("jwk", pair.publicKey)) as JsonWebKey
  return { kid, privateKey: pair.privateKey, jwk: { ...jwk, kid, alg: "ES256", use: "sig" } }
}
type Key = Awaited<ReturnType<typeof newKey>>

async function signed(claims: Claims, { kid, privateKey }: Key, header: Claims = {}) {
  const head = base64url(JSON.stringify({ alg: "ES256", kid, ...header }))
  const body = base64url(JSON.stringify(claims))
  const algorithm = { name: "ECDSA", hash: "SHA-256" }
  const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(`${head}.${body}`))
  return `${head}.${body}.${base64url(signature)}`
}

/** Answers DNS queries for IPv4 addresses; there is no IPv6 address. */
const resolved = (question: string, address: string) =>
  Response.json({ Status: 0, Answer: question.endsWith("type=A") ? [{ type: 1, data: address }] : [] })

/** How a provider misbehaves. */
interface Tampering {
  /** Changes the claims of the ID token. */
  claims?: (claims: Claims) => Claims
  /** Signs with a key that it does not publish. */
  foreignKey?: boolean
  /** The ID token's header. */
  header?: Claims
  /** Changes the discovery document. */
  metadata?: Claims
  /** The addresses of its host. */
  address?: string
  /** Responses by endpoint path, in place of the provider's own. */
  answers?: Record<string, () => Response | Promise<Response>>
}

let made = 0

/** Creates a provider, which receives all outgoing requests. */
export async function fakeProvider({ userinfo, ...tampering }: Tampering & { userinfo?: Claims } = {}) {
  made += 1
  // Isolates cache the metadata of an issuer.
  const issuer = `https://id${made}.example.com/realms/main`
  let key = await newKey("first")
  const foreign = await newKey("first")
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string; claims: Claims }>()
  const asked: Request[] = []
  const state = { tampering }

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    ...(userinfo && { userinfo_endpoint: `${issuer}/userinfo` }),
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ["ES256"],
    ...state.tampering.metadata,
  })

  async function token(request: Request) {
    const form = new URLSearchParams(Buffer.from(await request.arrayBuffer()).toString())
    const granted = codes.get(form.get("code") ?? "")
    codes.delete(form.get("code") ?? "")
    const [, basic = ""] = (request.headers.get("authorization") ?? "").split("Basic ")
    const secret = form.get("client_secret") ?? decodeURIComponent(atob(basic)).split(":")[1]
    if (secret !== CLIENT_SECRET) return Response.json({ error: "invalid_client" }, { status: 400 })
    const verifier = new TextEncoder().encode(form.get("code_verifier") ?? "")
    const challenge = base64url(await crypto.subtle.digest("SHA-256", verifier))
    if (!granted || granted.challenge !== challenge || granted.redirectUri !== form.get("redirect_uri"))
      return Response.json({ error: "invalid_grant", error_description: "internal words" }, { status: 400 })
    const seconds = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: CLIENT_ID, iat: seconds, exp: seconds + 300, nonce: granted.nonce }
    const { claims: change = (given: Claims) => given, foreignKey, header } = state.tampering
    const idToken = await signed(change({ ...claims, ...granted.claims }), foreignKey ? foreign : key, header)
    return Response.json({ access_token: "access-1", token_type: "Bearer", expires_in: 300, id_token: idToken })
  }

  const fetched = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input as RequestInfo, init)
    const { address = "93.184.215.14", answers } = state.tampering
    if (request.url.startsWith(env.DNS_RESOLVER)) return resolved(request.url, address)
    asked.push(request)
    const path = request.url.slice(issuer.length)
    const answer = answers?.[path]
    if (answer) return answer()
    if (path === "/.well-known/openid-configuration") return Response.json(metadata())
    if (path === "/keys") return Response.json({ keys: [key.jwk] })
    if (path === "/token") return token(request)
    if (path === "/userinfo") return Response.json(userinfo)
    return new Response("nothing here", { status: 404 })
  }
  const answer = () => {
    vi.spyOn(globalThis, "fetch").mockImplementation(fetched as typeof fetch)
  }
  answer()

  return {
    /** Receives all outgoing requests again, in place of a later provider. */
    answer,
    issuer,
    asked,
    state,
    /** A new provider record's fields. */
    fields: { name: "Example Corp", slug: `corp-${made}`, issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    slug: `corp-${made}`,
    /** Signs with a new key, and publishes only this key. */
    async rotateKey() {
      key = await newKey(`key ${crypto.randomUUID()}`)
    },
    /** Signs a logout token. */
    logoutToken: (claims: Claims = {}, header: Claims = {}, isForeign = false) =>
      signed(
        {
          ...{ iss: issuer, aud: CLIENT_ID, iat: Math.floor(Date.now() / 1000), jti: crypto.randomUUID() },
          exp: Math.floor(Date.now() / 1000) + 120,
          events: { "http://schemas.openid.net/event/backchannel-logout": {} },
          ...claims,
        },
        isForeign ? foreign : key,
        { typ: "logout+jwt", ...header },
      ),
    /** Signs a person in. @returns the parameters of the redirect */
    grant(url: URL, claims: Claims): URLSearchParams {
      const code = crypto.randomUUID()
      const get = (name: string) => url.searchParams.get(name) ?? ""
      codes.set(code, {
        nonce: get("nonce"),
        challenge: get("code_challenge"),
        redirectUri: get("redirect_uri"),
        claims,
      })
      return new URLSearchParams({ code, state: get("state"), iss: issuer })
    },
  }
}
export type FakeProvider = Awaited<ReturnType<typeof fakeProvider>>

/** Creates the provider's record as an administrator. @returns its id */
export async function connected(
  provider: FakeProvider,
  admin: Awaited<ReturnType<typeof signedIn>>,
  more: Record<string, unknown> = {},
): Promise<number> {
  const answer = await post("/api/sso-provider/create", { ...provider.fields, ...more }, { token: admin.token })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.id
}

/** The cookies that a response sets, as a request header. */
const cookiesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .filter((cookie) => !/max-age=0/i.test(cookie))
    .map((cookie) => cookie.split(";")[0])
    .join("; ")

/** Starts a sign-in like a browser. */
export async function begin({ slug }: FakeProvider, next?: string) {
  const query = next === undefined ? "" : `?next=${encodeURIComponent(next)}`
  const answer = await call("GET", `/sso/${slug}/start${query}`)
  const location = answer.headers.get("location") ?? "https://nowhere.example/"
  return { answer, url: new URL(location), cookie: cookiesOf(answer.headers) }
}

/** Returns from the provider. */
export const comeBack = ({ slug }: FakeProvider, parameters: URLSearchParams, cookie: string) =>
  call("GET", `/sso/${slug}/callback?${parameters}`, { headers: cookie ? { cookie } : {} })

/** Signs in with a provider that returns these claims. */
export async function signInAs(provider: FakeProvider, claims: Claims, next?: string) {
  const { url, cookie } = await begin(provider, next)
  return comeBack(provider, provider.grant(url, claims), cookie)
}

/** The session token that a response sets. */
export const sessionIn = (answer: { headers: Headers }) => /__Host-session=([^;]+)/.exec(cookiesOf(answer.headers))?.[1]
