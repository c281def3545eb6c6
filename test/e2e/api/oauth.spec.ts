// /oauth/token with openid-client, which other people wrote.
import * as client from "openid-client"
import { call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { query } from "../../../scripts/lib/request.ts"
import { expect, test } from "../fixtures.ts"
import { get, post } from "../support/api.ts"

interface Key {
  id: number
  key: string
}

const LIST = `/api/location/tabularlist${query({ page_size: 1, page_number: 1 })}`
const JSON_BODY = new Headers({ "content-type": "application/json" })

/** A client that knows of the service what its metadata says. */
const discover = (url: string, { id, key }: Key, authenticate: (secret: string) => client.ClientAuth) =>
  client.discovery(new URL(url), String(id), undefined, authenticate(key), {
    algorithm: "oauth2",
    execute: [client.allowInsecureRequests],
  })

/** The status of a refusal, the authentication scheme that it asks for, and the error code. */
async function refusal(request: Promise<unknown>) {
  const error = await request.then(
    () => "It was not refused.",
    (reason: unknown) => reason,
  )
  if (error instanceof client.ResponseBodyError) return [error.status, undefined, error.error]
  if (!(error instanceof client.WWWAuthenticateChallengeError)) return error
  const body = (await error.response.json()) as { error?: string; code?: string }
  return [error.status, error.cause[0]?.scheme, body.error ?? body.code]
}

for (const [name, authenticate] of [
  ["HTTP Basic", client.ClientSecretBasic],
  ["the form", client.ClientSecretPost],
] as const)
  test(`openid-client exchanges an API key with ${name}, and uses the token within its scopes`, async ({
    service: { url },
  }) => {
    const owner = await connect(url, "owner@example.com", PASSWORD)
    const createKey = (access: "read" | "write") =>
      post<Key>(owner, "/api/api-key/create", { name: `OAuth ${access} ${Date.now()}`, role: "staff", access })
    const list = (config: client.Configuration, token: string) =>
      client.fetchProtectedResource(config, token, new URL(LIST, url), "GET")
    const create = (config: client.Configuration, token: string) => {
      const body = JSON.stringify({ name: `By ${name} ${Date.now()}` })
      return client.fetchProtectedResource(config, token, new URL("/api/location/create", url), "POST", body, JSON_BODY)
    }
    const countLocations = async () => (await get<{ recordsTotal: number }>(owner, LIST)).recordsTotal
    const [writer, reader] = [await createKey("write"), await createKey("read")]

    const config = await discover(url, writer, authenticate)
    const { issuer, token_endpoint } = config.serverMetadata()
    expect(token_endpoint).toBe(new URL("/oauth/token", issuer).href)
    const { access_token: token, ...granted } = await client.clientCredentialsGrant(config)
    expect(granted).toEqual({ token_type: "bearer", expires_in: 3600, scope: "read write" })
    expect((await list(config, token)).status).toBe(200)
    const before = await countLocations()
    await json(await create(config, token))
    expect(await countLocations()).toBe(before + 1)

    const narrow = await client.clientCredentialsGrant(config, { scope: "read" })
    expect(narrow.scope).toBe("read")
    expect((await list(config, narrow.access_token)).status).toBe(200)
    const change = await create(config, narrow.access_token)
    expect(change.status).toBe(403)
    expect(await change.json()).toMatchObject({ code: "key_read_only" })
    expect(await countLocations()).toBe(before + 1)

    const wrongSecret = await discover(url, { ...writer, key: `${writer.key.slice(0, -8)}AAAAAAAA` }, authenticate)
    const invalidClient = [401, "basic", "invalid_client"]
    expect(await refusal(client.clientCredentialsGrant(wrongSecret)), "a wrong secret").toEqual(invalidClient)
    const foreignSecret = await discover(url, { ...reader, key: writer.key }, authenticate)
    expect(await refusal(client.clientCredentialsGrant(foreignSecret)), "another key's secret").toEqual(invalidClient)
    const readOnly = await discover(url, reader, authenticate)
    const wider = await refusal(client.clientCredentialsGrant(readOnly, { scope: "write" }))
    expect(wider, "a wider scope than the key's").toEqual([400, undefined, "invalid_scope"])

    await post(owner, "/api/api-key/delete", { delete_ids: [writer.id] })
    expect(await refusal(list(config, token)), "a deleted key's token").toEqual([401, "bearer", "invalid_key"])
    expect(await refusal(client.clientCredentialsGrant(config)), "a deleted key").toEqual(invalidClient)
    expect((await call(owner, "GET", LIST)).status).toBe(200)
  })
