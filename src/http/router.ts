import type { Result, Router } from "hono/router"
import { TrieRouter } from "hono/router/trie-router"

/** Hono's trie router with a cache for paths without parameters. */
export class KnownPathRouter<T> implements Router<T> {
  readonly name = "KnownPathRouter"
  private readonly router = new TrieRouter<T>()
  private readonly known = new Map<string, Result<T>>()
  private readonly paths = new Set<string>()

  add(method: string, path: string, handler: T): void {
    this.router.add(method, path, handler)
    if (!/[:*{]/.test(path)) this.paths.add(path)
  }

  match(method: string, path: string): Result<T> {
    if (!this.paths.has(path)) return this.router.match(method, path)
    const key = `${method} ${path}`
    const known = this.known.get(key)
    if (known) return known
    const found = this.router.match(method, path)
    this.known.set(key, found)
    return found
  }
}
