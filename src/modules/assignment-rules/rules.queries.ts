import { asc, eq, sql } from "drizzle-orm"
import {
  assignmentRuleCourses,
  assignmentRulePaths,
  assignmentRules,
} from "../../../drizzle/schema/assignment-rules.ts"
import { backgroundJobs } from "../../../drizzle/schema/background-jobs.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { NO_ONE } from "../../access/audience-condition.schema.ts"
import { checkAudience } from "../../access/audience-condition.ts"
import { newJob } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import {
  changedFields,
  guardUnchanged,
  hasSameIds,
  requireExisting,
  requireVersion,
  updateChanged,
} from "../../db/records.ts"
import { counter, idList, rowExists, SINGLE_ROW } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { ruleDeletion, ruleEvaluation } from "./evaluation.background.ts"
import { ruleColumns, ruleFields } from "./rule-fields.ts"
import {
  dateFieldsOf,
  type Owner,
  requireRuleOwner,
  selectAssignableCourses,
  selectAssignablePaths,
  selectOwnerAccess,
} from "./rule-references.ts"
import { audienceOfRule, canManageRule } from "./rule-scope.ts"
import type { NewRule, RuleChanges } from "./rules.schemas.ts"

type Rule = typeof assignmentRules.$inferSelect

const addCourses = (db: Database, ruleId: number, ids: number[]) =>
  insertFrom(db, assignmentRuleCourses, { ruleId, courseId: sql`value` }, sql`from ${idList(ids)} where true`)
const addPaths = (db: Database, ruleId: number, ids: number[]) =>
  insertFrom(db, assignmentRulePaths, { ruleId, learningPathId: sql`value` }, sql`from ${idList(ids)} where true`)

const selectUserCount = (db: Database) => db.select({ count: counter("users").as("user_count") }).from(SINGLE_ROW)

/** A job that evaluates everyone for a rule. @param refresh also those that it assigns already */
function evaluationOf(
  work: UnitOfWork,
  rule: Pick<Rule, "id" | "version" | "audience" | "onLeave"> & Owner,
  { refresh = false, rescheduled = false, total }: { refresh?: boolean; rescheduled?: boolean; total: number },
) {
  const { id: ruleId, version, onLeave } = rule
  return newJob(
    work,
    ruleEvaluation,
    { ruleId, version, audience: audienceOfRule(rule), onLeave, refresh, rescheduled },
    total,
  )
}

/** @throws 422 for references that do not exist, or that the caller may not use */
export async function createRule(work: UnitOfWork, input: NewRule) {
  const { db, caller } = work
  const { courseIds, learningPathIds } = input
  const row = ruleFields.toInsert(input)
  const { groupId, portalId } = row
  requireRuleOwner(caller, row)
  const audience = checkAudience(db, caller, row.audience, { dateFields: dateFieldsOf(row) })
  const [newIds, access, missing, courseRows, pathRows, people] = await work.read([
    work.nextIds("assignment_rules"),
    selectOwnerAccess(work, row),
    audience.statement,
    selectAssignableCourses(work, courseIds, sql`${row.groupId}`),
    selectAssignablePaths(work, learningPathIds, sql`${row.groupId}`),
    selectUserCount(db),
  ])
  const [owner, ownerId] = groupId === null ? ["portalId", portalId] : ["groupId", groupId]
  if (!firstRow(access).allowed) requireExisting(String(owner), [Number(ownerId)], [])
  audience.verify(missing)
  requireExisting("courseIds", courseIds, courseRows)
  requireExisting("learningPathIds", learningPathIds, pathRows)
  const id = firstRow(newIds).last
  const { name, ...details } = row
  const job = row.active ? evaluationOf(work, { ...row, id, version: 1 }, { total: firstRow(people).count }) : undefined
  const answer = { id, message: "Assignment rule created.", ...job?.job }
  await work.commit(
    [
      db.insert(assignmentRules).values({
        id,
        ...row,
        searchText: ruleFields.searchText(row),
        createdBy: caller.id,
        createdAt: now(),
        nextRunAt: now() + DAY,
      }),
      addCourses(db, id, courseIds),
      addPaths(db, id, learningPathIds),
      work.audit("created", "assignment rule", { id, name }, { ...details, courseIds, learningPathIds }),
      ...(job?.statements ?? []),
    ],
    answer,
  )
  await job?.start()
  return answer
}

