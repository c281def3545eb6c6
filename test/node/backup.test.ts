// A copy of an academy, and what is restored from it: row by row, file by file, through every interruption.
// npm run scripts:test.
import assert from "node:assert/strict"
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
import { after, before, describe, it } from "node:test"
import { backup } from "../../scripts/lib/copy/backup.ts"
import type { Deployment } from "../../scripts/lib/copy/deployment.ts"
import type { Manifest } from "../../scripts/lib/copy/format.ts"
import { restore } from "../../scripts/lib/copy/restore.ts"
import { migrated } from "../../scripts/lib/migrations.ts"
import { differences, standingIn } from "../../scripts/schema.ts"
import { academy, dying, type InMemory, inMemory, Killed, noteMigrations, withoutTriggers } from "./copies.ts"
import { ordinaryTables } from "./filled.ts"

const root = mkdtempSync(join(tmpdir(), "lectern-copies-"))
after(() => rmSync(root, { recursive: true }))
let folders = 0
const newFolder = () => join(root, String(++folders))

const silent = () => {}
const VERSION = "1.2.3"
const copied = (deployment: Deployment, folder: string) => backup(deployment, folder, VERSION, silent)
const restored = (deployment: Deployment, folder: string, again = false) =>
  restore(deployment, folder, silent, { again })

/** Every row of every table, each value with its type. Revocations are told anew: their time is not compared. */
const contents = ({ database }: InMemory) =>
  Object.fromEntries(
    ordinaryTables(database).map((table) => {
      const columns = database.prepare("select name from pragma_table_xinfo(?)").all(table)
      const told = columns
        .map(({ name }) => String(name))
        .filter((name) => !(table === "session_revocations" && name === "created_at"))
        .map((name) => `typeof("${name}") || ':' || quote("${name}")`)
      return [table, database.prepare(`select concat(${told.join(", ' ', ")}) as row from "${table}" order by 1`).all()]
    }),
  )

const files = ({ bucket }: InMemory) => [...bucket.values()].sort((a, b) => (a.key < b.key ? -1 : 1))

function assertSame(actual: InMemory, expected: InMemory) {
  assert.deepEqual(contents(actual), contents(expected))
  assert.deepEqual(files(actual), files(expected))
  assert.deepEqual(differences(standingIn(actual.database), standingIn(expected.database)), [])
  assert.deepEqual(actual.database.prepare("pragma foreign_key_check").all(), [])
}

/** Runs something whose process is killed, again and again until it comes to its end. @returns how often */
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

let source: InMemory
let copy: string
let small: InMemory
let smallCopy: string
let manifest: Manifest
before(async () => {
  source = await academy(true)
  small = await academy()
  smallCopy = newFolder()
  await copied(small, smallCopy)
  copy = newFolder()
  manifest = await copied(source, copy)
})

