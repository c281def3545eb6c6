import { type SQL, sql } from "drizzle-orm"
import {
  assignmentClaims,
  assignmentMembers,
  assignmentPathClaims,
  assignmentRules,
} from "../../../drizzle/schema/assignment-rules.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { idList, insertedAfter, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { enrollInMissingPaths, enrollMissing, type NewIds } from "../enrollments/missing-enrollments.ts"
import { notifyStatements } from "../notifications/notify.ts"
import { applyClaims } from "../progress/set-due-dates.ts"
import type { Rule } from "./assigned-people.ts"
import { isMovable } from "./assigned-people.ts"
import { endClaims } from "./ended-claims.ts"
import { coursesOfRule, pathsOfRule } from "./rule-scope.ts"

// The statements that give people what a rule assigns. They compute what is missing, so running them again changes
// nothing.

/** What a rule wants of users. @param which a condition on `users` */
export const wantedEnrollments = (ruleId: number, which: SQL) => ({
  users: which,
  courses: coursesOfRule(ruleId),
  paths: pathsOfRule(ruleId),
})

/** Whether a rule created the enrollment: this batch, or the rule of another claim. */
const wasCreated = (table: "assignment_claims" | "assignment_path_claims", target: SQL, isInserted: SQL) => {
  const column = sql.raw(table === "assignment_claims" ? "course_id" : "learning_path_id")
  return sql`(${isInserted} or exists (
    select 1 from ${sql.raw(table)} as other
    where other.user_id = ${users.id} and other.${column} = ${target} and other.enrolled
  ))`
}

/**
 * Gives people what the rule assigns.
 * @param people that the rule matches, with their due date
 * @param options.rescheduled whether the reminders of the rule may have changed
 */
export function assignPeople(
  work: UnitOfWork,
  rule: Rule,
  people: { id: number; dueAt: number }[],
  ids: { enrollments?: NewIds | undefined; paths?: NewIds | undefined },
  { at, rescheduled = false }: { at: number; rescheduled?: boolean },
): Statement[] {
  const { db } = work
  const { id: ruleId } = rule
  const userIds = people.map(({ id }) => id)
  const wanted = { ...wantedEnrollments(ruleId, sql`${users.id} in ${idList(userIds)}`), groupId: rule.groupId, at }
  const rows = rowList(people.map(({ id, dueAt }) => ({ id, dueAt })))
  const enrolled = sql`${enrollments.userId} = ${users.id} and ${enrollments.courseId} = ${courses.id}`
  const insertedCourse = ids.enrollments
    ? rowExists(
        enrollments,
        sql`${enrolled} and ${insertedAfter(enrollments.id, ids.enrollments.afterId, ids.enrollments.count)}`,
      )
    : sql`0`
  const inPath = sql`${learningPathEnrollments.userId} = ${users.id}
    and ${learningPathEnrollments.learningPathId} = ${learningPaths.id}`
  const insertedPath = ids.paths
    ? rowExists(
        learningPathEnrollments,
        sql`${inPath} and ${insertedAfter(learningPathEnrollments.id, ids.paths.afterId, ids.paths.count)}`,
      )
    : sql`0`
  const claimedDueAt = sql`iif(
    ${isMovable(sql`assignment_claims.user_id`, sql`assignment_claims.course_id`)},
    excluded.due_at,
    assignment_claims.due_at
  )`
  const ofPeople = sql`select ${jsonField("id")} from ${rows}`
  return [
    work.guard(
      rowExists(
        assignmentRules,
        sql`${assignmentRules.id} = ${ruleId} and ${assignmentRules.version} = ${rule.version}
          and ${assignmentRules.active}`,
      ),
    ),
    // What the rule no longer assigns.
    ...endClaims(work, {
      ruleIds: [ruleId],
      userIds: ofPeople,
      courses: sql`${assignmentClaims.courseId} not in (${coursesOfRule(ruleId)})`,
      paths: sql`${assignmentPathClaims.learningPathId} not in (${pathsOfRule(ruleId)})`,
      onLeave: rule.onLeave,
    }),
    insertFrom(
      db,
      assignmentMembers,
      { ruleId, userId: users.id, assignedAt: at },
      sql`from ${users} where ${users.id} in ${idList(userIds)}`,
    ).onConflictDoNothing(),
    ...(ids.enrollments ? enrollMissing(work, wanted, ids.enrollments) : []),
    ...(ids.paths ? enrollInMissingPaths(work, wanted, ids.paths) : []),
    insertFrom(
      db,
      assignmentClaims,
      {
        userId: users.id,
        courseId: courses.id,
        ruleId,
        dueAt: jsonField("dueAt"),
        enrolled: wasCreated("assignment_claims", sql`${courses.id}`, insertedCourse),
        pending: sql`not ${rowExists(enrollments, enrolled)}`,
      },
      sql`
        from ${rows}
        join ${users} on ${users.id} = ${jsonField("id")}
        cross join ${courses}
        where ${courses.id} in (${coursesOfRule(ruleId)})`,
    ).onConflictDoUpdate({
      target: [assignmentClaims.userId, assignmentClaims.courseId, assignmentClaims.ruleId],
      set: {
        dueAt: claimedDueAt,
        enrolled: sql`max(assignment_claims.enrolled, excluded.enrolled)`,
        pending: sql`excluded.pending`,
      },
      setWhere: sql`assignment_claims.due_at <> ${claimedDueAt}
        or assignment_claims.enrolled < excluded.enrolled
        or assignment_claims.pending <> excluded.pending`,
    }),
    insertFrom(
      db,
      assignmentPathClaims,
      {
        userId: users.id,
        learningPathId: learningPaths.id,
        ruleId,
        enrolled: wasCreated("assignment_path_claims", sql`${learningPaths.id}`, insertedPath),
      },
      sql`
        from ${users} cross join ${learningPaths}
        where ${users.id} in ${idList(userIds)} and ${learningPaths.id} in (${pathsOfRule(ruleId)})`,
    ).onConflictDoUpdate({
      target: [assignmentPathClaims.userId, assignmentPathClaims.learningPathId, assignmentPathClaims.ruleId],
      set: { enrolled: true },
      setWhere: sql`assignment_path_claims.enrolled < excluded.enrolled`,
    }),
    ...applyClaims(
      work,
      sql`${enrollments.userId} in ${idList(userIds)} and ${enrollments.courseId} in (${coursesOfRule(ruleId)})`,
      { rescheduled },
    ),
    ...(ids.enrollments ? notifyEnrolled(work, ids.enrollments) : []),
  ]
}

/** Tells people in which courses the batch enrolled them, and when these are due. */
const notifyEnrolled = (work: UnitOfWork, { afterId, count }: NewIds): Statement[] =>
  notifyStatements(
    work,
    "enrolled",
    sql`
      select ${enrollments.userId} as user_id,
        json_patch(
          json_object('course', ${courses.name}),
          iif(${enrollments.dueAt} > 0, json_object('due_date', ${enrollments.dueAt}), '{}')
        ) as variables,
        '/console/learning/' || ${enrollments.courseId} || '/' || ${enrollments.id} as path, null as dedupe
      from ${enrollments} join ${courses} on ${courses.id} = ${enrollments.courseId}
      where ${insertedAfter(enrollments.id, afterId, count)}`,
  )
