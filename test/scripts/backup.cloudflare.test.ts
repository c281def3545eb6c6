// A copy is restored into a deployment and taken from it by Cloudflare's HTTP API, as a server of this test speaks it:
// with D1's limits, and with calls that fail. npm run verify -- deploy.
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, describe, it } from "node:test"
import { backup } from "../../scripts/backup/lib/backup.ts"
import { cloudflareDeployment } from "../../scripts/backup/lib/cloudflare.ts"
import type { Manifest } from "../../scripts/backup/lib/format.ts"
import { restore } from "../../scripts/backup/lib/restore.ts"
import { cloudflareApi } from "../../scripts/lib/cloudflare.ts"
import { ACCOUNT, cloudflareAccount, type Fault, TOKEN } from "./cloudflare/api.ts"
import { createAcademy } from "./in-memory-deployment.ts"

const root = mkdtempSync(join(tmpdir(), "lectern-copies-"))
const silent = () => {}

/** A deployment behind the API. */
async function deployed(databaseErrorKind?: (call: number) => Fault | undefined, jurisdiction?: string) {
  let calls = 0
  let isFaulty = false
  const account = await cloudflareAccount({
    databaseErrorKind: () => (isFaulty ? databaseErrorKind?.(++calls) : undefined),
  })
  const { uuid, db } = await account.d1.create("lectern")
  const credentials = { token: TOKEN, account: ACCOUNT, base: account.base }
  const headers: Record<string, string> = jurisdiction ? { "cf-r2-jurisdiction": jurisdiction } : {}
  const api = cloudflareApi(credentials)
  await api.result("/r2/buckets", { json: { name: "files" }, headers, repeatable: false })
  isFaulty = true
  const resources = { database: "lectern", databaseId: uuid, bucket: "files", ...(jurisdiction && { jurisdiction }) }
  return { account, api, db, resources, credentials, deployment: cloudflareDeployment(resources, credentials) }
}

const ofTables = ({ tables }: Manifest) =>
  tables
    .filter(({ name }) => !["session_revocations", "restores"].includes(name))
    .map(({ name, rows, sha256 }) => [name, rows, sha256])

let copy: string
let manifest: Manifest
before(async () => {
  copy = join(root, "copy")
  manifest = await backup(await createAcademy(true), copy, "1.2.3", silent)
})
after(() => rmSync(root, { recursive: true }))

describe("a deployment by Cloudflare's HTTP API", () => {
  it("is restored and backed up identically although calls fail", async () => {
    const faults: Fault[] = ["rate", "lost before", "lost after", "overload", "cut"]
    const faulty = await deployed((call) => (call % 23 === 0 ? faults[(call / 23) % faults.length] : undefined))
    try {
      await restore(faulty.deployment, copy, silent)
      const folder = join(root, "again")
      const again = await backup(faulty.deployment, folder, "1.2.3", silent)
      assert.ok(faulty.account.log.calls > 400, `${faulty.account.log.calls} calls`)
      assert.match(String(again.bookmark), /^[0-9a-f]{8}-/)
      assert.deepEqual(ofTables(again), ofTables(manifest))
      assert.equal(readFileSync(join(folder, "files.jsonl"), "utf8"), readFileSync(join(copy, "files.jsonl"), "utf8"))
      const found = faulty.db.prepare("select rowid from modules_search where text match 'modules'").all()
      assert.equal(found.length, 2)
    } finally {
      await faulty.account.close()
    }
  })

  it("is backed up consistently while rows change", async () => {
    const { account, deployment, db } = await deployed()
    const target = await deployed(undefined, "eu")
    try {
      await restore(deployment, copy, silent)
      // Each write moves one from here to there: in every moment the two are 1,000 together.
      db.exec("insert into counters values ('here', 1000), ('there', 0)")
      let writes = 0
      const move = () => {
        db.exec(`update counters set value = value + iif(key = 'there', 1, -1) where key in ('here', 'there');
          insert into sequences values ('w${++writes}', 0)`)
      }
      const writer = setInterval(move, 3)
      const folder = join(root, "busy")
      await backup(deployment, folder, "1.2.3", silent).finally(() => clearInterval(writer))
      assert.ok(writes > 50, `${writes} writes`)
      await restore(target.deployment, folder, silent)
      const values = target.db.prepare("select value from counters where key in ('here', 'there') order by key").all()
      const [here, there] = values.map(({ value }) => Number(value))
      const { rows } = target.db.prepare("select count(*) as rows from sequences where name like 'w%'").get() ?? {}
      assert.equal(Number(here) + Number(there), 1000)
      assert.equal(there, rows)
      assert.ok(Number(there) > 0 && Number(there) < writes, `${there} of ${writes} writes`)
    } finally {
      await account.close()
      await target.account.close()
    }
  })

  it("reports errors of Cloudflare without retries", async () => {
    const { account, api, credentials, resources, deployment } = await deployed()
    try {
      const stranger = cloudflareDeployment(resources, { ...credentials, token: "other" })
      await assert.rejects(backup(stranger, join(root, "none"), "1", silent), /403: Authentication error \(10000\)/)
      await assert.rejects(backup(deployment, join(root, "none"), "1", silent), /No academy database was found/)
      const elsewhere = cloudflareDeployment({ ...resources, jurisdiction: "eu" }, credentials)
      await assert.rejects(restore(elsewhere, copy, silent), /404: The specified bucket does not exist/)
      await api.result("/r2/buckets/files/objects/theirs", { method: "PUT", body: new Blob(["x"]), repeatable: true })
      await assert.rejects(restore(deployment, copy, silent), /is not empty: it has the file theirs/)
    } finally {
      await account.close()
    }
  })
})
