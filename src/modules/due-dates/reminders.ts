import { type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, overdueDigests, reminders } from "../../../drizzle/schema/enrollments.ts"
import { supervisorScope } from "../../../drizzle/schema/groups.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { fullNameIn, idList, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { notifyStatements } from "../notifications/notify.ts"

/** A reminder of an enrollment for a day. */
export interface SentReminder {
  id: number
  cycle: number
  /** Days since 1970. */
  day: number
  isOverdue: boolean
  /** Whether supervisors get a copy. */
  isCopied: boolean
}

/** The enrollments of values, with their courses. */
const fromValues = (rows: { id: number }[]) => sql`
  from ${rowList(rows)} as given
  join ${enrollments} on ${enrollments.id} = given.value ->> '$.id'
  join ${courses} on ${courses.id} = ${enrollments.courseId}`

const isUnsent = sql`not ${rowExists(
  reminders,
  sql`${reminders.enrollmentId} = given.value ->> '$.id' and ${reminders.cycle} = given.value ->> '$.cycle'
    and ${reminders.day} = given.value ->> '$.day'`,
)}`

const learnerPath = sql`'/console/learning/' || ${enrollments.courseId} || '/' || ${enrollments.id}`
const courseAndDate = sql`'course', ${courses.name}, 'due_date', ${enrollments.dueAt}`

/** A query of the learners of enrollments, for `notifyStatements`. */
export const learnersOf = (rows: { id: number }[], variables: SQL, where = sql`true`): SQL => sql`
  select ${enrollments.userId} as user_id, json_object('course', ${courses.name}, ${variables}) as variables,
    ${learnerPath} as path, null as dedupe
  ${fromValues(rows)} where ${where}`

/** The supervisors of the learners of enrollments. */
const supervisorsOf = (rows: SentReminder[]): SQL => sql`
  select ${supervisorScope.supervisorId} as user_id,
    json_object('learner', ${fullNameIn()}, ${courseAndDate}, 'registration', ${enrollments.id}) as variables,
    '/console/users/' || ${enrollments.userId} as path, null as dedupe
  ${fromValues(rows)}
  join ${users} on ${users.id} = ${enrollments.userId}
  join ${supervisorScope} on ${supervisorScope.userId} = ${enrollments.userId}
  where ${isUnsent}`

/** Sends reminders, each once: those that were sent for the same day are left out. */
export function reminderStatements(work: UnitOfWork, sent: SentReminder[]): Statement[] {
  if (sent.length === 0) return []
  // The mail is withdrawn if the training is no longer due then when it is sent.
  const dueDate = sql`'due_date', ${enrollments.dueAt}, 'registration', ${enrollments.id}`
  const notify = (kind: "due_soon" | "overdue", rows: SentReminder[]) =>
    rows.length > 0 ? notifyStatements(work, kind, learnersOf(rows, dueDate, isUnsent)) : []
  const copied = sent.filter((one) => one.isCopied)
  return [
    ...notify(
      "due_soon",
      sent.filter((one) => !one.isOverdue),
    ),
    ...notify(
      "overdue",
      sent.filter((one) => one.isOverdue),
    ),
    ...(copied.length > 0 ? notifyStatements(work, "team_overdue", supervisorsOf(copied)) : []),
    insertFrom(
      work.db,
      reminders,
      {
        enrollmentId: enrollments.id,
        cycle: jsonField("cycle"),
        day: jsonField("day"),
        sentAt: now(),
      },
      sql`from ${rowList(sent)} join ${enrollments} on ${enrollments.id} = ${jsonField("id")} where true`,
    ).onConflictDoNothing(),
  ]
}

/** Plans the weekly digest of the supervisors of overdue learners. */
export const planDigests = ({ db }: UnitOfWork, enrollmentIds: number[]): Statement[] =>
  enrollmentIds.length === 0
    ? []
    : [
        insertFrom(
          db,
          overdueDigests,
          { supervisorId: supervisorScope.supervisorId, sendAt: 0 },
          sql`from ${supervisorScope}
            where ${supervisorScope.userId} in (
              select ${enrollments.userId} from ${enrollments} where ${enrollments.id} in ${idList(enrollmentIds)}
            )
            group by ${supervisorScope.supervisorId}`,
        ).onConflictDoNothing(),
      ]
