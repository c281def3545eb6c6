import { env } from "cloudflare:workers"
import { Column, is, SQL, sql } from "drizzle-orm"
import { SQLiteD1Session } from "drizzle-orm/d1"
import { expect } from "vitest"
import { db, PASSWORD } from "../factories/index.ts"
import { storageIsUsed } from "./storage.ts"

// Checks that run in every test.

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

// Every log line of the run is searched for the secrets of the tests.
const SECRETS = [PASSWORD, env.APP_SECRET]
/** The patterns of tokens, API keys and webhook secrets, which no log line contains. */
export const CREDENTIAL = /\beyJ[\w-]{10,}\.[\w-]{10,}|\blk_\d*_?[\w-]{20,}|\bwhsec_[\w+/=]{20,}/
const leaks: string[] = []
const log = globalThis.console
for (const level of ["log", "info", "warn", "error", "debug"] as const) {
  const original = log[level].bind(log)
  log[level] = (...words: unknown[]) => {
    const line = words.join(" ")
    if (SECRETS.some((secret) => line.includes(secret)) || CREDENTIAL.test(line)) leaks.push(line)
    original(...words)
  }
}

/** Checks that neither the log nor an audit row contains a secret. */
export async function keptSecrets() {
  expect(leaks).toEqual([])
  if (!storageIsUsed()) return
  const rows = await db.all(
    sql`select audit_logs.* from audit_logs join json_each(${JSON.stringify(SECRETS)}) secrets
      where instr(details, secrets.value) or instr(effect_on, secrets.value)`,
  )
  expect(rows).toEqual([])
}
