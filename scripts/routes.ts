// npm run routes: writes down which operations each family of the mount table has, for the Worker to find them by.
// With --check it only tells whether that is up to date.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build, type PluginBuild } from "esbuild"
import type { Hono } from "hono"

const root = join(import.meta.dirname, "..")
const target = join(root, "src/routes.generated.ts")
const out = mkdtempSync(join(tmpdir(), "lectern-routes-"))

/** What workerd alone has stays empty: it is used by requests, not by declarations. */
function withoutWorkerd(build: PluginBuild) {
  build.onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: "workerd" }))
  build.onLoad({ filter: /./, namespace: "workerd" }, () => ({ contents: "module.exports = {}" }))
}

/** The families as the source has them. Node reads no TSX by itself. */
async function everyFamily(): Promise<Map<string, Hono>> {
  const outfile = join(out, "app.mjs")
  await build({
    entryPoints: [join(root, "src/app.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
    plugins: [{ name: "workerd", setup: withoutWorkerd }],
  })
  return (await import(pathToFileURL(outfile).href)).everyFamily()
}

function written(families: Map<string, Hono>): string {
  const lines = [...families].flatMap(([name, { routes }]) => [
    `  ${name}: [`,
    ...[...new Set(routes.map(({ method, path }) => `${method} ${path}`))].map(
      (route) => `    ${JSON.stringify(route)},`,
    ),
    "  ],",
  ])
  return [
    "// Written by `npm run routes` from what the families declare.",
    "export const routes = {",
    ...lines,
    "}",
    "",
  ].join("\n")
}

const wanted = written(await everyFamily().finally(() => rmSync(out, { recursive: true })))
const matches = readFileSync(target, "utf8") === wanted
if (!process.argv.includes("--check")) {
  if (!matches) writeFileSync(target, wanted)
} else if (!matches) {
  console.error("src/routes.generated.ts does not hold what the families declare. Run: npm run routes")
  process.exitCode = 1
}
