// Tests of scripts/lib/consistency.ts. npm run test.
import assert from "node:assert/strict"
import type { DatabaseSync } from "node:sqlite"
import { describe, it } from "node:test"
import { getTableName } from "drizzle-orm"
import { SEQUENCES } from "../../drizzle/schema/system.ts"
import { derivedColumns, NOT_DERIVED } from "../../drizzle/triggers/derived-data.ts"
import { eventTriggers } from "../../drizzle/triggers/events.ts"
import { audienceCounters, databaseObjects } from "../../drizzle/triggers/index.ts"
import { limitedColumns } from "../../drizzle/triggers/limited-data.ts"
import { reportAggregates } from "../../drizzle/triggers/report-aggregates.ts"
import { findInconsistencies } from "../../scripts/lib/consistency.ts"
import { migratedDatabase } from "../../scripts/lib/migrations.ts"
import { firstValues } from "./seeded-database.ts"

/** Inserts a row; columns that are not given and have no default are 0, empty, or the first of an enumeration. */
function insert(db: DatabaseSync, table: string, given: Record<string, string | number | null>) {
  const columns = db
    .prepare('select name, type, "notnull" as required, dflt_value, pk from pragma_table_info(?)')
    .all(table)
  const enumerated = firstValues(db, table)
  const row = Object.fromEntries(
    columns.flatMap(({ name, type, required, dflt_value, pk }) => {
      const column = String(name)
      if (column in given) return [[column, given[column] ?? null]]
      return required && dflt_value === null && !pk
        ? [[column, /int|real/i.test(String(type)) ? 0 : (enumerated.get(column) ?? "")]]
        : []
    }),
  )
  const names = Object.keys(row)
  db.prepare(`insert into ${table} (${names.join(", ")}) values (${names.map(() => "?")})`).run(...Object.values(row))
}

