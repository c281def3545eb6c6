// Installs the locked packages unless they are there already, and ends the process where that fails. Plain JavaScript:
// it runs on the machine's own Node (20 or later), before the project's own is there.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (path) => JSON.parse(readFileSync(join(root, path), "utf8")).packages

/** true when every locked package is installed in its locked version; another platform's may be missing. */
function isInstalled() {
  const listing = "node_modules/.package-lock.json"
  if (!existsSync(join(root, listing)) || !existsSync(join(root, "node_modules/.bin/node"))) return false
  const installed = read(listing)
  return Object.entries(read("package-lock.json")).every(
    ([path, { version, optional }]) =>
      path === "" || (installed[path] ? installed[path].version === version : optional === true),
  )
}

if (!isInstalled()) {
  console.info("Installing packages …")
  const flags = ["ci", "--no-audit", "--no-fund", "--loglevel=error"]
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = process.env
  const [command, args] = npm ? [node, [npm, ...flags]] : ["npm", flags]
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: !npm })
  if (error) console.error(error.message)
  if (status !== 0) process.exit(status ?? 1)
}
