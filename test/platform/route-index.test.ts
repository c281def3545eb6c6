import { describe, expect, it } from "vitest"
import { allRouters } from "../../src/app.ts"
import { RouteIndex } from "../../src/http/route-index.ts"
import { routes } from "../../src/routes.generated.ts"

const index = new RouteIndex(routes)

/** A path that a pattern takes. */
const concrete = (pattern: string) => pattern.replace(/:\w+\{\.\+\}/g, "a/b.html").replace(/:\w+(\{[^}]+\})?/g, "7")

describe("the route index", () => {
  it("leads every route to the family that has it, and to no other", async () => {
    const astray: string[] = []
    for (const [name, { routes: declared }] of await allRouters())
      for (const { method, path } of declared) {
        const found = index.routerAt(method, concrete(path))
        if (found !== name) astray.push(`${method} ${path} of ${name} leads to ${found ?? "nothing: npm run generate"}`)
      }
    expect(astray).toEqual([])
  })

  it("holds nothing that no family has", async () => {
    const families = await allRouters()
    const declared = [...families].flatMap(([name, app]) =>
      app.routes.map(({ method, path }) => `${name} ${method} ${path}`),
    )
    const written = Object.entries(routes).flatMap(([name, list]) => list.map((route) => `${name} ${route}`))
    expect(written.filter((route) => !declared.includes(route))).toEqual([])
  })

  it("takes HEAD for GET, and a path by its own spelling", () => {
    expect(index.routerAt("HEAD", "/api/users/tabularlist")).toBe("users")
    expect(index.routerAt("GET", "/api/user/7")).toBe("users")
    for (const path of ["/api/users/tabularlist/", "/API/users/tabularlist", "/api/user/abc", "/api", "", "//"])
      expect(index.routerAt("GET", path), path).toBeUndefined()
  })

  it("names the methods of a path, none where there is nothing", () => {
    expect(index.methodsAt("/api/user/7")).toEqual(["GET", "HEAD", "PUT"])
    expect(index.methodsAt("/login")).toEqual(["GET", "HEAD", "POST"])
    expect(index.methodsAt("/api/user/abc")).toEqual([])
  })
})
