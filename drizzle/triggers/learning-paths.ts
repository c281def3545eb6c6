import { pathProgress, pathStanding, standsElsewhere } from "../rules.ts"
import { courses } from "../schema/courses.ts"
import { enrollments } from "../schema/enrollments.ts"
import { learningPathCourses, learningPaths } from "../schema/learning-paths.ts"
import { changed, searched, trigger } from "./declare.ts"

// A path's sums follow its courses; a path registration follows the user's registrations in them.

/** What a path sums up of its courses. */
const SUMS = ["estimated_minutes", "rating_sum", "rating_count"]

const summed = (sign: "+" | "-", row: "old" | "new") => `
    UPDATE learning_paths SET
      course_count = course_count ${sign} 1,
      ${SUMS.map((name) => `${name} = learning_paths.${name} ${sign} courses.${name}`).join(",\n      ")}
    FROM courses
    WHERE courses.id = ${row}.course_id AND learning_paths.id = ${row}.learning_path_id`

/** Path registrations of the user whose course registration changed, in the paths that have the course. */
const followed = (row: "old" | "new", standing: ReturnType<typeof pathStanding>) => `
    UPDATE learning_path_enrollments SET
      ${Object.entries(standing)
        .map(([column, value]) => `${column} = ${value}`)
        .join(",\n      ")}
    FROM (${pathProgress(
      `learning_path_courses AS changed
        JOIN learning_path_enrollments AS own
          ON own.user_id = ${row}.user_id AND own.learning_path_id = changed.learning_path_id`,
      `changed.course_id = ${row}.course_id`,
    )}
    ) AS progress
    WHERE learning_path_enrollments.id = progress.id AND ${standsElsewhere(standing)}`

const undone = "old.status = 'Completed' AND new.status <> 'Completed'"

export const learningPathTriggers = [
  ...searched(learningPaths, { by: [learningPaths.type] }),
  trigger("learning_path_courses_inserted", { on: learningPathCourses, after: "insert" }, summed("+", "new")),
  trigger("learning_path_courses_deleted", { on: learningPathCourses, after: "delete" }, summed("-", "old")),
  trigger(
    "learning_paths_course_changed",
    {
      on: courses,
      after: "update",
      of: [courses.estimatedMinutes, courses.ratingSum, courses.ratingCount],
      if: changed(courses.estimatedMinutes, courses.ratingSum, courses.ratingCount),
    },
    `
    UPDATE learning_paths SET
      ${SUMS.map((name) => `${name} = ${name} + new.${name} - old.${name}`).join(",\n      ")}
    WHERE id IN (SELECT learning_path_id FROM learning_path_courses WHERE course_id = new.id)`,
  ),
  trigger(
    "learning_paths_course_begun",
    { on: enrollments, after: "insert", if: "new.status <> 'Not Started'" },
    followed("new", pathStanding({})),
  ),
  trigger(
    "learning_paths_course_moved",
    {
      on: enrollments,
      after: "update",
      of: [enrollments.status, enrollments.certificateCount],
      if: changed(enrollments.status, enrollments.certificateCount),
    },
    followed("new", pathStanding({ undone, reset: "old.status <> new.status", kept: "old.status = new.status" })),
  ),
  trigger(
    "learning_paths_course_ended",
    { on: enrollments, after: "delete", if: "old.status <> 'Not Started' OR old.certificate_count > 0" },
    followed(
      "old",
      pathStanding({
        undone: "old.status = 'Completed'",
        reset: "old.status <> 'Not Started'",
        kept: "old.status = 'Not Started'",
      }),
    ),
  ),
]
