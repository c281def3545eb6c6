import { DatabaseSync } from "node:sqlite"
import { createClient, LecternError } from "lectern-client"

// Copies users and enrollments into SQLite. Run it every night: it reads only what changed since the last run.

const client = createClient({ baseUrl: "http://localhost:8787" })

const db = new DatabaseSync("academy.sqlite")
db.exec(`
  create table if not exists users (id integer primary key, name text, email text, user_type text, disabled integer);
  create table if not exists enrollments (
    id integer primary key, user_id integer, course_id integer, status text, percent integer, completed_at text
  );
  create table if not exists state (name text primary key, value text);
  create view if not exists completions as
    select user_id, course_id, completed_at from enrollments where completed_at is not null;
`)
const saveUser = db.prepare("replace into users values (?, ?, ?, ?, ?)")
const saveEnrollment = db.prepare("replace into enrollments values (?, ?, ?, ?, ?, ?)")
const saveState = db.prepare("replace into state values (?, ?)")
const stateOf = (name: string) =>
  db.prepare("select value from state where name = ?").get(name)?.value as string | undefined

/** A change becomes visible after its time, and clocks differ: each run reads the last minutes before it again. */
const OVERLAP = 5 * 60_000
const DELETIONS = ["user.deleted", "user.erased", "enrollment.removed"] as const

async function pull() {
  const since = stateOf("since")
  const nextSince = new Date(Date.now() - OVERLAP).toISOString()
  // The feed starts before the first copy, so that it has every deletion since then.
  let cursor = stateOf("cursor")
  if (cursor === undefined)
    cursor = (await client.GET("/api/events", { params: { query: { after: "latest" } } })).data.cursor
  const received = { users: 0, enrollments: 0, deletions: 0 }

  const query = { page_size: 500, search_param: since === undefined ? {} : { updatedSince: since } }
  for await (const user of client.list("/api/users/tabularlist", { query })) {
    const name = `${user.first_name} ${user.last_name}`.trim()
    saveUser.run(user.id, name, user.email, user.user_type, Number(user.is_disabled))
    received.users++
  }
  for await (const row of client.list("/api/enrollments/tabularlist", { query })) {
    saveEnrollment.run(row.id, row.userId, row.courseId, row.status, row.percentComplete, row.completedAt)
    received.enrollments++
  }

  const feed = client.events({ after: cursor, types: DELETIONS })
  for await (const event of feed) {
    if (event.type === "enrollment.removed") db.prepare("delete from enrollments where id = ?").run(event.data.id)
    if (event.type === "user.deleted" || event.type === "user.erased") {
      db.prepare("delete from users where id = ?").run(event.data.id)
      db.prepare("delete from enrollments where user_id = ?").run(event.data.id)
    }
    received.deletions++
  }

  saveState.run("since", nextSince)
  saveState.run("cursor", feed.cursor ?? cursor)
  console.log(`users: ${received.users}, enrollments: ${received.enrollments}, deletions: ${received.deletions}`)
}

export async function copy() {
  await client.signIn({ email: "owner@example.com", password: "lectern-demo-1" })
  await pull().catch(async (error) => {
    // The cursor is older than the stored events, or the service was restored from a backup: copy everything again.
    if (!(error instanceof LecternError && error.status === 410)) throw error
    db.exec("delete from users; delete from enrollments; delete from state")
    await pull()
  })
}
await copy()
