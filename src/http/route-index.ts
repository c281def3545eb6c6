import { TrieRouter } from "hono/router/trie-router"

/** Which family answers at which method and path: known of every family while none is loaded. */
export class RouteIndex<Family extends string> {
  /** Families by method and path, of paths that are no patterns: they need no router. */
  private readonly exact = new Map<string, Family>()
  private readonly router = new TrieRouter<Family>()
  private readonly methods = new Set<string>()

  /** @param routes of each family, as `GET /api/user/:id{[0-9]+}` */
  constructor(routes: Record<Family, readonly string[]>) {
    for (const family in routes)
      for (const route of routes[family]) {
        const [method = "", path = ""] = route.split(" ")
        if (/[:*]/.test(path)) this.router.add(method, path, family)
        else this.exact.set(route, family)
        this.methods.add(method)
      }
  }

  /** @param path as Hono's `getPath` reads it, by the same patterns as the families' own routers */
  familyAt(method: string, path: string): Family | undefined {
    const asked = method === "HEAD" ? "GET" : method
    return this.exact.get(`${asked} ${path}`) ?? this.router.match(asked, path)[0][0]?.[0]
  }

  /** What `Allow` says of a path: empty where there is nothing. */
  methodsAt(path: string): string[] {
    return [...this.methods]
      .filter((method) => this.familyAt(method, path))
      .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
  }
}
