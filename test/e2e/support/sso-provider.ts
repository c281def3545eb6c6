// A single sign-on provider, by the package oidc-provider, that a test can make misbehave.
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import Provider, { type Context } from "oidc-provider"
import type { Json } from "./api.ts"

/** What differs from a correct provider. */
export interface Tampering {
  /** Changes the ID token: its claims, or the key that signs it. */
  token?: (claims: Json, now: number) => { claims: Json; key?: KeyObject }
  /** Changes the address that the browser returns to. */
  redirect?: (address: URL) => void
  /** Keeps another PKCE challenge than the one that was sent. */
  challenge?: string
}

export const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
const jwk = { ...newKey().export({ format: "jwk" }), kid: "first", use: "sig", alg: "RS256" }
const ownKey = createPrivateKey({ key: jwk, format: "jwk" })

const base64url = (value: Json) => Buffer.from(JSON.stringify(value)).toString("base64url")

function signed(claims: Json, key: KeyObject): string {
  const text = `${base64url({ alg: "RS256", kid: "first", typ: "JWT" })}.${base64url(claims)}`
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`
}

function withToken(body: unknown, change: NonNullable<Tampering["token"]>): Json {
  const { id_token: token = "", ...rest } = body as Json & { id_token?: string }
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Json
  const changed = change(claims, Math.floor(Date.now() / 1000))
  return { ...rest, id_token: signed(changed.claims, changed.key ?? ownKey) }
}

export interface SsoProvider {
  issuer: string
  /** The claims of each account, by its login name. */
  accounts: Record<string, Json>
  tampering: Tampering
  stop: () => void
}

/** Starts a provider on a free port: a service caches what it knows of an issuer. */
export async function startProvider(
  serviceUrl: string,
  client: { id: string; secret: string; slugs: string[] },
): Promise<SsoProvider> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const self: SsoProvider = { issuer, accounts: {}, tampering: {}, stop }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: client.slugs.map((slug) => `${serviceUrl}/sso/${slug}/callback`),
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: [client.secret] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
    pkce: { required: () => true },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...self.accounts[id] }) }),
  })
  provider.use(async (context: Context, next) => {
    const { token, redirect, challenge } = self.tampering
    if (challenge && context.path === "/auth") context.query = { ...context.query, code_challenge: challenge }
    await next()
    if (token && context.oidc?.route === "token") context.body = withToken(context.body, token)
    const location = context.response.get("location") ?? ""
    if (!redirect || !location.startsWith(`${serviceUrl}/sso/`)) return
    const address = new URL(location)
    redirect(address)
    context.response.set("location", address.href)
  })
  server.on("request", provider.callback())
  return self
}
