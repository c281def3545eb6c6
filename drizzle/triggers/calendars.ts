import { classEnrollments, classes } from "../schema/classes.ts"
import { DATABASE_NOW } from "../schema/columns.ts"
import { users } from "../schema/users.ts"
import { ClassStatus } from "../statuses.ts"
import { trigger } from "./declare.ts"

/** Whether the person has a calendar subscription: others cost nothing. */
const subscribed = (userId: string) => `EXISTS (SELECT 1 FROM calendar_subscriptions WHERE user_id = ${userId})`

/** Records that a class left a person's calendar. @param from a query of `classes`, which may be `old` */
const cancellation = (userId: string, row: string, from: string) => `
  INSERT INTO calendar_cancellations
    (user_id, class_id, count, version, course_name, time_zone, start_at, end_at, canceled_at)
  SELECT ${userId}, ${row}.id, 1, ${row}.version,
    coalesce((SELECT name FROM courses WHERE courses.id = ${row}.course_id), ''),
    ${row}.time_zone, ${row}.start_at,
    coalesce((SELECT min(end_at) FROM class_sessions WHERE class_id = ${row}.id), ${row}.end_at),
    ${DATABASE_NOW}
  ${from}
  ON CONFLICT (user_id, class_id) DO UPDATE SET
    count = count + 1, version = excluded.version, course_name = excluded.course_name,
    time_zone = excluded.time_zone, start_at = excluded.start_at, end_at = excluded.end_at,
    canceled_at = excluded.canceled_at`

const ofEnrollment = (row: "old" | "new") =>
  cancellation(`${row}.user_id`, "classes", `FROM classes WHERE classes.id = ${row}.class_id`)
const ofInstructor = cancellation("old.instructor_id", "old", "WHERE true")

export const calendarTriggers = [
  trigger(
    "calendar_enrollment_canceled",
    {
      on: classEnrollments,
      after: "update",
      of: [classEnrollments.status],
      if: `new.status = '${ClassStatus.Cancelled}' AND old.status <> new.status AND ${subscribed("new.user_id")}`,
    },
    ofEnrollment("new"),
  ),
  trigger(
    "calendar_enrollment_deleted",
    {
      on: classEnrollments,
      after: "delete",
      if: `old.status <> '${ClassStatus.Cancelled}' AND ${subscribed("old.user_id")}`,
    },
    ofEnrollment("old"),
  ),
  trigger(
    "calendar_instructor_changed",
    {
      on: classes,
      after: "update",
      of: [classes.instructorId],
      if: `old.instructor_id <> new.instructor_id AND ${subscribed("old.instructor_id")}`,
    },
    ofInstructor,
  ),
  trigger(
    "calendar_class_deleted",
    { on: classes, before: "delete", if: subscribed("old.instructor_id") },
    ofInstructor,
  ),
  trigger(
    "calendar_user_disabled",
    { on: users, after: "update", of: [users.disabled], if: "new.disabled AND NOT old.disabled" },
    "DELETE FROM calendar_cancellations WHERE user_id = new.id",
    "DELETE FROM calendar_subscriptions WHERE user_id = new.id",
  ),
]
