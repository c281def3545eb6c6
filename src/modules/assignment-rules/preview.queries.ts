import { type SQL, sql } from "drizzle-orm"
import { assignmentClaims, assignmentMembers, assignmentRules } from "../../../drizzle/schema/assignment-rules.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { learningPathCourses } from "../../../drizzle/schema/learning-paths.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { NO_ONE } from "../../access/audience-condition.schema.ts"
import { checkAudience, matchesAudience } from "../../access/audience-condition.ts"
import { firstRow } from "../../db/client.ts"
import { requireExisting } from "../../db/records.ts"
import { rawStatement } from "../../db/select.ts"
import { idList, literal, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { isoTimeOrNull } from "../../lib/text/dates.ts"
import { academyZone } from "../../lib/text/zones.ts"
import { seatsLeftInCourse } from "../enrollments/missing-enrollments.ts"
import { personTimeZone } from "../progress/cycles.ts"
import { dueDate } from "../progress/due-dates.ts"
import { fieldDateOf, isMovable, type Rule } from "./assigned-people.ts"
import type { RulePreview } from "./preview.schemas.ts"
import {
  dateFieldsOf,
  requireRuleOwner,
  selectAssignableCourses,
  selectAssignablePaths,
  selectOwnerAccess,
} from "./rule-references.ts"
import { audienceOfRule, canManageRule, coursesOfRule, pathsOfRule } from "./rule-scope.ts"

// What a rule would change if it were evaluated now, counted in SQL.

interface DraftRule extends Pick<Rule, "audience" | "due" | "skipWeekends" | "onLeave" | "groupId" | "portalId"> {
  /** 0: a new rule. */
  id: number
  /** A query of its courses. */
  courses: SQL
}

const coursesOf = (courseIds: number[], pathIds: number[]) => sql`
  select value as id from json_each(${JSON.stringify(courseIds)})
  union
  select ${learningPathCourses.courseId} from ${learningPathCourses}
  where ${learningPathCourses.learningPathId} in ${idList(pathIds)}`

const isMemberOf = (ruleId: number) =>
  rowExists(
    assignmentMembers,
    sql`${assignmentMembers.ruleId} = ${ruleId} and ${assignmentMembers.userId} = ${users.id}`,
  )

interface Counts {
  matching: number
  kept: number
  removed: number
  withoutDate: number
  existing: number
  completed: number
}

/** Whether the person of a claim or member still matches. */
const stillMatches = (userId: SQL, test: SQL) => rowExists(users, sql`${users.id} = ${userId} and ${test}`)

function countStatements({ db }: UnitOfWork, rule: DraftRule) {
  const { test, ids } = matchesAudience(audienceOfRule(rule))
  const matching = ids ? sql`${users.id} in (${ids})` : test
  const fieldDate = fieldDateOf(rule.due)
  const isAssignedAgain = sql`${isMemberOf(rule.id)} and ${matching}`
  const counts = rawStatement<Counts>(
    db,
    sql`select
      (select count(*) from ${users} where ${matching}) as "matching",
      (select count(*) from ${users} where ${isAssignedAgain}) as "kept",
      (
        select count(*) from ${assignmentMembers}
        where ${assignmentMembers.ruleId} = ${rule.id} and not ${stillMatches(sql`${assignmentMembers.userId}`, test)}
      ) as "removed",
      ${fieldDate ? sql`(select count(*) from ${users} where ${matching} and ${fieldDate} is null)` : sql`0`}
        as "withoutDate",
      (
        select count(*) from ${enrollments} join ${users} on ${users.id} = ${enrollments.userId}
        where ${enrollments.courseId} in (${rule.courses}) and ${test}
      ) as "existing",
      (
        select count(*) from ${enrollments} join ${users} on ${users.id} = ${enrollments.userId}
        where ${enrollments.courseId} in (${rule.courses}) and ${test}
          and ${enrollments.status} = ${literal(EnrollmentStatus.Completed)}
      ) as "completed"`,
  )
  const isRemovable =
    rule.onLeave === "keep"
      ? sql`0`
      : rule.onLeave === "remove"
        ? sql`${enrollments.status} <> ${literal(EnrollmentStatus.Completed)}`
        : sql`${enrollments.status} = ${literal(EnrollmentStatus.NotStarted)}`
  // The courses of the enrollments that would be removed.
  const ending = sql`
    select ${assignmentClaims.courseId} as course_id
    from ${assignmentClaims}
    join ${enrollments} on ${enrollments.userId} = ${assignmentClaims.userId}
      and ${enrollments.courseId} = ${assignmentClaims.courseId}
    where ${isRemovable} and ${assignmentClaims.ruleId} = ${rule.id} and ${assignmentClaims.enrolled}
      and (
        ${assignmentClaims.courseId} not in (${rule.courses})
        or not ${stillMatches(sql`${assignmentClaims.userId}`, test)}
      )
      and not exists (
        select 1 from assignment_claims as other
        where other.user_id = ${assignmentClaims.userId} and other.course_id = ${assignmentClaims.courseId}
          and other.rule_id <> ${rule.id}
      )`
  const missing = rawStatement<{ missing: number; created: number; notified: number; removed: number }>(
    db,
    sql`
      with ending as materialized (${ending}),
        target as materialized (
          select ${courses.id} as id,
            ${seatsLeftInCourse(rule.groupId)}
              + (select count(*) from ending where ending.course_id = ${courses.id}) as seats
          from ${courses}
          where ${courses.id} in (${rule.courses})
        ),
        person as materialized (select ${users.id} as id from ${users} where ${matching}),
        missing as (
          select person.id as user_id, target.seats,
            row_number() over (partition by target.id order by person.id) as place
          from target cross join person
          where not exists (
            select 1 from ${enrollments}
            where ${enrollments.userId} = person.id and ${enrollments.courseId} = target.id
          )
        )
      select count(*) as "missing", count(*) filter (where place <= seats) as "created",
        count(distinct iif(place <= seats, user_id, null)) as "notified",
        (select count(*) from ending) as "removed"
      from missing`,
  )
  // People with the same zone, date and assignment have the same due date.
  const dueDates = rawStatement<{
    zone: string | null
    fieldDate: string | null
    assignedAt: number
    dueAt: number
    claims: number
  }>(
    db,
    sql`select ${personTimeZone} as "zone", ${fieldDate ?? sql`null`} as "fieldDate",
        ${assignmentMembers.assignedAt} as "assignedAt", ${assignmentClaims.dueAt} as "dueAt", count(*) as "claims"
      from ${assignmentClaims}
      join ${assignmentMembers} on ${assignmentMembers.ruleId} = ${assignmentClaims.ruleId}
        and ${assignmentMembers.userId} = ${assignmentClaims.userId}
      join ${users} on ${users.id} = ${assignmentClaims.userId}
      where ${assignmentClaims.ruleId} = ${rule.id} and ${assignmentClaims.courseId} in (${rule.courses})
        and ${test} and ${isMovable(sql`${assignmentClaims.userId}`, sql`${assignmentClaims.courseId}`)}
      group by 1, 2, 3, 4`,
  )
  return [counts, missing, dueDates] as const
}

interface PreviewedPerson {
  id: number
  firstName: string
  lastName: string
  email: string
  zone: string | null
  fieldDate: string | null
  assignedAt: number | null
  claimedDueAt: number | null
}

/** One page of the people who would be assigned, removed or kept, by their ids. */
function peopleStatement(
  { db }: UnitOfWork,
  rule: DraftRule,
  { show, page_size: size, page_number: page }: RulePreview,
) {
  const { test, ids } = matchesAudience(audienceOfRule(rule))
  const matching = ids ? sql`${users.id} in (${ids})` : test
  const isMember = isMemberOf(rule.id)
  const which =
    show === "removed"
      ? sql`${isMember} and not ${test}`
      : show === "kept"
        ? sql`${isMember} and ${matching}`
        : sql`${matching} and not ${isMember}`
  return rawStatement<PreviewedPerson>(
    db,
    sql`select ${users.id} as "id", ${users.firstName} as "firstName", ${users.lastName} as "lastName",
        ${users.email} as "email", ${personTimeZone} as "zone", ${fieldDateOf(rule.due) ?? sql`null`} as "fieldDate",
        (
          select ${assignmentMembers.assignedAt} from ${assignmentMembers}
          where ${assignmentMembers.ruleId} = ${rule.id} and ${assignmentMembers.userId} = ${users.id}
        ) as "assignedAt",
        (
          select min(nullif(${assignmentClaims.dueAt}, 0)) from ${assignmentClaims}
          where ${assignmentClaims.ruleId} = ${rule.id} and ${assignmentClaims.userId} = ${users.id}
        ) as "claimedDueAt"
      from ${users} where ${which} order by ${users.id} limit ${size} offset ${(page - 1) * size}`,
  )
}

/** The rule as it would be. */
function draftOf(stored: Rule | undefined, input: RulePreview): DraftRule {
  const groupId = stored ? stored.groupId : (input.groupId ?? null)
  const portalId = stored ? stored.portalId : (input.portalId ?? null)
  const { courseIds, learningPathIds } = input
  const isSame = stored && courseIds === undefined && learningPathIds === undefined
  return {
    id: stored?.id ?? 0,
    audience: input.audience ?? stored?.audience ?? NO_ONE,
    due: input.due ?? stored?.due ?? { type: "none" },
    skipWeekends: input.skipWeekends ?? stored?.skipWeekends ?? false,
    onLeave: input.onLeave ?? stored?.onLeave ?? "keep",
    groupId,
    portalId,
    courses: isSame
      ? coursesOfRule(stored.id)
      : sql`${coursesOf(courseIds ?? [], learningPathIds ?? [])}
          ${stored && courseIds === undefined ? sql`union ${directCoursesOf(stored.id)}` : sql``}
          ${stored && learningPathIds === undefined ? sql`union ${pathCoursesOf(stored.id)}` : sql``}`,
  }
}

const directCoursesOf = (ruleId: number) => sql`
  select course_id from assignment_rule_courses where rule_id = ${ruleId}`
const pathCoursesOf = (ruleId: number) => sql`
  select ${learningPathCourses.courseId} from ${learningPathCourses}
  where ${learningPathCourses.learningPathId} in (${pathsOfRule(ruleId)})`

/**
 * What a new or changed rule would do now. It reads in two round trips and writes nothing.
 * @throws 404; 422 for references that do not exist
 */
export async function previewRule(work: UnitOfWork, input: RulePreview) {
  const { db, caller, env } = work
  const { id = 0, courseIds = [], learningPathIds = [] } = input
  const audience = checkAudience(db, caller, input.audience ?? NO_ONE, { dateFields: dateFieldsOf(input) })
  const owner = { groupId: input.groupId ?? null, portalId: input.portalId ?? null }
  if (id === 0) requireRuleOwner(caller, owner)
  const ownGroup =
    id > 0
      ? sql`(select ${assignmentRules.groupId} from ${assignmentRules} where ${assignmentRules.id} = ${id})`
      : sql`${owner.groupId}`
  const [rows, access, missing, courseRows, pathRows] = await db.batch([
    db
      .select()
      .from(assignmentRules)
      .where(sql`${assignmentRules.id} = ${id} and ${canManageRule(caller)}`),
    selectOwnerAccess(work, owner),
    audience.statement,
    selectAssignableCourses(work, courseIds, ownGroup),
    selectAssignablePaths(work, learningPathIds, ownGroup),
  ])
  const [stored] = rows
  if (id > 0 && !stored) throw notFound("assignment rule")
  if (!stored && !firstRow(access).allowed) throw notFound(owner.groupId === null ? "portal" : "group")
  audience.verify(missing, stored && { condition: stored.audience, dateFields: dateFieldsOf(stored) })
  if (!stored) {
    requireExisting("courseIds", courseIds, courseRows)
    requireExisting("learningPathIds", learningPathIds, pathRows)
  }
  const rule = draftOf(stored, input)
  const [[counted], [enrolled], claims, people] = await db.batch([
    ...countStatements(work, rule),
    peopleStatement(work, rule, input),
  ])
  const at = now()
  const academy = academyZone(env)
  const dueAtOf = (person: { zone: string | null; fieldDate: string | null; assignedAt: number | null }) =>
    dueDate(rule, { assignedAt: person.assignedAt ?? at, zone: person.zone ?? academy, fieldDate: person.fieldDate })
  const counts = counted ?? { matching: 0, kept: 0, removed: 0, withoutDate: 0, existing: 0, completed: 0 }
  const { created = 0, missing: lacking = 0, notified = 0, removed = 0 } = enrolled ?? {}
  const totals = { assigned: counts.matching - counts.kept, kept: counts.kept, removed: counts.removed }
  return {
    people: { ...totals, notified, withoutDate: counts.withoutDate },
    enrollments: {
      created,
      existing: counts.existing,
      completed: counts.completed,
      waiting: lacking - created,
      removed,
      dueDatesMoved: claims.reduce((sum, claim) => sum + (dueAtOf(claim) === claim.dueAt ? 0 : claim.claims), 0),
    },
    recordsTotal: totals[input.show],
    records: people.map((person) => ({
      id: person.id,
      firstName: person.firstName,
      lastName: person.lastName,
      email: person.email,
      dueAt: input.show === "removed" ? null : isoTimeOrNull(dueAtOf(person)),
      previousDueAt: isoTimeOrNull(person.claimedDueAt),
    })),
  }
}
