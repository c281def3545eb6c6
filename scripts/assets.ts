// Collects what the Worker serves as static assets, from this repository and its packages. Run by wrangler's build.
import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const out = join(root, ".assets", "assets")
mkdirSync(out, { recursive: true })
copyFileSync(join(root, "node_modules/@scalar/fastify-api-reference/dist/js/standalone.js"), join(out, "reference.js"))
copyFileSync(join(root, "src/pages/pages.css"), join(out, "pages.css"))
