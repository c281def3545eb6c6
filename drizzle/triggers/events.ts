import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { announcements } from "../schema/announcements.ts"
import { certificates } from "../schema/certificates.ts"
import { classEnrollments } from "../schema/classes.ts"
import { enrollments } from "../schema/enrollments.ts"
import { erasures } from "../schema/erasures.ts"
import { type EventType, eventDefinitions } from "../schema/event-definitions.ts"
import { exportJobs } from "../schema/exports.ts"
import { orders } from "../schema/orders.ts"
import { quizAttempts } from "../schema/quizzes.ts"
import { submissions } from "../schema/submissions.ts"
import { users } from "../schema/users.ts"
import { ClassStatus } from "../statuses.ts"
import { type DatabaseObject, trigger } from "./declare.ts"

// An event is written when a row is created or reaches a status, regardless of what changed it. An update that keeps
// the status writes no event. The payloads are in drizzle/schema/event-definitions.ts.

/** The database's time in milliseconds, and never before the previous event. */
const NOW = `max(
      CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0))`

const insertEvent = (type: EventType, condition = "true") => `
    INSERT INTO events (type, occurred_at, data)
    SELECT '${type}', ${NOW},
      ${eventDefinitions[type].sql}
    WHERE ${condition}`

const onInsert = (table: SQLiteTable, ...statements: string[]): DatabaseObject =>
  trigger(`${getTableName(table)}_created_event`, { on: table, after: "insert" }, ...statements)

/** Writes an event when a row reaches a status: by an update, or because it is created with it. */
function onStatus(
  table: SQLiteTable,
  column: AnySQLiteColumn,
  types: Record<string, EventType>,
  ...created: string[]
): DatabaseObject[] {
  const { name } = column
  const statements = Object.entries(types).map(([status, type]) => insertEvent(type, `new.${name} = '${status}'`))
  const statuses = Object.keys(types).map((status) => `'${status}'`)
  const changed = `old.${name} <> new.${name} AND new.${name} IN (${statuses.join(", ")})`
  return [
    // One trigger for both, so that the event of the creation comes first.
    onInsert(table, ...created, ...statements),
    trigger(
      `${getTableName(table)}_${name}_event`,
      { on: table, after: "update", of: [column], if: changed },
      ...statements,
    ),
  ]
}

export const eventTriggers: DatabaseObject[] = [
  onInsert(users, insertEvent("user.created")),
  onInsert(erasures, insertEvent("user.erased")),
  ...onStatus(
    enrollments,
    enrollments.status,
    { Completed: "enrollment.completed" },
    insertEvent("enrollment.created"),
  ),
  ...onStatus(quizAttempts, quizAttempts.status, { Completed: "quiz.submitted" }),
  ...onStatus(
    submissions,
    submissions.status,
    { Accepted: "assignment.evaluated", Returned: "assignment.rejected" },
    insertEvent("assignment.submitted"),
  ),
  ...onStatus(
    orders,
    orders.status,
    { pending: "order.pending", failed: "order.failed", refunded: "order.refused" },
    insertEvent("order.created"),
  ),
  onInsert(announcements, insertEvent("announcement.created")),
  onInsert(certificates, insertEvent("certificate.issued")),
  onInsert(classEnrollments, insertEvent("class.enrolled")),
  // A user who canceled and enrolls again keeps the row.
  trigger(
    "class_enrollments_reenrolled_event",
    {
      on: classEnrollments,
      after: "update",
      of: [classEnrollments.status],
      if: `old.status = '${ClassStatus.Cancelled}' AND new.status <> '${ClassStatus.Cancelled}'`,
    },
    insertEvent("class.enrolled"),
  ),
  ...onStatus(exportJobs, exportJobs.status, { completed: "export.completed" }),
]
