// Deployments in memory, which can be killed.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { Deployment, StoredFile } from "../../scripts/backup/lib/deployment.ts"
import { databaseMethods } from "../../scripts/backup/lib/local.ts"
import { migrationFiles } from "../../scripts/lib/migrations.ts"
import { NonRetryableError } from "../../scripts/lib/non-retryable-error.ts"
import { seededDatabase } from "./seeded-database.ts"

type Content = StoredFile & { content: Buffer }

export interface InMemoryDeployment extends Deployment {
  database: DatabaseSync
  bucket: Map<string, Content>
}

/** A deployment in memory: empty unless a database is given. */
export function inMemoryDeployment(
  database = new DatabaseSync(":memory:"),
  bucket = new Map<string, Content>(),
): InMemoryDeployment {
  database.exec("pragma foreign_keys = on")
  return {
    name: "the deployment of a test",
    database,
    bucket,
    ...databaseMethods(database),
    bookmark: async () => null,
    async *files(after = "") {
      const keys = [...bucket.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      for (const key of keys) {
        const file = bucket.get(key)
        if (!file || Buffer.compare(Buffer.from(key), Buffer.from(after)) <= 0) continue
        const { content: _, ...metadata } = file
        yield metadata
      }
    },
    read: async (key) => {
      const content = bucket.get(key)?.content
      if (!content) return undefined
      return (async function* () {
        yield content.subarray(0, 3)
        yield content.subarray(3)
      })()
    },
    write: async (key, path, { httpMetadata, customMetadata }) => {
      const content = readFileSync(path)
      const etag = createHash("md5").update(content).digest("hex")
      bucket.set(key, { key, size: content.length, etag, httpMetadata, customMetadata, content })
      return etag
    },
    remove: async (key) => {
      bucket.delete(key)
    },
    close: async () => {},
  }
}

const CONTENTS = ["", "a", "<p>Grüße</p>", "x".repeat(100_000)]

/** Puts files into a bucket, whose keys are not all names that a disk would take. */
async function putFiles(put: (key: string, content: Buffer, contentType: string) => unknown) {
  for (const [i, content] of CONTENTS.entries())
    for (const key of [`scorm/${i}/Ünit ${i}/index.html`, `files/${i}/a:b?c#d%20e`, `Exports/${"k".repeat(300)}${i}`])
      await put(key, Buffer.from(content), i % 2 ? "text/html; charset=utf-8" : "application/pdf")
}

/** wrangler's list of the migrations that were applied. */
export function insertMigrations(database: DatabaseSync) {
  database.exec(`CREATE TABLE d1_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
    applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`)
  for (const name of migrationFiles()) database.prepare("insert into d1_migrations (name) values (?)").run(name)
}

/** Runs SQL without the triggers. */
export function withoutTriggers(database: DatabaseSync, run: () => void) {
  const triggers = database.prepare("select name, sql from sqlite_master where type = 'trigger'").all()
  for (const { name } of triggers) database.exec(`drop trigger "${name}"`)
  run()
  for (const { sql } of triggers) database.exec(String(sql))
}

/** An academy with rows in every table, and files. @param large with values of every kind, many rows and long texts */
export async function createAcademy(large = false): Promise<InMemoryDeployment> {
  const database = seededDatabase()
  insertMigrations(database)
  withoutTriggers(database, () => {
    database.exec(`
      update portals set parent_portal_id = 2 where id = 1;
      update portals set parent_portal_id = null where id = 2;`)
    if (!large) return
    // Of each kind: an empty text, digits beyond 2^53, reals of every size, bytes, and what must be escaped.
    database.exec(`
      insert into counters (key, value) values ('', 9223372036854775807), ('1', -9223372036854775808),
        ('2', 9007199254740993), ('a', 0.1), ('b', 1e300), ('c', -5e-324), ('d', 9e999), ('e', 2.5), ('f', x'00ff'),
        ('g', ''), ('h', x''), ('i', '12a'), ('"''\\', char(9, 10, 13, 8232)), ('Ünïcödé 🎓', '{"blob":"00"}');
      update users set internal_note = x'e4', avatar = '' where id = 1;`)
    // More than a page of rows, and more than a page with one beginning of the key.
    const insertScope = database.prepare(
      "insert into supervisor_scope (supervisor_id, user_id, link_count) values (?, ?, 1)",
    )
    for (let i = 0; i < 4500; i++) insertScope.run(i < 500 ? i + 10 : 3, i)
    const message = database.prepare("update modules set content = ? where id = ?")
    message.run("🎓".repeat(450_000), 1)
    message.run(`"<>&'`.repeat(200_000), 2)
  })
  const deployment = inMemoryDeployment(database)
  await putFiles((key, content, contentType) => {
    const etag = createHash("md5").update(content).digest("hex")
    const httpMetadata = { contentType }
    deployment.bucket.set(key, { key, size: content.length, etag, httpMetadata, customMetadata: {}, content })
  })
  return deployment
}

/** Simulates the end of the process. */
export class Killed extends NonRetryableError {}

/** Whether an act is one of those that bring a copy on: its pages and files, or what a restore adds; or any. */
const isOf = {
  any: () => true,
  pages: (what: unknown) => /^\s*select.* copy_length/is.test(String(what)),
  additions: (what: unknown) => !/^\s*(update|select)/i.test(String(what)),
}

/** The same deployment, whose process is killed after a number of acts of a kind. */
export function killAfter(deployment: InMemoryDeployment, acts: number, kind: keyof typeof isOf): Deployment {
  let done = 0
  const mortal =
    <A extends unknown[], T>(act: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const result = await act(...args)
      if (isOf[kind](args[0]) && ++done > acts) throw new Killed()
      return result
    }
  return {
    ...deployment,
    query: mortal(deployment.query),
    script: mortal(deployment.script),
    snapshot: mortal(deployment.snapshot),
    write: mortal(deployment.write),
  }
}
