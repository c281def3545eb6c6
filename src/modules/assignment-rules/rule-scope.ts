import { type SQL, sql } from "drizzle-orm"
import type { AudienceCondition, assignmentRules as rulesTable } from "../../../drizzle/schema/assignment-rules.ts"
import {
  assignmentRuleCourses,
  assignmentRulePaths,
  assignmentRules,
} from "../../../drizzle/schema/assignment-rules.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { learningPathCourses, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { administersGroup, administersPortal } from "../../access/scope.ts"
import { rowExists } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"

// Who sees which rules, what they may assign, and who they reach.

type Rule = typeof rulesTable.$inferSelect

/** The condition that the caller manages a rule: staff all, supervisors those of their groups and portals. */
export const canManageRule = (caller: Caller): SQL =>
  canSeeAllUsers(caller)
    ? sql`1`
    : sql`(
        (${assignmentRules.groupId} is not null and ${administersGroup(caller, assignmentRules.groupId)})
        or (${assignmentRules.portalId} is not null and ${administersPortal(caller, assignmentRules.portalId)})
      )`

interface Owner {
  groupId: number | null
  portalId: number | null
}

/** The people that a rule can assign: those of its audience, limited to its group or portal. */
export function audienceOfRule({ audience, groupId, portalId }: Pick<Rule, "audience"> & Owner): AudienceCondition {
  const within: AudienceCondition[] = [
    ...(groupId === null ? [] : [{ group: [groupId] }]),
    ...(portalId === null ? [] : [{ portal: [portalId] }]),
  ]
  return within.length === 0 ? audience : { all: [...within, audience] }
}

/**
 * The condition that the caller may assign the row's course: staff any; supervisors of a group those with seats for it;
 * supervisors of a portal those that learners can enroll in by themselves.
 * @param groupId the group of the rule; null: it belongs to a portal
 */
export const isAssignable = (caller: Caller, groupId: SQL): SQL =>
  canSeeAllUsers(caller)
    ? sql`1`
    : sql`iif(
        ${groupId} is null,
        ${courses.status} = 'publish' and ${courses.selfEnroll} and ${courses.enrollmentKey} is null,
        ${rowExists(
          groupCourseSeats,
          sql`${groupCourseSeats.groupId} = ${groupId} and ${groupCourseSeats.courseId} = ${courses.id}`,
        )}
      )`

/** The condition that the caller may assign the row's learning path: all its courses. */
export const isAssignablePath = (caller: Caller, groupId: SQL): SQL =>
  canSeeAllUsers(caller)
    ? sql`1`
    : sql`not exists (
        select 1 from ${learningPathCourses}
        join ${courses} on ${courses.id} = ${learningPathCourses.courseId}
        where ${learningPathCourses.learningPathId} = ${learningPaths.id} and not ${isAssignable(caller, groupId)}
      )`

/** A query of the courses that a rule assigns (`id`), those of its learning paths included. */
export const coursesOfRule = (ruleId: number): SQL => sql`
  select ${assignmentRuleCourses.courseId} as id from ${assignmentRuleCourses}
  where ${assignmentRuleCourses.ruleId} = ${ruleId}
  union
  select ${learningPathCourses.courseId}
  from ${assignmentRulePaths}
  join ${learningPathCourses} on ${learningPathCourses.learningPathId} = ${assignmentRulePaths.learningPathId}
  where ${assignmentRulePaths.ruleId} = ${ruleId}`

/** A query of the learning paths that a rule assigns (`id`). */
export const pathsOfRule = (ruleId: number): SQL => sql`
  select ${assignmentRulePaths.learningPathId} as id from ${assignmentRulePaths}
  where ${assignmentRulePaths.ruleId} = ${ruleId}`
