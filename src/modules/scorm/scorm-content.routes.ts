import type { Context, MiddlewareHandler } from "hono"
import { html } from "hono/html"
import { routePath } from "hono/route"
import { getMimeType } from "hono/utils/mime"
import { getMeter } from "../../db/meter.ts"
import { createApp } from "../../http/operation.ts"
import { forbidden, notFound } from "../../lib/errors.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { serveFile } from "../../lib/web/files.ts"
import { type ContentGrant, verifyContentToken } from "./scorm-content-token.ts"

// Packages are third-party web sites. They run on a separate origin (lib/web/content-origin.ts) in two frames: the
// outer frame is ours, provides the run-time API that packages look for in their parent windows, and communicates with
// the player; the inner frame is the package. These requests have no session and skip the middleware of src/app.ts: the
// token in the path authorizes them.

export const scormContent = createApp()

const SANDBOX = "sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-downloads"

/** The outer frame may run its own script and frame the package, which can script it. */
const framePolicy = ({ content, player }: ContentGrant, root: string) =>
  [
    "default-src 'none'",
    `script-src ${content}/assets/scorm/`,
    `frame-src ${root}`,
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${player}`,
    SANDBOX,
  ].join("; ")

/** The package's pages may run scripts, and load and frame files of the package. They can't submit forms. */
const packagePolicy = ({ content, player }: ContentGrant, root: string) =>
  [
    `default-src ${root} 'unsafe-inline' 'unsafe-eval' data: blob:`,
    "object-src 'none'",
    // No service worker: it could serve the package's pages without this policy.
    "worker-src blob:",
    "form-action 'none'",
    `base-uri ${root}`,
    `frame-ancestors ${content} ${player}`,
    SANDBOX,
  ].join("; ")

/** Logs the route instead of the path, because the path contains the token. */
const setMeterOperation: MiddlewareHandler<AppEnv> = async (c, next) => {
  const meter = getMeter(c.env)
  if (meter) meter.operation = routePath(c, -1)
  await next()
}

/** Verifies the token of the path. @throws 404 */
function requireGrant(c: Context<AppEnv>, token: string): ContentGrant & { root: string } {
  if (c.req.header("service-worker") !== undefined)
    throw forbidden("Packages can't register service workers.", "prefetch_not_allowed")
  const grant = verifyContentToken(c.env, token)
  if (grant?.content !== new URL(c.req.url).origin) throw notFound("file; launch the package again")
  return { ...grant, root: `${grant.content}/scorm/${token}/` }
}

/** The outer frame. */
scormContent.get("/scorm/:token/", setMeterOperation, (c) => {
  const grant = requireGrant(c, c.req.param("token"))
  c.header("content-security-policy", framePolicy(grant, grant.root))
  c.header("cache-control", "no-store")
  return c.html(html`<!doctype html>
<html lang="en" data-player="${grant.player}" data-package="${grant.root}${grant.file}">
<head>
<meta charset="utf-8">
<title>Package</title>
<script defer src="${grant.content}/assets/scorm/${grant.version}.js"></script>
</head>
<body></body>
</html>`)
})

/** A package's file. */
scormContent.get("/scorm/:token/:file{.+}", setMeterOperation, async (c) => {
  const { token, file } = c.req.param()
  const grant = requireGrant(c, token)
  c.header("content-security-policy", packagePolicy(grant, grant.root))
  c.header("cache-control", "private, max-age=43200")
  return serveFile(c, {
    key: `${grant.scorm}/${file}`,
    filename: file.slice(file.lastIndexOf("/") + 1),
    type: getMimeType(file) ?? "application/octet-stream",
    inline: true,
    missing: notFound("file in the package"),
  })
})
