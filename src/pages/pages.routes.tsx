import { type Context, Hono } from "hono"
import { baseUrl } from "../lib/web/answers.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { brandOf } from "../lib/web/brand.ts"
import { contentOrigin } from "../lib/web/content-origin.ts"
import { DocsPage } from "./docs.page.tsx"
import { GuidePage, GuidesPage } from "./guides.page.tsx"
import { GUIDES } from "./guides.ts"
import { llmsText } from "./llms.ts"
import { webManifest } from "./manifest.ts"
import { consolePolicy, isSignedOut, REFERENCE_POLICY, readAcademy, redirectToSignIn, renderPage } from "./page.tsx"

export const pages = new Hono<AppEnv>()

/** For texts that only a deployment changes. */
const CACHED = { "cache-control": "public, max-age=300" }

pages.get("/docs/guides", (c) => renderPage(c, <GuidesPage />))

const guideAsset = (c: Context<AppEnv>, file: string) =>
  c.env.ASSETS.fetch(new URL(`/assets/guides/${file}`, c.req.url)).then((asset) => asset.text())

for (const { name, title } of GUIDES) {
  pages.get(`/docs/guides/${name}`, async (c) =>
    renderPage(c, <GuidePage name={name} title={title} html={await guideAsset(c, name)} />),
  )
  pages.get(`/docs/guides/${name}.md`, async (c) =>
    c.body(await guideAsset(c, `${name}.md`), 200, { "content-type": "text/markdown; charset=utf-8", ...CACHED }),
  )
}

pages.get("/llms.txt", (c) => c.text(llmsText(baseUrl(c)), 200, CACHED))

pages.get("/docs", (c) => renderPage(c, <DocsPage />, 200, { policy: REFERENCE_POLICY, academy: null }))

/** What a browser needs to install the console as an app. */
pages.get("/manifest.webmanifest", async (c) => {
  const manifest = webManifest(brandOf(c.env, baseUrl(c), await readAcademy(c)))
  return c.body(JSON.stringify(manifest), 200, { "content-type": "application/manifest+json", ...CACHED })
})

/** The icon of the installed app on Apple's devices, which do not read it from the manifest. */
pages.get("/app-icon", async (c) => {
  const { logoUrl } = brandOf(c.env, baseUrl(c), await readAcademy(c))
  c.header("cache-control", CACHED["cache-control"])
  return c.redirect(logoUrl ?? "/assets/icon-192.png")
})

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
