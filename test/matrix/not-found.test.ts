import { exports } from "cloudflare:workers"
import { expect, it } from "vitest"

const ask = (path: string, accept: string, method = "GET") =>
  exports.default.fetch(
    new Request(`https://lectern.test${path}`, { method, headers: { accept, "cf-connecting-ip": "203.0.113.9" } }),
  )

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

it("returns a page to a browser for an unknown path", async () => {
  for (const path of ["/nonsense", "/learn/nonsense/more", "/docs/guides/none"]) {
    const answer = await ask(path, BROWSER)
    expect([answer.status, answer.headers.get("content-type")], path).toEqual([404, "text/html; charset=UTF-8"])
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(await answer.text()).toContain("<h1>Page not found</h1>")
  }
})

it("returns JSON to programs, for API paths and for other methods", async () => {
  for (const [path, accept, method] of [
    ["/nonsense", "application/json", "GET"],
    ["/nonsense", "*/*", "GET"],
    ["/api/nonsense", BROWSER, "GET"],
    ["/nonsense", BROWSER, "POST"],
  ] as const) {
    const answer = await ask(path, accept, method)
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ status: "error", code: "unknown_path" }),
    ])
  }
})
