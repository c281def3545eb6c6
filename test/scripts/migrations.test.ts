// Tests of the migrations and their checks, in Node.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { getTableColumns, getTableName, is } from "drizzle-orm"
import { SQLiteTable } from "drizzle-orm/sqlite-core"
import { schemaObjectsOf } from "../../scripts/backup/lib/tables.ts"
import { remainingStatements } from "../../scripts/deploy/migrate.ts"
import { descendants, findLosses, rebuildTable } from "../../scripts/generate/rebuild.ts"
import { declaredDatabase, differences, drizzleKit, schemaObjectsIn } from "../../scripts/generate/schema.ts"
import { migratedDatabase, migrationFiles } from "../../scripts/lib/migrations.ts"
import { root } from "../../scripts/lib/state.ts"
import { migrationOf, statementsOf } from "../../scripts/lib/statements.ts"
import { everyCombination, itInAll } from "./matrix.ts"
import { ordinaryTables, seededDatabase } from "./seeded-database.ts"

const wanted = declaredDatabase()

const contents = (database: DatabaseSync) =>
  Object.fromEntries(
    ordinaryTables(database).map((table) => [table, database.prepare(`select * from ${table} order by 1`).all()]),
  )

/** Runs statements as D1 does a migration: in one transaction, with foreign keys on. */
function apply(database: DatabaseSync, statements: string[]) {
  database.exec("BEGIN")
  for (const statement of statements) database.exec(statement)
  database.exec("COMMIT")
}

describe("the migrations", () => {
  it("create what is declared: tables, indexes, triggers, full-text tables and views", () => {
    assert.deepEqual(differences(schemaObjectsIn(migratedDatabase()), schemaObjectsIn(wanted)), [])
  })

  it("create tables without a rowid unless the key is one integer", () => {
    const clustered = migratedDatabase().prepare("select name, wr from pragma_table_list").all()
    const without = new Map(clustered.map(({ name, wr }) => [name, wr === 1]))
    const tables = ["counters", "group_members", "mailings", "users", "user_view_types", "guards"]
    assert.deepEqual(
      tables.map((name) => without.get(name)),
      [true, true, true, false, false, false],
    )
  })

  it("fail the check when a table has a rowid by mistake", () => {
    const database = migratedDatabase()
    database.exec("DROP TABLE counters; CREATE TABLE counters (key text PRIMARY KEY NOT NULL, value integer NOT NULL)")
    assert.match(
      differences(schemaObjectsIn(database), schemaObjectsIn(wanted)).join(),
      /defined differently: table counters/,
    )
  })

  for (const [what, statement, difference] of [
    ["a trigger", "DROP TRIGGER users_inserted", /missing from the migrations: trigger users_inserted on users/],
    ["an index", "DROP INDEX locations_name", /missing from the migrations: index locations_name on locations/],
    [
      "a search's trigger",
      "DROP TRIGGER users_search_changed",
      /missing from the migrations: trigger users_search_cha/,
    ],
    ["a full-text table", "DROP TABLE users_search", /missing from the migrations: table users_search/],
  ] as const)
    it(`fail the check when ${what} was dropped manually`, () => {
      const database = migratedDatabase()
      database.exec(statement)
      const found = differences(schemaObjectsIn(database), schemaObjectsIn(wanted))
      assert.equal(found.length, 1)
      assert.match(found[0] ?? "", difference)
    })

  it("fail the check when a trigger was changed manually", () => {
    const database = migratedDatabase()
    database.exec("DROP TRIGGER locations_deleted")
    database.exec("CREATE TRIGGER locations_deleted AFTER DELETE ON locations BEGIN SELECT 1; END")
    assert.match(
      differences(schemaObjectsIn(database), schemaObjectsIn(wanted)).join(),
      /defined differently: trigger locations_deleted/,
    )
  })
})

describe("enumerated columns", async () => {
  const database = seededDatabase()
  for (const { name, type } of schemaObjectsIn(database).values())
    if (type === "trigger") database.exec(`DROP TRIGGER ${name}`)
  const folder = join(root, "drizzle/schema")
  const modules = readdirSync(folder).filter((name) => name.endsWith(".ts"))
  const declarations = await Promise.all(modules.map((name) => import(join(folder, name))))
  const tables = new Set(
    declarations.flatMap((exported) => Object.values(exported)).filter((one) => is(one, SQLiteTable)),
  )
  const columns = [...tables].flatMap((table) =>
    Object.values(getTableColumns(table)).flatMap(({ name, enumValues, generated }) =>
      enumValues && !generated ? [{ table: getTableName(table), name, values: enumValues }] : [],
    ),
  )
  const set = ({ table, name }: (typeof columns)[number], value: string) =>
    database.prepare(`UPDATE ${table} SET ${name} = ?`).run(value)

  it("includes at least 40 columns", () => assert.ok(columns.length >= 40, String(columns.length)))

  for (const column of columns)
    it(`accept only declared values: ${column.table}.${column.name}`, () => {
      assert.throws(() => set(column, "none of them"), /CHECK constraint failed/)
      for (const value of column.values) set(column, value)
    })
})

