import { courses } from "../schema/courses.ts"
import { enrollments } from "../schema/enrollments.ts"
import { learningPathCourses, learningPaths } from "../schema/learning-paths.ts"
import { changed, searchIndex, trigger } from "./declare.ts"

// Sums of the courses in a learning path, and of the certificates in a path enrollment.

const SUMMED_COLUMNS = ["estimated_minutes", "rating_sum", "rating_count"]

const courseSumsUpdate = (sign: "+" | "-", row: "old" | "new") => `
    UPDATE learning_paths SET
      course_count = course_count ${sign} 1,
      ${SUMMED_COLUMNS.map((name) => `${name} = learning_paths.${name} ${sign} courses.${name}`).join(",\n      ")}
    FROM courses
    WHERE courses.id = ${row}.course_id AND learning_paths.id = ${row}.learning_path_id`

export const learningPathTriggers = [
  ...searchIndex(learningPaths, { by: [learningPaths.type] }),
  trigger("learning_path_courses_inserted", { on: learningPathCourses, after: "insert" }, courseSumsUpdate("+", "new")),
  trigger("learning_path_courses_deleted", { on: learningPathCourses, after: "delete" }, courseSumsUpdate("-", "old")),
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
      ${SUMMED_COLUMNS.map((name) => `${name} = ${name} + new.${name} - old.${name}`).join(",\n      ")}
    WHERE id IN (SELECT learning_path_id FROM learning_path_courses WHERE course_id = new.id)`,
  ),
  trigger(
    "learning_paths_certificates_counted",
    {
      on: enrollments,
      after: "update",
      of: [enrollments.certificateCount],
      if: changed(enrollments.certificateCount),
    },
    `
    UPDATE learning_path_enrollments SET
      certificate_count = certificate_count + new.certificate_count - old.certificate_count
    WHERE user_id = new.user_id AND learning_path_id IN (
      SELECT learning_path_id FROM learning_path_courses WHERE course_id = new.course_id)`,
  ),
]
