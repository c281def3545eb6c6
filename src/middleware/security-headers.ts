import type { Context, MiddlewareHandler, Next } from "hono"
import { NO_CONTENT_POLICY } from "../lib/web/answers.ts"

/** Headers for data and pages. */
const DATA_HEADERS = {
  "cross-origin-resource-policy": "same-origin",
  "strict-transport-security": "max-age=15552000; includeSubDomains",
  "x-content-type-options": "nosniff",
}

const PAGE_HEADERS = {
  ...DATA_HEADERS,
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "same-origin",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
}

/** Sets headers on every response that does not have them. */
const setHeaders = (headers: Record<string, string>) => {
  const all = Object.entries(headers)
  return async (c: Context, next: Next) => {
    await next()
    for (const [name, value] of all) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  }
}

export const securePage = setHeaders(PAGE_HEADERS)

/**
 * For the content origin: each package's policy says who may frame it. Browsers isolate the origin in its own process
 * where possible and never send the page's address, which grants access.
 */
const secureFrame = setHeaders({ ...DATA_HEADERS, "origin-agent-cluster": "?1", "referrer-policy": "same-origin" })

/** By default a response of the content origin is not a document and is not cached. */
export const secureContent: MiddlewareHandler = (c, next) =>
  secureFrame(c, async () => {
    await next()
    const { headers } = c.res
    if (!headers.has("content-security-policy")) headers.set("content-security-policy", NO_CONTENT_POLICY)
    if (!headers.has("cache-control")) headers.set("cache-control", "no-store")
  })

/**
 * For responses that are not documents. `NO_CONTENT_POLICY` covers the rest: nothing is loaded and nobody frames it.
 */
export const secureData = setHeaders(DATA_HEADERS)
