// The app for scripts: bundled, since Node reads no TSX and has no workerd.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build, type PluginBuild } from "esbuild"
import type { Hono } from "hono"
import { root } from "../lib/state.ts"

/** Replaces the modules of workerd by empty ones: requests need them, declarations do not. */
function withoutWorkerd(build: PluginBuild) {
  build.onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: "workerd" }))
  build.onLoad({ filter: /./, namespace: "workerd" }, () => ({ contents: "module.exports = {}" }))
}

let bundled: Promise<Map<string, Hono>> | undefined

/** The modules of the mount table by their names, each with its operations. */
export const allRouters = (): Promise<Map<string, Hono>> => {
  bundled ??= bundle()
  return bundled
}

async function bundle(): Promise<Map<string, Hono>> {
  const out = mkdtempSync(join(tmpdir(), "lectern-app-"))
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

/** The OpenAPI document, without a server. */
export async function openApiDocument(): Promise<object> {
  const answer = await (await allRouters())
    .get("openapi")
    ?.request("/openapi.json", {}, { ACCESS_POLICY: "documented" })
  if (!answer?.ok) throw new Error("No module serves the OpenAPI document.")
  return (await answer.json()) as object
}
