// A deployment's life on the stand-in of Cloudflare, by the scripts and the real wrangler: the first deployment, the
// next one, migrations that D1 does not take, rollback, rotation, backup, restore, and a mail quota. The Worker that
// answers is the one that was uploaded. npm run verify -- deploy.
import assert from "node:assert/strict"
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { type Connection, call, connect, expectOk, json } from "../../scripts/lib/client.ts"
import { findInconsistencies } from "../../scripts/lib/consistency.ts"
import { migrationFiles } from "../../scripts/lib/migrations.ts"
import { QUEUES } from "./cloudflare/account.ts"
import { type CloudflareAccount, cloudflareAccount } from "./cloudflare/api.ts"
import type { D1Fault, Database } from "./cloudflare/d1.ts"
import { addMigration, checkoutIn, operator } from "./cloudflare/deployments.ts"
import { openStorage, startWorkerRunner } from "./cloudflare/worker-runner.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const OWNER = "owner@academy.test"

const folder = mkdtempSync(join(tmpdir(), "lectern-cloudflare-"))
const checkout = checkoutIn(folder)
const kept = openStorage(folder)
let account: CloudflareAccount
let first: Awaited<ReturnType<typeof startWorkerRunner>>
let second: Awaited<ReturnType<typeof startWorkerRunner>>
let mine: ReturnType<typeof operator>
let theirs: ReturnType<typeof operator>
let password = ""
let owner: Connection
let courseId = 0
/** The versions in the order of their deployments. */
const versions: string[] = []

before(async () => {
  account = await cloudflareAccount({ open: kept.open, storeOf: kept.storeOf })
  first = await startWorkerRunner(account, "academy", folder)
  second = await startWorkerRunner(account, "second", folder)
  mine = operator(checkout, join(folder, "deployment"), account)
  theirs = operator(checkout, join(folder, "deployment-second"), account)
})
after(async () => {
  await first.close()
  await second.close()
  await account.close()
  await kept.close()
  rmSync(folder, { recursive: true })
})

const databaseNamed = (name: string): Database => {
  const found = [...account.d1.databases.values()].find((database) => database.name === name)
  assert.ok(found, `There is no database ${name}.`)
  return found
}
const database = () => databaseNamed("academy")
const script = (name = "academy") => {
  const found = account.workers.scripts.get(name)
  assert.ok(found, `There is no Worker ${name}.`)
  return found
}
const serving = (name?: string) => script(name).deployments[0]?.versions ?? []
const values = (db: DatabaseSync, sql: string) =>
  db
    .prepare(sql)
    .all()
    .map((row) => Object.values(row)[0])
const applied = () => values(database().db, "select name from d1_migrations order by id")
const ready = async (url = first.url) =>
  (await (await fetch(`${url}/ready`)).json()) as { status: string; schema: string }

/** Waits until something is so. */
async function until(what: string, isSo: () => unknown, seconds = 180) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(200)) if (await isSo()) return
  assert.fail(`${what}: it did not come within ${seconds} seconds.`)
}

const signIn = async (url = first.url) => connect(url, OWNER, password)
const enrollmentKey = async (connection: Connection) =>
  (await json<{ enrollmentKey: string | null }>(await call(connection, "GET", `/api/course/${courseId}`))).enrollmentKey

