// This machine's academy as a deployment: the database is opened as a file, the bucket by wrangler's binding.

import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { D1Database, R2Bucket } from "@cloudflare/workers-types"
import { getPlatformProxy } from "wrangler"
import { NonRetryableError } from "../../lib/non-retryable-error.ts"
import { findDatabaseFile } from "../../lib/state.ts"
import { WRANGLER_ENV } from "../../lib/wrangler.ts"
import type { Deployment, Resources, StoredFile, Value } from "./deployment.ts"

interface Bindings {
  DB: D1Database
  FILES: R2Bucket
}

/** Queries a local database. */
export function databaseMethods(database: DatabaseSync): Pick<Deployment, "query" | "script" | "snapshot"> {
  const asked = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      throw new NonRetryableError(error instanceof Error ? error.message : String(error))
    }
  }
  const rowsOf = (sql: string, parameters: Value[] = []) => {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all(...parameters) as unknown as Value[][]
  }
  const inTransaction = <T>(act: () => T): T => {
    database.exec("begin")
    try {
      const result = act()
      database.exec("commit")
      return result
    } catch (error) {
      database.exec("rollback")
      throw error
    }
  }
  return {
    query: async (sql, parameters = []) => asked(() => rowsOf(sql, parameters)),
    script: async (statements) =>
      asked(() =>
        inTransaction(() => {
          for (const statement of statements) database.exec(statement)
        }),
      ),
    snapshot: async (statements) => asked(() => inTransaction(() => statements.map((sql) => rowsOf(sql)))),
  }
}

/** @param stateDir the folder of the local state */
export async function localDeployment(stateDir: string, resources: Resources): Promise<Deployment> {
  Object.assign(process.env, WRANGLER_ENV)
  // The two that are needed: with the service's own configuration its Durable Objects and queues would start, too.
  const folder = mkdtempSync(join(tmpdir(), "lectern-copy-"))
  const configPath = join(folder, "wrangler.json")
  writeFileSync(
    configPath,
    JSON.stringify({
      name: "lectern-copy",
      compatibility_date: "2026-11-01",
      d1_databases: [{ binding: "DB", database_name: resources.database, database_id: resources.databaseId }],
      r2_buckets: [{ binding: "FILES", bucket_name: resources.bucket }],
    }),
  )
  const { env, dispose } = await getPlatformProxy<Bindings>({
    configPath,
    envFiles: [],
    persist: { path: join(stateDir, "v3") },
    remoteBindings: false,
  })
  rmSync(folder, { recursive: true })
  const { DB, FILES } = env
  const all = (value: Record<string, unknown> | undefined) =>
    Object.fromEntries(
      Object.entries(value ?? {})
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)]),
    )
  if (!findDatabaseFile(stateDir)) await DB.prepare("select 1").run()
  const database = new DatabaseSync(findDatabaseFile(stateDir) ?? "", { timeout: 5000 })
  return {
    name: `the academy in ${stateDir}`,
    ...databaseMethods(database),
    bookmark: async () => null,
    async *files(after): AsyncGenerator<StoredFile> {
      for (let from = after; ; ) {
        const page = await FILES.list({
          include: ["httpMetadata", "customMetadata"],
          ...(from !== undefined && { startAfter: from }),
        })
        for (const { key, size, etag, httpMetadata, customMetadata } of page.objects)
          yield { key, size, etag, httpMetadata: all({ ...httpMetadata }), customMetadata: { ...customMetadata } }
        if (!page.truncated) return
        from = page.objects.at(-1)?.key
      }
    },
    read: async (key) => {
      const object = await FILES.get(key)
      return object?.body as unknown as AsyncIterable<Uint8Array> | undefined
    },
    write: async (key, path, { httpMetadata, customMetadata }) => {
      const { cacheExpiry, ...others } = httpMetadata
      const { etag } = await FILES.put(key, (await openAsBlob(path)) as never, {
        httpMetadata: { ...others, ...(cacheExpiry && { cacheExpiry: new Date(cacheExpiry) }) },
        customMetadata,
      })
      return etag
    },
    remove: (key) => FILES.delete(key),
    close: async () => {
      database.close()
      await dispose()
    },
  }
}
