import { listDurableObjectIds, reset } from "cloudflare:test"
import { env } from "cloudflare:workers"

/** The longest that D1 takes as one query. */
const LONGEST = 100_000

/** The schema in as few queries as D1 takes: it is made before every test, and a query costs more than its work. */
function schema() {
  const queries: string[] = []
  const statements = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries)
  for (const statement of statements.map((text) => text.trim().replace(/;$/, ""))) {
    const last = queries.at(-1)
    if (last !== undefined && last.length + statement.length + 2 < LONGEST)
      queries.splice(-1, 1, `${last};\n${statement}`)
    else queries.push(statement)
  }
  return queries
}
const SCHEMA = schema()

/**
 * Wakes whatever stores something: the database, the files, and the clients' objects. After ten seconds without a call
 * an object is put to sleep, and `reset` empties only those that are awake.
 */
async function awake() {
  const clients = (await listDurableObjectIds(env.CLIENTS)).map((id) => env.CLIENTS.get(id).epoch())
  await Promise.all([env.DB.prepare("select 1").run(), env.FILES.head("any"), ...clients])
}

/** Empties everything that is stored, and makes the database as `wrangler d1 migrations apply` does. */
export async function freshStorage() {
  await awake()
  await reset()
  const migration = env.DB.prepare("insert into d1_migrations (name) values (?)")
  await env.DB.batch([
    env.DB.prepare(`create table d1_migrations(
      id integer primary key autoincrement,
      name text unique,
      applied_at timestamp default current_timestamp not null
    )`),
    ...SCHEMA.map((query) => env.DB.prepare(query)),
    ...env.TEST_MIGRATIONS.map(({ name }) => migration.bind(name)),
  ])
}