describe("a first deployment", () => {
  it("stops at missing settings, then creates all resources", async () => {
    const asks = await mine.run("deploy/deploy.ts")
    assert.equal(asks.status, 1)
    assert.match(asks.printed, /Created .*settings\.env/)
    mine.set({ BASE_URL: first.url, MAIL_FROM: "no-reply@academy.test", NAME: "academy", RATE_LIMIT: "1000000" })
    const { status, printed } = await mine.run("deploy/deploy.ts")
    assert.equal(status, 0, printed)
    assert.match(printed, /Read replication is on[\s\S]*Deployed and ready/)
    assert.deepEqual(account.log.unknown, [])

    assert.equal(database().replication, "auto")
    assert.deepEqual(applied(), migrationFiles())
    const queues = [...account.queues.values()]
    assert.equal(queues.length, 2 * QUEUES.length)
    const consumed = queues.filter(({ consumers }) => consumers.length > 0)
    assert.equal(consumed.length, QUEUES.length)
    for (const { queue_name, consumers } of consumed) {
      assert.equal(consumers[0]?.dead_letter_queue, `${queue_name}-dead`)
      assert.ok((consumers[0]?.settings.max_concurrency ?? 99) <= 4)
    }
    const [version] = script().versions
    const bound = (name: string) => version?.metadata.bindings.find((binding) => binding.name === name)
    assert.equal(bound("ACCESS_POLICY")?.text, "enforced")
    assert.equal(bound("BASE_URL")?.text, first.url)
    assert.equal(bound("DB")?.id, database().uuid)
    assert.deepEqual([...(version?.secrets.keys() ?? [])], ["APP_SECRET"])
    assert.deepEqual(script().schedules, [{ cron: "* * * * *" }])
    versions.push(version?.id ?? "")
  })

  it("runs the uploaded Worker, creates an owner and passes the doctor", async () => {
    assert.deepEqual((await ready()).schema, migrationFiles().at(-1))
    const made = await mine.run("deploy/owner.ts", ["--email", OWNER])
    assert.equal(made.status, 0, made.printed)
    password = /shown only once\): (\S+)/.exec(made.printed)?.[1] ?? ""
    assert.match((await mine.run("deploy/owner.ts", ["--email", "b@academy.test"])).printed, /An owner already exists/)
    owner = await signIn()
    await first.cron()
    const doctor = await mine.run("deploy/doctor.ts", ["--url", first.url], { TOKEN: owner.token })
    assert.equal(doctor.status, 0, doctor.printed)
    assert.match(doctor.printed, /Read replication is on[\s\S]*All checks passed/)
  })

  it("serves requests, and its consumers write an export to the bucket", async () => {
    const course = { name: "Analysis", enrollmentKey: "difference engine" }
    courseId = (await json<{ id: number }>(await call(owner, "POST", "/api/course/create", course))).id
    assert.equal(await enrollmentKey(owner), "difference engine")
    const { export_id: id } = await json<{ export_id: string }>(await call(owner, "POST", "/api/users/export", {}))
    await until("The export", async () => (await call(owner, "GET", `/api/users/export/download/${id}`)).ok)
  })
})

