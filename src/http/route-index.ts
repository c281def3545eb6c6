import { TrieRouter } from "hono/router/trie-router"

/** The number of cached path shapes: more than there are patterns, since paths may contain more than ids. */
const MAX_CACHED_PATHS = 2000

/** Finds the router for a method and path without loading any router. */
export class RouteIndex<Name extends string> {
  /** Routers by method and path without parameters. */
  private readonly exact = new Map<string, Name>()
  private readonly router = new TrieRouter<Name>()
  private readonly methods = new Set<string>()
  /** Results of the trie router, by method and path with every id replaced by 1. */
  private readonly found = new Map<string, Name | undefined>()

  /** @param routes of each router, such as `GET /api/user/:id{[1-9][0-9]*}` */
  constructor(routes: Record<Name, readonly string[]>) {
    for (const name in routes)
      for (const route of routes[name]) {
        const [method = "", path = ""] = route.split(" ")
        if (/[:*]/.test(path)) this.router.add(method, path, name)
        else this.exact.set(route, name)
        this.methods.add(method)
      }
  }

  /** @param path as returned by Hono's `getPath` */
  routerAt(method: string, path: string): Name | undefined {
    const routeMethod = method === "HEAD" ? "GET" : method
    return this.exact.get(`${routeMethod} ${path}`) ?? this.match(routeMethod, path)
  }

  private match(method: string, path: string): Name | undefined {
    const shape = `${method} ${path.replaceAll(/(?<=\/)[1-9][0-9]*(?=\/|$)/g, "1")}`
    if (this.found.has(shape)) return this.found.get(shape)
    const name = this.router.match(method, path)[0][0]?.[0]
    if (this.found.size >= MAX_CACHED_PATHS) this.found.clear()
    this.found.set(shape, name)
    return name
  }

  /** The value of `Allow` for a path; empty for an unknown path. */
  methodsAt(path: string): string[] {
    return [...this.methods]
      .filter((method) => this.routerAt(method, path))
      .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
  }
}
