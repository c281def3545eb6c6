import type { Context, Next } from "hono"

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
 * Of an answer that is no document only what holds for data: what else protects a page is in its policy, by which
 * nothing is loaded and nobody frames it (`NO_DOCUMENT`).
 */
export const secureData = setting(FOR_DATA)
