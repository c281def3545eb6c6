import { TrieRouter } from "hono/router/trie-router"

/** How many shapes of paths are remembered: many more than there are patterns, for paths that hold more than ids. */
const REMEMBERED = 2000

/** Which family answers at which method and path: known of every family while none is loaded. */
export class RouteIndex<Family extends string> {
  /** Families by method and path, of paths that are no patterns: they need no router. */
  private readonly exact = new Map<string, Family>()
  private readonly router = new TrieRouter<Family>()
  private readonly methods = new Set<string>()
  /** What the router found, by method and path with 1 for each id: an id of digits stands for all others. */
  private readonly found = new Map<string, Family | undefined>()

  /** @param routes of each family, as `GET /api/user/:id{[1-9][0-9]*}` */
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
  routerAt(method: string, path: string): Family | undefined {
    const asked = method === "HEAD" ? "GET" : method
    return this.exact.get(`${asked} ${path}`) ?? this.matched(asked, path)
  }

  private matched(method: string, path: string): Family | undefined {
    const shape = `${method} ${path.replaceAll(/(?<=\/)[1-9][0-9]*(?=\/|$)/g, "1")}`
    if (this.found.has(shape)) return this.found.get(shape)
    const family = this.router.match(method, path)[0][0]?.[0]
    if (this.found.size >= REMEMBERED) this.found.clear()
    this.found.set(shape, family)
    return family
  }

  /** What `Allow` says of a path: empty where there is nothing. */
  methodsAt(path: string): string[] {
    return [...this.methods]
      .filter((method) => this.routerAt(method, path))
      .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
  }
}
