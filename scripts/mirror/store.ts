// The copy of an academy in SQLite, outside the service.
import { DatabaseSync, type SQLInputValue } from "node:sqlite"

/** The tables with their columns. The first `key` columns identify a row. */
const TABLES = {
  users: { key: 1, columns: ["id", "firstName", "lastName", "email", "userType", "disabled"] },
  groups: { key: 1, columns: ["id", "name"] },
  group_members: { key: 2, columns: ["groupId", "userId"] },
  group_admins: { key: 2, columns: ["groupId", "userId"] },
  portals: { key: 1, columns: ["id", "name", "slug", "status"] },
  portal_members: { key: 2, columns: ["portalId", "userId"] },
  portal_admins: { key: 2, columns: ["portalId", "userId"] },
  courses: { key: 1, columns: ["id", "name", "slug", "status"] },
  enrollments: {
    key: 1,
    columns: [
      ...["id", "userId", "courseId", "status", "percent"],
      ...["registeredAt", "startedAt", "completedAt", "expiresAt"],
    ],
  },
  course_modules: { key: 2, columns: ["courseId", "moduleId"] },
  /** Completed modules: the start of a module and its progress are not events. */
  modules: { key: 2, columns: ["registrationId", "moduleId", "completedAt"] },
  classes: {
    key: 1,
    columns: ["id", "courseId", "type", "startTime", "endTime", "timeZone", "disabled", "instructor"],
  },
  class_enrollments: { key: 1, columns: ["id", "classId", "userId", "status", "registeredAt"] },
  certificates: { key: 1, columns: ["id", "userId", "courseId", "courseName", "issuedAt", "expiresAt"] },
  orders: { key: 1, columns: ["id", "userId", "status", "total", "currency"] },
} as const

/** The service keeps what people completed in a module that a course no longer has, and lists it if it comes back. */
const IS_IN_COURSE = `exists (
  select 1 from enrollments join course_modules on course_modules.courseId = enrollments.courseId
  where enrollments.id = modules.registrationId and course_modules.moduleId = modules.moduleId
)`

export type Table = keyof typeof TABLES
export const tables = Object.keys(TABLES) as Table[]
export type Row = Record<string, unknown>

const toValue = (value: unknown): SQLInputValue => {
  if (typeof value === "boolean") return Number(value)
  return value === undefined ? null : (value as SQLInputValue)
}

export class Store {
  private readonly db = new DatabaseSync(":memory:")

  constructor() {
    for (const table of tables) {
      const { key, columns } = TABLES[table]
      this.db.exec(`create table ${table} (${columns.join(", ")}, primary key (${columns.slice(0, key).join(", ")}))`)
    }
  }

  /** Inserts a row, or replaces the one with its key. Fields without a column are ignored. */
  put(table: Table, row: Row): void {
    const { columns } = TABLES[table]
    this.db
      .prepare(`insert or replace into ${table} values (${columns.map(() => "?").join(", ")})`)
      .run(...columns.map((name) => toValue(row[name])))
  }

  /** Deletes the rows with these values. */
  remove(table: Table, values: Row): void {
    const names = Object.keys(values)
    this.db
      .prepare(`delete from ${table} where ${names.map((name) => `${name} = ?`).join(" and ")}`)
      .run(...names.map((name) => toValue(values[name])))
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.db.prepare(sql).all(...values)
  }

  rows(table: Table): Row[] {
    const { key, columns } = TABLES[table]
    const condition = table === "modules" ? IS_IN_COURSE : "true"
    return this.all(`select * from ${table} where ${condition} order by ${columns.slice(0, key).join(", ")}`)
  }

  count(table: Table): number {
    return Number(this.all(`select count(*) as count from ${table}`)[0]?.count)
  }
}

/** The rows of a table that differ, as lines. */
export function differences(table: Table, copy: Store, service: Store): string[] {
  const { key, columns } = TABLES[table]
  const keyOf = (row: Row) => columns.slice(0, key).map((name) => row[name])
  const byKey = (store: Store) => new Map(store.rows(table).map((row) => [String(keyOf(row)), row]))
  const [copied, actual] = [byKey(copy), byKey(service)]
  return [...new Set([...copied.keys(), ...actual.keys()])].flatMap((id) => {
    const [mine, theirs] = [copied.get(id), actual.get(id)]
    if (!theirs) return [`${table} ${id} was deleted: ${JSON.stringify(mine)}`]
    if (!mine) return [`${table} ${id} is missing: ${JSON.stringify(theirs)}`]
    const changed = columns.filter((name) => mine[name] !== theirs[name])
    if (changed.length === 0) return []
    const fields = changed.map(
      (name) => `${name} is ${JSON.stringify(mine[name])}, not ${JSON.stringify(theirs[name])}`,
    )
    return [`${table} ${id}: ${fields.join("; ")}`]
  })
}
