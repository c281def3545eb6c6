import type { Context, MiddlewareHandler, Next } from "hono"
import { NO_CONTENT_POLICY } from "../lib/web/answers.ts"

/** What holds for data and documents alike. */
const FOR_DATA = {
  "cross-origin-resource-policy": "same-origin",
  "strict-transport-security": "max-age=15552000; includeSubDomains",
  "x-content-type-options": "nosniff",
}

const FOR_PAGES = {
  ...FOR_DATA,
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "same-origin",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
}

/** Sets headers on every answer, whatever it had. Each costs CPU on every hop. */
const setting = (headers: Record<string, string>) => {
  const all = Object.entries(headers)
  return async (c: Context, next: Next) => {
    await next()
    for (const [name, value] of all) c.res.headers.set(name, value)
  }
}

export const securePage = setting(FOR_PAGES)

/**
 * For the origin of packages: who frames its pages is in their policy. A browser keeps the origin in a process of its
 * own, where it can, and tells nobody a page's address, which is a right.
 */
const secureFrame = setting({ ...FOR_DATA, "origin-agent-cluster": "?1", "referrer-policy": "same-origin" })

/** An answer of the origin of packages, an error included, is no document and is kept by nobody, unless it says so. */
export const secureContent: MiddlewareHandler = (c, next) =>
  secureFrame(c, async () => {
    await next()
    const { headers } = c.res
    if (!headers.has("content-security-policy")) headers.set("content-security-policy", NO_CONTENT_POLICY)
    if (!headers.has("cache-control")) headers.set("cache-control", "no-store")
  })

/**
 * Of an answer that is no document only what holds for data: what else protects a page is in its policy, by which
 * nothing is loaded and nobody frames it (`NO_CONTENT_POLICY`).
 */
export const secureData = setting(FOR_DATA)
