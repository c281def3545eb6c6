import { copyFileSync, existsSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"

// The Node side of test/helpers/storage.ts: copies the file of a fresh database, and restores the copy before each
// test. Each workerd process of the run has its own folder.

/** The database file and its copy, by the Durable Object that identifies the process. */
const kept = new Map<string, { file: string; copy: string }>()

/** The folder in which a process stores this Durable Object. */
function folderOf(objectId: string): string {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith("miniflare-"))
  for (const folder of folders.map((name) => join(tmpdir(), name)))
    for (const namespace of existsSync(join(folder, "do")) ? readdirSync(join(folder, "do")) : [])
      if (existsSync(join(folder, "do", namespace, `${objectId}.sqlite`))) return folder
  throw new Error(`No process stores the Durable Object ${objectId}.`)
}

/** Copies the database, including its write-ahead log. */
function keep(objectId: string) {
  const folder = folderOf(objectId)
  const [file, ...others] = readdirSync(join(folder, "d1"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sqlite") && !name.endsWith("metadata.sqlite"))
    .map((name) => join(folder, "d1", name))
  if (file === undefined || others.length > 0) throw new Error("There is not exactly one D1 database.")
  const copy = join(folder, "fresh.sqlite")
  for (const end of ["", "-wal"]) copyFileSync(`${file}${end}`, `${copy}${end}`)
  const database = new DatabaseSync(copy)
  database.exec("pragma wal_checkpoint(truncate)")
  database.close()
  kept.set(objectId, { file, copy })
}

/** Replaces the database, which `reset` closes, with the copy. Returns false while the database is open. */
async function restore(objectId: string): Promise<boolean> {
  const found = kept.get(objectId)
  if (!found) throw new Error("There is no copy to restore.")
  // SQLite removes the write-ahead log when the last connection closes, which may follow the answer of `reset`.
  for (let waits = 0; existsSync(`${found.file}-wal`); waits++) {
    if (waits === 100) return false
    await sleep(20)
  }
  copyFileSync(found.copy, found.file)
  return true
}

/** Answers POST /keep/{id}, and POST /restore/{id} with 409 while the database is open. */
export async function snapshots(request: { url: string }): Promise<Response> {
  const [, act, objectId = ""] = new URL(request.url).pathname.split("/")
  if (act === "keep") keep(objectId)
  else if (!(await restore(objectId))) return new Response(null, { status: 409 })
  return new Response(null, { status: 204 })
}
