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

// Packages are web sites that somebody else made. They run on an origin of their own (lib/web/content-origin.ts), in
// two frames: the outer one is ours, has the run-time interface that packages look for in the windows around them, and
// talks with the player; the inner one is the package. No request here has a session, and src/app.ts has no gate around
// it: the token in the path is the right to what it names.

export const scormContent = createApp()

const SANDBOX = "sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-downloads"

/** What the outer frame may do: run its own script and frame the package. The package can act in its name. */
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

/** What a package's pages may do: run scripts, and load and frame what is within the package. They send no form. */
const packagePolicy = ({ content, player }: ContentGrant, root: string) =>
  [
    `default-src ${root} 'unsafe-inline' 'unsafe-eval' data: blob:`,
    "object-src 'none'",
    // No service worker: it could answer for the package's pages without this policy.
    "worker-src blob:",
    "form-action 'none'",
    `base-uri ${root}`,
    `frame-ancestors ${content} ${player}`,
    SANDBOX,
  ].join("; ")

/** What the gate does elsewhere. The route goes to the log, not the path, which holds the token. */
const asContent: MiddlewareHandler<AppEnv> = async (c, next) => {
  const meter = getMeter(c.env)
  if (meter) meter.operation = routePath(c, -1)
  await next()
}

/** What the path's token grants. @throws 404 */
function granted(c: Context<AppEnv>, token: string): ContentGrant & { root: string } {
  if (c.req.header("service-worker") !== undefined)
    throw forbidden("A package may not have a service worker.", "prefetch_not_allowed")
  const grant = verifyContentToken(c.env, token)
  if (grant?.content !== new URL(c.req.url).origin) throw notFound("file; launch the package again")
  return { ...grant, root: `${grant.content}/scorm/${token}/` }
}

/** The outer frame. */
scormContent.get("/scorm/:token/", asContent, (c) => {
  const grant = granted(c, c.req.param("token"))
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
scormContent.get("/scorm/:token/:file{.+}", asContent, async (c) => {
  const { token, file } = c.req.param()
  const grant = granted(c, token)
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
