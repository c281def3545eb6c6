import { MODULE_ID_LIMIT, percentOf, statusRowIdIn } from "../rules.ts"
import { DueStatus, EnrollmentStatus, ModuleStatus, valuesOf } from "../statuses.ts"
import {
  choice,
  courseOf,
  described,
  field,
  integer,
  moduleOf,
  nullable,
  pathOf,
  text,
  time,
  timeOrNull,
  userOf,
} from "./fields.ts"
import { eventObject, type TriggerRow } from "./object.ts"

const { Completed, InProgress, NotStarted } = EnrollmentStatus
const user = userOf("row.user_id")
const progress = {
  status: choice(valuesOf(EnrollmentStatus), "status"),
  percent: integer("percent"),
  registeredAt: time("registered_at"),
  startedAt: timeOrNull("started_at"),
  completedAt: timeOrNull("completed_at"),
}
const completes = `old.status <> '${Completed}' AND new.status = '${Completed}'`
const becomes = (status: DueStatus) => `old.due_status <> '${status}' AND new.due_status = '${status}'`
/** The extension is written before the new due date. */
const IS_EXTENDED = `old.due_at <> new.due_at AND EXISTS (
      SELECT 1 FROM due_date_changes AS extension
      WHERE extension.user_id = new.user_id AND extension.course_id = new.course_id
        AND extension.cycle = new.cycle AND extension.kind = 'extension' AND extension.until = new.due_at
    )`
/** Whether the user still exists: their deletion also deletes what belongs to them. */
export const USER_EXISTS = "EXISTS (SELECT 1 FROM users WHERE id = old.user_id)"

/** The enrollment changes in no column that writes events, except its percent. */
const ONLY_PERCENT_CHANGES = "status started_at completed_at expires_at expired_at due_at due_status cycle"
  .split(" ")
  .map((column) => `old.${column} = new.${column}`)
  .join(" AND ")

/** The newest event says that completing a module changes the percent of the enrollment from its current value. */
const IS_ANNOUNCED = `EXISTS (
    SELECT 1 FROM events
    WHERE id = (SELECT max(id) FROM events) AND type = 'module.completed'
      AND object_id / ${MODULE_ID_LIMIT} = new.id AND previous_percent = old.percent
  )`

export const enrollmentEvents = eventObject({
  name: "Enrollment",
  table: "enrollments",
  fields: {
    id: described(integer("id"), "The registrationId"),
    user,
    course: courseOf("row.course_id"),
    ...progress,
    expiresAt: timeOrNull("expires_at"),
    groupId: described(nullable(integer("group_id")), "The group whose seat it takes"),
    enrolledBy: described(nullable(integer("enrolled_by")), "The id of the user who enrolled them"),
    dueAt: timeOrNull("due_at"),
    dueStatus: choice(valuesOf(DueStatus), "due_status"),
    cycle: described(integer("cycle"), "The number of the current cycle of a recurring training"),
    updatedAt: time("updated_at"),
  },
  userId: "user_id",
  courseId: "course_id",
  previous: ["status", "percent", "startedAt", "completedAt", "expiresAt", "dueAt", "dueStatus", "cycle"],
  watched: ["expired_at"],
  updatedIf: `NOT (${ONLY_PERCENT_CHANGES} AND ${IS_ANNOUNCED})`,
  parent: USER_EXISTS,
  types: {
    "enrollment.created": { meaning: "A user was enrolled in a course", insert: true },
    "enrollment.completed": {
      meaning: "A user completed a course",
      insert: `new.status = '${Completed}'`,
      update: completes,
    },
    "enrollment.cycle_started": {
      meaning: "The next cycle of a recurring training began: the enrollment and its modules are Not Started again",
      update: "new.cycle > old.cycle",
    },
    "enrollment.reset": {
      meaning: "An enrollment was reset: it and its modules are Not Started again",
      update: `old.status <> '${NotStarted}' AND new.status = '${NotStarted}'`,
    },
    "enrollment.started": { meaning: "A user started a course", update: "old.started_at = 0 AND new.started_at > 0" },
    "enrollment.exempted": {
      meaning: "A user was exempted from completing a course in this cycle",
      update: becomes(DueStatus.Exempt),
    },
    "enrollment.extended": { meaning: "The due date of an enrollment was extended", update: IS_EXTENDED },
    "enrollment.due_soon": { meaning: "An enrollment became due soon", update: becomes(DueStatus.DueSoon) },
    "enrollment.overdue": { meaning: "An enrollment became overdue", update: becomes(DueStatus.Overdue) },
    "enrollment.expired": {
      meaning: "A user lost access to a course because the enrollment expired",
      update: "old.expired_at = 0 AND new.expired_at > 0",
    },
    "enrollment.updated": {
      meaning: "The percent, the expiry or the due date of an enrollment changed",
      update: true,
    },
    "enrollment.removed": {
      meaning: "An enrollment was removed, with its module statuses",
      delete: true,
      onlyIds: true,
    },
  },
})

