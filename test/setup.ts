import { applyD1Migrations, reset } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { Column, is, SQL } from "drizzle-orm"
import { SQLiteD1Session } from "drizzle-orm/d1"
import { afterEach, beforeEach, vi } from "vitest"

// Drizzle reads a batch's rows by column name: of two columns of one name, one is lost and the others shift. No
// statement of the service may select two.
interface Built {
  _prepare(): { fields?: { field: unknown; path: string[] }[] }
}
const batch = SQLiteD1Session.prototype.batch
SQLiteD1Session.prototype.batch = function (queries) {
  for (const query of queries as unknown as Built[]) {
    const names = (query._prepare().fields ?? []).map(({ field, path }) => {
      if (is(field, SQL.Aliased)) return field.fieldAlias
      return is(field, Column) ? field.name : path.join(".")
    })
    const twice = names.filter((name, i) => names.indexOf(name) !== i)
    if (twice.length > 0) throw new Error(`A statement selects ${twice.join(", ")} twice: alias one of them.`)
  }
  return batch.call(this, queries)
}

// Mail waits in the outbox: a test that looks at it sends it (test/mailbox.ts). A consumer at work beside the tests
// would run into the next test's empty database.
// The stand-in has the one method that is called.
env.MAIL = { sendBatch: async () => {} } as unknown as typeof env.MAIL

beforeEach(async () => {
  await reset()
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
})

afterEach(() => {
  vi.useRealTimers()
})
