import type { Context } from "hono"
import type { Child } from "hono/jsx"
import type { ContentfulStatusCode } from "hono/utils/http-status"
import type { AppEnv } from "../lib/web/app-env.ts"

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** The API reference sets styles from its script and reads the OpenAPI document: nothing else is let loose for it. */
export const REFERENCE_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").concat(
  "; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:",
)

export const Layout = ({ title, children }: { title: string; children: Child }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{`${title} · Lectern`}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/assets/pages.css" />
    </head>
    <body>{children}</body>
  </html>
)

/** Answers with a page that reaches no other origin and runs no inline script. */
export function answerPage(c: Context<AppEnv>, content: Child, status: ContentfulStatusCode = 200, policy = POLICY) {
  c.header("content-security-policy", policy)
  c.header("cache-control", "no-store")
  return c.html(`<!doctype html>${content}`, status)
}
