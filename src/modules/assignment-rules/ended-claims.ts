import { type SQL, sql } from "drizzle-orm"
import {
  assignmentClaims,
  assignmentMembers,
  assignmentPathClaims,
  type ON_LEAVE,
} from "../../../drizzle/schema/assignment-rules.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { learningPathEnrollments } from "../../../drizzle/schema/learning-paths.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { idList, literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { unenrollFromPathsStatements } from "../enrollments/path-enrollments.queries.ts"
import { unenrollStatements } from "../enrollments/unenrollment.queries.ts"
import { applyClaims } from "../progress/set-due-dates.ts"

// What ends when people leave a rule, or a rule no longer assigns a course.

type OnLeave = (typeof ON_LEAVE)[number]

interface Ending {
  /** The rules whose claims end. */
  ruleIds: number[]
  /** A query of the ids of the people whose claims end. */
  userIds: SQL
  /** Conditions on the claims that end, besides the rules and the people. */
  courses?: SQL
  paths?: SQL
  onLeave: OnLeave
}

type ClaimTable = typeof assignmentClaims | typeof assignmentPathClaims

const targetOf = (table: ClaimTable) =>
  table === assignmentClaims ? assignmentClaims.courseId : assignmentPathClaims.learningPathId

/** The statements that end the claims of one kind before they are deleted. */
function endingOf(table: ClaimTable, { ruleIds, userIds }: Ending, further: SQL) {
  const target = targetOf(table)
  const rules = idList(ruleIds)
  const which = sql`${table.ruleId} in ${rules} and ${table.userId} in (${userIds}) and ${further}`
  const created = sql`${table.enrolled} and ${which}`
  const name = sql.raw(table === assignmentClaims ? "course_id" : "learning_path_id")
  return {
    which,
    /** The condition that a user and a target were enrolled by a rule, and no other rule requires them. */
    isLast: (userId: SQL, targetId: SQL) => sql`(${userId}, ${targetId}) in (
      select ${table.userId}, ${target} from ${table}
      where ${created} and not exists (
        select 1 from ${table} as other
        where other.user_id = ${table.userId} and other.${name} = ${target} and other.rule_id not in ${rules}
      )
    )`,
    /** The other rules of the same enrollments: a rule created them. */
    isInherited: sql`${table.ruleId} not in ${rules} and not ${table.enrolled} and (${table.userId}, ${target}) in (
      select ${table.userId}, ${target} from ${table} where ${created}
    )`,
  }
}

const isRemovable = (onLeave: OnLeave, status: SQL) =>
  onLeave === "remove"
    ? sql`${status} <> ${literal(EnrollmentStatus.Completed)}`
    : sql`${status} = ${literal(EnrollmentStatus.NotStarted)}`

/**
 * Ends claims. Enrollments that a rule created and that no other rule requires are handled as `onLeave` says; completed
 * ones always stay.
 */
export function endClaims(work: UnitOfWork, ending: Ending): Statement[] {
  const { db } = work
  const { ruleIds, userIds, onLeave, courses = sql`1`, paths = sql`1` } = ending
  const ofCourses = endingOf(assignmentClaims, ending, courses)
  const ofPaths = endingOf(assignmentPathClaims, ending, paths)
  const removes = onLeave !== "keep"
  const removed = sql`${ofCourses.isLast(sql`${enrollments.userId}`, sql`${enrollments.courseId}`)}
    and ${isRemovable(onLeave, sql`${enrollments.status}`)}`
  const removedPaths = sql`${ofPaths.isLast(
    sql`${learningPathEnrollments.userId}`,
    sql`${learningPathEnrollments.learningPathId}`,
  )} and ${isRemovable(onLeave, sql`${learningPathEnrollments.status}`)}`
  return [
    ...(removes ? [...unenrollFromPathsStatements(work, removedPaths), ...unenrollStatements(work, removed)] : []),
    db.update(assignmentClaims).set({ enrolled: true }).where(ofCourses.isInherited),
    db.update(assignmentPathClaims).set({ enrolled: true }).where(ofPaths.isInherited),
    db.delete(assignmentClaims).where(ofCourses.which),
    db.delete(assignmentPathClaims).where(ofPaths.which),
    ...applyClaims(work, sql`${enrollments.userId} in (${userIds}) and ${enrollments.dueRuleId} in ${idList(ruleIds)}`),
  ]
}

/** Ends everything that rules assign to members. @param which a condition on the members */
export const endMemberships = (work: UnitOfWork, ruleIds: number[], which: SQL, onLeave: OnLeave): Statement[] => [
  ...endClaims(work, {
    ruleIds,
    userIds: sql`select ${assignmentMembers.userId} from ${assignmentMembers} where ${which}`,
    onLeave,
  }),
  work.db.delete(assignmentMembers).where(which),
]
