// What scripts/lib/sound.ts finds in a database that does not hold together. npm run schema:test.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "node:test"
import { migrated, migrationFiles, migrationsFolder } from "../../scripts/lib/migrations.ts"
import { unsound } from "../../scripts/lib/sound.ts"

/** A database with a learner in one group, registered in one course, with one attempt at its quiz. */
function academy(db = migrated()) {
  db.exec(`
    insert into users (id, first_name, last_name, email, user_type, source_id, search_text, created_at)
    values (1, 'Grace', 'Hopper', 'grace@example.org', 'general', 1, 'grace hopper', 1);
    insert into groups (id, name, search_text, created_at) values (1, 'Navy', 'navy', 1);
    insert into group_members (group_id, user_id) values (1, 1);
    insert into courses (id, name, slug, status, content, instructions, search_text, created_at)
    values (1, 'Compilers', 'compilers', 'publish', '', '', 'compilers', 1);
    insert into enrolments (id, user_id, course_id, registered_at) values (1, 1, 1, 1);
    insert into modules (id, type, name, slug, content, icon, search_text, created_at)
    values (1, 'quiz', 'Registers', 'registers', '', 'quiz', 'registers', 1);
    insert into course_modules (course_id, module_id, position, required, counts, is_locked, drip_days, min_time_spent)
    values (1, 1, 1, 1, 1, 0, 0, 0);
    insert into module_statuses (enrolment_id, module_id, status, started_at, last_accessed_at)
    values (1, 1, 'In Progress', 2, 2);
    insert into quiz_attempts (id, enrolment_id, module_id, status_row_id, user_id, course_id, number, status, result,
      score, out_of, percent, pass_percent, module_version, started_at, completed_at)
    values (1, 1, 1, 1, 1, 1, 1, 'Completed', 'failed', 1, 4, 25, 50, 0, 2, 3);
  `)
  return db
}

describe("a database that holds together", () => {
  it("has nothing told of it", () => {
    assert.deepEqual(unsound(academy()), [])
  })

  it("keeps the days of whoever was deleted", () => {
    const db = academy()
    db.exec("pragma foreign_keys = on; delete from users")
    assert.deepEqual(unsound(db), [])
    assert.deepEqual({ ...db.prepare("select sum(enrolled) as enrolled from course_days").get() }, { enrolled: 1 })
  })
})

describe("an academy that was there before figures were kept", () => {
  it("has them of all that happened", () => {
    const files = migrationFiles()
    const first = files.findIndex((name) => name.endsWith("_figures_of_reports.sql"))
    const db = academy(migrated(files.slice(0, first)))
    for (const name of files.slice(first)) db.exec(readFileSync(join(migrationsFolder, name), "utf8"))
    assert.deepEqual(unsound(db), [])
    const rows = (table: string) =>
      db
        .prepare(`select * from ${table}`)
        .all()
        .map((row) => Object.values(row))
    assert.deepEqual(rows("course_days"), [[1, "1970-01-01", 1, 1, 0]])
    assert.deepEqual(rows("module_tallies"), [[1, 1, 1, 0, 0]])
    assert.deepEqual(rows("quiz_scores"), [[1, 1, 25, 1, 0]])
  })
})

describe("what does not hold is told", () => {
  const damages: [string, string, string][] = [
    ["a counter that is one too high", "update counters set value = value + 1 where key = 'users'", "a counter"],
    ["a tally that is one too low", "update tallies set in_progress = 0 where audience = 'group:1'", "a tally"],
    ["a tally of nobody's rows", "insert into tallies values ('group:9', 1, 2, 0, 0)", "a tally"],
    ["a day on which less is counted than happened", "update course_days set started = 0", "a figure"],
    ["a day that is missing", "delete from course_days", "a figure"],
    ["a module's learners, one too many", "update module_tallies set in_progress = 2", "a figure"],
    ["a score that nobody earned", "insert into quiz_scores values (1, 1, 100, 1, 1)", "a figure"],
    ["a score that is not counted", "delete from quiz_scores", "a figure"],
    ["a count of activities", "delete from counters where key = 'activities:verb:ENROLLED'", "a counter of activities"],
    [
      "a reference to a row that is gone",
      "pragma foreign_keys = off; update enrolments set group_id = 7",
      "a reference that leads nowhere",
    ],
  ]
  for (const [name, damage, told] of damages)
    it(name, () => {
      const db = academy()
      db.exec(damage)
      const found = unsound(db)
      assert.ok(found.length > 0 && found.every((line) => line.startsWith(`${told}: `)), found.join("\n"))
    })
})
