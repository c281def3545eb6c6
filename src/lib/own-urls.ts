import { AsyncLocalStorage } from "node:async_hooks"

const storage = new AsyncLocalStorage<readonly string[]>()

/**
 * Runs a request.
 * @param urls the URLs of the service: the request's own and the configured ones; may contain empty ones
 */
export const withOwnUrls = <T>(urls: readonly string[], serve: () => T): T => storage.run(urls, serve)

/** The URLs of this service during a request; none outside of a request. */
export const ownUrls = (): readonly string[] => storage.getStore() ?? []