/** A small academy with at least one row of everything that is derived, as its triggers make it. */
function academy(): DatabaseSync {
  const db = migratedDatabase()
  const add = (table: string, given: Record<string, string | number | null>) => insert(db, table, given)
  const person = { source_id: 1, created_at: 1 }
  const named = (name: string) => ({ first_name: name, last_name: "Hopper", email: `${name}@example.org` })
  add("users", { id: 1, ...person, ...named("grace"), user_type: "general", search_text: "grace hopper" })
  add("users", { id: 2, ...person, ...named("ada"), user_type: "group_admin", search_text: "ada hopper" })
  add("badges", { id: 1, title: "Star", points: 3, search_text: "star" })
  add("gamification_events", {
    ...{ id: 1, name: "Done", type: "course_completed", target_id: 0, badge_id: 1, points: 2, active: 1 },
    search_text: "done",
  })
  add("groups", { id: 1, name: "Navy", search_text: "navy", created_at: 1 })
  add("group_members", { group_id: 1, user_id: 1 })
  add("group_admins", { group_id: 1, user_id: 2 })
  add("portals", { id: 1, name: "Fleet", slug: "fleet", search_text: "fleet" })
  add("portal_members", { portal_id: 1, user_id: 2, role: "admin" })
  add("portal_members", { portal_id: 1, user_id: 1, role: "learner" })
  add("certificate_templates", { id: 1, name: "Plain", fields: "[]", search_text: "plain" })
  add("courses", {
    ...{ id: 1, name: "Compilers", slug: "compilers", status: "publish", certificate_template_id: 1 },
    ...{ estimated_minutes: 30, search_text: "compilers" },
  })
  add("group_course_seats", { group_id: 1, course_id: 1, total_seats: 5 })
  for (const [id, type] of [
    [1, "quiz"],
    [2, "assignment"],
  ] as const)
    add("modules", { id, type, name: type, slug: type, total_points: 10, search_text: type })
  for (const module_id of [1, 2]) add("course_modules", { course_id: 1, module_id, required: 1, counts: 1 })
  add("media", { id: 1, kind: "image", name: "Knot", bytes: 5, search_text: "knot" })
  add("modules", { id: 3, type: "text", name: "x", slug: "x", content: "/api/media/1/file", search_text: "x" })
  add("learning_paths", { id: 1, name: "Path", slug: "path", type: "public", search_text: "path" })
  add("learning_path_courses", { learning_path_id: 1, course_id: 1 })
  add("learning_path_enrollments", { id: 1, user_id: 1, learning_path_id: 1, status: "Not Started", registered_at: 1 })
  add("assignment_rules", {
    ...{ id: 1, name: "Rule", active: 1, audience: "{}", due: "{}", reminders: "{}", search_text: "rule" },
  })
  add("assignment_members", { rule_id: 1, user_id: 1 })
  add("assignment_claims", { rule_id: 1, user_id: 1, course_id: 1, pending: 1 })
  add("assignment_queue", { user_id: 1 })
  add("reviews", { id: 1, user_id: 1, course_id: 1, rating: 4 })
  add("question_pools", { id: 1, name: "Pool", search_text: "pool" })
  add("bank_questions", { id: 9, pool_id: 1, type: "essay", text: "Why?", tags: "[]", search_text: "why?" })
  add("categories", { id: 1, name: "Code", type: "course", search_text: "code" })
  add("course_categories", { course_id: 1, category_id: 1 })
  // Completed: written by statements of src/modules/progress, not by a trigger.
  const reached = { status: "Completed", percent: 100, started_at: 2, completed_at: 3 }
  add("enrollments", {
    ...{ id: 1, user_id: 1, course_id: 1, group_id: 1, registered_at: 1, ...reached },
    ...{ done: 2, time_spent: 14, last_accessed_at: 3, due_at: 4, overdue_at: 4, due_status: "completed" },
  })
  for (const [at, verb] of ["ENROLLED", "STARTED", "COMPLETED"].entries())
    add("activities", { user_id: 1, verb, course_id: 1, created_at: at + 1 })
  add("certificates", {
    ...{ id: 1, code: "1", user_id: 1, enrollment_id: 1, course_id: 1, template_id: 1, issued_at: 3 },
    search_text: "compilers",
  })
  add("gamification_awards", { user_id: 1, badge_id: 1, event_id: 1, cause: "course:1", points: 5, awarded_at: 3 })
  db.exec("update learning_path_enrollments set status = 'Completed', percent = 100, completed_courses = 1")
  db.exec("update learning_path_enrollments set started_at = 2, completed_at = 3")
  for (const module_id of [1, 2])
    add("module_statuses", {
      ...{ id: 4_194_304 + module_id, enrollment_id: 1, module_id, status: "Completed", points_awarded: 5 },
      ...{ time_spent: 7, started_at: 2, completed_at: 3, last_accessed_at: 3 },
    })
  add("quiz_attempts", {
    ...{ id: 1, enrollment_id: 1, module_id: 1, status_row_id: 4_194_305, user_id: 1, course_id: 1, number: 1 },
    ...{ status: "Completed", result: "failed", score: 1, out_of: 4, percent: 25, started_at: 2, completed_at: 3 },
  })
  add("assignment_uploads", { id: 1, user_id: 1 })
  add("submissions", {
    ...{ id: 1, enrollment_id: 1, module_id: 2, status_row_id: 4_194_306, user_id: 1, course_id: 1, number: 1 },
    status: "Accepted",
  })
  add("submission_files", { submission_id: 1, upload_id: 1 })
  add("classes", { id: 1, course_id: 1, type: "onetime", instructor_id: 2, start_at: 5, end_at: 6, search_text: "x" })
  add("class_sessions", { id: 1, class_id: 1, course_id: 1, start_at: 5, end_at: 6 })
  add("class_enrollments", {
    ...{ id: 1, class_id: 1, user_id: 1, status: "Registered" },
    ...named("grace"),
  })
  add("announcements", {
    id: 1,
    heading: "News",
    sending_rules: "specific_users",
    state: "some",
    user_count: 1,
    search_text: "news",
  })
  add("announcement_users", { announcement_id: 1, user_id: 1 })
  for (const object of ["user", "course", "group", "class"])
    add("external_ids", { object, source: "manual", external_id: "E-1", object_id: 1 })
  add("api_keys", { id: 1, name: "Shop", role: "admin", access: "read" })
  for (const subject_id of [1, 2])
    add("audit_entries", {
      ...{ performed_by: 2, action: "created", subject: "user", subject_id, effect_on: "", details: "{}" },
      created_at: 1,
    })
  for (const name of SEQUENCES)
    db.prepare("insert into sequences (name, value) values (?, 9) on conflict do update set value = 9").run(name)
  return db
}

/** The academy without triggers or references, so that nothing follows a falsification. */
function unguarded(): DatabaseSync {
  const db = academy()
  db.exec("pragma foreign_keys = off")
  db.exec("pragma ignore_check_constraints = on")
  for (const { name, type } of databaseObjects) if (type === "trigger") db.exec(`drop trigger ${name}`)
  return db
}

