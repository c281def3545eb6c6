import { type SQL, sql } from "drizzle-orm"
import {
  type AudienceCondition,
  assignmentMembers,
  assignmentRules,
  type ON_LEAVE,
} from "../../../drizzle/schema/assignment-rules.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { matchesAudience } from "../../access/audience-condition.ts"
import type { JobKind } from "../../db/background-work.ts"
import { counter, idList, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { drawEnrollmentIds } from "../enrollments/missing-enrollments.ts"
import { assignPeople, wantedEnrollments } from "./assign-people.ts"
import { needsChange, readPeople, selectPeople, WEIGHT, weightOfTargets } from "./assigned-people.ts"
import { endMemberships } from "./ended-claims.ts"

// Evaluates a rule for everyone, and ends what deleted rules assign.

interface Evaluation {
  ruleId: number
  version: number
  /** The audience, limited to the rule's group or portal. */
  audience: AudienceCondition
  onLeave: (typeof ON_LEAVE)[number]
  /** Whether people that it assigns already are evaluated too. */
  refresh: boolean
  /** Whether the reminders of the rule may have changed. */
  rescheduled: boolean
}

const isCurrent = ({ ruleId, version }: Evaluation) =>
  rowExists(
    assignmentRules,
    sql`${assignmentRules.id} = ${ruleId} and ${assignmentRules.version} = ${version} and ${assignmentRules.active}`,
  )

const matching = (audience: AudienceCondition): SQL => {
  const { test, ids } = matchesAudience(audience)
  return ids ? sql`${users.id} in (${ids})` : test
}

async function assign(work: UnitOfWork, { ruleId, version, rescheduled }: Evaluation, which: SQL) {
  const { db, env } = work
  const at = now()
  const [[rule]] = await db.batch([db.select().from(assignmentRules).where(sql`${assignmentRules.id} = ${ruleId}`)])
  // A later change of the rule has its own job.
  if (!rule?.active || rule.version !== version) return []
  const ids = drawEnrollmentIds(work, wantedEnrollments(ruleId, which))
  const [rows, ...drawn] = await db.batch([selectPeople(db, rule, which), ...ids.statements])
  const people = readPeople(env, rule, rows, at).filter((person) => person.matches && (rescheduled || person.changes))
  if (people.length === 0) return []
  return assignPeople(work, rule, people, ids.read(...drawn), { at, rescheduled })
}

export const ruleEvaluation: JobKind<Evaluation> = {
  name: "assignment-rules.evaluate",
  stages: [
    {
      table: assignmentMembers,
      where: (params) => sql`${assignmentMembers.ruleId} = ${params.ruleId} and ${isCurrent(params)}
        and not exists (
          select 1 from ${users}
          where ${users.id} = ${assignmentMembers.userId} and ${matchesAudience(params.audience).test}
        )`,
      key: [assignmentMembers.userId],
      weight: WEIGHT.person,
      extraWeight: ({ ruleId }) => weightOfTargets(ruleId),
      total: () => sql`0`,
      change: (work, { ruleId, onLeave }, which) => endMemberships(work, [ruleId], which, onLeave),
    },
    {
      table: users,
      where: (params) => sql`${isCurrent(params)} and ${matching(params.audience)}
        and ${params.refresh ? sql`1` : needsChange(params.ruleId)}`,
      key: [users.id],
      weight: WEIGHT.person,
      extraWeight: ({ ruleId }) => weightOfTargets(ruleId),
      total: () => counter("users"),
      // A query may read everyone in the audience.
      keysPerQuery: 2000,
      change: assign,
    },
  ],
}

interface RuleDeletion {
  ids: number[]
  onLeave: (typeof ON_LEAVE)[number]
}

/** Deletes rules after what they assign has ended. A rule that was activated meanwhile is kept. */
export const ruleDeletion: JobKind<RuleDeletion> = {
  name: "assignment-rules.delete",
  stages: [
    {
      table: assignmentMembers,
      where: ({ ids }) => sql`${assignmentMembers.ruleId} in (
        select ${assignmentRules.id} from ${assignmentRules}
        where ${assignmentRules.id} in ${idList(ids)} and not ${assignmentRules.active}
      )`,
      key: [assignmentMembers.ruleId, assignmentMembers.userId],
      weight: WEIGHT.person,
      extraWeight: ({ ids }) => sql`(
        select ${WEIGHT.course} * count(*) from assignment_claims as claim
        where claim.user_id = ${assignmentMembers.userId} and claim.rule_id in ${idList(ids)}
      )`,
      total: ({ ids }) => sql`(
        select sum(${assignmentRules.userCount}) from ${assignmentRules} where ${assignmentRules.id} in ${idList(ids)}
      )`,
      change: (work, { ids, onLeave }, which) => endMemberships(work, ids, which, onLeave),
    },
  ],
  finish: ({ db }, { ids }) => [
    db.delete(assignmentRules).where(
      sql`${assignmentRules.id} in ${idList(ids)} and not ${assignmentRules.active}
          and ${assignmentRules.userCount} = 0`,
    ),
  ],
}
