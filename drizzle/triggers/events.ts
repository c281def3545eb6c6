import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { announcements } from "../schema/announcements.ts"
import { certificates } from "../schema/certificates.ts"
import { classEnrollments } from "../schema/classes.ts"
import { enrollments } from "../schema/enrollments.ts"
import { erasures } from "../schema/erasures.ts"
import type { EventType } from "../schema/events.ts"
import { exportJobs } from "../schema/exports.ts"
import { orders } from "../schema/orders.ts"
import { quizAttempts } from "../schema/quizzes.ts"
import { submissions } from "../schema/submissions.ts"
import { users } from "../schema/users.ts"
import { ClassStatus } from "../statuses.ts"
import { type Declared, trigger } from "./declare.ts"

// What other systems are told of (docs/adr/0011). Whatever makes a row, or brings it into a state, tells of it
// in its own batch: a single call, a bulk upload, a learning path, a quiz. A statement that leaves a row as it was
// tells of nothing. What an event holds: src/modules/webhooks/events.schemas.ts.

/** An event of one type: its data's members, as SQL over `new`. */
interface Told {
  type: EventType
  data: Record<string, string>
}

/** Milliseconds by the database's clock, and never before the event before. */
const MOMENT = `max(
      CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0))`

const object = (members: Record<string, string>) =>
  `json_object(${Object.entries(members)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(", ")})`

/** @param which the condition that it happened */
const tell = ({ type, data }: Told, which = "true") => `
    INSERT INTO events (type, occurred_at, data)
    SELECT '${type}', ${MOMENT},
      ${object(data)}
    WHERE ${which}`

/**
 * The triggers that tell of a table's rows: when one is made, and when it comes into a state, at once or by an update.
 * @param by the states' column
 */
function told(on: SQLiteTable, made: Told[], by?: AnySQLiteColumn, states: Record<string, Told> = {}): Declared[] {
  const name = getTableName(on)
  const reached = Object.entries(states).map(([state, event]) => tell(event, `new.${by?.name} = '${state}'`))
  const all = Object.keys(states).map((state) => `'${state}'`)
  const inserted = [...made.map((event) => tell(event)), ...reached]
  return [
    // In one trigger: what is made is told of before the state that it was made in.
    trigger(`${name}_told`, { on, after: "insert" }, ...inserted),
    ...(by
      ? [
          trigger(
            `${name}_${by.name}_told`,
            {
              on,
              after: "update",
              of: [by],
              if: `old.${by.name} <> new.${by.name} AND new.${by.name} IN (${all.join(", ")})`,
            },
            ...reached,
          ),
        ]
      : []),
  ]
}

