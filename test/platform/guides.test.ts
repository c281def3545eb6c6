import { describe, expect, it } from "vitest"
import errors from "../../docs/api/errors.md?raw"
import { ERROR_CODES } from "../../src/lib/errors.ts"
import { GUIDES } from "../../src/pages/guides.ts"
import { get } from "../helpers/client.ts"

describe("docs/api/errors.md", () => {
  it("lists every error code with its status", () => {
    const rows = [...errors.matchAll(/^\| (\d{3}) +\| `(\w+)`/gm)].map(([, status, code]) => [code, Number(status)])
    expect(Object.fromEntries(rows)).toEqual(ERROR_CODES)
  })
})

describe("GET /docs/guides", () => {
  it("lists every guide", async () => {
    const { status, body } = await get("/docs/guides")
    expect(status).toBe(200)
    for (const { name, title } of GUIDES) expect(body).toContain(`<a href="/docs/guides/${name}">${title}</a>`)
    expect((await get("/docs")).body).toContain('<a href="/docs/guides">Guides</a>')
  })

  it("serves each guide as a page without scripts, whose links all lead somewhere", async () => {
    const pages = new Map<string, string>()
    for (const { name } of GUIDES) {
      const { status, headers, body } = await get(`/docs/guides/${name}`)
      expect(status, name).toBe(200)
      expect(headers.get("content-security-policy")).not.toContain("unsafe-inline")
      expect(body.match(/<h1/g), name).toHaveLength(1)
      expect(body).not.toMatch(/<script|href="[^"#]*\.md/)
      pages.set(`/docs/guides/${name}`, body)
    }
    let fragments = 0
    for (const [path, body] of pages)
      for (const [, href = ""] of body.matchAll(/href="((?:\/docs\/guides|#)[^"]*)"/g)) {
        const [target = "", fragment] = href.split("#", 2)
        const page = target === "/docs/guides" ? "" : pages.get(target || path)
        expect(page, `${path} leads to ${href}`).toBeDefined()
        if (fragment) expect(page, `${path} leads to ${href}`).toContain(`id="${fragment}"`)
        if (fragment) fragments++
      }
    expect(fragments).toBeGreaterThan(0)
  })

  it("returns 404 for an unknown guide", async () => {
    expect((await get("/docs/guides/operating")).status).toBe(404)
  })
})
