import { routePath } from "hono/route"
import { getMeter } from "../../db/meter.ts"
import { createApp } from "../../http/operation.ts"
import { notFound } from "../../lib/errors.ts"
import { serveFile } from "../../lib/web/files.ts"
import { verifyMediaToken } from "./media-link.ts"

// Links to files for players that cannot send a token. These requests have no session and skip the middleware of
// src/app.ts: the token in the path authorizes them.

export const mediaFiles = createApp()

mediaFiles.get("/media/:token", async (c) => {
  // The route instead of the path, which contains the token.
  const meter = getMeter(c.env)
  if (meter) meter.operation = routePath(c, -1)
  const file = verifyMediaToken(c.env, c.req.param("token"))
  if (!file) throw notFound("file; ask for another link")
  c.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
  c.header("cache-control", "private, max-age=3600")
  return serveFile(c, { key: file.media, type: file.type, filename: file.filename, inline: true })
})
