// The objects of the local bucket, read from the state folder of a stopped service.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

export interface Bucket {
  keys: string[]
  /** Keys of multipart uploads that were neither completed nor aborted. */
  unfinishedUploads: string[]
}

/** The objects of the one bucket in a state folder. */
export function readBucket(state: string): Bucket {
  const folder = join(state, "v3/r2/miniflare-R2BucketObject")
  const name = readdirSync(folder).find((entry) => /^[0-9a-f]{64}\.sqlite$/.test(entry))
  if (!name) throw new Error(`${folder} has no bucket.`)
  const db = new DatabaseSync(join(folder, name), { readOnly: true })
  const keys = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map(({ key }) => String(key))
  const found = {
    keys: keys("select key from _mf_objects order by key"),
    unfinishedUploads: keys("select key from _mf_multipart_uploads where state = 0 order by key"),
  }
  db.close()
  return found
}
