// npm run seed -- --users 200000: puts users straight into the local database of a stopped server, for measurements
// that would take hours over the API. Triggers keep search, counters and totals, as they do for the service itself.
import { count, fail, flags } from "../scripts/lib/flags.ts"
import { processesOf } from "../scripts/lib/processes.ts"
import { openLocal, stateDir } from "../scripts/lib/state.ts"
import { searchText, sortKey } from "../src/lib/sql/search.ts"

const values = flags(
  "npm run seed",
  "Puts users straight into the local database of a stopped server.",
  { users: { type: "string", value: "n", default: "200000", about: "how many there are to be" } },
  { STATE_DIR: "which server's (.state unless set)" },
)
const wanted = count("users", values.users)
const HOUR = 3_600_000

const FIRST = ["Amina", "Björn", "Chiara", "Dmitri", "Esther", "Farid", "Greta", "Hiro", "Ines", "João", "Kira", "Luan"]
const LAST = ["Abebe", "Brandt", "Costa", "Duarte", "Eriksen", "Fischer", "Grant", "Hassan", "Ito", "Jansen", "Kaya"]
/** Every ten-thousandth user: 20 of 200,000. */
const RARE = "Quillfeather"

/** The nth user; the same for the same n. */
function person(n: number) {
  const firstName = `${FIRST[n % FIRST.length]}`
  const lastName = n % 10_000 === 5_000 ? RARE : `${LAST[n % LAST.length]}-${(n * 7919) % 99_991}`
  return { firstName, lastName, email: `seed${n}@seeded.example` }
}

if (processesOf(stateDir).length > 0) fail(`The server of ${stateDir} is running. Stop it first.`)
const db = openLocal()
db.exec("pragma synchronous = off; pragma cache_size = -262144; begin")
const { there } = db.prepare("select count(*) as there from users where email like 'seed%@seeded.example'").get() as {
  there: number
}
const { last } = db.prepare("select coalesce(max(value), 0) as last from sequences where name = 'users'").get() as {
  last: number
}
const insert = db.prepare(
  `insert into users (id, first_name, last_name, first_name_key, last_name_key, email, user_type, source_id,
   last_login_at, search_text, created_at) values (?, ?, ?, ?, ?, ?, 'general', 2, ?, ?, ?)`,
)
const began = performance.now()
const at = Date.now()
let id = last
for (let n = there; n < wanted; n++) {
  const { firstName, lastName, email } = person(n)
  const joined = at - ((n * 7) % (3 * 365 * 24)) * HOUR - n
  const seen = n % 4 === 0 ? 0 : at - (n % 5_000) * HOUR
  const search = searchText(`${firstName} ${lastName}`, email)
  insert.run(++id, firstName, lastName, sortKey(firstName), sortKey(lastName), email, seen, search, joined)
  if (n % 20_000 === 0) process.stderr.write(`\r${n} of ${wanted} `)
}
db.prepare(
  "insert into sequences (name, value) values ('users', ?) on conflict (name) do update set value = excluded.value",
).run(id)
db.exec("commit; pragma wal_checkpoint(truncate)")
db.close()
console.info(`\r${Math.max(0, wanted - there)} users in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
