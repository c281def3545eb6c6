// npm run backup: backs up a deployment, or the local academy, to a folder.
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { flags } from "../lib/cli.ts"
import { DEPLOYMENT_VARIABLE, hasSettings } from "../lib/deployment.ts"
import { requireDatabase, root } from "../lib/state.ts"
import { backup } from "./lib/backup.ts"
import { opened } from "./lib/open-deployment.ts"

const values = flags(
  "npm run backup",
  "Backs up an academy to a folder: rows as JSON lines, and files. Rerun to resume an interrupted backup.",
  {
    to: { type: "string", value: "folder", default: "copy", about: "the folder for the backup" },
    local: {
      type: "boolean",
      default: false,
      about: "back up the local academy (the default without a deployment); it can be running",
    },
    again: { type: "boolean", default: false, about: "discard an unfinished backup to another folder" },
  },
  { STATE_DIR: "the state folder of the local academy (default: .state)", ...DEPLOYMENT_VARIABLE },
)
const local = values.local || !hasSettings()
if (local) requireDatabase()
const folder = resolve(values.to)
const began = performance.now()
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
const { deployment } = await opened(local)
try {
  console.info(`Backing up ${deployment.name} to ${folder} …`)
  const { tables, files } = await backup(deployment, folder, version, console.info, { again: values.again })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = tables.reduce((sum, table) => sum + table.bytes, files.contentBytes)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.info(
    `Backup complete: ${rows} rows of ${tables.length} tables, ${files.rows} files, ` +
      `${(bytes / 1e6).toFixed(1)} MB, in ${seconds} s.`,
  )
  console.info("The backup does not contain secrets. Store APP_SECRET separately.")
} finally {
  await deployment.close()
}
