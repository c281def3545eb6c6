import { createApp } from "../../http/operation.ts"
import { serveFile } from "../../lib/web/files.ts"
import { findLogo } from "./media.queries.ts"

export const logos = createApp()

/** The logos on sign-in pages and in mails, for readers without a session. Another logo has another id. */
logos.get("/logo/:id{[1-9][0-9]*}", async (c) => {
  const file = await findLogo(c.var.db, Math.min(Number(c.req.param("id")), Number.MAX_SAFE_INTEGER))
  c.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
  c.header("cache-control", "public, max-age=86400")
  // Mail readers and applications of the academy are other sites.
  c.header("cross-origin-resource-policy", "cross-origin")
  return serveFile(c, { ...file, inline: true })
})