const selectCourses = (db: Database, ruleId: number) =>
  db
    .select({ id: courses.id, name: courses.name })
    .from(assignmentRuleCourses)
    .innerJoin(courses, eq(courses.id, assignmentRuleCourses.courseId))
    .where(eq(assignmentRuleCourses.ruleId, ruleId))
    .orderBy(asc(courses.id))

const selectPaths = (db: Database, ruleId: number) =>
  db
    .select({ id: learningPaths.id, name: learningPaths.name })
    .from(assignmentRulePaths)
    .innerJoin(learningPaths, eq(learningPaths.id, assignmentRulePaths.learningPathId))
    .where(eq(assignmentRulePaths.ruleId, ruleId))
    .orderBy(asc(learningPaths.id))

/** A rule with its courses and learning paths. @throws 404 */
export async function getRule(db: Database, caller: Caller, id: number) {
  const [rows, courseRows, pathRows] = await db.batch([
    db
      .select({ ...ruleColumns.fields, version: assignmentRules.version })
      .from(assignmentRules)
      .where(sql`${assignmentRules.id} = ${id} and ${canManageRule(caller)}`),
    selectCourses(db, id),
    selectPaths(db, id),
  ])
  const [found] = rows
  if (!found) throw notFound("assignment rule")
  return { ...found, courses: courseRows, learningPaths: pathRows }
}

const selectRule = ({ db, caller }: UnitOfWork, id: number) =>
  db
    .select()
    .from(assignmentRules)
    .where(sql`${assignmentRules.id} = ${id} and ${canManageRule(caller)}`)

/** Replaces the targets of one kind; undefined: an equal set. */
function replaceTargets(db: Database, ruleId: number, next: { courseIds?: number[]; learningPathIds?: number[] }) {
  const { courseIds, learningPathIds } = next
  return [
    ...(courseIds
      ? [
          db.delete(assignmentRuleCourses).where(
            sql`${assignmentRuleCourses.ruleId} = ${ruleId}
                and ${assignmentRuleCourses.courseId} not in ${idList(courseIds)}`,
          ),
          addCourses(db, ruleId, courseIds).onConflictDoNothing(),
        ]
      : []),
    ...(learningPathIds
      ? [
          db.delete(assignmentRulePaths).where(
            sql`${assignmentRulePaths.ruleId} = ${ruleId}
                and ${assignmentRulePaths.learningPathId} not in ${idList(learningPathIds)}`,
          ),
          addPaths(db, ruleId, learningPathIds).onConflictDoNothing(),
        ]
      : []),
  ] satisfies Statement[]
}

/** Whether a job evaluates a rule. It ends when the version of the rule changes. */
const selectEvaluating = (db: Database, ruleId: number) =>
  db
    .select({ id: backgroundJobs.id })
    .from(backgroundJobs)
    .where(
      sql`${backgroundJobs.dueAt} is not null and ${backgroundJobs.kind} = ${ruleEvaluation.name}
        and ${backgroundJobs.params} ->> '$.ruleId' = ${ruleId}`,
    )
    .limit(1)

