import { getMimeType } from "hono/utils/mime"
import { createApp } from "../../http/operation.ts"
import { forbidden, notFound } from "../../lib/errors.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { serveFile } from "../../lib/web/files.ts"
import { packageOf } from "./scorm-content-token.ts"

export const scormContent = createApp()

/**
 * What a package's pages may do (docs/decisions/0061): run scripts beside the player on this origin, whose run-time
 * interface they call, and load and frame what is within the package. Nothing else of this origin can be reached, no
 * form sent, no window opened.
 */
const policy = (root: string) =>
  [
    `default-src ${root} 'unsafe-inline' 'unsafe-eval' data: blob:`,
    "object-src 'none'",
    // No service worker: it could answer for the package's pages without this policy.
    "worker-src blob:",
    "form-action 'none'",
    `base-uri ${root}`,
    "frame-ancestors 'self'",
    "sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-downloads",
  ].join("; ")

/** A package's file. The token in the path is the right to read it, so that frames need no session. */
scormContent.get("/scorm/:token/:file{.+}", async (c) => {
  const { token, file } = c.req.param()
  if (c.req.header("service-worker") !== undefined)
    throw forbidden("A package may not have a service worker.", "not_to_be_prefetched")
  const packageKey = packageOf(c.env, token)
  if (!packageKey) throw notFound("file; launch the package again")
  c.header("content-security-policy", policy(`${baseUrl(c)}/scorm/${token}/`))
  c.header("cache-control", "private, max-age=43200")
  return serveFile(c, {
    key: `${packageKey}/${file}`,
    filename: file.slice(file.lastIndexOf("/") + 1),
    type: getMimeType(file) ?? "application/octet-stream",
    inline: true,
    missing: notFound("file in the package"),
  })
})
