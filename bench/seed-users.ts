// npm run bench -- seed-users --users 200000: puts users straight into the local database of a stopped server, for measurements
// that would take hours over the API.
import { fail, flags, integer } from "../scripts/lib/cli.ts"
import { processesOf } from "../scripts/lib/processes.ts"
import { seedUsers } from "../scripts/lib/seeded-users.ts"
import { openLocal, stateDir } from "../scripts/lib/state.ts"

const values = flags(
  "npm run bench -- seed-users",
  "Puts users straight into the local database of a stopped server.",
  { users: { type: "string", value: "n", default: "200000", about: "how many there are to be" } },
  { STATE_DIR: "which server's (.state unless set)" },
)
const wanted = integer("users", values.users)

if (processesOf(stateDir).length > 0) fail(`The server of ${stateDir} is running. Stop it first.`)
const began = performance.now()
const db = openLocal()
const added = seedUsers(db, wanted)
db.close()
console.info(`${added} users in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