describe("a migration that D1 does not take in one call", () => {
  /** A table, an index, and a trigger within whose CASE a wrong splitter cuts. */
  const migration = (name: string) =>
    [
      `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, note TEXT NOT NULL DEFAULT '')`,
      `CREATE INDEX ${name}_by_note ON ${name} (note)`,
      `CREATE TRIGGER ${name}_noted AFTER INSERT ON ${name} BEGIN
         UPDATE ${name} SET note = (CASE WHEN NEW.note = '' THEN 'none' ELSE NEW.note END) WHERE id = NEW.id;
       END`,
    ]
      .map((statement) => `${statement};\n`)
      .join("--> statement-breakpoint\n")
  const fault = (name: string, kind: D1Fault["kind"]) => ({ at: new RegExp(`CREATE TABLE ${name} `), kind, times: 1 })
  const isWhole = (name: string) => {
    const { db } = database()
    db.exec(`insert into ${name} default values`)
    assert.deepEqual(values(db, `select note from ${name}`), ["none"])
    db.exec(`delete from ${name}`)
    assert.deepEqual(values(db, `select count(*) from d1_migrations where name like '%_${name}.sql'`), [1])
  }

  it("is imported by the next deployment, which then rolls out 10%, 50% and 100%", async () => {
    const file = addMigration(checkout, "0101_later", migration("later"))
    account.d1.faults.push(fault("later", "incomplete"))
    first.served.length = 0
    const { status, printed } = await mine.run("deploy/deploy.ts", ["--minutes", "0"])
    assert.equal(status, 0, printed)
    assert.match(printed, /did not apply a migration in one call[\s\S]*Imported 0101_later\.sql/)
    assert.match(printed, /Sending 10%[\s\S]*Sending 50%[\s\S]*Sending 100%[\s\S]*Deployed and ready/)
    assert.deepEqual(applied(), [...migrationFiles(), file])
    isWhole("later")
    const newest = script().versions.at(-1)?.id ?? ""
    versions.push(newest)
    assert.deepEqual(serving(), [{ version_id: newest, percentage: 100 }])
    const shares = script().deployments.map(({ versions: all }) => all.find((one) => one.version_id === newest))
    assert.deepEqual(
      shares.slice(0, 3).map((one) => one?.percentage),
      [100, 50, 10],
    )
    // Each step called the new version itself, with any share of traffic.
    assert.ok(first.served.filter((id) => id === newest).length >= 3)
    assert.equal((await ready()).schema, file)
    assert.equal(await enrollmentKey(await signIn()), "difference engine")
    const queuesOf = (i: number) =>
      script()
        .versions[i]?.metadata.bindings.filter(({ type }) => type === "queue")
        .map(({ name }) => name)
    assert.deepEqual(queuesOf(-1 + script().versions.length), queuesOf(0))
  })

  const kinds: [name: string, kinds: D1Fault["kind"][]][] = [
    ["slow", ["timeout"]],
    ["landed", ["timeout after"]],
    ["broken_off", ["incomplete", "half"]],
  ]
  for (const [i, [name, faults]] of kinds.entries())
    it(`is complete and recorded once after ${faults.join(" and ")}`, async () => {
      addMigration(checkout, `010${i + 2}_${name}`, migration(name))
      account.d1.faults.push(...faults.map((kind) => fault(name, kind)))
      const { status, printed } = await mine.migrate()
      assert.equal(status, 0, printed)
      assert.ok(account.d1.faults.every(({ times }) => times === 0))
      isWhole(name)
    })

  it("never ends in wrangler d1 export, which D1 refuses, and which is how a database is lost", async () => {
    const { status, printed } = await mine.wrangler([
      "d1",
      "export",
      "DB",
      "--remote",
      "--output",
      join(folder, "x.sql"),
    ])
    assert.notEqual(status, 0)
    assert.match(printed, /cannot export databases with Virtual Tables/)
    assert.ok(!existsSync(join(folder, "x.sql")))
    const stuck = await mine.wrangler(["d1", "execute", "DB", "--remote", "--command", "select 1"])
    assert.match(stuck.printed, /Currently processing a long-running export/)
    // Cloudflare's support mends it.
    database().exporting = false
  })
})

describe("rollback and rotation", () => {
  it("rolls back to the previous version with the newer schema", async () => {
    const { status, printed } = await mine.run("deploy/rollback.ts")
    assert.equal(status, 0, printed)
    assert.match(printed, /It is ready/)
    assert.deepEqual(serving(), [{ version_id: versions[0], percentage: 100 }])
    assert.equal((await ready()).status, "ready")
    assert.equal(first.served.at(-1), versions[0])
    assert.equal(await enrollmentKey(await signIn()), "difference engine")
  })

  it("refuses to rotate the secret of an older version", async () => {
    const before = mine.secrets()
    const { status, printed } = await mine.run("deploy/rotate.ts", ["--seconds", "0"])
    assert.equal(status, 1)
    assert.match(printed, /is not the newest one/)
    assert.equal(mine.secrets(), before)
    const forth = await mine.run("deploy/rollback.ts", ["--to", versions[1] ?? ""])
    assert.equal(forth.status, 0, forth.printed)
  })

  it("rotates the secret, keeps sessions, reencrypts data and removes the old secret", async () => {
    owner = await signIn()
    const sealed = () => values(database().db, "select enrollment_key from courses where enrollment_key is not null")
    const [before] = sealed()
    const rotated = await mine.run("deploy/rotate.ts", ["--seconds", "0"])
    assert.equal(rotated.status, 0, rotated.printed)
    assert.deepEqual([...script().secrets.keys()].sort(), ["APP_SECRET", "APP_SECRET_PREVIOUS"])
    assert.equal(await enrollmentKey(owner), "difference engine")
    await first.cron()
    first.moveClock(6 * MINUTE)
    await first.cron()
    await until("The encryption", () => sealed()[0] !== before)
    const status = await mine.run("deploy/rotate.ts", ["--status"])
    assert.match(status.printed, / 0 {2}texts in courses\.enrollment_key/)
    const early = await mine.run("deploy/rotate.ts", ["--finish"])
    assert.equal(early.status, 1)
    assert.match(early.printed, /Some data still depends on the previous secrets/)
    const done = await mine.run("deploy/rotate.ts", ["--finish", "--force"])
    assert.equal(done.status, 0, done.printed)
    assert.deepEqual([...script().secrets.keys()], ["APP_SECRET"])
    assert.equal((await call(owner, "GET", `/api/course/${courseId}`)).status, 401)
    owner = await signIn()
    assert.equal(await enrollmentKey(owner), "difference engine")
    const back = await mine.run("deploy/rollback.ts", ["--to", versions[0] ?? ""])
    assert.equal(back.status, 1)
    assert.match(back.printed, /APP_SECRET was rotated after/)
  })
})

