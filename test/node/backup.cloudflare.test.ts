// A copy is restored into a deployment and taken from it by Cloudflare's HTTP API, as a server of this test speaks it
// over workerd's own D1 and R2: with D1's limits, and with calls that fail. npm run scripts:test.
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, describe, it } from "node:test"
import type { D1Database, R2Bucket } from "@cloudflare/workers-types"
import { getPlatformProxy } from "wrangler"
import { backup } from "../../scripts/lib/copy/backup.ts"
import { cloudflareDeployment } from "../../scripts/lib/copy/cloudflare.ts"
import type { Manifest } from "../../scripts/lib/copy/format.ts"
import { restore } from "../../scripts/lib/copy/restore.ts"
import { ACCOUNT, cloudflareApi, type Fault, TOKEN } from "./cloudflare-api.ts"
import { academy } from "./copies.ts"

const root = mkdtempSync(join(tmpdir(), "lectern-copies-"))
const resources = { database: "lectern", databaseId: "00000000-0000-0000-0000-000000000001", bucket: "files" }
const silent = () => {}

/** A deployment behind the API. */
async function deployed(faultOf?: (call: number) => Fault | undefined) {
  const configPath = join(root, `${Math.random()}.json`)
  writeFileSync(
    configPath,
    JSON.stringify({
      name: "lectern",
      compatibility_date: "2026-11-01",
      d1_databases: [{ binding: "DB", database_name: resources.database, database_id: resources.databaseId }],
      r2_buckets: [{ binding: "FILES", bucket_name: resources.bucket }],
    }),
  )
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database; FILES: R2Bucket }>({
    configPath,
    envFiles: [],
    persist: false,
  })
  const api = await cloudflareApi(env, resources.databaseId, resources.bucket, faultOf)
  const credentials = { token: TOKEN, account: ACCOUNT, base: api.base }
  const deployment = cloudflareDeployment(resources, credentials)
  const close = async () => {
    await api.close()
    await dispose()
  }
  return { api, env, credentials, deployment, close }
}

const ofTables = ({ tables }: Manifest) => tables.map(({ name, rows, sha256 }) => [name, rows, sha256])

let copy: string
let manifest: Manifest
before(async () => {
  copy = join(root, "copy")
  manifest = await backup(await academy(true), copy, "1.2.3", silent)
})
after(() => rmSync(root, { recursive: true }))

describe("a deployment by Cloudflare's HTTP API", () => {
  it("is restored and copied again equal, through calls that fail before or after they were carried out", async () => {
    const faults: Fault[] = ["rate", "lost before", "lost after", "overload", "cut"]
    const faulty = await deployed((call) => (call % 23 === 0 ? faults[(call / 23) % faults.length] : undefined))
    try {
      await restore(faulty.deployment, copy, silent)
      const folder = join(root, "again")
      const again = await backup(faulty.deployment, folder, "1.2.3", silent)
      assert.ok(faulty.api.told.calls > 400, `${faulty.api.told.calls} calls`)
      assert.equal(again.bookmark, faulty.api.told.bookmark)
      assert.deepEqual(
        ofTables(again).filter(([name]) => name !== "session_revocations"),
        ofTables(manifest).filter(([name]) => name !== "session_revocations"),
      )
      assert.equal(readFileSync(join(folder, "files.jsonl"), "utf8"), readFileSync(join(copy, "files.jsonl"), "utf8"))
      const { results } = await faulty.env.DB.prepare("select rowid from modules_search where text match ?")
        .bind("modules")
        .all()
      assert.equal(results.length, 2)
    } finally {
      await faulty.close()
    }
  })

  it("is told what Cloudflare refuses, at once", async () => {
    const { credentials, deployment, env, close } = await deployed()
    try {
      const stranger = cloudflareDeployment(resources, { ...credentials, token: "other" })
      await assert.rejects(backup(stranger, join(root, "none"), "1", silent), /403: Authentication error \(10000\)/)
      await assert.rejects(backup(deployment, join(root, "none"), "1", silent), /There is no database of an academy/)
      await env.FILES.put("theirs", "x", { customMetadata: { owner: "them" } })
      await assert.rejects(restore(deployment, copy, silent), /is not empty: it has the file theirs/)
    } finally {
      await close()
    }
  })
})