describe("a copy", () => {
  it("restores every row, value and file, and the triggers fire again", async () => {
    const target = inMemory()
    await restored(target, copy)
    assertSame(target, source)
    const found = target.database.prepare("select rowid from modules_search where text match 'modules'").all()
    assert.equal(found.length, 2)
  })

  it("has the rows as JSON lines in the order of their key, which another program reads", () => {
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

  it("tells its schema, counts and digests in its manifest, which comes last", () => {
    const { tables, ...told } = manifest
    assert.deepEqual(JSON.parse(readFileSync(join(copy, "manifest.json"), "utf8")), manifest)
    assert.deepEqual(
      [told.format, told.formatVersion, told.service, told.schema, told.bookmark, told.files.rows],
      ["lectern-copy", 1, VERSION, told.migrations.at(-1), null, 12],
    )
    assert.equal(existsSync(join(copy, "unfinished.json")), false)
    assert.deepEqual(globSync("**/*.part", { cwd: copy }), [])
    const reach = tables.find(({ name }) => name === "reach")
    assert.deepEqual([reach?.rows, reach?.key], [4502, ["supervisor_id", "user_id"]])
  })

  it("is the same when it was killed again and again, within every few tables, and went on", async () => {
    const folder = newFolder()
    const kills = await throughKills((turn) => copied(dying(small, 1 + (turn % 4), "pages"), folder))
    assert.ok(kills > 60, `${kills} kills`)
    const [told, expected] = [folder, smallCopy].map((at) => {
      const { startedAt: _, finishedAt: __, ...rest } = JSON.parse(readFileSync(join(at, "manifest.json"), "utf8"))
      return rest
    })
    assert.deepEqual(told, expected)
  })

  it("goes on within a table, after a line that was half written", async () => {
    const folder = newFolder()
    let pages = 0
    const query: Deployment["query"] = async (sql, parameters) => {
      if (sql.includes('from "reach"') && ++pages === 3) throw new Killed()
      return source.query(sql, parameters)
    }
    await assert.rejects(copied({ ...source, query }, folder), Killed)
    const part = join(folder, "tables/reach.jsonl.part")
    assert.equal(readFileSync(part, "utf8").split("\n").length - 1, 4000)
    appendFileSync(part, '{"supervisor_id":12')
    await copied(source, folder)
    const [told, expected] = [folder, copy].map((at) => readFileSync(join(at, "tables/reach.jsonl"), "utf8"))
    assert.equal(told, expected)
  })

  it("is of one moment: what changes while it is read is read again", async () => {
    const changing = await academy()
    let calls = 0
    const busy: Deployment = {
      ...changing,
      query: async (sql, parameters) => {
        calls++
        if (calls === 100) {
          changing.database.exec("update users set first_name = 'Grace' where id = 1")
          await changing.remove("files/1/a:b?c#d%20e")
        }
        return changing.query(sql, parameters)
      },
    }
    const folder = newFolder()
    const said: string[] = []
    await backup(busy, folder, VERSION, (line) => said.push(line))
    assert.match(said.join("\n"), /Read again: changed are the files/)
    assert.match(said.at(-1) ?? "", /nothing has changed/)
    const target = inMemory()
    await restored(target, folder)
    assertSame(target, changing)
    assert.equal(globSync("files/*/*", { cwd: folder }).length, 11)
  })

  it("is refused of an academy that changes during every reading, and is finished at a quieter time", async () => {
    const changing = await academy()
    let calls = 0
    const busy: Deployment = {
      ...changing,
      query: async (sql, parameters) => {
        if (++calls % 20 === 0)
          changing.database.exec(
            "update sequences set value = value + 1 where name = (select min(name) from sequences)",
          )
        return changing.query(sql, parameters)
      },
    }
    const folder = newFolder()
    await assert.rejects(copied(busy, folder), /changed during each of 4 readings/)
    await assert.rejects(restored(inMemory(), folder), /The copy in .* is unfinished/)
    await copied(changing, folder)
    const target = inMemory()
    await restored(target, folder)
    assertSame(target, changing)
  })

  it("is not made over another, nor of a restore that is unfinished, nor of no academy", async () => {
    await assert.rejects(copied(source, copy), /There is a whole copy in .* already/)
    await assert.rejects(copied(inMemory(), newFolder()), /There is no database of an academy/)
    const target = inMemory()
    await assert.rejects(restored(dying(target, 10, "additions"), smallCopy), Killed)
    await assert.rejects(copied(target, newFolder()), /restore into .* is unfinished/)
  })
})

describe("a restore", () => {
  it("ends the same when it is killed again and again, after one to five of all that it writes", async () => {
    const target = inMemory()
    const kills = await throughKills(
      (turn) => restored(dying(target, turn % 5, "additions"), smallCopy),
      () => !standingIn(target.database).has("restore_unfinished"),
    )
    assert.ok(kills > 35, `${kills} kills`)
    assertSame(target, small)
  })

  it("has no list of migrations and no triggers before it is whole", async () => {
    const target = inMemory()
    await assert.rejects(restored(dying(target, 30, "additions"), smallCopy), Killed)
    const standing = [...standingIn(target.database).values()]
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

  it("takes the place of a new deployment's tables, and finds a used one", async () => {
    const fresh = migrated()
    noteMigrations(fresh)
    const target = inMemory(fresh)
    await restored(target, smallCopy)
    assertSame(target, small)

    const used = migrated()
    noteMigrations(used)
    withoutTriggers(used, () => used.exec("insert into sequences (name, value) values ('users', 1)"))
    await assert.rejects(restored(inMemory(used), smallCopy), /is not empty: it has 2 rows in sequences/)
    withoutTriggers(target.database, () => target.database.exec("update users set first_name = 'Used'"))
    await assert.rejects(restored(target, smallCopy), /is not empty: it has the file/)
    const strange = inMemory()
    strange.database.exec("create table theirs (id integer primary key)")
    await assert.rejects(restored(strange, smallCopy), /is not empty: it has a table theirs/)
  })

  it("finds every damage before anything is written", async () => {
    const damages: [string, (folder: string) => void, RegExp][] = [
      ["a byte of a row", (at) => flip(join(at, "tables/users.jsonl")), /tables\/users.jsonl is not what was copied/],
      ["a line less", (at) => cut(join(at, "tables/reach.jsonl")), /tables\/reach.jsonl is not what was copied/],
      ["a table less", (at) => rmSync(join(at, "tables/courses.jsonl")), /tables\/courses.jsonl is missing/],
      ["a byte of a file", (at) => flip(someContent(at)), /files\/.* is not what was copied/],
      ["a file less", (at) => rmSync(someContent(at)), /files\/.* is missing/],
      ["the list of files", (at) => cut(join(at, "files.jsonl")), /files.jsonl is not what was copied/],
      ["no manifest", (at) => rmSync(join(at, "manifest.json")), /There is no copy in/],
      ["half a manifest", (at) => cut(join(at, "manifest.json")), /manifest.json is damaged/],
    ]
    for (const [what, harm, says] of damages) {
      const folder = newFolder()
      cpSync(smallCopy, folder, { recursive: true })
      harm(folder)
      const target = inMemory()
      await assert.rejects(restored(target, folder), says, what)
      assert.equal(standingIn(target.database).size, 0, what)
    }
  })

  it("refuses a copy of a later format or schema, and one whose tables are others", async () => {
    const cases: [(told: Manifest) => void, RegExp][] = [
      [
        (told) => Object.assign(told, { formatVersion: 2 }),
        /is of format version 2, and this version of Lectern reads 1/,
      ],
      [(told) => Object.assign(told, { format: "other" }), /is of another format/],
      [
        (told) => told.migrations.push("9999_later.sql"),
        /schema of another version of Lectern \(it has 9999_later.sql/,
      ],
      [(told) => told.tables[0]?.columns.push("later"), /tables are not those of its migrations/],
      [(told) => Object.assign(told.files, { file: "../../elsewhere" }), /names a file outside of the copy/],
    ]
    for (const [change, says] of cases) {
      const folder = newFolder()
      cpSync(smallCopy, folder, { recursive: true })
      const told = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))
      change(told)
      writeFileSync(join(folder, "manifest.json"), JSON.stringify(told))
      await assert.rejects(restored(inMemory(), folder), says)
    }
  })

  it("finds what somebody wrote meanwhile, stays unfinished, and begins anew when told", async () => {
    const target = inMemory()
    await assert.rejects(restored(dying(target, 60, "additions"), smallCopy), Killed)
    target.database.exec("update counters set value = 77 where key = (select min(key) from counters)")
    await assert.rejects(restored(target, smallCopy), /differs in the rows of counters\. Somebody wrote into/)
    assert.ok(standingIn(target.database).has("restore_unfinished"))
    await restored(target, smallCopy, true)
    assertSame(target, small)
  })

  it("finds that it was restored before, and changes nothing", async () => {
    const target = inMemory()
    await restored(target, smallCopy)
    await restored(target, smallCopy)
    assertSame(target, small)
  })

  it("finishes its own copy and no other's", async () => {
    const other = newFolder()
    await copied(small, other)
    const target = inMemory()
    await assert.rejects(restored(dying(target, 30, "additions"), smallCopy), Killed)
    await assert.rejects(restored(target, other), /The restore of another copy into .* is unfinished/)
    await restored(target, other, true)
    assertSame(target, small)
  })

  it("has revocations of the last day told again", async () => {
    const recent = await academy()
    const now = Date.now()
    withoutTriggers(recent.database, () =>
      recent.database.exec(`
        update session_revocations set created_at = ${now - 3_600_000} where user_id = 1;
        update session_revocations set created_at = ${now - 90_000_000} where user_id = 2`),
    )
    const folder = newFolder()
    await copied(recent, folder)
    const target = inMemory()
    await restored(target, folder)
    const [first, second] = target.database.prepare("select created_at from session_revocations order by user_id").all()
    assert.ok(Number(first?.created_at) >= now)
    assert.equal(second?.created_at, now - 90_000_000)
  })
})

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