/** Changes the given fields. @throws 404, 412, 422 */
export async function updateRule(work: UnitOfWork, id: number, changes: RuleChanges, expectedVersion?: number) {
  const { db, caller } = work
  const { courseIds = [], learningPathIds = [] } = changes
  const audience = checkAudience(db, caller, changes.audience ?? NO_ONE, { dateFields: dateFieldsOf(changes) })
  const ownGroup = sql`(select ${assignmentRules.groupId} from ${assignmentRules} where ${assignmentRules.id} = ${id})`
  const [rows, missing, courseRows, pathRows, currentCourses, currentPaths, people, evaluating] = await work.read([
    selectRule(work, id),
    audience.statement,
    selectAssignableCourses(work, courseIds, ownGroup),
    selectAssignablePaths(work, learningPathIds, ownGroup),
    selectCourses(db, id),
    selectPaths(db, id),
    selectUserCount(db),
    selectEvaluating(db, id),
  ])
  const rule = requireVersion(rows, "assignment rule", expectedVersion)
  audience.verify(missing, { condition: rule.audience, dateFields: dateFieldsOf(rule) })
  // What the rule assigns already stays.
  requireExisting("courseIds", courseIds, [...courseRows, ...currentCourses])
  requireExisting("learningPathIds", learningPathIds, [...pathRows, ...currentPaths])
  const next = ruleFields.toUpdate(rule, changes)
  const changed = changedFields(rule, next)
  const targets = {
    ...(!hasSameIds(changes.courseIds, currentCourses) && { courseIds }),
    ...(!hasSameIds(changes.learningPathIds, currentPaths) && { learningPathIds }),
  }
  const message = "Assignment rule updated."
  if (Object.keys(changed).length === 0 && Object.keys(targets).length === 0) return work.commit([], { message })
  const isRenamed = Object.keys(changed).every((field) => field === "name") && Object.keys(targets).length === 0
  const job =
    next.active && (!isRenamed || evaluating.length > 0)
      ? evaluationOf(
          work,
          { ...rule, ...next, id, version: rule.version + 1 },
          { refresh: true, rescheduled: true, total: firstRow(people).count },
        )
      : undefined
  const answer = { message, ...job?.job }
  await work.commit(
    [
      guardUnchanged(assignmentRules, rule),
      updateChanged(db, assignmentRules, rule, {
        ...changed,
        ...ruleFields.changedSearchText(changed, next),
        ...(job && { nextRunAt: now() + DAY }),
      }),
      ...replaceTargets(db, id, targets),
      work.audit("updated", "assignment rule", { id, name: next.name }, { ...changed, ...targets }),
      ...(job?.statements ?? []),
    ],
    answer,
  )
  await job?.start()
  return answer
}

/** Evaluates a rule for everyone now. @throws 404; 422 if it is not active */
export async function runRule(work: UnitOfWork, id: number) {
  const [rows, people] = await work.read([selectRule(work, id), selectUserCount(work.db)])
  const [rule] = rows
  if (!rule) throw notFound("assignment rule")
  if (!rule.active) throw invalid("id", "The rule is not active: activate it first.")
  const job = evaluationOf(work, rule, { refresh: true, total: firstRow(people).count })
  const answer = { message: "The rule is being evaluated for everyone.", ...job.job }
  await work.commit(
    [
      guardUnchanged(assignmentRules, rule),
      work.db
        .update(assignmentRules)
        .set({ nextRunAt: now() + DAY })
        .where(eq(assignmentRules.id, id)),
      ...job.statements,
    ],
    answer,
    { marker: "row" },
  )
  await job.start()
  return answer
}

/** Deletes rules. A job first handles the enrollments of their people. Unknown ids are counted. */
export async function deleteRules(
  work: UnitOfWork,
  { delete_ids: ids, enrollments }: { delete_ids: number[]; enrollments: Rule["onLeave"] },
) {
  const { db, caller } = work
  const which = sql`${assignmentRules.id} in ${idList(ids)} and ${canManageRule(caller)}`
  const [found] = await work.read([
    db.select({ id: assignmentRules.id, userCount: assignmentRules.userCount }).from(assignmentRules).where(which),
  ])
  const ruleIds = found.map((rule) => rule.id)
  const unknown = ids.length - ruleIds.length
  const message = [
    `${pluralize(ruleIds.length, "assignment rule")} deleted.`,
    ...(unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : []),
  ].join(" ")
  if (ruleIds.length === 0) return work.commit([], { message })
  const isFound = sql`${assignmentRules.id} in ${idList(ruleIds)}`
  const people = found.reduce((sum, rule) => sum + rule.userCount, 0)
  const job = people > 0 ? newJob(work, ruleDeletion, { ids: ruleIds, onLeave: enrollments }, people) : undefined
  const answer = { message, ...job?.job }
  await work.commit(
    [
      work.auditMany(
        "deleted",
        "assignment rule",
        sql`select ${assignmentRules.id} as id, ${assignmentRules.name} as name,
          json_object('enrollments', ${enrollments}) as details from ${assignmentRules} where ${isFound}`,
      ),
      ...(job
        ? // Until the job is complete the rules exist, and assign no one.
          [
            db
              .update(assignmentRules)
              .set({ active: false, version: sql`${assignmentRules.version} + 1` })
              .where(isFound),
            ...job.statements,
          ]
        : [
            work.guard(sql`not ${rowExists(assignmentRules, sql`${isFound} and ${assignmentRules.userCount} > 0`)}`),
            db.delete(assignmentRules).where(isFound),
          ]),
    ],
    answer,
  )
  await job?.start()
  return answer
}
