// Backup and restore of an academy: every row and file, through interruptions.
// npm run test.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { after, before, describe, it } from "node:test"
import { backup } from "../../scripts/backup/lib/backup.ts"
import type { Deployment } from "../../scripts/backup/lib/deployment.ts"
import { type Manifest, manifestDigest } from "../../scripts/backup/lib/format.ts"
import { restore } from "../../scripts/backup/lib/restore.ts"
import { differences, schemaObjectsIn } from "../../scripts/generate/schema.ts"
import { migratedDatabase } from "../../scripts/lib/migrations.ts"
import {
  createAcademy,
  type InMemoryDeployment,
  inMemoryDeployment,
  insertMigrations,
  Killed,
  killAfter,
  withoutTriggers,
} from "./in-memory-deployment.ts"
import { everyCombination, itInAll } from "./matrix.ts"
import { ordinaryTables } from "./seeded-database.ts"

const root = mkdtempSync(join(tmpdir(), "lectern-copies-"))
after(() => rmSync(root, { recursive: true }))
let folders = 0
const newFolder = () => join(root, String(++folders))

const silent = () => {}
const VERSION = "1.2.3"
const copied = (deployment: Deployment, folder: string) => backup(deployment, folder, VERSION, silent)
const restored = (deployment: Deployment, folder: string, again = false) =>
  restore(deployment, folder, silent, { again })

/** The tables of an academy, without those of a backup. */
const tablesOf = (database: DatabaseSync) => ordinaryTables(database).filter((name) => !name.startsWith("backup_"))

/** Every row of every table, each value with its type. A restore renews revocations, so their time is not compared. */
const contents = ({ database }: InMemoryDeployment, tables = tablesOf(database)) =>
  Object.fromEntries(
    tables.map((table) => {
      const columns = database.prepare("select name from pragma_table_xinfo(?)").all(table)
      const actual = columns
        .map(({ name }) => String(name))
        .filter((name) => !(table === "session_revocations" && name === "created_at"))
        .map((name) => `typeof("${name}") || ':' || quote("${name}")`)
      return [
        table,
        database.prepare(`select concat(${actual.join(", ' ', ")}) as row from "${table}" order by 1`).all(),
      ]
    }),
  )

/** The contents except the table that records restores, which a restore adds a row to. */
const restorable = (deployment: InMemoryDeployment) => ({ ...contents(deployment), restores: [] })

/** A summary of a database. */
const fingerprint = (deployment: InMemoryDeployment, tables = restorable(deployment)) =>
  createHash("sha256").update(JSON.stringify(tables)).digest("hex")

/**
 * A deployment that is written into before each call: rows come, go, change, and change their keys.
 * @returns it, and all that it held from one write to the next
 */
function written(deployment: InMemoryDeployment, writes: number) {
  const initially = restorable(deployment)
  const moments = new Set([fingerprint(deployment, initially)])
  let n = 0
  const change = () => {
    for (let i = 0; i < writes; i++) {
      const at = ++n % 7
      deployment.database.exec(
        [
          `insert into counters (key, value) values ('busy Ünïcödé "${n}"', ${n})`,
          `delete from counters where key = (select min(key) from counters where key like 'busy%')`,
          "update counters set value = value + 1 where key like 'busy%'",
          `update counters set key = 'busy moved ${n}' where key = (select max(key) from counters where key > 'busy')`,
          `insert or replace into quiz_scores values (${n % 5}, ${-n}, 9007199254740993, ${n}, 0)`,
          `update quiz_scores set module_id = ${n} where module_id = (select min(module_id) from quiz_scores)`,
          `delete from quiz_scores where attempts < ${n - 40} and course_id <> 1`,
        ][at] ?? "",
      )
      // Only the two tables that it writes are read again.
      moments.add(fingerprint(deployment, { ...initially, ...contents(deployment, ["counters", "quiz_scores"]) }))
    }
  }
  const busy: Deployment = {
    ...deployment,
    query: (sql, parameters) => {
      change()
      return deployment.query(sql, parameters)
    },
    snapshot: (statements) => {
      change()
      return deployment.snapshot(statements)
    },
  }
  return { busy, moments }
}