/** Falsified values of columns that are limited, not counted, by `table.column`. */
const LIMITS: Record<string, string> = {
  "enrollments.percent": "update enrollments set percent = 50",
  "enrollments.status": "update enrollments set status = 'In Progress', completed_at = 0",
  "enrollments.started_at": "update enrollments set started_at = 0",
  "enrollments.completed_at": "update enrollments set completed_at = 0",
  "enrollments.last_accessed_at": "update enrollments set last_accessed_at = 1",
  "enrollments.time_spent": "update enrollments set time_spent = 1",
  "learning_path_enrollments.percent": "update learning_path_enrollments set percent = 50",
  "learning_path_enrollments.status": "update learning_path_enrollments set status = 'In Progress', completed_at = 0",
  "learning_path_enrollments.started_at": "update learning_path_enrollments set started_at = 0",
  "learning_path_enrollments.completed_at": "update learning_path_enrollments set completed_at = 0",
  "assignment_rules.next_run_at": "update assignment_rules set next_run_at = -1",
  "assignment_queue.user_id": "update assignment_queue set user_id = 99",
  "assignment_queue.changes": "update assignment_queue set changes = 0",
  "user_scores.login_points": "update user_scores set login_points = 1, points = points + 1",
  "external_ids.object_id": "update external_ids set object_id = 99 where object = 'group'",
  "events.id": "delete from events where id = 2",
  "events.occurred_at": "update events set occurred_at = 1 where id = 2",
  "sequences.value": "update sequences set value = 0 where name = 'enrollments'",
  "quiz_questions.category_id": `insert into categories (id, name, type, created_at, updated_at, deleted_at)
    values (2, 'Gone', 'question', 1, 1, 1);
    insert into quiz_questions (id, module_id, position, type, text, points, answers, category_id)
    values (1, 1, 1, 'single', '', 1, '[]', 2)`,
  "course_categories.category_id": "update categories set deleted_at = 1",
  "module_categories.category_id": "insert into module_categories (module_id, category_id) values (1, 1)",
  "user_categories.category_id": "insert into user_categories (user_id, category_id) values (1, 1)",
  "submissions.status": "update submissions set status = 'Submitted'",
  "api_key_names.name": "update api_key_names set name = 'Other'",
  "audit_people.user_id": "update audit_people set user_id = 9 where log_id = 1",
  "audit_people.log_id": "update audit_people set log_id = 9 where log_id = 1",
}

/** The reported inconsistencies of the table. */
const offenses = (db: DatabaseSync, beginning: string) =>
  findInconsistencies(db).filter((line) => line.startsWith(beginning))

describe("a consistent database", () => {
  it("has no offenses", () => {
    assert.deepEqual(findInconsistencies(academy()), [])
  })

  it("has none after its users were deleted: the counts of their days stay", () => {
    const db = academy()
    db.exec("pragma foreign_keys = on; delete from classes; delete from users where id = 1")
    assert.deepEqual(findInconsistencies(db), [])
    assert.deepEqual({ ...db.prepare("select sum(enrolled) as enrolled from course_days").get() }, { enrolled: 1 })
  })
})

describe("a derived value that is wrong is found", () => {
  for (const { table, columns } of derivedColumns)
    for (const column of columns)
      it(`${table}.${column}`, () => {
        const db = unguarded()
        const isText = db.prepare(`select typeof(${column}) as type from ${table} limit 1`).get()?.type === "text"
        const { changes } = db
          .prepare(`update ${table} set ${column} = ${isText ? `${column} || 'x'` : `${column} + 1`}`)
          .run()
        assert.ok(changes > 0, "the academy has a row of it")
        assert.ok(offenses(db, `${table} (`).length > 0, findInconsistencies(db).join("\n"))
      })
})

describe("a derived row that is missing or too many is found", () => {
  const tables = derivedColumns.filter(({ key }) => key[0] !== "id" || key.length > 1).map(({ table }) => table)
  for (const table of tables)
    if (table !== "group_course_seats")
      it(table, () => {
        const db = unguarded()
        db.exec(`delete from ${table}`)
        assert.ok(offenses(db, `${table} (`).length > 0)
      })
})

describe("a value beyond its limits is found", () => {
  for (const { table, columns } of limitedColumns)
    for (const column of columns)
      it(`${table}.${column}`, () => {
        const db = unguarded()
        db.exec(LIMITS[`${table}.${column}`] ?? "select 'no falsification'")
        assert.ok(offenses(db, `${table} (`).length > 0, findInconsistencies(db).join("\n"))
      })
})

