import { type SQL, sql } from "drizzle-orm"
import {
  assignmentClaims,
  assignmentMembers,
  assignmentPathClaims,
  assignmentRules,
} from "../../../drizzle/schema/assignment-rules.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { rawStatement } from "../../db/select.ts"
import { idList, insertedAfter, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { seatsTaken, selectGroupSeats } from "../courses/seats.ts"
import { auditEnrollments, defaultExpiry, IS_ENROLLED, NAME_KEYS } from "../enrollments/enrollments.queries.ts"
import { auditPathEnrollments, IS_IN_PATH } from "../enrollments/path-enrollments.queries.ts"
import { onEnrolled } from "../progress/course-progress.ts"
import { onPathsProgressed } from "../progress/path-progress.ts"
import { applyClaims } from "../progress/set-due-dates.ts"
import type { Rule } from "./assigned-people.ts"
import { isMovable } from "./assigned-people.ts"
import { endClaims } from "./ended-claims.ts"
import { coursesOfRule, pathsOfRule } from "./rule-scope.ts"

// The statements that give people what a rule assigns. They compute what is missing, so running them again changes
// nothing.

/** Ids for new enrollments: `count` after `afterId`. */
interface NewIds {
  afterId: number
  count: number
}

/** Draws ids for the enrollments in courses and paths that people lack. @param which a condition on `users` */
export function drawIds(work: UnitOfWork, ruleId: number, which: SQL) {
  const missing = (table: typeof courses | typeof learningPaths, targets: SQL, isEnrolled: SQL) =>
    sql`(
      select count(*) from ${users} cross join ${table}
      where ${which} and ${table.id} in (${targets}) and not ${isEnrolled}
    )`
  const inCourses = missing(courses, coursesOfRule(ruleId), IS_ENROLLED)
  const inPaths = missing(learningPaths, pathsOfRule(ruleId), rowExists(learningPathEnrollments, IS_IN_PATH))
  const statements = [
    rawStatement<{ courses: number; paths: number }>(
      work.db,
      sql`select ${inCourses} as "courses", ${inPaths} as "paths"`,
    ),
    work.nextIds("enrollments", inCourses, sql`wanted.count > 0`),
    work.nextIds("learning_path_enrollments", inPaths, sql`wanted.count > 0`),
  ] as const
  const newIds = (drawn: { last: number } | undefined, count = 0): NewIds | undefined =>
    drawn && count > 0 ? { afterId: drawn.last - count, count } : undefined
  return {
    statements,
    read: (
      [counts]: { courses: number; paths: number }[],
      [course]: { last: number }[],
      [path]: { last: number }[],
    ) => ({
      enrollments: newIds(course, counts?.courses),
      paths: newIds(path, counts?.paths),
    }),
  }
}

/** The free seats of the row's course, for everyone and for the group whose seats the rule uses. */
const seatsLeft = (groupId: number | null) => sql`min(
  iif(${courses.totalSeats} > 0, ${courses.totalSeats} - ${seatsTaken}, 9e15),
  coalesce(
    ${selectGroupSeats(groupCourseSeats.totalSeats, groupId ?? 0)}
      - ${selectGroupSeats(groupCourseSeats.usedSeats, groupId ?? 0)},
    9e15
  )
)`

function enrollMissing(work: UnitOfWork, rule: Rule, userIds: number[], { afterId, count }: NewIds, at: number) {
  const { db, caller } = work
  const inserted = insertedAfter(enrollments.id, afterId, count)
  // Seats go to the users with the lowest ids.
  const wanted = sql`(
    select ${courses.id} as course_id, ${users.id} as user_id,
      row_number() over (partition by ${courses.id} order by ${users.id}) as place
    from ${courses} cross join ${users}
    where ${courses.id} in (${coursesOfRule(rule.id)}) and ${users.id} in ${idList(userIds)} and not ${IS_ENROLLED}
  ) as wanted`
  return [
    insertFrom(
      db,
      enrollments,
      {
        id: sql`${afterId} + row_number() over (order by ${courses.id}, ${users.id})`,
        userId: users.id,
        courseId: courses.id,
        groupId: rule.groupId,
        enrolledBy: caller.id,
        registeredAt: at,
        expiresAt: defaultExpiry(sql`${at}`),
        ...NAME_KEYS,
      },
      sql`
        from ${wanted}
        join ${courses} on ${courses.id} = wanted.course_id
        join ${users} on ${users.id} = wanted.user_id
        where wanted.place <= ${seatsLeft(rule.groupId)}
        order by ${courses.id}, ${users.id}
        limit ${count}`,
    ),
    ...onEnrolled(work, inserted, { started: false, completed: false }),
    auditEnrollments(work, "created", inserted),
  ]
}

function enrollInMissingPaths(work: UnitOfWork, rule: Rule, userIds: number[], ids: NewIds, at: number): Statement[] {
  const { db } = work
  const { afterId, count } = ids
  const inserted = insertedAfter(learningPathEnrollments.id, afterId, count)
  return [
    insertFrom(
      db,
      learningPathEnrollments,
      {
        id: sql`${afterId} + row_number() over (order by ${learningPaths.id}, ${users.id})`,
        userId: users.id,
        learningPathId: learningPaths.id,
        status: EnrollmentStatus.NotStarted,
        percent: 0,
        completedCourses: 0,
        certificateCount: 0,
        registeredAt: at,
        startedAt: 0,
        completedAt: 0,
      },
      sql`
        from ${learningPaths} cross join ${users}
        where ${learningPaths.id} in (${pathsOfRule(rule.id)}) and ${users.id} in ${idList(userIds)}
          and not ${rowExists(learningPathEnrollments, IS_IN_PATH)}
        order by ${learningPaths.id}, ${users.id}
        limit ${count}`,
    ),
    ...onPathsProgressed(db, inserted),
    auditPathEnrollments(work, "created", inserted),
  ]
}

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
 * @param people whom the rule matches, with their due date
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
    ...(ids.enrollments ? enrollMissing(work, rule, userIds, ids.enrollments, at) : []),
    ...(ids.paths ? enrollInMissingPaths(work, rule, userIds, ids.paths, at) : []),
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
  ]
}
