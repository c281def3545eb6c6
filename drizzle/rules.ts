// Rules shared by triggers and the service's statements, as SQL text. Only table and column names are interpolated,
// never input.

import { ModuleStatus } from "./statuses.ts"

/**
 * The progress of an enrollment, from 0 to 100, which never decreases.
 * @param at its current percentage
 * @param done the number of completed modules that count
 * @param goal the number of modules that count
 */
export const percentOf = (at: string, done: string, goal: string) =>
  `max(${at}, min(100, coalesce((${done}) * 100 / nullif(${goal}, 0), 0)))`

/** Whether all modules that count are completed. A course without any is never completed. */
export const isCourseCompleted = (done: string, goal: string) => `(${goal} > 0 AND ${done} >= ${goal})`

/** The statuses of an enrollment in its course's modules: `state`, with the course module as `part`. */
const statesOf = (enrollment: string) => `
        FROM module_statuses AS state
          JOIN course_modules AS part ON part.course_id = ${enrollment}.course_id AND part.module_id = state.module_id
        WHERE state.enrollment_id = ${enrollment}.id`

/** The number of completed modules that count. @param enrollment a table name or alias */
export const completedModulesIn = (enrollment: string) => `(
        SELECT count(*)${statesOf(enrollment)} AND state.status = '${ModuleStatus.Completed}' AND part.counts)`

/** The points awarded in an enrollment, and the possible points of the same modules. */
export const pointsAwardedIn = (enrollment: string) => `(
        SELECT coalesce(sum(state.points_awarded), 0)${statesOf(enrollment)})`
export const pointsPossibleIn = (enrollment: string) => `(
        SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)${statesOf(enrollment)}
          AND state.points_awarded IS NOT NULL)`

/** The range of module ids within the id of a module status. */
export const MODULE_ID_LIMIT = 4_194_304

/** The id of a module status, from the columns with its enrollment and module. */
export const statusRowIdIn = (enrollmentId: string, moduleId: string) =>
  `(${enrollmentId} * ${MODULE_ID_LIMIT} + ${moduleId})`

/** The number of groups and portals through which a supervisor can see a person. Both are expressions of user ids. */
export const supervisionCount = (supervisor: string, person: string) => `(
      (
        SELECT count(*) FROM group_members AS belonging
          CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
        WHERE belonging.user_id = ${person} AND leading.user_id = ${supervisor}
      ) + (
        SELECT count(*) FROM portal_members AS belonging
          CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
        WHERE belonging.user_id = ${person} AND leading.user_id = ${supervisor} AND leading.role = 'admin'
          AND leading.user_id <> belonging.user_id
      )
    )`
