import { AsyncLocalStorage } from "node:async_hooks"

const served = new AsyncLocalStorage<readonly string[]>()

/** Serves a request. @param urls by which the service is reached: the request's own, and what is set; empty ones too */
export const withOwnUrls = <T>(urls: readonly string[], serve: () => T): T => served.run(urls, serve)

/** URLs of this service, as the request that is being served tells them; none outside of a request. */
export const ownUrls = (): readonly string[] => served.getStore() ?? []
