// Rules that both the database's triggers and the service's own statements keep: each stands here once, as SQL text.
// None of it comes from a caller: names of columns and tables only.

import { ModuleStatus } from "./statuses.ts"

/**
 * How far a registration is, from 0 to 100; it never falls.
 * @param at the percent that it has
 * @param done how many of the course's counting modules are completed
 * @param goal how many there are
 */
export const percentOf = (at: string, done: string, goal: string) =>
  `max(${at}, min(100, coalesce((${done}) * 100 / nullif(${goal}, 0), 0)))`

/** Whether all that a course asks for is done. A course that asks for nothing is never completed. */
export const isDone = (done: string, goal: string) => `(${goal} > 0 AND ${done} >= ${goal})`

/** The states of an enrollment in modules that its course has: `state`, with the course's `part`. */
const statesOf = (enrollment: string) => `
        FROM module_statuses AS state
          JOIN course_modules AS part ON part.course_id = ${enrollment}.course_id AND part.module_id = state.module_id
        WHERE state.enrollment_id = ${enrollment}.id`

/** How many of the modules that count an enrollment has completed. @param enrollment a table name or alias */
export const doneIn = (enrollment: string) => `(
        SELECT count(*)${statesOf(enrollment)} AND state.status = '${ModuleStatus.Completed}' AND part.counts)`

/** The points awarded in an enrollment, and the points that the same modules are worth. */
export const pointsAwardedIn = (enrollment: string) => `(
        SELECT coalesce(sum(state.points_awarded), 0)${statesOf(enrollment)})`
export const pointsPossibleIn = (enrollment: string) => `(
        SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)${statesOf(enrollment)}
          AND state.points_awarded IS NOT NULL)`

/** How many module ids there is room for in a module status's id. */
export const MODULE_IDS = 4_194_304

/** A module status's id, of the columns that have its registration's and its module's. */
export const statusRowIdIn = (enrollmentId: string, moduleId: string) =>
  `(${enrollmentId} * ${MODULE_IDS} + ${moduleId})`

/** The number of groups and portals through which a supervisor sees a person. Both are expressions of user ids. */
export const waysBetween = (supervisor: string, person: string) => `(
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