describe("other damage is found", () => {
  const damages: [string, string, string][] = [
    [
      "a counter that is one too low",
      "update enrollment_counts set completed = 0 where audience = 'group:1'",
      "a counter",
    ],
    [
      "a counter without rows",
      `insert into enrollment_counts (audience, course_id, not_started, in_progress, completed)
       values ('group:9', 1, 2, 0, 0)`,
      "a counter",
    ],
    ["a total of due dates that is one too low", "update due_counts set completed_on_time = 0", "a counter"],
    ["a day on which less is counted than happened", "update course_days set started = 0", "an aggregate"],
    ["a day that is missing", "delete from course_days", "an aggregate"],
    ["one learner too many in a module", "update module_counts set completed = 2", "an aggregate"],
    ["a score that no attempt earned", "insert into quiz_scores values (1, 1, 100, 1, 1)", "an aggregate"],
    ["a score that is not counted", "delete from quiz_scores", "an aggregate"],
    ["a reference to a missing row", "update enrollments set group_id = 7", "a reference to a missing row"],
    ["a row missing from the search", "delete from users_search where rowid = 1", "users_search"],
    ["a text that the search does not have", "update courses set search_text = 'parsers'", "courses_search"],
    ["a gap in the audit log", "delete from audit_logs where id = 1", "numbers of the audit log"],
  ]
  for (const [name, damage, offense] of damages)
    it(name, () => {
      const db = unguarded()
      db.exec(damage)
      assert.ok(offenses(db, offense).length > 0, findInconsistencies(db).join("\n"))
    })
})

describe("every column that a trigger writes", () => {
  const known = new Set([
    ...[...derivedColumns, ...limitedColumns].flatMap(({ table, columns }) =>
      columns.map((column) => `${table}.${column}`),
    ),
    ...Object.keys(NOT_DERIVED),
    ...audienceCounters.flatMap(({ counters: into, counts }) =>
      Object.keys(counts).map((column) => `${getTableName(into)}.${column}`),
    ),
    ...reportAggregates.flatMap(({ table: into, counts }) => counts.map(({ name }) => `${getTableName(into)}.${name}`)),
  ])
  const isKnown = (table: string, column: string) =>
    known.has(`${table}.${column}`) || known.has(`${table}.*`) || table.endsWith("_search")
  // A table that consists of its key is recounted as a whole.
  const tables = new Set([...derivedColumns.map(({ table }) => table), ...[...known].map((one) => one.split(".")[0])])

  it("is counted again, limited, or listed with the reason why it cannot be", () => {
    const unknown = new Set<string>()
    for (const { type, sql } of databaseObjects) {
      if (type !== "trigger") continue
      for (const [, table = "", assignments = ""] of sql.matchAll(
        /UPDATE (\w+) SET([\s\S]*?)(?=\n\s*(?:FROM|WHERE)|WHERE)/g,
      ))
        for (const [, column = ""] of assignments.matchAll(/(?:^|,)\s*(\w+) =/g))
          if (!isKnown(table, column)) unknown.add(`${table}.${column}`)
      for (const [, table = ""] of sql.matchAll(/(?:INSERT(?: OR \w+)? INTO|DELETE FROM) (\w+)/g))
        if (!tables.has(table) && !table.endsWith("_search")) unknown.add(table)
    }
    assert.deepEqual([...unknown], [])
  })
})

describe("triggers", () => {
  const triggers = databaseObjects.filter(({ type }) => type === "trigger")
  const events = new Set(eventTriggers.map(({ name }) => name))
  const kindOf = ({ name, sql }: (typeof triggers)[number]) =>
    events.has(name) ? "event" : sql.includes("RAISE(") ? "refusal" : "derived"

  it("keep derived data, write events and refuse mistakes", () => {
    const counts = Object.entries(Object.groupBy(triggers, kindOf)).map(([kind, of]) => [kind, of?.length])
    assert.deepEqual(Object.fromEntries(counts), { derived: 260, refusal: 30, event: 76 })
  })

  it("run no business process: src/modules/progress and src/modules/gamification do", () => {
    const process = [
      new RegExp(
        "(INSERT INTO|DELETE FROM) " +
          "(activities|gamification_awards|certificates|enrollments|module_statuses|submissions)\\b",
      ),
      new RegExp(
        "UPDATE (activities|gamification_awards|certificates|submissions|class_enrollments|quiz_attempts) " +
          "SET[^;]*[\\s,](verb|status) =",
      ),
      new RegExp(
        "UPDATE (enrollments|module_statuses|learning_path_enrollments) " +
          "SET(?:(?!WHERE)[^;])*[\\s,](status|percent|done|(?!updated)\\w+ed_at) =",
      ),
    ]
    const runs = (sql: string) => process.some((statement) => statement.test(sql))
    assert.deepEqual(
      triggers.filter(({ sql }) => runs(sql)).map(({ name }) => name),
      [],
    )
    assert.ok(runs("INSERT INTO gamification_awards (user_id) VALUES (1)"))
    assert.ok(runs("UPDATE enrollments SET done = 1, status = 'Completed' WHERE id = new.id"))
  })
})
