import { env } from "cloudflare:workers"
import { afterEach, describe, expect, it, vi } from "vitest"
import { fetchOutbound, outboundUrl, resolvesToPublicAddress } from "../../src/lib/web/outbound.ts"

const PRIVATE = [
  "https://localhost/",
  "https://app.localhost/",
  "https://printer.local/",
  "https://db.internal/",
  "https://intranet/",
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://10.1.2.3/",
  "https://172.31.0.1/",
  "https://192.168.0.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://100.64.0.1/",
  "https://[::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[fd00::1]/",
  "https://[fe80::1]/",
  "https://[64:ff9b::a00:1]/",
  "https://[2002:a00:1::]/",
  "https://192.88.99.1/",
  "https://198.51.100.1/",
  "https://[2001:10::1]/",
  "https://[2001:20::1]/",
  "https://[2001:db8::1]/",
  "https://[3fff::1]/",
  "https://[2::1]/",
  "https://[3f::1]/",
]
const allow = (value?: string) => Object.assign(env, { OUTBOUND_PRIVATE: value })

describe("outbound URL", () => {
  afterEach(() => {
    allow(undefined)
    vi.restoreAllMocks()
  })

  it("must use HTTPS and a public host, without a password", () => {
    for (const address of ["https://id.example.com/realms/a?b=c", "https://172.32.0.1/", "https://[2606:4700::1]/"])
      expect(outboundUrl(env, address)?.href).toBe(address)
    for (const address of [
      ...PRIVATE,
      "http://id.example.com/",
      "ftp://id.example.com/",
      "https://a:b@c.example/",
      "x",
    ])
      expect(outboundUrl(env, address), address).toBeUndefined()
  })

  it("can be private and use HTTP only if a developer allows it, never on a deployment", () => {
    allow("allow")
    for (const address of [...PRIVATE, "http://localhost:9000/"]) expect(outboundUrl(env, address)).toBeDefined()
    expect(outboundUrl(env, "ftp://localhost/")).toBeUndefined()
    const deployed = { ...env, ENVIRONMENT: "production" as const, OUTBOUND_PRIVATE: "allow" }
    expect(outboundUrl(deployed as unknown as typeof env, "https://localhost/")).toBeUndefined()
  })

  it("requires every resolved address of the host to be public", async () => {
    const answers = async (four: string[], six: string[] = []) => {
      vi.spyOn(globalThis, "fetch").mockImplementation(async (question) => {
        const [type, found] = String(question).endsWith("type=A") ? [1, four] : [28, six]
        return Response.json({ Answer: found.map((data) => ({ type, data })) })
      })
      return resolvesToPublicAddress(env, "https://id.example.com/")
    }
    expect(await answers(["93.184.215.14"], ["2606:2800:21F:CB07:6820:80DA:AF6B:8B2C"])).toBe(true)
    expect(await answers([])).toBe(false)
    for (const address of ["10.0.0.1", "192.88.99.1", "not an address", "", "999.1.1.1", "93.184.215.14.evil"])
      expect(await answers(["93.184.215.14", address]), address).toBe(false)
    for (const address of ["3fff::1", "2001:20::1", "2001:10::1", "::ffff:10.0.0.1", "fe80::1", "not an address"])
      expect(await answers(["93.184.215.14"], [address]), address).toBe(false)
  })

  it("times out after five seconds and follows no redirects", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout")
    const called = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("moved", { status: 302 }))
    expect((await fetchOutbound(env, "https://id.example.com/")).status).toBe(302)
    expect(called.mock.calls[0]?.[1]).toMatchObject({ redirect: "manual" })
    expect(timeout).toHaveBeenCalledWith(5000)
    await expect(fetchOutbound(env, "https://127.0.0.1/")).rejects.toThrow(TypeError)
    expect(called).toHaveBeenCalledTimes(1)
  })
})
