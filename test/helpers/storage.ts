import { listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test"
import { env } from "cloudflare:workers"

/**
 * Wakes whatever stores something: the database, the files, and the clients' objects. After ten seconds without a call
 * an object is put to sleep, and `reset` empties only those that are awake.
 */
async function awake() {
  const clients = (await listDurableObjectIds(env.CLIENTS)).map((id) => env.CLIENTS.get(id).epoch())
  await Promise.all([env.DB.prepare("select 1").run(), env.FILES.head("any"), ...clients])
}

/** Makes the database as `wrangler d1 migrations apply` does. */
async function migrate() {
  const migration = env.DB.prepare("insert into d1_migrations (name) values (?)")
  await env.DB.batch([
    env.DB.prepare(`create table d1_migrations(
      id integer primary key autoincrement,
      name text unique,
      applied_at timestamp default current_timestamp not null
    )`),
    ...env.TEST_MIGRATIONS.flatMap(({ queries }) => queries).map((query) => env.DB.prepare(query)),
    ...env.TEST_MIGRATIONS.map(({ name }) => migration.bind(name)),
  ])
}

/** A Durable Object that this process stores: test/helpers/snapshot.ts finds the process's folder by it. */
let kept: string | undefined

/** When storage was emptied last: nothing that was called since sleeps within 5 seconds. */
let emptiedAt = Number.NEGATIVE_INFINITY

/** Empties everything that is stored. The database is migrated once; later its file is put back as it was then. */
export async function freshStorage() {
  if (performance.now() - emptiedAt > 5_000) await awake()
  await reset()
  emptiedAt = performance.now()
  if (kept) return snapshot("restore", kept)
  await migrate()
  const id = env.CLIENTS.newUniqueId()
  await runInDurableObject(env.CLIENTS.get(id), (_, { storage }) => storage.put("stored", true))
  await snapshot("keep", id.toString())
  kept = id.toString()
  await freshStorage()
}

async function snapshot(act: "keep" | "restore", objectId: string) {
  const { ok } = await env.SNAPSHOTS.fetch(`http://snapshots/${act}/${objectId}`, { method: "POST" })
  if (!ok) throw new Error(`Could not ${act} the copy of the database.`)
}
