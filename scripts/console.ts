// Builds the console (src/console) into the Worker's assets, unless they are of its sources already. Run by wrangler's
// build. Its files are named by their content, so a page that is open finds its own until the next build.
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "vite"
import { root } from "./lib/state.ts"

const assets = join(root, ".assets")
const out = join(assets, "assets/console")
const stamp = join(assets, "console.sha256")

/** A fingerprint of all that the console may be built from: it shares files with the Worker, which may become more. */
function sources(): string {
  const hash = createHash("sha256")
  for (const name of readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).sort())
    if (!/(^|[\\/])(node_modules|dist|examples)([\\/]|$)/.test(name) && /\.(tsx?|css|html|json|svg)$/.test(name))
      hash.update(`${name}\n`).update(readFileSync(join(root, "src", name)))
  return hash.update(readFileSync(join(root, "package-lock.json"))).digest("hex")
}

const now = sources()
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== now || !existsSync(out)) {
  const made = join(assets, `.console.${process.pid}`)
  await build({
    configFile: join(root, "src/console/vite.config.ts"),
    logLevel: "warn",
    build: { outDir: made, emptyOutDir: true },
  })
  mkdirSync(out, { recursive: true })
  const names = readdirSync(made)
  // Renaming is atomic, because two services may start at once. The document is last: the files that it references exist.
  for (const name of names.filter((name) => name !== "index.html")) renameSync(join(made, name), join(out, name))
  renameSync(join(made, "index.html"), join(out, "index.html"))
  for (const old of readdirSync(out)) if (!names.includes(old)) rmSync(join(out, old), { recursive: true, force: true })
  rmSync(made, { recursive: true })
  writeFileSync(stamp, now)
}
