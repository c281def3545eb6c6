// npm run backup: a logical copy of a deployment, or of this machine's academy, into a folder.
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { flags } from "../lib/cli.ts"
import { DEPLOYMENT_VARIABLE, hasSettings } from "../lib/deployment.ts"
import { requireDatabase, root } from "../lib/state.ts"
import { backup } from "./lib/backup.ts"
import { opened } from "./lib/open-deployment.ts"

const values = flags(
  "npm run backup",
  "Copies an academy into a folder: its rows as JSON lines, and its files. Interrupted, it goes on when run again.",
  {
    to: { type: "string", value: "folder", default: "copy", about: "where the copy goes" },
    local: { type: "boolean", default: false, about: "of this machine's academy, as without a deployment; it may run" },
    again: { type: "boolean", default: false, about: "ends what a backup into another folder has left unfinished" },
  },
  { STATE_DIR: "of this machine: where that academy is (.state unless set)", ...DEPLOYMENT_VARIABLE },
)
const local = values.local || !hasSettings()
if (local) requireDatabase()
const folder = resolve(values.to)
const began = performance.now()
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
const { deployment } = await opened(local)
try {
  console.info(`Copying ${deployment.name} to ${folder} …`)
  const { tables, files } = await backup(deployment, folder, version, console.info, { again: values.again })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = tables.reduce((sum, table) => sum + table.bytes, files.contentBytes)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.info(
    `The copy is whole: ${rows} rows of ${tables.length} tables, ${files.rows} files, ` +
      `${(bytes / 1e6).toFixed(1)} MB, in ${seconds} s.`,
  )
  console.info("It does not hold the secrets: keep APP_SECRET with it, in a place of its own.")
} finally {
  await deployment.close()
}