describe("a backup", () => {
  const copy = join(folder, "copy")

  it("of a deployment is restored into an empty one, with equal rows and files", async () => {
    const made = await mine.run("backup/backup.ts", ["--to", copy])
    assert.equal(made.status, 0, made.printed)
    theirs.set({ BASE_URL: second.url, MAIL_FROM: "no-reply@academy.test", NAME: "second", RATE_LIMIT: "1000000" })
    writeFileSync(join(folder, "deployment-second/secrets.env"), mine.secrets())
    const deployed = await theirs.run("deploy/deploy.ts")
    assert.equal(deployed.status, 0, deployed.printed)
    const restored = await theirs.run("backup/restore.ts", ["--from", copy])
    assert.equal(restored.status, 0, restored.printed)

    const [one, other] = [database().db, databaseNamed("second").db]
    const standing = (db: DatabaseSync) =>
      db
        .prepare("select type, name, sql from sqlite_master where substr(name, 1, 4) <> '_cf_' order by type, name")
        .all()
    const own = ({ name }: Record<string, unknown>) => !/^(sqlite_|d1_migrations$)/.test(String(name))
    assert.deepEqual(standing(other).filter(own), standing(one).filter(own))
    const tables = standing(one).filter(({ type, name }) => type === "table" && !String(name).startsWith("sqlite_"))
    let rows = 0
    for (const { name } of tables) {
      if (["restores", "session_revocations"].includes(String(name))) continue
      const all = (db: DatabaseSync) =>
        db
          .prepare(`select * from "${name}"`)
          .all()
          .map((row) => JSON.stringify(row))
          .sort()
      assert.deepEqual(all(other), all(one), String(name))
      rows += all(one).length
    }
    assert.ok(rows > 100, `${rows} rows`)
    // Its own connection: that of the stand-in has D1's limits.
    const restoredFile = new DatabaseSync(other.location() ?? "", { readOnly: true })
    assert.deepEqual(findInconsistencies(restoredFile), [])
    restoredFile.close()
    const lines = readFileSync(join(copy, "files.jsonl"), "utf8").trim().split("\n")
    for (const line of lines) {
      const { key, sha256 } = JSON.parse(line) as { key: string; sha256: string }
      const contents = await Promise.all(["academy", "second"].map((name) => kept.storeOf(`${name}-files`).get(key)))
      assert.ok(sha256 && contents[0]?.equals(contents[1] ?? Buffer.alloc(0)), key)
    }
  })

  it("works in the new deployment: users sign in and encrypted data is readable", async () => {
    assert.equal((await ready(second.url)).status, "ready")
    assert.equal(await enrollmentKey(await signIn(second.url)), "difference engine")
  })

  it("that is damaged is refused with exit code 1", async () => {
    const inCopy = (path: string) => join(folder, "damaged", path)
    const flip = (path: string) => {
      const content = readFileSync(inCopy(path))
      content.writeUInt8(content.readUInt8(9) ^ 1, 9)
      writeFileSync(inCopy(path), content)
    }
    const damages: [what: string, harm: () => void, says: RegExp][] = [
      ["a flipped schema", () => flip("schema.sql"), /checksum of schema\.sql does not match/],
      ["a truncated schema", () => truncateSync(inCopy("schema.sql"), 1000), /checksum of schema\.sql does not match/],
      ["no schema", () => rmSync(inCopy("schema.sql")), /schema\.sql is missing/],
      [
        "a row more",
        () => appendFileSync(inCopy("tables/users.jsonl"), "{}\n"),
        /checksum of tables\/users\.jsonl does not match/,
      ],
      ["a row changed", () => flip("tables/users.jsonl"), /checksum of tables\/users\.jsonl does not match/],
      ["a file more", () => writeFileSync(inCopy("tables/more.jsonl"), ""), /more\.jsonl is not part of the backup/],
      ["an unfinished backup", () => writeFileSync(inCopy("unfinished.json"), "{}"), /is unfinished/],
      [
        "a changed manifest",
        () => flip("manifest.json"),
        /(checksum of manifest\.json does not match|manifest\.json is damaged|manifest\.json does not have the format)/,
      ],
    ]
    for (const [what, harm, says] of damages) {
      rmSync(join(folder, "damaged"), { recursive: true, force: true })
      cpSync(copy, join(folder, "damaged"), { recursive: true })
      harm()
      const state = join(folder, "damaged-state")
      const { status, printed } = await theirs.run(
        "backup/restore.ts",
        ["--local", "--from", join(folder, "damaged")],
        {
          STATE_DIR: state,
        },
      )
      assert.equal(status, 1, what)
      assert.match(printed, says, what)
    }
  })
})