describe("a changed declaration without a migration", () => {
  const copy = mkdtempSync(join(tmpdir(), "lectern-schema-"))
  for (const name of ["drizzle", "migrations", "scripts", "package.json", "tsconfig.json"])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  after(() => rmSync(copy, { recursive: true }))
  const path = join(copy, "drizzle/schema/locations.ts")
  writeFileSync(path, readFileSync(path, "utf8").replace('text("name").notNull()', 'text("name")'))
  /** What drizzle-kit made of it. */
  const written = () => {
    const folder = join(copy, "migrations")
    const name = readdirSync(folder).find((file) => file.endsWith("_nullable.sql")) ?? ""
    return { name, sql: readFileSync(join(folder, name), "utf8") }
  }

  it("fails the check, even for one optional column", async () => {
    const { declaredDatabase: declaredInCopy } = await import(join(copy, "scripts/generate/schema.ts"))
    const found = differences(schemaObjectsIn(migratedDatabase()), schemaObjectsIn(declaredInCopy()))
    assert.equal(found.length, 1)
    assert.match(found[0] ?? "", /defined differently: table locations/)
  })

  it("is a table rebuild when drizzle-kit generates it, which the check refuses", () => {
    const { done } = drizzleKit(["generate", "--name", "nullable"], copy)
    assert.ok(done)
    const { name, sql } = written()
    assert.match(sql, /__new_locations/)
    assert.equal(findLosses(name, sql).length, 1)
  })

  it("loses the triggers of the table when the generated rebuild is applied", () => {
    const database = migratedDatabase()
    database.exec("BEGIN")
    database.exec(written().sql.replaceAll(/CREATE INDEX.*/g, ""))
    database.exec("COMMIT")
    const gone = differences(schemaObjectsIn(database), schemaObjectsIn(wanted)).filter((line) =>
      /missing.*trigger/.test(line),
    )
    assert.ok(gone.length >= 3)
  })
})

