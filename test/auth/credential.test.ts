import { env } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { signedIn } from "../factories/index.ts"
import { cost, get } from "../helpers/client.ts"
import { keepsSecret } from "../helpers/secrets.ts"

const KEY = "pk-live-5f2c9a77e1"
const OWN_KEY = "own-key-of-the-service"

type Provider = (request: Request) => Response | Promise<Response>

/** Stands in for the provider: everything that the Worker fetches comes here. @returns the requests that came */
function provider(answer: Provider) {
  const calls: Request[] = []
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input as RequestInfo, init as RequestInit)
    calls.push(request)
    return answer(request)
  })
  return calls
}

function configure(url: string, key?: string) {
  env.CREDENTIAL_PROVIDER_URL = url
  Object.assign(env, { CREDENTIAL_PROVIDER_KEY: key })
}

const validate = (key: string, options = {}) => get(`/api/credential/validate-key/${encodeURIComponent(key)}`, options)

describe("credential provider", () => {
  beforeEach(() => configure("https://credentials.example/v1/", OWN_KEY))
  afterEach(() => {
    vi.restoreAllMocks()
    configure("")
  })

  it("is asked over HTTPS whether it accepts a key", async () => {
    const calls = provider(({ headers }) => new Response("{}", { status: headers.get("authorization") ? 200 : 401 }))
    const response = await validate(KEY)
    expect(response.body).toEqual({ status: "success", message: "The credential provider accepts the key." })
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(cost(response).roundTrips).toBe(0)
    expect(calls.map(({ url }) => url)).toEqual(["https://credentials.example/v1/validate"])
    expect(calls[0]?.headers.get("authorization")).toBe(`Bearer ${KEY}`)
    expect(calls[0]?.redirect).toBe("manual")
  })

  it("returns 200 with the status error when it rejects a key", async () => {
    provider(() => Response.json({ detail: `no such key: ${KEY}` }, { status: 401 }))
    const answer = await validate(KEY)
    expect(answer).toMatchObject({
      status: 200,
      body: { status: "error", message: expect.stringContaining("rejected") },
    })
  })

  it("is not sent keys that no header can carry", async () => {
    const calls = provider(() => Response.json({}))
    for (const key of ["schlüssel", "a b", "a\nb"]) expect((await validate(key)).body.status).toBe("error")
    expect(calls).toEqual([])
  })

  it("is sent a complete key with slashes", async () => {
    const calls = provider(() => Response.json({}))
    await get("/api/credential/validate-key/ab/cd==")
    await validate("ab/cd==")
    expect(calls.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer ab/cd==", "Bearer ab/cd=="])
  })

  it("returns 502 when it fails, redirects, returns no JSON or cannot be reached", async () => {
    const failures: Provider[] = [
      () => new Response("", { status: 500 }),
      () => new Response("", { status: 429 }),
      () => new Response("", { status: 404 }),
      () => new Response("", { status: 302, headers: { location: "https://elsewhere.example" } }),
      () => new Response("<html>"),
      () => Promise.reject(new TypeError(`connect failed for ${KEY}`)),
    ]
    for (const failure of failures) {
      provider(failure)
      const answer = await validate(KEY)
      expect(answer).toMatchObject({
        status: 502,
        body: { message: expect.stringContaining("failed or took too long") },
      })
      expect((await get("/api/credential/group/lookup")).status).toBe(502)
      vi.restoreAllMocks()
    }
  })

  it("times out after five seconds, including the body", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
      expect(milliseconds).toBe(5000)
      return AbortSignal.abort(new DOMException("The operation timed out", "TimeoutError"))
    })
    provider(({ signal }) => (signal.aborted ? Promise.reject(signal.reason) : Response.json({})))
    expect((await validate(KEY)).status).toBe(502)
    expect(timeout).toHaveBeenCalledOnce()
  })

  it("never stores, logs or returns a key", async () => {
    provider(() => Promise.reject(new Error(`cannot reach https://credentials.example with ${KEY}`)))
    await keepsSecret(async (secret) => {
      secret("the key", KEY)
      secret("this service's own key", OWN_KEY)
      await validate(KEY)
      await get(`/api/credential/validate-key/${KEY}/${KEY}`)
      await get("/api/credential/group/lookup")
    })
  })

  it("lists its groups with this service's own key", async () => {
    const groups = [
      { id: 7, name: "Algebra" },
      { id: 8, name: "Logic" },
    ]
    for (const body of [
      groups,
      { data: groups },
      { groups: groups.map(({ id, name }) => ({ id: String(id), name, more: 1 })) },
    ]) {
      const calls = provider(() => Response.json(body))
      expect((await get("/api/credential/group/lookup")).body).toEqual({ isEnabled: true, data: groups })
      expect(calls.map(({ url, headers }) => [url, headers.get("authorization")])).toEqual([
        ["https://credentials.example/v1/groups", `Bearer ${OWN_KEY}`],
      ])
      vi.restoreAllMocks()
    }
    for (const body of [{ rows: [] }, [{ id: "x", name: "y" }], null]) {
      provider(() => Response.json(body))
      expect((await get("/api/credential/group/lookup")).status).toBe(502)
      vi.restoreAllMocks()
    }
    provider(() => new Response("", { status: 401 }))
    expect((await get("/api/credential/group/lookup")).body.message).toContain("rejected this service's key")
  })

  it("is disabled without a key, without an address, and with an address that is not HTTPS", async () => {
    const calls = provider(() => Response.json([]))
    configure("https://credentials.example")
    expect((await get("/api/credential/group/lookup")).body).toEqual({ isEnabled: false, data: [] })
    for (const url of ["", "http://credentials.example", "credentials.example", "ftp://credentials.example"]) {
      configure(url, OWN_KEY)
      expect((await get("/api/credential/group/lookup")).body).toEqual({ isEnabled: false, data: [] })
      expect((await validate(KEY)).body).toEqual({
        status: "error",
        message: "No credential provider is configured for this service.",
      })
    }
    expect(calls).toEqual([])
  })

  it("lets administrators check keys and staff look up groups", async () => {
    provider(() => Response.json([]))
    const [staff, supervisor] = [await signedIn("staff"), await signedIn("group_admin")]
    expect((await validate(KEY, staff)).status).toBe(403)
    expect((await validate(KEY, await signedIn("admin"))).status).toBe(200)
    expect((await get("/api/credential/group/lookup", staff)).status).toBe(200)
    expect((await get("/api/credential/group/lookup", supervisor)).status).toBe(403)
  })
})
