import { type Context, Hono } from "hono"
import { baseUrl } from "../lib/web/answers.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { contentOrigin } from "../lib/web/content-origin.ts"
import { DocsPage } from "./docs.page.tsx"
import { GuidePage, GuidesPage } from "./guides.page.tsx"
import { GUIDES } from "./guides.ts"
import { consolePolicy, isSignedOut, REFERENCE_POLICY, redirectToSignIn, renderPage } from "./page.tsx"

export const pages = new Hono<AppEnv>()

pages.get("/docs/guides", (c) => renderPage(c, <GuidesPage />))

for (const { name, title } of GUIDES)
  pages.get(`/docs/guides/${name}`, async (c) => {
    const asset = await c.env.ASSETS.fetch(new URL(`/assets/guides/${name}`, c.req.url))
    return renderPage(c, <GuidePage name={name} title={title} html={await asset.text()} />)
  })

pages.get("/docs", (c) => renderPage(c, <DocsPage />, 200, REFERENCE_POLICY))

/** Serves the console for all its paths; the console itself selects the view. */
async function answerConsole(c: Context<AppEnv>) {
  if (await isSignedOut(c)) return redirectToSignIn(c)
  const asset = await c.env.ASSETS.fetch(new URL("/assets/console/", c.req.url))
  c.header("content-security-policy", consolePolicy(contentOrigin(c.env, baseUrl(c))))
  c.header("cache-control", "no-cache")
  return c.html(await asset.text())
}

pages.get("/console", answerConsole)
pages.get("/console/", answerConsole)
pages.get("/console/:view{.+}", answerConsole)
