import { z } from "@hono/zod-openapi"
import { ClassStatus, SessionAttendance, valuesOf } from "../statuses.ts"
import {
  boolean,
  choice,
  classOf,
  courseOf,
  described,
  externalIdsOf,
  field,
  integer,
  nullable,
  text,
  time,
  userOf,
} from "./fields.ts"
import { eventObject, type TriggerRow } from "./object.ts"

const { Attended, Cancelled, NoShow } = ClassStatus

export const classEvents = eventObject({
  name: "Class",
  table: "classes",
  fields: {
    id: integer("id"),
    course: courseOf("row.course_id"),
    type: text("type"),
    disabled: described(boolean("disabled"), "A canceled class is disabled"),
    instructor: nullable(userOf("row.instructor_id")),
    instructorId: integer("instructor_id"),
    locationId: nullable(integer("location_id")),
    timeZone: text("time_zone"),
    startAt: time("start_at"),
    endAt: time("end_at"),
    sessionCount: integer("session_count"),
    externalIds: externalIdsOf("class"),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  courseId: "course_id",
  previous: ["type", "disabled", "instructorId", "locationId", "timeZone", "startAt", "endAt", "sessionCount"],
  watched: ["course_id", "recurrence", "version"],
  types: {
    "class.created": { meaning: "A class was created", insert: true },
    "class.canceled": { meaning: "A class was disabled", update: "NOT old.disabled AND new.disabled" },
    "class.moved": {
      meaning: "The time of a class changed",
      update: `(old.start_at, old.end_at, old.session_count, old.time_zone)
        <> (new.start_at, new.end_at, new.session_count, new.time_zone) OR old.recurrence IS NOT new.recurrence`,
    },
    "class.updated": { meaning: "Another field of a class changed", update: true },
    "class.deleted": { meaning: "A class was deleted", delete: true, onlyIds: true },
  },
})

const courseId = (row: TriggerRow) => `(SELECT course_id FROM classes WHERE id = ${row}.class_id)`
const reaches = (status: string) => `old.status <> '${status}' AND new.status = '${status}'`

export const classEnrollmentEvents = eventObject({
  name: "ClassEnrollment",
  table: "class_enrollments",
  fields: {
    id: described(integer("id"), "The registrationId of the class operations"),
    user: userOf("row.user_id"),
    course: courseOf("(SELECT course_id FROM classes WHERE id = row.class_id)"),
    class: classOf("row.class_id"),
    status: choice(valuesOf(ClassStatus), "status"),
    attendance: described(
      nullable(field(z.record(z.string(), z.enum(valuesOf(SessionAttendance))), "json(row.attendance)")),
      "The attendance by day of the session; null: the status applies to all sessions",
    ),
    groupId: described(nullable(integer("group_id")), "The group whose seat it takes"),
    enrolledBy: described(nullable(integer("enrolled_by")), "The id of the user who enrolled them"),
    registeredAt: time("registered_at"),
  },
  userId: "user_id",
  courseId,
  previous: ["status"],
  watched: ["attendance"],
  parent:
    "EXISTS (SELECT 1 FROM classes WHERE id = old.class_id) AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id)",
  types: {
    // A user who canceled and enrolls again keeps the row.
    "class_enrollment.created": {
      meaning: "A user was enrolled in a class",
      insert: true,
      update: `old.status = '${Cancelled}' AND new.status = '${ClassStatus.Registered}'`,
    },
    "class_enrollment.canceled": { meaning: "A user's seat in a class was canceled", update: reaches(Cancelled) },
    "class_enrollment.attended": { meaning: "A user attended a class", update: reaches(Attended) },
    "class_enrollment.no_show": { meaning: "A user did not come to a class", update: reaches(NoShow) },
    "class_enrollment.updated": {
      meaning: "A user's attendance in a session changed, or was taken back",
      update: true,
    },
    "class_enrollment.removed": { meaning: "A user was removed from a class", delete: true, onlyIds: true },
  },
})
