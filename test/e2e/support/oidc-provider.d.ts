/** What the check of single sign-on uses of the package, which has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  /** What a middleware sees of one request. */
  export interface Context {
    path: string
    query: Record<string, string | undefined>
    body: unknown
    response: { get(name: string): string | undefined; set(name: string, value: string): void }
    oidc?: { route?: string }
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    proxy: boolean
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
