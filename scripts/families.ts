// The families as the source has them, for scripts: Node reads no TSX and has no workerd.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build, type PluginBuild } from "esbuild"
import type { Hono } from "hono"
import { root } from "./lib/state.ts"

/** What workerd alone has stays empty: it is used by requests, not by declarations. */
function withoutWorkerd(build: PluginBuild) {
  build.onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: "workerd" }))
  build.onLoad({ filter: /./, namespace: "workerd" }, () => ({ contents: "module.exports = {}" }))
}

/** Every family of the mount table, with its operations. */
export async function allRouters(): Promise<Map<string, Hono>> {
  const out = mkdtempSync(join(tmpdir(), "lectern-families-"))
  const outfile = join(out, "app.mjs")
  try {
    await build({
      entryPoints: [join(root, "src/app.ts")],
      bundle: true,
      format: "esm",
      platform: "node",
      outfile,
      logLevel: "error",
      loader: { ".wasm": "empty" },
      plugins: [{ name: "workerd", setup: withoutWorkerd }],
    })
    return await (await import(pathToFileURL(outfile).href)).allRouters()
  } finally {
    rmSync(out, { recursive: true })
  }
}

/** The OpenAPI document, made without a server. */
export async function openApiDocument(): Promise<object> {
  const answer = await (await allRouters())
    .get("openapi")
    ?.request("/openapi.json", {}, { ACCESS_POLICY: "documented" })
  if (!answer?.ok) throw new Error("No family serves the OpenAPI document.")
  return (await answer.json()) as object
}
