// node scripts/run.mjs <script.ts or tool> …: how every npm script begins. Installs the locked packages unless they are
// there, then runs a script on the project's own Node, or a tool of its packages. Plain JavaScript: see install.mjs.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import "./install.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const tool = (name) => join(root, "node_modules/.bin", name)
const [what = "", ...rest] = process.argv.slice(2)
const [command, args] = what.endsWith(".ts")
  ? [tool("node"), ["--disable-warning=ExperimentalWarning", join(root, what), ...rest]]
  : [tool(what), rest]

// Node keeps what it compiled: each of the many starts of a test run takes a third less.
const env = { NODE_COMPILE_CACHE: join(root, "node_modules/.cache/node"), ...process.env }
const child = spawn(command, args, { stdio: "inherit", env })
// A Ctrl-C of the terminal reaches both; what is sent to this process alone is handed on.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.once("error", (error) => {
  console.error(error.message)
  process.exit(1)
})
child.once("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