describe("the check of the migrations", () => {
  const copy = mkdtempSync(join(tmpdir(), "lectern-schema-"))
  for (const name of ["drizzle", "migrations", "scripts", "package.json", "tsconfig.json"])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  after(() => rmSync(copy, { recursive: true }))
  const run = (script: string, ...args: string[]) =>
    spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", join(copy, "scripts", script), ...args], {
      encoding: "utf8",
    })
  const files = () => readdirSync(join(copy, "migrations")).filter((name) => name.endsWith(".sql"))
  const trigger = (body: string) => `CREATE TRIGGER x AFTER INSERT ON users ${body}`

  // `npm test` has a step for it.
  itInAll("accepts the migrations as they are", () => {
    const { status, stdout } = run("generate/migrations.ts", "--check")
    assert.deepEqual([status, stdout], [0, "The migrations create what drizzle/ declares, and D1 can apply them.\n"])
  })

  it("refuses statements that D1 splits wrongly, that are too large, or that change rows", () => {
    const planted: [sql: string, says: RegExp][] = [
      [trigger("begin\n  SELECT 1;\nend;"), /D1's API reads 4 statements instead of 3/],
      [trigger("BEGIN\n  SELECT CASE WHEN 1 THEN 2 END;\nEND;"), /D1's API reads 4 statements instead of 3/],
      [
        `${trigger("BEGIN\n  SELECT CASE WHEN 1 THEN 2 END, 3;\nEND;")}\n--> statement-breakpoint\nDROP TRIGGER x;`,
        /an earlier wrangler reads 1 statements instead of 4/,
      ],
      [trigger("BEGIN\r\n  SELECT 1;\r\nEND;"), /has Windows line endings/],
      [`-- ${"x".repeat(60_000)}\nCREATE TABLE x (y);`, /has 60\d+ bytes: split it/],
      ["UPDATE users SET first_name = '';", /changes rows \(UPDATE users/],
      ["INSERT INTO counters SELECT 'x', count(*) FROM users;", /changes rows \(INSERT INTO counters/],
      ["WITH x AS (SELECT 1) DELETE FROM users;", /changes rows \(WITH x/],
    ]
    planted.forEach(([sql], i) => {
      writeFileSync(
        join(copy, "migrations", `9${i}_planted.sql`),
        migrationOf([sql, "DROP TRIGGER IF EXISTS x;", "DROP TABLE IF EXISTS x;"]),
      )
    })
    const { status, stderr } = run("generate/migrations.ts", "--check")
    assert.equal(status, 1)
    for (const [, says] of planted) assert.match(stderr, says)
    planted.forEach((_, i) => {
      rmSync(join(copy, "migrations", `9${i}_planted.sql`))
    })
  })

  itInAll("finds no difference after a squash, and writes small files when all triggers change", () => {
    const squashed = run("generate/migrations.ts", "--squash")
    assert.equal(squashed.status, 0, squashed.stderr)
    const before = files()
    assert.equal(before[0], "0000_schema.sql")
    assert.ok(before.every((name, i) => name.startsWith(String(i).padStart(4, "0"))))
    assert.equal(run("generate/migrations.ts", "--check").status, 0)

    const path = join(copy, "drizzle/triggers/declare.ts")
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(" BEGIN\\n", " BEGIN\\n  SELECT 'again';\\n"))
    const written = run("generate/migrations.ts", "--name", "again")
    assert.equal(written.status, 0, written.stderr)
    const added = files().filter((name) => !before.includes(name))
    assert.ok(added.length > 1 && added.every((name) => name.endsWith("_again.sql")), String(added))
    const checked = run("generate/migrations.ts", "--check")
    assert.equal(checked.status, 0, checked.stderr)
    const tables = added.map((name) => {
      const sql = readFileSync(join(copy, "migrations", name), "utf8")
      return new Set([...sql.matchAll(/^CREATE TRIGGER [^;]*? ON (\w+)/gm)].map(([, table]) => table))
    })
    const torn = [...(tables[0] ?? [])].filter((table) => tables[1]?.has(table))
    assert.deepEqual(torn, [])
  })
})

describe("a partially applied migration", () => {
  const names = migrationFiles()
  const name = names.findLast((file) => file.endsWith("_triggers.sql")) ?? ""
  const applied = names.slice(0, names.indexOf(name))
  const statements = statementsOf(readFileSync(join(root, "migrations", name), "utf8"))

  it("resumes after the last statement that was executed", () => {
    const database = migratedDatabase(applied)
    for (let done = 0; done <= statements.length; done++) {
      if (done % 10 === 0 || done === statements.length)
        assert.deepEqual(
          remainingStatements(name, applied, schemaObjectsOf(database)),
          statements.slice(done),
          String(done),
        )
      if (done < statements.length) database.exec(statements[done] ?? "")
    }
  })

  it("is refused when the database matches none of its steps", () => {
    const database = migratedDatabase(applied)
    database.exec(statements[1] ?? "")
    assert.equal(remainingStatements(name, applied, schemaObjectsOf(database)), undefined)
    const foreign = migratedDatabase(applied)
    foreign.exec("create table theirs (id integer primary key)")
    assert.equal(remainingStatements(name, applied, schemaObjectsOf(foreign)), undefined)
  })
})

describe("a table rebuild of this repository", () => {
  const database = seededDatabase()
  const before = contents(database)
  const standing = schemaObjectsIn(database)

  for (const [at, table] of ordinaryTables(database).entries()) {
    const behind = descendants(database, table).length
    if (!everyCombination && at % 11 > 0 && behind < 10) continue
    it(`of ${table} keeps its rows, the rows of ${behind} tables that reference it, and the triggers`, () => {
      apply(database, rebuildTable(table, database, wanted))
      assert.deepEqual(contents(database), before)
      assert.deepEqual(differences(schemaObjectsIn(database), standing), [])
      assert.deepEqual(database.prepare("PRAGMA foreign_key_check").all(), [])
    })
  }

  it("is refused by the check until it is marked as reviewed", () => {
    const written = rebuildTable("locations", database, wanted).join("\n")
    assert.equal(findLosses("0002_x.sql", `-- Rebuild of locations: to be reviewed.\n${written}`).length, 1)
    assert.deepEqual(findLosses("0002_x.sql", `-- Rebuild of locations: reviewed.\n${written}`), [])
  })
})
