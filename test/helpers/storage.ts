import { listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test"
import { env } from "cloudflare:workers"

/**
 * Wakes the database, the files, and the Durable Objects of clients: objects sleep after ten seconds without a call,
 * and `reset` empties only awake ones.
 */
async function awake() {
  const clients = (await listDurableObjectIds(env.CLIENTS)).map((id) => env.CLIENTS.get(id).epoch())
  await Promise.all([env.DB.prepare("select 1").run(), env.FILES.head("any"), ...clients])
}

/** Creates the database like `wrangler d1 migrations apply`. */
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

/** A Durable Object of this process, by which test/helpers/snapshot.ts finds the process's folder. */
let kept: string | undefined

/** The time of the last reset: objects that were called since then are awake for at least 5 seconds. */
let emptiedAt = Number.NEGATIVE_INFINITY

let isUsed = true

/** Whether the database, files or Durable Objects were used since storage was last emptied. */
export const storageIsUsed = () => isUsed

for (const binding of [env.DB, env.FILES, env.CLIENTS]) {
  const type = Object.getPrototypeOf(binding)
  for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(type))) {
    if (name === "constructor" || typeof method !== "function") continue
    type[name] = function (...args: unknown[]) {
      isUsed = true
      return method.apply(this, args)
    }
  }
}

/** Empties all storage that was used. The database is migrated once; later its file is restored from the copy. */
export async function freshStorage() {
  if (!isUsed) return
  await emptyStorage()
  isUsed = false
}

async function emptyStorage() {
  for (let attempt = 0; attempt < 10; attempt++) {
    if (performance.now() - emptiedAt > 5_000) await awake()
    await reset()
    emptiedAt = performance.now()
    if (!kept) kept = await keepCopy()
    // A late call of the previous test may open the database again.
    else if (await snapshot("restore", kept)) return
  }
  throw new Error("A call keeps the database open: the test before this one left work behind.")
}

/** Migrates the empty database, and keeps a copy of its file. Returns the process's Durable Object. */
async function keepCopy(): Promise<string> {
  await migrate()
  const id = env.CLIENTS.newUniqueId()
  await runInDurableObject(env.CLIENTS.get(id), (_, { storage }) => storage.put("stored", true))
  if (!(await snapshot("keep", id.toString()))) throw new Error("Could not copy the database.")
  return id.toString()
}

/** Returns whether the act succeeded. */
async function snapshot(act: "keep" | "restore", objectId: string): Promise<boolean> {
  return (await env.SNAPSHOTS.fetch(`http://snapshots/${act}/${objectId}`, { method: "POST" })).ok
}
