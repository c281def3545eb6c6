import { describe, expect, it } from "vitest"
import { signedIn } from "../factories/index.ts"
import { get, put } from "../helpers/client.ts"

/** The media types that Cloudflare compresses, as far as this service sends them. Its documentation lists them. */
const COMPRESSED = /^(application\/json|text\/html|text\/plain|text\/css|application\/javascript|image\/svg\+xml)(;|$)/

/** What would prevent Cloudflare from compressing a response. */
function expectCompressible(headers: Headers, path: string) {
  expect(headers.get("content-type"), path).toMatch(COMPRESSED)
  expect(headers.get("cache-control") ?? "", path).not.toContain("no-transform")
  expect(headers.has("content-encoding"), path).toBe(false)
}

describe("compression by Cloudflare", () => {
  it("is possible for data, errors, lists and pages", async () => {
    const staff = await signedIn("staff")
    for (const path of [
      "/api/me",
      "/api/me/home",
      `/api/user/${staff.id}`,
      "/api/users/tabularlist?page_size=20&page_number=1",
      "/api/user/99999",
      "/openapi.json",
      "/login",
    ]) {
      const { token } = staff
      const { headers } = await get(path, { token, headers: { "accept-encoding": "br, gzip" } })
      expectCompressible(headers, path)
    }
  })

  it("keeps If-Match and If-None-Match, although it marks ETags as weak", async () => {
    const staff = await signedIn("staff")
    const { token } = staff
    const path = `/api/user/${staff.id}`
    const tag = (await get(path, { token })).headers.get("etag") ?? ""
    expect(tag).toMatch(/^"/)
    const weak = `W/${tag}`
    expect((await get(path, { token, headers: { "if-none-match": weak } })).status).toBe(304)
    expect((await put(path, { firstName: "Ada" }, { token, headers: { "if-match": weak } })).status).toBe(200)
    const outdated = await put(path, { firstName: "Eve" }, { token, headers: { "if-match": weak } })
    expect([outdated.status, outdated.body.code]).toEqual([412, "precondition_failed"])
  })
})