const files = ({ bucket }: InMemoryDeployment) => [...bucket.values()].sort((a, b) => (a.key < b.key ? -1 : 1))

function assertSame(actual: InMemoryDeployment, expected: InMemoryDeployment) {
  assert.deepEqual(restorable(actual), restorable(expected))
  assert.deepEqual(files(actual), files(expected))
  assert.deepEqual(differences(schemaObjectsIn(actual.database), schemaObjectsIn(expected.database)), [])
  assert.deepEqual(actual.database.prepare("pragma foreign_key_check").all(), [])
}

/** Runs a process that is killed repeatedly, until it completes. @returns how often it was started */
async function throughKills(run: (kills: number) => Promise<unknown>, whole = () => false) {
  for (let kills = 0; kills < 1000; kills++)
    try {
      await run(kills)
      return kills
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      if (whole()) return kills
    }
  throw new Error("It does not get on.")
}

let source: InMemoryDeployment
let copy: string
let small: InMemoryDeployment
let smallCopy: string
let manifest: Manifest
before(async () => {
  source = await createAcademy(true)
  small = await createAcademy()
  smallCopy = newFolder()
  await copied(small, smallCopy)
  copy = newFolder()
  manifest = await copied(source, copy)
})

describe("a backup", () => {
  it("restores every row, value and file, and the triggers", async () => {
    const target = inMemoryDeployment()
    await restored(target, copy)
    assertSame(target, source)
    const found = target.database.prepare("select rowid from modules_search where text match 'modules'").all()
    assert.equal(found.length, 2)
  })

  it("contains rows as JSON lines in key order", () => {
    const counters = manifest.tables.find(({ name }) => name === "counters")
    const lines = readFileSync(join(copy, counters?.file ?? ""), "utf8").split("\n")
    assert.equal(lines.length, Number(counters?.rows) + 1)
    assert.deepEqual(
      lines.slice(0, 4),
      [
        '{"key":"","value":9223372036854775807}',
        '{"key":"\\"\'\\\\","value":"\\t\\n\\r\u2028"}',
        '{"key":"1","value":-9223372036854775808}',
        '{"key":"2","value":9007199254740993}',
      ].map(String),
    )
    assert.deepEqual(
      lines.filter((line) => /"[abcdef]","/.test(line.slice(6))).map((line) => line.slice(11)),
      ['"value":0.1}', '"value":1.0e+300}', '"value":-4.9406564584124654e-324}', '"value":9.0e+999}'].concat([
        '"value":2.5}',
        '"value":{"blob":"00FF"}}',
      ]),
    )
  })

  it("lists its schema, counts and digests in the manifest", () => {
    const { tables, ...actual } = manifest
    assert.deepEqual(JSON.parse(readFileSync(join(copy, "manifest.json"), "utf8")), manifest)
    assert.deepEqual(
      [actual.format, actual.formatVersion, actual.service, actual.schema, actual.bookmark, actual.files.rows],
      ["lectern-copy", 2, VERSION, actual.migrations.at(-1), null, 12],
    )
    assert.equal(existsSync(join(copy, "unfinished.json")), false)
    assert.deepEqual(globSync("**/*.part", { cwd: copy }), [])
    assert.equal(
      actual.schemaSql.sha256,
      createHash("sha256")
        .update(readFileSync(join(copy, "schema.sql")))
        .digest("hex"),
    )
    const checked = spawnSync("sha256sum", ["--check", "manifest.json.sha256"], { cwd: copy })
    assert.equal(checked.status, 0)
    const scope = tables.find(({ name }) => name === "supervisor_scope")
    assert.deepEqual([scope?.rows, scope?.key], [4502, ["supervisor_id", "user_id"]])
  })

  it("is identical after repeated kills and resumes", async () => {
    const folder = newFolder()
    const kills = await throughKills((turn) => copied(killAfter(small, 1 + (turn % 4), "pages"), folder))
    assert.ok(kills > 35, `${kills} kills`)
    const [actual, expected] = [folder, smallCopy].map((at) => {
      const { startedAt: _, finishedAt: __, ...rest } = JSON.parse(readFileSync(join(at, "manifest.json"), "utf8"))
      return rest
    })
    assert.deepEqual(actual, expected)
  })

  it("resumes within a table after a partial line", async () => {
    const folder = newFolder()
    let pages = 0
    const query: Deployment["query"] = async (sql, parameters) => {
      if (sql.includes('from "supervisor_scope"') && ++pages === 3) throw new Killed()
      return source.query(sql, parameters)
    }
    await assert.rejects(copied({ ...source, query }, folder), Killed)
    const part = join(folder, "tables/supervisor_scope.jsonl.part")
    assert.equal(readFileSync(part, "utf8").split("\n").length - 1, 4000)
    appendFileSync(part, '{"supervisor_id":12')
    await copied(source, folder)
    const [actual, expected] = [folder, copy].map((at) =>
      readFileSync(join(at, "tables/supervisor_scope.jsonl"), "utf8"),
    )
    assert.equal(actual, expected)
  })

  it("is consistent while rows change", async () => {
    const changing = await createAcademy()
    const { busy, moments } = written(changing, 2)
    const folder = newFolder()
    const said: string[] = []
    await backup(busy, folder, VERSION, (line) => said.push(line))
    assert.ok(moments.size > 100, `${moments.size} moments`)
    assert.match(said.join("\n"), /\d\d rows changed during the backup and were read again\./)
    const target = inMemoryDeployment()
    await restored(target, folder)
    assert.ok(moments.has(fingerprint(target)), "the copy is of no moment that there was")
    assert.deepEqual(differences(schemaObjectsIn(target.database), schemaObjectsIn(changing.database)), [])
  })

  itInAll("is consistent after kills while rows change", async () => {
    const changing = await createAcademy()
    const { busy, moments } = written(changing, 1)
    const folder = newFolder()
    const kills = await throughKills((turn) =>
      copied(killAfter(busy as InMemoryDeployment, 3 + turn * 4, "any"), folder),
    )
    assert.ok(kills > 5, `${kills} kills`)
    const target = inMemoryDeployment()
    await restored(target, folder)
    assert.ok(moments.has(fingerprint(target)), "the copy is of no moment that there was")
  })

  itInAll("is consistent when it is killed after any of its last calls and rows change", async () => {
    let all = 0
    const counting = await createAcademy()
    const count =
      <A extends unknown[], T>(act: (...args: A) => Promise<T>) =>
      (...args: A) => {
        all++
        return act(...args)
      }
    const { query, script, snapshot } = counting
    await copied({ ...counting, query: count(query), script: count(script), snapshot: count(snapshot) }, newFolder())
    for (let last = all - 16; last < all; last += everyCombination ? 1 : 7) {
      const changing = await createAcademy()
      const folder = newFolder()
      await assert.rejects(copied(killAfter(changing, last, "any"), folder), Killed)
      const before = fingerprint(changing)
      changing.database.exec("insert into counters values ('meanwhile', 1); delete from counters where value = 2")
      await copied(changing, folder)
      const target = inMemoryDeployment()
      await restored(target, folder)
      assert.ok([before, fingerprint(changing)].includes(fingerprint(target)), `after ${last} of ${all} acts`)
      assert.equal(schemaObjectsIn(changing.database).has("backup_changes"), false)
    }
  })

  it("contains the files that existed at the time of the backup", async () => {
    const changing = await createAcademy()
    const [gone = "", kept = "", replaced = ""] = [...changing.bucket.keys()]
    const put = (key: string, text: string) => {
      const content = Buffer.from(text)
      const etag = createHash("md5").update(content).digest("hex")
      changing.bucket.set(key, { key, size: content.length, etag, httpMetadata: {}, customMetadata: {}, content })
    }
    const busy: Deployment = {
      ...changing,
      query: async (sql, parameters) => {
        if (sql.includes('from "users"')) {
          changing.bucket.delete(gone)
          put(replaced, "as it is now")
        }
        return changing.query(sql, parameters)
      },
      snapshot: async (statements) => {
        const result = await changing.snapshot(statements)
        changing.bucket.delete(kept)
        put("created later", "")
        return result
      },
    }
    const folder = newFolder()
    await copied(busy, folder)
    const target = inMemoryDeployment()
    await restored(target, folder)
    assert.deepEqual(
      [gone, kept, "created later", replaced].map((key) => target.bucket.get(key)?.content.toString()),
      [undefined, source.bucket.get(kept)?.content.toString(), "", "as it is now"],
    )
    assert.equal(globSync("files/*/*", { cwd: folder }).length, target.bucket.size)
  })

  itInAll("fails when rows change faster than they are read, and can be finished later", async () => {
    const changing = await createAcademy()
    const many = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)"
    const busy: Deployment = {
      ...changing,
      snapshot: (statements) => {
        changing.database.exec(`${many} insert or replace into counters select 'busy ' || i, i from n`)
        return changing.snapshot(statements)
      },
    }
    const folder = newFolder()
    await assert.rejects(copied(busy, folder), /Rows change faster than they can be read/)
    await assert.rejects(restored(inMemoryDeployment(), folder), /The backup in .* is unfinished/)
    await copied(changing, folder)
    const target = inMemoryDeployment()
    await restored(target, folder)
    assertSame(target, changing)
  })

  it("fails when changes were not recorded", async () => {
    const changing = await createAcademy()
    const during = (act: () => void): Deployment => ({
      ...changing,
      snapshot: (statements) => {
        act()
        return changing.snapshot(statements)
      },
    })
    const drop = () => changing.database.exec("drop trigger backup_users_update")
    await assert.rejects(copied(during(drop), newFolder()), /The recorded changes are incomplete/)
    const migrate = () => changing.database.exec("insert or ignore into d1_migrations (name) values ('9999_later.sql')")
    await assert.rejects(
      backup(during(migrate), newFolder(), VERSION, silent, { again: true }),
      /The schema changed after the backup/,
    )
  })

  it("cleans up, and discards another backup only with --again", async () => {
    const changing = await createAcademy()
    const before = schemaObjectsIn(changing.database)
    const [first, second] = [newFolder(), newFolder()]
    await assert.rejects(copied(killAfter(changing, 20, "any"), first), Killed)
    assert.ok(schemaObjectsIn(changing.database).has("backup_changes"))
    await assert.rejects(copied(changing, second), /Another backup of .* is running or was interrupted/)
    await backup(changing, second, VERSION, silent, { again: true })
    assert.deepEqual(differences(schemaObjectsIn(changing.database), before), [])
    changing.database.exec("update counters set value = 5 where key = (select min(key) from counters)")
    const said: string[] = []
    await backup(changing, first, VERSION, (line) => said.push(line))
    assert.match(said.join("\n"), /are no longer recorded\. Reading all tables from the beginning/)
    const target = inMemoryDeployment()
    await restored(target, first)
    assertSame(target, changing)
  })

  it("is refused over another backup, of an unfinished restore and of an empty database", async () => {
    await assert.rejects(copied(source, copy), /already contains a complete backup/)
    await assert.rejects(copied(inMemoryDeployment(), newFolder()), /No academy database was found/)
    const target = inMemoryDeployment()
    await assert.rejects(restored(killAfter(target, 10, "additions"), smallCopy), Killed)
    await assert.rejects(copied(target, newFolder()), /restore into .* is unfinished/)
  })
})

