// npm run restore: reads a copy, as npm run backup made it, into an empty deployment or an empty state of this machine.
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
  "Restores a copy into an empty deployment. Interrupted, it goes on when run again.",
  {
    from: { type: "string", value: "folder", default: "copy", about: "where the copy is" },
    local: { type: "boolean", default: false, about: "into this machine's state, as without a deployment" },
    again: { type: "boolean", default: false, about: "starts over where an earlier restore is unfinished" },
  },
  { STATE_DIR: "of this machine: the state's folder (.state unless set)", ...DEPLOYMENT_VARIABLE },
)
const folder = resolve(values.from)
const local = values.local || !hasSettings()
if (local) {
  makeStateDir()
  if (processesOf(stateDir).some(({ attended }) => attended))
    fail(`A server runs with this STATE_DIR (${stateDir}). Stop it, or set another STATE_DIR.`)
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
console.info(`Sessions that had been ended are not known here. End all: SESSIONS_AFTER=${new Date().toISOString()}`)
