// Rules that triggers and statements of the service share, as SQL text. They contain only names of tables and columns,
// never input of a caller.

import { ModuleStatus } from "./statuses.ts"

/**
 * The progress of an enrollment, from 0 to 100. It never decreases.
 * @param at the current percent
 * @param done the number of required modules that are completed
 * @param goal the number of required modules
 */
export const percentOf = (at: string, done: string, goal: string) =>
  `max(${at}, min(100, coalesce((${done}) * 100 / nullif(${goal}, 0), 0)))`

/** Whether all required modules are completed. A course without required modules is never completed. */
export const isCourseCompleted = (done: string, goal: string) => `(${goal} > 0 AND ${done} >= ${goal})`

/** The module statuses of an enrollment (`state`), joined with the modules of its course (`part`). */
const statesOf = (enrollment: string) => `
        FROM module_statuses AS state
          JOIN course_modules AS part ON part.course_id = ${enrollment}.course_id AND part.module_id = state.module_id
        WHERE state.enrollment_id = ${enrollment}.id`

/** The number of required modules that an enrollment has completed. @param enrollment a table name or alias */
export const completedModulesIn = (enrollment: string) => `(
        SELECT count(*)${statesOf(enrollment)} AND state.status = '${ModuleStatus.Completed}' AND part.counts)`

/**
 * The points awarded in an enrollment, and the possible points of the same modules. The unary plus disables the index
 * of graded modules, which would read every module of the course.
 */
export const pointsAwardedIn = (enrollment: string) => `(
        SELECT coalesce(sum(state.points_awarded), 0)${statesOf(enrollment)})`
export const pointsPossibleIn = (enrollment: string) => `(
        SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)${statesOf(enrollment)}
          AND +state.points_awarded IS NOT NULL)`

/** The number of certificates of an enrollment that are not revoked. */
export const certificatesOf = (enrollment: string) => `(
        SELECT count(*) FROM certificates WHERE enrollment_id = ${enrollment}.id AND revoked_at = 0)`

/** The number of module ids that a module status id can encode. */
export const MODULE_ID_LIMIT = 4_194_304

/** The id of a module status, from the columns of its enrollment and its module. */
export const statusRowIdIn = (enrollmentId: string, moduleId: string) =>
  `(${enrollmentId} * ${MODULE_ID_LIMIT} + ${moduleId})`

/** The id of the mailing of an announcement, which sorts by the announcement's time. @param row its row */
export const announcementMailingIn = (row: string) =>
  `printf('%08x-%04x-7001-8000-%012x', ${row}.created_at >> 16, ${row}.created_at & 65535, ${row}.id)`

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
