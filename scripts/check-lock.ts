// Fails for a locked package without a digest: npm would install any response of the registry.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { packagesWithoutIntegrity } from "./lib/lock.ts"
import { root } from "./lib/state.ts"

const locks = globSync("{,src/client/}package-lock.json", { cwd: root })
const found = locks.flatMap((lock) =>
  packagesWithoutIntegrity(readFileSync(join(root, lock), "utf8")).map(
    (path) => `${lock}: ${path} has no SHA-512 integrity.`,
  ),
)
for (const line of found) console.error(line)
if (found.length > 0) console.error("Take each from the registry: npm view <package>@<version> dist.integrity")
else console.info(`Every package of ${locks.length} lock files has an integrity.`)
process.exit(found.length === 0 ? 0 : 1)