describe("a restore", () => {
  it("is complete after repeated kills", async () => {
    const target = inMemoryDeployment()
    const [early, later] = everyCombination ? [40, 25] : [6, 100]
    const kills = await throughKills(
      (turn) => restored(killAfter(target, turn < early ? turn % 5 : later, "additions"), smallCopy),
      () => !schemaObjectsIn(target.database).has("restore_unfinished"),
    )
    assert.ok(kills > early - 2, `${kills} kills`)
    assertSame(target, small)
  })

  it("has no migrations and no triggers until it is complete", async () => {
    const target = inMemoryDeployment()
    await assert.rejects(restored(killAfter(target, 30, "additions"), smallCopy), Killed)
    const standing = [...schemaObjectsIn(target.database).values()]
    assert.equal(
      standing.some(({ name }) => name === "d1_migrations"),
      false,
    )
    assert.deepEqual(
      standing.filter(({ type }) => type === "trigger"),
      [],
    )
    assert.ok(standing.some(({ name }) => name === "restore_unfinished"))
  })

  it("replaces the tables of a new deployment and refuses a used one", async () => {
    const fresh = migratedDatabase()
    insertMigrations(fresh)
    const target = inMemoryDeployment(fresh)
    await restored(target, smallCopy)
    assertSame(target, small)

    const used = migratedDatabase()
    insertMigrations(used)
    withoutTriggers(used, () => used.exec("insert into sequences (name, value) values ('users', 1)"))
    await assert.rejects(restored(inMemoryDeployment(used), smallCopy), /is not empty: it has 2 rows in sequences/)
    withoutTriggers(target.database, () => target.database.exec("update users set first_name = 'Used'"))
    await assert.rejects(restored(target, smallCopy), /is not empty: it has the file/)
    const strange = inMemoryDeployment()
    strange.database.exec("create table theirs (id integer primary key)")
    await assert.rejects(restored(strange, smallCopy), /is not empty: it has a table theirs/)
  })

  it("detects damage before it writes anything", async () => {
    const damages: [string, (folder: string) => void, RegExp][] = [
      [
        "a byte of a row",
        (at) => flip(join(at, "tables/users.jsonl")),
        /checksum of tables\/users.jsonl does not match/,
      ],
      [
        "a line less",
        (at) => cut(join(at, "tables/supervisor_scope.jsonl")),
        /checksum of tables\/supervisor_scope.jsonl does not match/,
      ],
      ["a table less", (at) => rmSync(join(at, "tables/courses.jsonl")), /tables\/courses.jsonl is missing/],
      ["a byte of a file", (at) => flip(someContent(at)), /checksum of files\/.* does not match/],
      ["a file less", (at) => rmSync(someContent(at)), /files\/.* is missing/],
      ["the list of files", (at) => cut(join(at, "files.jsonl")), /checksum of files.jsonl does not match/],
      ["no manifest", (at) => rmSync(join(at, "manifest.json")), /No backup was found in/],
      ["half a manifest", (at) => cut(join(at, "manifest.json")), /manifest.json is damaged/],
      [
        "a byte of the manifest",
        (at) => {
          const path = join(at, "manifest.json")
          writeFileSync(path, readFileSync(path, "utf8").replace('"rows": 2', '"rows": 3'))
        },
        /checksum of manifest.json does not match/,
      ],
      ["no digest of the manifest", (at) => rmSync(join(at, "manifest.json.sha256")), /json.sha256 is missing/],
      ["a byte of the schema", (at) => flip(join(at, "schema.sql")), /checksum of schema.sql does not match/],
      ["half a schema", (at) => cut(join(at, "schema.sql")), /checksum of schema.sql does not match/],
      ["no schema", (at) => rmSync(join(at, "schema.sql")), /schema.sql is missing/],
      ["a file more", (at) => writeFileSync(join(at, "tables/later.jsonl"), ""), /tables\/later.jsonl is not part of/],
      ["a content more", (at) => writeFileSync(join(at, "files/x"), ""), /files\/x is not part of the backup/],
      [
        "a backup's state",
        (at) => writeFileSync(join(at, "unfinished.json"), "{}"),
        /is unfinished\. Run npm run backup/,
      ],
      [
        "a count of rows",
        (at) => rewrite(at, (actual) => tableIn(actual, "users").rows++),
        /2 lines .* manifest lists 3 and/,
      ],
      [
        "a count of bytes",
        (at) => rewrite(at, (actual) => tableIn(actual, "users").bytes--),
        /but the manifest lists 2 and/,
      ],
      [
        "the size of contents",
        (at) => rewrite(at, (actual) => actual.files.contentBytes++),
        /the contents have \d+ bytes/,
      ],
    ]
    for (const [what, harm, says] of damages) {
      const folder = newFolder()
      cpSync(smallCopy, folder, { recursive: true })
      harm(folder)
      const target = inMemoryDeployment()
      await assert.rejects(restored(target, folder), says, what)
      assert.equal(schemaObjectsIn(target.database).size, 0, what)
    }
  })

  it("refuses a backup with a later format, a later schema or other tables", async () => {
    const cases: [(actual: Manifest) => void, RegExp][] = [
      [
        (actual) => Object.assign(actual, { formatVersion: 3 }),
        /has format version 3, but this version of Lectern reads 2/,
      ],
      [(actual) => Object.assign(actual, { format: "other" }), /does not have the format/],
      [
        (actual) => actual.migrations.push("9999_later.sql"),
        /schema of another version of Lectern \(it has 9999_later.sql/,
      ],
      [(actual) => actual.tables[0]?.columns.push("later"), /tables do not match its migrations/],
      [(actual) => Object.assign(actual.files, { file: "../../elsewhere" }), /names a file outside of the backup/],
    ]
    for (const [change, says] of cases) {
      const folder = newFolder()
      cpSync(smallCopy, folder, { recursive: true })
      rewrite(folder, change)
      await assert.rejects(restored(inMemoryDeployment(), folder), says)
    }
  })

  it("detects concurrent writes, stays unfinished, and starts over with --again", async () => {
    const target = inMemoryDeployment()
    await assert.rejects(restored(killAfter(target, 60, "additions"), smallCopy), Killed)
    target.database.exec("update counters set value = 77 where key = (select min(key) from counters)")
    await assert.rejects(
      restored(target, smallCopy),
      /differs from the backup in the rows of counters\. Another process wrote to/,
    )
    assert.ok(schemaObjectsIn(target.database).has("restore_unfinished"))
    await restored(target, smallCopy, true)
    assertSame(target, small)
  })

  it("changes nothing when it was already restored", async () => {
    const target = inMemoryDeployment()
    await restored(target, smallCopy)
    await restored(target, smallCopy)
    assertSame(target, small)
  })

  it("resumes only the restore of the same backup", async () => {
    const other = newFolder()
    await copied(small, other)
    const target = inMemoryDeployment()
    await assert.rejects(restored(killAfter(target, 30, "additions"), smallCopy), Killed)
    await assert.rejects(restored(target, other), /Another restore into .* is unfinished/)
    await restored(target, other, true)
    assertSame(target, small)
  })

  it("renews session revocations of the last day", async () => {
    const recent = await createAcademy()
    const now = Date.now()
    withoutTriggers(recent.database, () =>
      recent.database.exec(`
        update session_revocations set created_at = ${now - 3_600_000} where user_id = 1;
        update session_revocations set created_at = ${now - 90_000_000} where user_id = 2`),
    )
    const folder = newFolder()
    await copied(recent, folder)
    const target = inMemoryDeployment()
    await restored(target, folder)
    const [first, second] = target.database.prepare("select created_at from session_revocations order by user_id").all()
    assert.ok(Number(first?.created_at) >= now)
    // Older cursors of the event feed are expired.
    const [restore] = target.database.prepare("select max(restored_at) as at from restores").all()
    assert.ok(Number(restore?.at) >= now)
    assert.equal(second?.created_at, now - 90_000_000)
  })
})

/** Changes a manifest, its digest along with it. */
function rewrite(folder: string, change: (actual: Manifest) => unknown) {
  const actual = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest
  change(actual)
  const text = JSON.stringify(actual)
  writeFileSync(join(folder, "manifest.json"), text)
  writeFileSync(join(folder, "manifest.json.sha256"), manifestDigest(text))
}

function tableIn({ tables }: Manifest, name: string) {
  const table = tables.find((other) => other.name === name)
  assert.ok(table)
  return table
}

function flip(path: string) {
  const bytes = readFileSync(path)
  bytes[5] = (bytes[5] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

function cut(path: string) {
  const bytes = readFileSync(path)
  writeFileSync(`${path}.cut`, bytes.subarray(0, bytes.length - 20))
  renameSync(`${path}.cut`, path)
}

/** The path of a content that is not empty. */
const someContent = (folder: string) =>
  globSync("files/*/*", { cwd: folder })
    .map((name) => join(folder, name))
    .find((path) => readFileSync(path).length > 10) ?? ""
