import { describe, expect, it } from "vitest"
import { allRouters } from "../../src/app.ts"
import { RouteIndex } from "../../src/http/route-index.ts"
import { routes } from "../../src/routes.generated.ts"

const index = new RouteIndex(routes)

/** A path that a pattern takes. */
const concrete = (pattern: string) =>
  pattern
    .replace(/:\w+\{\.\+\}/g, "a/b.html")
    .replace(/:\w+\{[^/]+\.ics\}/g, `${"a".repeat(43)}.ics`)
    .replace(/:\w+(\{([^{}]|\{[^}]*\})+\})?/g, "7")

describe("the route index", () => {
  it("finds the router of every route", async () => {
    const astray: string[] = []
    for (const [name, { routes: declared }] of await allRouters())
      for (const { method, path } of declared) {
        const found = index.routerAt(method, concrete(path))
        if (found !== name) astray.push(`${method} ${path} of ${name} leads to ${found ?? "nothing: npm run generate"}`)
      }
    expect(astray).toEqual([])
  })

  it("contains no unknown route", async () => {
    const families = await allRouters()
    const declared = [...families].flatMap(([name, app]) =>
      app.routes.map(({ method, path }) => `${name} ${method} ${path}`),
    )
    const written = Object.entries(routes).flatMap(([name, list]) => list.map((route) => `${name} ${route}`))
    expect(written.filter((route) => !declared.includes(route))).toEqual([])
  })

  it("treats HEAD as GET, and matches a path exactly", () => {
    expect(index.routerAt("HEAD", "/api/users/tabularlist")).toBe("users")
    expect(index.routerAt("GET", "/api/user/7")).toBe("users")
    for (const path of ["/api/users/tabularlist/", "/API/users/tabularlist", "/api/user/abc", "/api", "", "//"])
      expect(index.routerAt("GET", path), path).toBeUndefined()
  })

  it("returns the methods of a path, none for an unknown path", () => {
    expect(index.methodsAt("/api/user/7")).toEqual(["GET", "HEAD", "PUT"])
    expect(index.methodsAt("/login")).toEqual(["GET", "HEAD", "POST"])
    expect(index.methodsAt("/api/user/abc")).toEqual([])
  })
})