/** ISO 8601 in UTC, of a time that every row has. */
const time = (at: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${at} / 1000.0, 'unixepoch')`
/** The same, where 0 stands for none. */
const timeOrNone = (at: string) => `iif(${at} > 0, ${time(at)}, NULL)`
/** One row of a table; null where there is none. */
const one = (table: string, members: Record<string, string>, which: string) =>
  `json((SELECT ${object(members)} FROM ${table} WHERE ${which}))`

const named = (table: string, id: string) => one(table, { id: "id", name: "name" }, `id = ${id}`)
const userOf = (id: string) =>
  one("users", { id: "id", name: "trim(first_name || ' ' || last_name)", email: "email" }, `id = ${id}`)

const user = userOf("new.user_id")
const course = named("courses", "new.course_id")

const registration = { registrationId: "new.id", user, course }
const assignment = {
  submissionId: "new.id",
  registrationId: "new.enrollment_id",
  user,
  course,
  assignment: named("modules", "new.module_id"),
  number: "new.number",
  submittedAt: time("new.submitted_at"),
}
const evaluated = { ...assignment, pointsAwarded: "new.points_awarded", evaluatedAt: timeOrNone("new.evaluated_at") }
const order = {
  orderId: "new.id",
  user,
  status: "new.status",
  // In minor units: whoever reads the event makes the amount of it.
  total: "new.total",
  currency: "new.currency",
  items: `json((SELECT json_group_array(${object({
    type: "value ->> '$.type'",
    id: "value ->> '$.id'",
    name: "value ->> '$.name'",
    quantity: "value ->> '$.quantity'",
  })}) FROM json_each(new.items)))`,
}
const placed = {
  registrationId: "new.id",
  user,
  course: named("courses", "(SELECT course_id FROM classes WHERE id = new.class_id)"),
  class: one("classes", { id: "id", startAt: time("start_at"), endAt: time("end_at") }, "id = new.class_id"),
  registeredAt: time("new.registered_at"),
}

export const eventTriggers: Declared[] = [
  ...told(users, [
    {
      type: "user.created",
      data: {
        user: object({
          id: "new.id",
          name: "trim(new.first_name || ' ' || new.last_name)",
          email: "new.email",
          firstName: "new.first_name",
          lastName: "new.last_name",
          userType: "new.user_type",
        }),
      },
    },
  ]),
  // Its id alone: whoever keeps data of the person finds them by it.
  ...told(erasures, [{ type: "user.erased", data: { user: object({ id: "new.user_id" }) } }]),
  ...told(
    enrollments,
    [
      {
        type: "enrollment.created",
        data: {
          ...registration,
          groupId: "new.group_id",
          enrolledBy: "new.enrolled_by",
          registeredAt: time("new.registered_at"),
        },
      },
    ],
    enrollments.status,
    {
      Completed: {
        type: "enrollment.completed",
        data: { ...registration, completedAt: timeOrNone("new.completed_at") },
      },
    },
  ),
  ...told(quizAttempts, [], quizAttempts.status, {
    Completed: {
      type: "quiz.submitted",
      data: {
        attemptId: "new.id",
        registrationId: "new.enrollment_id",
        user,
        course,
        quiz: named("modules", "new.module_id"),
        number: "new.number",
        result: "new.result",
        score: "new.score",
        outOf: "new.out_of",
        percent: "new.percent",
        submittedAt: timeOrNone("new.completed_at"),
      },
    },
  }),
  ...told(submissions, [{ type: "assignment.submitted", data: assignment }], submissions.status, {
    Accepted: { type: "assignment.evaluated", data: evaluated },
    Returned: { type: "assignment.rejected", data: evaluated },
  }),
  ...told(orders, [{ type: "order.created", data: order }], orders.status, {
    pending: { type: "order.pending", data: order },
    failed: { type: "order.failed", data: order },
    refunded: { type: "order.refused", data: order },
  }),
  ...told(announcements, [
    {
      type: "announcement.created",
      data: {
        announcement: object({ id: "new.id", heading: "new.heading" }),
        sendingRules: "new.sending_rules",
        author: userOf("new.author_id"),
        expiresAt: timeOrNone("new.expires_at"),
      },
    },
  ]),
  ...told(certificates, [
    {
      type: "certificate.issued",
      data: {
        certificate: object({ id: "new.id", code: "new.code" }),
        user,
        course: object({ id: "new.course_id", name: "new.course_name" }),
        registrationId: "new.enrollment_id",
        classRegistrationId: "new.class_enrollment_id",
        issuedAt: time("new.issued_at"),
        expiresAt: timeOrNone("new.expires_at"),
      },
    },
  ]),
  ...told(classEnrollments, [{ type: "class.enrolled", data: placed }]),
  // Whoever had cancelled and is enrolled again keeps the row.
  trigger(
    "class_enrollments_again_told",
    {
      on: classEnrollments,
      after: "update",
      of: [classEnrollments.status],
      if: `old.status = '${ClassStatus.Cancelled}' AND new.status <> '${ClassStatus.Cancelled}'`,
    },
    tell({ type: "class.enrolled", data: placed }),
  ),
  ...told(exportJobs, [], exportJobs.status, {
    completed: {
      type: "export.completed",
      data: {
        exportId: "new.id",
        kind: "new.kind",
        filename: "new.filename",
        user: userOf("new.caller_id"),
        expiresAt: time("new.expires_at"),
      },
    },
  }),
]
