/// <reference types="vite/client" />
import { describe, expect, it } from "vitest"
import errors from "../../docs/api/errors.md?raw"
import { TAGS } from "../../src/http/tags.ts"
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

  it("serves every page of docs/api", async () => {
    const pages = Object.keys(import.meta.glob("../../docs/api/*.md", { query: "?raw" }))
    expect(pages.length).toBeGreaterThan(30)
    for (const page of pages) {
      const name = page.replace(/.*\/|\.md$/g, "")
      expect((await get(`/docs/guides/${name}`)).status, name).toBe(200)
    }
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

  it("serves each guide as Markdown, whose links lead to other guides, and /llms.txt that lists them", async () => {
    const index = await get("/llms.txt")
    expect(index).toMatchObject({ status: 200, body: /^# Lectern\n\n> / })
    expect(index.headers.get("content-type")).toBe("text/plain; charset=UTF-8")
    const listed = [...index.body.matchAll(/\]\(https:\/\/lectern\.test([^)]*)\)/g)].map(([, path]) => path as string)
    const guides = GUIDES.map(({ name }) => `/docs/guides/${name}.md`)
    const documents = Object.keys(TAGS).map((tag) => `/openapi.json?tag=${encodeURIComponent(tag)}`)
    expect(listed).toEqual([...guides, "/openapi.json", ...documents])
    for (const path of guides) {
      const { status, headers, body } = await get(path)
      expect(status, path).toBe(200)
      expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8")
      expect(body, path).toMatch(/^# /)
      const links = [...body.matchAll(/(?<!!)\[[^\]]+\]\(([^)\s]+)\)/g)].map(([, href]) => href as string)
      const ours = links.filter((href) => !/^(https:|#)/.test(href)).map((href) => href.replace(/#.*/, ""))
      expect(
        ours.filter((href) => ![...guides, "/docs"].includes(href)),
        path,
      ).toEqual([])
    }
  })

  it("returns 404 for an unknown guide", async () => {
    expect((await get("/docs/guides/operating")).status).toBe(404)
  })
})
