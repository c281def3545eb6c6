// Many users at once, for measurements and checks: putting them there over the API would take hours.
import type { DatabaseSync } from "node:sqlite"
import { searchText, sortKey } from "../../src/db/search.ts"

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

/**
 * Inserts users into the database of a stopped server, until it has `wanted` users. Triggers update search, counters
 * and totals.
 * @returns how many were added
 */
export function seedUsers(db: DatabaseSync, wanted: number): number {
  db.exec("pragma synchronous = off; pragma cache_size = -262144; begin")
  const found = (sql: string) => Number(db.prepare(sql).get()?.found)
  const there = found("select count(*) as found from users where email like 'seed%@seeded.example'")
  const last = found("select coalesce(max(value), 0) as found from sequences where name = 'users'")
  const insert = db.prepare(
    `insert into users (id, first_name, last_name, first_name_key, last_name_key, email, user_type, source_id,
     last_login_at, search_text, created_at) values (?, ?, ?, ?, ?, ?, 'general', 2, ?, ?, ?)`,
  )
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
  process.stderr.write("\r")
  db.prepare(
    "insert into sequences (name, value) values ('users', ?) on conflict (name) do update set value = excluded.value",
  ).run(id)
  db.exec("commit; pragma wal_checkpoint(truncate)")
  return id - last
}
