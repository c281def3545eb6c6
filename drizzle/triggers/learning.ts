import { doneIn, isDone, percentOf, pointsAwardedIn, pointsPossibleIn } from "../rules.ts"
import { courses } from "../schema/courses.ts"
import { activities, enrollments, moduleStatuses, tallies } from "../schema/enrollments.ts"
import { changed, count, trigger, uncount } from "./declare.ts"
import { NAME_KEYS, renamed } from "./renamed.ts"
import { inState, type Tally, tallied } from "./tallies.ts"

// A module's status moves its registration; a registration moves the tallies and writes the user's activities.

// A registration follows its modules. An index holds its status alone of what moves here, and an UPDATE writes every
// index that holds a column which it assigns, changed or not: so the status is assigned where it changes alone.

/**
 * What the modules of an enrollment add up to. It is counted rather than added to: after a change of the course's
 * modules an enrollment may not have been recounted yet (recount.background.ts).
 */
const progress = `(
      SELECT registration.id AS id, courses.goal AS goal, ${doneIn("registration")} AS done
      FROM enrollments AS registration JOIN courses ON courses.id = registration.course_id
      WHERE registration.id = new.enrollment_id
    ) AS progress`

const ended = isDone("progress.done", "progress.goal")
const status = `iif(enrollments.status = 'Completed' OR ${ended},
        'Completed',
        iif(new.status = 'Not Started', enrollments.status, 'In Progress'))`
const moment = (column: string) => `iif(new.${column} > 0, new.${column}, new.last_accessed_at)`

/**
 * A registration follows one of its modules into another state: first its status, where that changes, with all the
 * rest; else the rest alone.
 * @param seconds by how much the time spent changes
 */
function followed(seconds: string): string[] {
  const rest = `
      done = progress.done,
      percent = ${percentOf("enrollments.percent", "progress.done", "progress.goal")},
      last_accessed_at = max(enrollments.last_accessed_at, new.last_accessed_at),
      time_spent = enrollments.time_spent + ${seconds}`
  return [
    `
    UPDATE enrollments SET
      status = ${status},
      started_at = iif(enrollments.started_at = 0 AND new.status <> 'Not Started',
        ${moment("started_at")},
        enrollments.started_at),
      completed_at = iif(enrollments.status <> 'Completed' AND ${ended},
        ${moment("completed_at")},
        enrollments.completed_at),${rest}
    FROM ${progress}
    WHERE enrollments.id = progress.id AND enrollments.status <> ${status}`,
    // Of the statement before, not of what its triggers wrote.
    `
    UPDATE enrollments SET${rest}
    FROM ${progress}
    WHERE changes() = 0 AND enrollments.id = progress.id`,
  ]
}

const points = (row: "old" | "new") => `
    UPDATE enrollments SET
      points_awarded = ${pointsAwardedIn("enrollments")},
      points_possible = ${pointsPossibleIn("enrollments")}
    WHERE id = ${row}.enrollment_id`

/** How many of its rows are in which state, for whom. */
export const enrollmentTally: Tally = {
  into: tallies,
  of: enrollments,
  places: [tallies.courseId],
  counts: {
    not_started: inState(enrollments.status, "Not Started"),
    in_progress: inState(enrollments.status, "In Progress"),
    completed: inState(enrollments.status, "Completed"),
  },
  moved: [enrollments.status],
}

export const learningTriggers = [
  ...tallied(enrollmentTally, {
    inserted: [
      `
        UPDATE group_course_seats SET used_seats = used_seats + 1
        WHERE group_id = new.group_id AND course_id = new.course_id`,
      `
        INSERT INTO activities (user_id, verb, course_id, actor_id, created_at)
        SELECT new.user_id, happened.verb, new.course_id, nullif(happened.actor_id, new.user_id), happened.at
        FROM (
          SELECT 'ENROLLED' AS verb, new.enrolled_by AS actor_id, new.registered_at AS at
          UNION ALL SELECT 'STARTED', NULL, new.started_at WHERE new.started_at > 0
          UNION ALL SELECT 'COMPLETED', NULL, new.completed_at WHERE new.status = 'Completed'
        ) AS happened`,
    ],
    moved: [
      `
        INSERT INTO activities (user_id, verb, course_id, created_at)
        SELECT new.user_id, happened.verb, new.course_id, happened.at
        FROM (
          SELECT 'STARTED' AS verb, new.started_at AS at
            WHERE old.started_at = 0 AND new.started_at > 0
          UNION ALL SELECT 'COMPLETED', new.completed_at
            WHERE old.status <> 'Completed' AND new.status = 'Completed'
        ) AS happened`,
    ],
    deleted: [
      `
        UPDATE group_course_seats SET used_seats = used_seats - 1
        WHERE group_id = old.group_id AND course_id = old.course_id`,
    ],
  }),
  ...renamed(enrollments, NAME_KEYS),
  trigger("module_statuses_inserted", { on: moduleStatuses, after: "insert" }, ...followed("new.time_spent")),
  trigger(
    "module_statuses_moved",
    { on: moduleStatuses, after: "update", of: [moduleStatuses.status], if: changed(moduleStatuses.status) },
    ...followed("new.time_spent - old.time_spent"),
  ),
  // A heartbeat: one row, and nothing that anything follows.
  trigger(
    "module_statuses_accessed",
    {
      on: moduleStatuses,
      after: "update",
      of: [moduleStatuses.timeSpent, moduleStatuses.lastAccessedAt],
      if: `old.status = new.status AND (${changed(moduleStatuses.timeSpent, moduleStatuses.lastAccessedAt)})`,
    },
    `
    UPDATE enrollments SET
      last_accessed_at = max(last_accessed_at, new.last_accessed_at),
      time_spent = time_spent + new.time_spent - old.time_spent
    WHERE id = new.enrollment_id`,
  ),
  trigger(
    "activities_course_deleted",
    { on: courses, before: "delete" },
    "UPDATE activities SET course_name = old.name WHERE course_id = old.id",
  ),
  trigger("activities_inserted", { on: activities, after: "insert" }, count("'activities:verb:' || new.verb")),
  trigger("activities_deleted", { on: activities, after: "delete" }, uncount("'activities:verb:' || old.verb")),
]

/** The points of an enrollment. A change of what a module is worth recounts them in a job (recount.background.ts). */
export const pointTriggers = [
  trigger(
    "enrollments_points_given",
    { on: moduleStatuses, after: "insert", if: "new.points_awarded IS NOT NULL" },
    points("new"),
  ),
  trigger(
    "enrollments_points_changed",
    {
      on: moduleStatuses,
      after: "update",
      of: [moduleStatuses.pointsAwarded],
      if: "old.points_awarded IS NOT new.points_awarded",
    },
    points("new"),
  ),
  trigger(
    "enrollments_points_taken",
    { on: moduleStatuses, after: "delete", if: "old.points_awarded IS NOT NULL" },
    points("old"),
  ),
]
