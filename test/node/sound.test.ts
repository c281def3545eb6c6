// What scripts/lib/sound.ts finds in a database that does not hold together. npm run schema:test.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { migrated } from "../../scripts/lib/migrations.ts"
import { unsound } from "../../scripts/lib/sound.ts"

/** A database with a learner in one group, registered in one course. */
function academy() {
  const db = migrated()
  db.exec(`
    insert into users (id, first_name, last_name, email, user_type, source_id, search_text, created_at)
    values (1, 'Grace', 'Hopper', 'grace@example.org', 'general', 1, 'grace hopper', 1);
    insert into groups (id, name, search_text, created_at) values (1, 'Navy', 'navy', 1);
    insert into group_members (group_id, user_id) values (1, 1);
    insert into courses (id, name, slug, status, content, instructions, search_text, created_at)
    values (1, 'Compilers', 'compilers', 'publish', '', '', 'compilers', 1);
    insert into enrolments (id, user_id, course_id, registered_at) values (1, 1, 1, 1);
  `)
  return db
}

describe("a database that holds together", () => {
  it("has nothing told of it", () => {
    assert.deepEqual(unsound(academy()), [])
  })
})

describe("what does not hold is told", () => {
  const damages: [string, string, string][] = [
    ["a counter that is one too high", "update counters set value = value + 1 where key = 'users'", "a counter"],
    ["a tally that is one too low", "update tallies set not_started = 0 where audience = 'group:1'", "a tally"],
    ["a tally of nobody's rows", "insert into tallies values ('group:9', 1, 2, 0, 0)", "a tally"],
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