const ofEnrollment = (column: string) => (row: TriggerRow) =>
  `(SELECT ${column} FROM enrollments WHERE id = ${row}.enrollment_id)`

/**
 * The percent of a started enrollment that completing the module changes without completing the course; else null. The
 * statement that then updates the enrollment writes no event of its own, unless others were written in between. If one
 * statement completes several modules of an enrollment, all of them have the percent before the first.
 */
const percentBefore = (row: TriggerRow) => `(
    SELECT enrollment.percent
    FROM enrollments AS enrollment
      JOIN course_modules AS part ON part.course_id = enrollment.course_id AND part.module_id = ${row}.module_id
      JOIN courses ON courses.id = enrollment.course_id
    WHERE enrollment.id = ${row}.enrollment_id AND enrollment.status = '${InProgress}' AND part.counts
      AND enrollment.done + 1 < courses.goal
      AND ${percentOf("enrollment.percent", "enrollment.done + 1", "courses.goal")} > enrollment.percent
  )`

export const moduleEvents = eventObject({
  name: "Module",
  table: "module_statuses",
  from: `FROM module_statuses AS row JOIN enrollments AS enrollment ON enrollment.id = row.enrollment_id
    WHERE row.enrollment_id = events.object_id / ${MODULE_ID_LIMIT}
      AND row.module_id = events.object_id % ${MODULE_ID_LIMIT}`,
  fields: {
    id: described(field(integer("id").schema, statusRowIdIn("row.enrollment_id", "row.module_id")), "The statusRowId"),
    registrationId: integer("enrollment_id"),
    user: userOf("enrollment.user_id"),
    course: courseOf("enrollment.course_id"),
    module: moduleOf("row.module_id"),
    status: choice(valuesOf(ModuleStatus), "status"),
    percent: integer("percent"),
    pointsAwarded: nullable(integer("points_awarded")),
    startedAt: timeOrNull("started_at"),
    completedAt: timeOrNull("completed_at"),
  },
  objectId: (row) => statusRowIdIn(`${row}.enrollment_id`, `${row}.module_id`),
  userId: ofEnrollment("user_id"),
  courseId: ofEnrollment("course_id"),
  previous: ["status"],
  previousPercent: percentBefore,
  types: {
    "module.completed": {
      meaning: "A user completed a module of a course",
      insert: `new.status = '${ModuleStatus.Completed}'`,
      update: `new.status = '${ModuleStatus.Completed}'`,
    },
  },
})

export const pathEvents = eventObject({
  name: "LearningPath",
  table: "learning_paths",
  fields: {
    id: integer("id"),
    name: text("name"),
    slug: text("slug"),
    type: text("type"),
    createdAt: time("created_at"),
  },
  previous: ["name", "slug", "type"],
  watched: ["version"],
  types: {
    "learning_path.created": { meaning: "A learning path was created", insert: true },
    "learning_path.updated": { meaning: "A learning path or its courses changed", update: true },
    "learning_path.deleted": { meaning: "A learning path was deleted", delete: true, onlyIds: true },
  },
})

export const pathEnrollmentEvents = eventObject({
  name: "LearningPathEnrollment",
  table: "learning_path_enrollments",
  fields: {
    id: integer("id"),
    user,
    learningPath: pathOf("row.learning_path_id"),
    ...progress,
  },
  userId: "user_id",
  previous: ["status"],
  parent: USER_EXISTS,
  types: {
    "learning_path.enrolled": { meaning: "A user was enrolled in a learning path", insert: true },
    "learning_path.completed": {
      meaning: "A user completed a learning path",
      insert: `new.status = '${Completed}'`,
      update: completes,
    },
    "learning_path.reset": {
      meaning: "A user's completion of a learning path was taken back",
      update: `old.status = '${Completed}' AND new.status <> '${Completed}'`,
    },
    "learning_path.removed": {
      meaning: "A user's enrollment in a learning path was removed",
      delete: true,
      onlyIds: true,
    },
  },
})
