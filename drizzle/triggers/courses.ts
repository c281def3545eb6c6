import { courseModules, courses } from "../schema/courses.ts"
import { modules } from "../schema/modules.ts"
import { forbid, searchIndex, trigger } from "./declare.ts"

export const courseTriggers = [
  ...searchIndex(courses, { by: [courses.status] }),
  ...searchIndex(modules, { all: false, byFixed: [modules.type] }),
  // `goal` is how many modules a learner must complete; `counts` is 1 for such a module.
  trigger(
    "course_modules_inserted",
    { on: courseModules, after: "insert" },
    `
    UPDATE courses SET
      module_count = module_count + 1,
      goal = goal + new.counts
    WHERE id = new.course_id`,
    "UPDATE modules SET course_count = course_count + 1 WHERE id = new.module_id",
  ),
  trigger(
    "course_modules_deleted",
    { on: courseModules, after: "delete" },
    `
    UPDATE courses SET
      module_count = module_count - 1,
      goal = goal - old.counts
    WHERE id = old.course_id`,
    "UPDATE modules SET course_count = course_count - 1 WHERE id = old.module_id",
  ),
  forbid(
    "course_modules_update_refused",
    { on: courseModules, before: "update" },
    "A module of a course is deleted and inserted, not updated.",
  ),
]
