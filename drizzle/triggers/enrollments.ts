import { pointsAwardedIn, pointsPossibleIn } from "../rules.ts"
import { NEXT_UPDATED_AT } from "../schema/columns.ts"
import { courses } from "../schema/courses.ts"
import { activities, dueCounts, enrollmentCounts, enrollments, moduleStatuses } from "../schema/enrollments.ts"
import { DueStatus, EnrollmentStatus, ModuleStatus } from "../statuses.ts"
import { type AudienceCounter, audienceCounterTriggers, countsStatus } from "./audience-counters.ts"
import { decrement, increment, trigger } from "./declare.ts"
import { NAME_KEYS, userColumnCopies } from "./user-column-copies.ts"

const pointsUpdate = (row: "old" | "new") => `
    UPDATE enrollments SET
      points_awarded = ${pointsAwardedIn("enrollments")},
      points_possible = ${pointsPossibleIn("enrollments")}
    WHERE id = ${row}.enrollment_id`

/**
 * Moves the enrollment's `updated_at`, unless the module becomes completed and counts: the statements that record the
 * progress move it then.
 */
const pointsDated = (isProgress: string) => `
    UPDATE enrollments SET updated_at = ${NEXT_UPDATED_AT}
    WHERE id = new.enrollment_id AND NOT (${isProgress} AND EXISTS (
      SELECT 1 FROM course_modules AS part
      WHERE part.course_id = enrollments.course_id AND part.module_id = new.module_id AND part.counts
    ))`
const IS_COMPLETED = `new.status = '${ModuleStatus.Completed}'`

const countsDueStatus = {
  on_track: countsStatus(enrollments.dueStatus, DueStatus.OnTrack),
  due_soon: countsStatus(enrollments.dueStatus, DueStatus.DueSoon),
  overdue: countsStatus(enrollments.dueStatus, DueStatus.Overdue),
  completed_on_time: countsStatus(enrollments.dueStatus, DueStatus.Completed),
  completed_late: countsStatus(enrollments.dueStatus, DueStatus.CompletedLate),
  exempt: countsStatus(enrollments.dueStatus, DueStatus.Exempt),
}

/** Counts enrollments by status. */
export const enrollmentCounter: AudienceCounter = {
  counters: enrollmentCounts,
  source: enrollments,
  scope: [enrollmentCounts.courseId],
  counts: {
    not_started: countsStatus(enrollments.status, EnrollmentStatus.NotStarted),
    in_progress: countsStatus(enrollments.status, EnrollmentStatus.InProgress),
    completed: countsStatus(enrollments.status, EnrollmentStatus.Completed),
    ...countsDueStatus,
  },
  watched: [enrollments.status, enrollments.dueStatus],
}

/** Counts enrollments with a due date over all courses, so that those of a team are one row. */
export const dueCounter: AudienceCounter = {
  counters: dueCounts,
  source: enrollments,
  scope: [],
  counts: countsDueStatus,
  condition: (row) => `${row}due_status <> '${DueStatus.NoDueDate}'`,
  watched: [enrollments.dueStatus],
  label: "due",
}

export const learningTriggers = [
  ...audienceCounterTriggers(enrollmentCounter, {
    inserted: [
      `
        UPDATE group_course_seats SET used_seats = used_seats + 1
        WHERE group_id = new.group_id AND course_id = new.course_id`,
    ],
    deleted: [
      `
        UPDATE group_course_seats SET used_seats = used_seats - 1
        WHERE group_id = old.group_id AND course_id = old.course_id`,
    ],
  }),
  ...audienceCounterTriggers(dueCounter),
  ...userColumnCopies(enrollments, NAME_KEYS),
  trigger(
    "activities_course_deleted",
    { on: courses, before: "delete" },
    "UPDATE activities SET course_name = old.name WHERE course_id = old.id",
  ),
  trigger("activities_inserted", { on: activities, after: "insert" }, increment("'activities:verb:' || new.verb")),
  trigger("activities_deleted", { on: activities, after: "delete" }, decrement("'activities:verb:' || old.verb")),
]

/** The points of an enrollment. When the points of a module change, a job recounts them (recount.background.ts). */
export const pointTriggers = [
  trigger(
    "enrollments_points_added",
    { on: moduleStatuses, after: "insert", if: "new.points_awarded IS NOT NULL" },
    pointsUpdate("new"),
    pointsDated(IS_COMPLETED),
  ),
  trigger(
    "enrollments_points_changed",
    {
      on: moduleStatuses,
      after: "update",
      of: [moduleStatuses.pointsAwarded],
      if: "old.points_awarded IS NOT new.points_awarded",
    },
    pointsUpdate("new"),
  ),
  // A reset moves it by itself.
  trigger(
    "enrollments_points_dated",
    {
      on: moduleStatuses,
      after: "update",
      of: [moduleStatuses.pointsAwarded],
      if: `old.points_awarded IS NOT new.points_awarded AND new.status <> '${ModuleStatus.NotStarted}'`,
    },
    pointsDated(`old.status <> new.status AND ${IS_COMPLETED}`),
  ),
  trigger(
    "enrollments_points_removed",
    { on: moduleStatuses, after: "delete", if: "old.points_awarded IS NOT NULL" },
    pointsUpdate("old"),
  ),
]
