// npm run restore: restores a backup into an empty deployment or an empty local state folder.
import { resolve } from "node:path"
import { migrate } from "../deploy/migrate.ts"
import { fail, flags } from "../lib/cli.ts"
import { DEPLOYMENT_VARIABLE, hasSettings } from "../lib/deployment.ts"
import { processesOf } from "../lib/processes.ts"
import { makeStateDir, stateDir } from "../lib/state.ts"
import { opened } from "./lib/open-deployment.ts"
import { restore } from "./lib/restore.ts"

const values = flags(
  "npm run restore",
  "Restores a backup into an empty deployment. Rerun to resume an interrupted restore.",
  {
    from: { type: "string", value: "folder", default: "copy", about: "the folder of the backup" },
    local: {
      type: "boolean",
      default: false,
      about: "restore into the local state folder (the default without a deployment)",
    },
    again: { type: "boolean", default: false, about: "discard an unfinished restore and start over" },
  },
  { STATE_DIR: "the state folder of the local academy (default: .state)", ...DEPLOYMENT_VARIABLE },
)
const folder = resolve(values.from)
const local = values.local || !hasSettings()
if (local) {
  makeStateDir()
  if (processesOf(stateDir).some(({ attended }) => attended))
    fail(`A server is running with STATE_DIR=${stateDir}. Stop it, or set another STATE_DIR.`)
}
const began = performance.now()
const { deployment, where } = await opened(local)
try {
  console.info(`Restoring ${folder} into ${deployment.name} …`)
  await restore(deployment, folder, console.info, { again: values.again })
} finally {
  await deployment.close()
}
await migrate(where)
console.info(`Restored in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
console.info(
  `Revoked sessions are not part of a backup. To end all sessions, set SESSIONS_AFTER=${new Date().toISOString()}`,
)