describe("a quota of 100 mails a day", () => {
  it("sends each of 250 mails once over three days", async () => {
    const toNoon = 24 * HOUR - (first.now() % (24 * HOUR)) + 12 * HOUR
    first.moveClock(toNoon)
    first.setQuota(100)
    first.mails.length = 0
    owner = await signIn()
    const userList = Array.from({ length: 250 }, (_, i) => ({ email: `new${i}@academy.test`, first_name: `New ${i}` }))
    await expectOk(await call(owner, "POST", "/api/user/bulkUpload", { userList }))
    const { db } = database()
    const rows = (where: string) => Number(values(db, `select count(*) from outbox where ${where}`)[0])
    await until("The upload", () => rows("recipient like 'new%'") === 250)
    const isPaused = () => Number(values(db, "select max(until) from mail_pauses")[0] ?? 0) > first.now()
    const isSettled = () => rows("status = 'sending'") === 0 && (isPaused() || rows("status = 'queued'") === 0)

    for (const day of [1, 2])
      for (let hour = 0; hour < 24; hour++) {
        await until(`The mails of hour ${hour}, day ${day}`, async () => {
          // A pause that ends within the hour is over at the next minute's cron.
          await first.cron()
          first.moveClock(MINUTE)
          await sleep(500)
          return isSettled()
        })
        first.moveClock(HOUR)
      }
    assert.ok(first.refused.mails > 0)
    assert.equal(first.mails.length, 250)
    assert.equal(new Set(first.mails.map(({ to }) => to)).size, 250)
    const days = Map.groupBy(first.mails, ({ day }) => day)
    assert.deepEqual(
      [...days.values()].map((all) => all.length),
      [100, 100, 50],
    )
    assert.equal(rows("recipient like 'new%' and status = 'sent' and attempts = 1"), 250)
    assert.ok(first.mails.every(({ text }) => text.includes(`${first.url}/set-password`)))
    assert.deepEqual(values(db, "select count(*) from mail_pauses"), [0])
    assert.equal((await ready()).status, "ready")
  })
})
