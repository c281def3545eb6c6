// npm run verify -- bounds: test/matrix/work-bounds.test.ts at full size. It takes minutes.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { flags, integer } from "./lib/cli.ts"
import { root } from "./lib/state.ts"

const values = flags(
  "npm run verify -- bounds",
  "Calls every mutation on a large academy and counts the rows of each batch.",
  {
    members: { type: "string", value: "n", default: "50000", about: "how many members each large record has" },
  },
)
const vitest = join(root, "node_modules/vitest/vitest.mjs")
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--config", "test/vitest.config.ts", "test/matrix/work-bounds.test.ts"],
  { cwd: root, stdio: "inherit", env: { ...process.env, BOUNDS_SIZE: String(integer("members", values.members)) } },
)
process.exit(status ?? 1)
