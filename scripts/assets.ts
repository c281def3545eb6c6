// Collects the static assets of the Worker from this repository and its packages. Run by wrangler's build.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { build } from "esbuild"
import { MIN_PASSWORD_LENGTH } from "../src/lib/crypto/password-length.ts"
import { makeFonts } from "./fonts.ts"
import { guidePages } from "./guides.ts"
import { wellKnownPasswords } from "./lib/well-known-passwords.ts"
import { mcpTools } from "./mcp-tools.ts"

const root = join(import.meta.dirname, "..")
const out = join(root, ".assets", "assets")

/** Writes changed files atomically, because another server may be serving this folder. */
function write(content: Uint8Array, name: string) {
  const target = join(out, name)
  if (existsSync(target) && readFileSync(target).equals(content)) return
  const whole = join(root, ".assets", `.${name.replaceAll("/", "-")}.${process.pid}`)
  writeFileSync(whole, content)
  renameSync(whole, target)
}

const collect = (from: string, name: string) => write(readFileSync(join(root, from)), name)

/** Builds scripts that run outside of the console's page. @param folder below the assets */
async function buildScripts(folder: string, sources: readonly string[]) {
  const { outputFiles } = await build({
    entryPoints: sources.map((source) => join(root, source)),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    outdir: join(out, folder),
    write: false,
    logLevel: "warning",
  })
  mkdirSync(join(out, folder), { recursive: true })
  for (const { path, contents } of outputFiles) write(contents, relative(out, path))
}

/** The style and the script of the server-rendered pages. The style has the tokens of the console. */
async function buildPages() {
  const { outputFiles } = await build({
    entryPoints: ["pages.css", "pages.js"].map((name) => join(root, "src/pages", name)),
    bundle: true,
    minify: true,
    target: "es2023",
    outdir: out,
    write: false,
    logLevel: "warning",
  })
  for (const { path, contents } of outputFiles) write(contents, relative(out, path))
}

mkdirSync(join(out, "guides"), { recursive: true })
collect("node_modules/@scalar/fastify-api-reference/dist/js/standalone.js", "reference.js")
await buildPages()
// Cloudflare serves assets without the Worker, so their headers are in a file.
collect("src/pages/assets.headers", "../_headers")
collect("src/pages/logo.svg", "logo.svg")
for (const icon of readdirSync(join(root, "src/pages/icons"))) collect(`src/pages/icons/${icon}`, icon)
for (const icon of readdirSync(join(root, "src/modules/gamification/icons")))
  collect(`src/modules/gamification/icons/${icon}`, `badge-${icon}`)
for (const { name, html, markdown } of guidePages()) {
  write(Buffer.from(html), `guides/${name}.html`)
  write(Buffer.from(markdown), `guides/${name}.md`)
}
// Outside of /assets/: the Worker alone reads it.
write(Buffer.from(JSON.stringify(await mcpTools())), "../mcp-tools.json")
write(Buffer.from(wellKnownPasswords(MIN_PASSWORD_LENGTH)), "well-known-passwords.txt")
// What certificates are drawn with (src/lib/pdf/font-catalog.ts).
await makeFonts()
// The pages around SCORM packages, each with its version's run-time (src/console/frame).
await buildScripts("scorm", ["src/console/frame/1.2.ts", "src/console/frame/2004.ts"])
await buildScripts("", ["src/console/api/offline/service-worker.ts"])
