// Tries /oauth/token with a client that other people wrote: openid-client finds it by its metadata, exchanges an API
// key by HTTP Basic and by the form, calls with the token, and is refused where it must be.
// Not part of the tests, which start no service. Run `npm start` beside it; BASE_URL says where.
import * as client from "openid-client"
import { call, connect, json, PASSWORD } from "./lib/client.ts"
import { conclude, expectSame } from "./lib/expect.ts"
import { flags } from "./lib/flags.ts"
import { query } from "./lib/request.ts"
import { requireService } from "./tools.ts"

flags(
  "npm run check:oauth",
  "Exchanges API keys at /oauth/token with openid-client, and calls with what it is given.",
  {},
  { BASE_URL: "where the service is (http://localhost:8787 unless set)" },
)
const BASE = process.env.BASE_URL || "http://localhost:8787"
const STAMP = Date.now()
await requireService(BASE)

interface Key {
  id: number
  key: string
}

const owner = await connect(BASE, "owner@example.com", PASSWORD)
const send = async <T>(path: string, body: object) => json<T>(await call(owner, "POST", path, body))
const keyOf = (access: "read" | "write") =>
  send<Key>("/api/api-key/create", { name: `check:oauth ${access} ${STAMP}`, role: "staff", access })

const plainHttp = new URL(BASE).protocol === "http:" ? [client.allowInsecureRequests] : []
const WAYS = { "HTTP Basic": client.ClientSecretBasic, "the form": client.ClientSecretPost }

/** The client of a key, which knows of the service what its metadata says. */
const clientOf = ({ id, key }: Key, way: (secret: string) => client.ClientAuth) =>
  client.discovery(new URL(BASE), String(id), undefined, way(key), { algorithm: "oauth2", execute: plainHttp })

/** How a request is refused: its status, the scheme that is wanted instead, and the code of the error. */
async function refusalOf(asked: Promise<unknown>) {
  const error = await asked.then(
    () => "It was not refused.",
    (refused: unknown) => refused,
  )
  if (error instanceof client.ResponseBodyError) return [error.status, undefined, error.error]
  if (!(error instanceof client.WWWAuthenticateChallengeError)) return error
  const body = (await error.response.json()) as { error?: string; code?: string }
  return [error.status, error.cause[0]?.scheme, body.error ?? body.code]
}

const LIST = `/api/location/tabularlist${query({ page_size: 1, page_number: 1 })}`
const read = (of: client.Configuration, token: string) =>
  client.fetchProtectedResource(of, token, new URL(LIST, BASE), "GET")
const JSON_BODY = new Headers({ "content-type": "application/json" })
const create = (of: client.Configuration, token: string, name: string) => {
  const url = new URL("/api/location/create", BASE)
  return client.fetchProtectedResource(of, token, url, "POST", JSON.stringify({ name }), JSON_BODY)
}
const locations = async () => (await json<{ recordsTotal: number }>(await call(owner, "GET", LIST))).recordsTotal

const writer = await keyOf("write")
const reader = await keyOf("read")
const made: number[] = []
const tokens: { known: client.Configuration; token: string; by: string }[] = []
try {
  for (const [by, way] of Object.entries(WAYS)) {
    const known = await clientOf(writer, way)
    const { issuer, token_endpoint } = known.serverMetadata()
    expectSame("where tokens are given out", token_endpoint, new URL("/oauth/token", issuer).href)
    const { access_token: whole, ...told } = await client.clientCredentialsGrant(known)
    tokens.push({ known, token: whole, by })
    expectSame(`the token by ${by}`, told, { token_type: "bearer", expires_in: 3600, scope: "read write" })
    expectSame(`a read by ${by}`, (await read(known, whole)).status, 200)
    const before = await locations()
    made.push((await json<{ id: number }>(await create(known, whole, `By ${by} ${STAMP}`))).id)
    expectSame(`the locations after a change by ${by}`, await locations(), before + 1)

    const { access_token: narrow, scope } = await client.clientCredentialsGrant(known, { scope: "read" })
    expectSame(`the scope that was asked for by ${by}`, scope, "read")
    expectSame(`a read of that scope by ${by}`, (await read(known, narrow)).status, 200)
    const change = await create(known, narrow, `Not by ${by} ${STAMP}`)
    const { code } = (await change.json()) as { code?: string }
    expectSame(`a change of that scope by ${by}`, [change.status, code], [403, "key_read_only"])
    expectSame(`the locations after it by ${by}`, await locations(), before + 1)

    const wrong = await clientOf({ ...writer, key: `${writer.key.slice(0, -8)}AAAAAAAA` }, way)
    const unknown = await refusalOf(client.clientCredentialsGrant(wrong))
    expectSame(`a wrong secret by ${by}`, unknown, [401, "basic", "invalid_client"])
    const asAnother = await refusalOf(
      client.clientCredentialsGrant(await clientOf({ ...reader, key: writer.key }, way)),
    )
    expectSame(`a secret of another by ${by}`, asAnother, [401, "basic", "invalid_client"])
    const wider = await refusalOf(client.clientCredentialsGrant(await clientOf(reader, way), { scope: "write" }))
    expectSame(`more than the key allows by ${by}`, wider, [400, undefined, "invalid_scope"])
  }

  await send("/api/api-key/delete", { delete_ids: [writer.id] })
  for (const { known, token, by } of tokens) {
    expectSame(`a token by ${by} of a key that is gone`, await refusalOf(read(known, token)), [
      401,
      "bearer",
      "invalid_key",
    ])
    const again = await refusalOf(client.clientCredentialsGrant(known))
    expectSame(`a key by ${by} that is gone`, again, [401, "basic", "invalid_client"])
  }
} finally {
  await send("/api/location/delete", { delete_ids: made })
  await send("/api/api-key/delete", { delete_ids: [writer.id, reader.id] })
}
conclude(
  "openid-client exchanged a key by HTTP Basic and by the form, called with the tokens, and was refused where it must.",
)
