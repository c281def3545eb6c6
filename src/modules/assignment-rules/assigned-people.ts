import { type SQL, sql } from "drizzle-orm"
import {
  assignmentClaims,
  assignmentMembers,
  assignmentPathClaims,
  type assignmentRules,
} from "../../../drizzle/schema/assignment-rules.ts"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { learningPathEnrollments } from "../../../drizzle/schema/learning-paths.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { matchesAudience } from "../../access/audience-condition.ts"
import type { Database } from "../../db/client.ts"
import { rawStatement } from "../../db/select.ts"
import { literal, rowExists } from "../../db/sql.ts"
import type { Bindings } from "../../env.ts"
import { academyZone } from "../../lib/text/zones.ts"
import { personTimeZone } from "../progress/cycles.ts"
import { dueDate } from "../progress/due-dates.ts"
import { audienceOfRule, coursesOfRule, pathsOfRule } from "./rule-scope.ts"

// The people that a rule concerns, and what it would change for them.

export type Rule = typeof assignmentRules.$inferSelect

/** The rows written per person: a member, and for each course and path the enrollment with its consequences. */
export const WEIGHT = { person: 12, course: 70, path: 25 }

/** The rows written for the courses and paths of one person. */
export const weightOfTargets = (ruleId: number): SQL => sql`(
  ${WEIGHT.course} * (select count(*) from (${coursesOfRule(ruleId)}))
  + ${WEIGHT.path} * (select count(*) from (${pathsOfRule(ruleId)}))
)`

/** The condition that a row of `users` is assigned already. */
const isMember = (ruleId: number): SQL =>
  rowExists(
    assignmentMembers,
    sql`${assignmentMembers.ruleId} = ${ruleId} and ${assignmentMembers.userId} = ${users.id}`,
  )

/** The condition that a row of `users` lacks something that the rule requires, or has something that it does not. */
export function needsChange(ruleId: number): SQL {
  const courses = coursesOfRule(ruleId)
  const paths = pathsOfRule(ruleId)
  const claimsOf = (table: typeof assignmentClaims | typeof assignmentPathClaims, further: SQL) =>
    rowExists(table, sql`${table.userId} = ${users.id} and ${table.ruleId} = ${ruleId} and ${further}`)
  const without = (targets: SQL, test: SQL) => sql`exists (select 1 from (${targets}) as target where not ${test})`
  return sql`(
    not ${isMember(ruleId)}
    or ${without(
      courses,
      rowExists(
        sql`${assignmentClaims} join ${enrollments} on ${enrollments.userId} = ${assignmentClaims.userId}
          and ${enrollments.courseId} = ${assignmentClaims.courseId}`,
        sql`${assignmentClaims.userId} = ${users.id} and ${assignmentClaims.courseId} = target.id
          and ${assignmentClaims.ruleId} = ${ruleId} and not ${assignmentClaims.pending}
          and (${assignmentClaims.dueAt} = 0 or ${enrollments.dueAt} > 0)`,
      ),
    )}
    or ${without(
      paths,
      rowExists(
        sql`${assignmentPathClaims} join ${learningPathEnrollments}
          on ${learningPathEnrollments.userId} = ${assignmentPathClaims.userId}
          and ${learningPathEnrollments.learningPathId} = ${assignmentPathClaims.learningPathId}`,
        sql`${assignmentPathClaims.userId} = ${users.id} and ${assignmentPathClaims.learningPathId} = target.id
          and ${assignmentPathClaims.ruleId} = ${ruleId}`,
      ),
    )}
    or ${claimsOf(assignmentClaims, sql`${assignmentClaims.courseId} not in (${courses})`)}
    or ${claimsOf(assignmentPathClaims, sql`${assignmentPathClaims.learningPathId} not in (${paths})`)}
  )`
}

/** A claim whose due date follows from the rule: of the first cycle, and not completed. */
export const isMovable = (userId: SQL, courseId: SQL): SQL =>
  sql`not ${rowExists(
    enrollments,
    sql`${enrollments.userId} = ${userId} and ${enrollments.courseId} = ${courseId}
      and (${enrollments.cycle} > 1 or ${enrollments.status} = ${literal(EnrollmentStatus.Completed)})`,
  )}`

interface PersonRow {
  id: number
  matches: number
  assignedAt: number | null
  zone: string | null
  fieldDate: string | null
  needsChange: number
  /** The due dates of the claims that follow from the rule, as JSON. */
  dueDates: string
  weight: number
}

/** A person with what the rule means for them. */
export interface AssignedPerson {
  id: number
  matches: boolean
  isMember: boolean
  dueAt: number
  /** Whether something must be written, and at most how many rows. */
  changes: boolean
  weight: number
}

/** The date of a row of `users` that the due date counts from; undefined: it counts from no field. */
export const fieldDateOf = (due: Rule["due"]): SQL | undefined =>
  due.type === "days" && due.from === "field"
    ? sql`(
        select ${customFieldValues.value} from ${customFieldValues}
        where ${customFieldValues.userId} = ${users.id} and ${customFieldValues.fieldId} = (
          select ${customFields.id} from ${customFields}
          where ${customFields.userMetaKey} collate nocase = ${due.field} and ${customFields.type} = 'date'
        )
      )`
    : undefined

/** Selects people for a rule. @param which a condition on `users` */
export function selectPeople(db: Database, rule: Rule, which: SQL) {
  const fieldDate = fieldDateOf(rule.due) ?? sql`null`
  return rawStatement<PersonRow>(
    db,
    sql`select ${users.id} as "id", ${matchesAudience(audienceOfRule(rule)).test} as "matches",
        ${assignmentMembers.assignedAt} as "assignedAt",
        ${personTimeZone} as "zone",
        ${fieldDate} as "fieldDate",
        ${needsChange(rule.id)} as "needsChange",
        (
          select json_group_array(${assignmentClaims.dueAt}) from ${assignmentClaims}
          where ${assignmentClaims.userId} = ${users.id} and ${assignmentClaims.ruleId} = ${rule.id}
            and ${isMovable(sql`${assignmentClaims.userId}`, sql`${assignmentClaims.courseId}`)}
        ) as "dueDates",
        ${weightOfTargets(rule.id)} as "weight"
      from ${users}
      left join ${assignmentMembers} on ${assignmentMembers.ruleId} = ${rule.id}
        and ${assignmentMembers.userId} = ${users.id}
      where ${which}`,
  )
}

/** The people as the rule sees them at a time. */
export const readPeople = (env: Bindings, rule: Rule, rows: PersonRow[], at: number): AssignedPerson[] =>
  rows.map(({ id, matches, assignedAt, zone, fieldDate, needsChange: isIncomplete, dueDates, weight }) => {
    const person = { assignedAt: assignedAt ?? at, zone: zone ?? academyZone(env), fieldDate }
    const dueAt = dueDate(rule, person)
    const moves = (JSON.parse(dueDates) as number[]).some((stored) => stored !== dueAt)
    const isAssigned = assignedAt !== null
    return {
      id,
      matches: matches === 1,
      isMember: isAssigned,
      dueAt,
      changes: matches === 1 ? isIncomplete === 1 || moves : isAssigned,
      weight: WEIGHT.person + weight,
    }
  })
