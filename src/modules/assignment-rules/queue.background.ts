import { asc, eq, sql } from "drizzle-orm"
import { assignmentMembers, assignmentQueue, assignmentRules } from "../../../drizzle/schema/assignment-rules.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { BATCH_LIMIT, type JobKind } from "../../db/background-work.ts"
import { jsonField } from "../../db/insert-from.ts"
import { idList, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { drawEnrollmentIds } from "../enrollments/missing-enrollments.ts"
import { applyClaims } from "../progress/set-due-dates.ts"
import { assignPeople, wantedEnrollments } from "./assign-people.ts"
import { type AssignedPerson, type Rule, readPeople, selectPeople } from "./assigned-people.ts"
import { endMemberships } from "./ended-claims.ts"

// Evaluates users who changed for all active rules.

/** The rules that are asked in one round trip. */
const RULES_PER_TRIP = 20
/** At most 50 users in one slice, fewer with many rules. */
const WEIGHT = { user: 90, rule: 10 }

/** Parts of a list that fit into one batch each. */
function chunks<T>(all: T[], weight: number): T[][] {
  const size = Math.max(1, Math.floor(BATCH_LIMIT.rowsWritten / weight))
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}

/** Commits statements that change nothing if they run again. */
const commit = (work: UnitOfWork, statements: Statement[]) => work.commit(statements, {}, { marker: "row" })

async function changePeople(work: UnitOfWork, rule: Rule, people: AssignedPerson[], at: number): Promise<void> {
  const [weight = 1] = people.map((person) => person.weight)
  const leaving = people.filter((person) => !person.matches).map(({ id }) => id)
  for (const ids of chunks(leaving, weight)) {
    const which = sql`${assignmentMembers.ruleId} = ${rule.id} and ${assignmentMembers.userId} in ${idList(ids)}`
    await commit(work, endMemberships(work, [rule.id], which, rule.onLeave))
  }
  const assigned = people.filter((person) => person.matches)
  for (const some of chunks(assigned, weight)) {
    const which = sql`${users.id} in ${idList(some.map(({ id }) => id))}`
    const ids = drawEnrollmentIds(work, wantedEnrollments(rule.id, which))
    const drawn = await work.db.batch(ids.statements)
    await commit(work, assignPeople(work, rule, some, ids.read(...drawn), { at }))
  }
}

/** Evaluates users for rules: one round trip finds what changes. */
async function evaluateRules(work: UnitOfWork, rules: Rule[], userIds: number[]): Promise<void> {
  const { db, env } = work
  const at = now()
  const which = sql`${users.id} in ${idList(userIds)}`
  const [first, ...others] = rules.map((rule) => selectPeople(db, rule, which))
  if (!first) return
  const found = await db.batch([first, ...others])
  for (const [index, rule] of rules.entries()) {
    const people = readPeople(env, rule, found[index] ?? [], at).filter((person) => person.changes)
    if (people.length > 0) await changePeople(work, rule, people, at)
  }
}

export const queueEvaluation: JobKind = {
  name: "assignment-rules.queue",
  stages: [
    {
      table: assignmentQueue,
      where: () => sql`1`,
      key: [assignmentQueue.userId],
      weight: WEIGHT.user,
      extraWeight: sql`(select ${WEIGHT.rule} * count(*) from assignment_rules where active)`,
      total: () => sql`(select count(*) from ${assignmentQueue})`,
      change: async (work, _, which) => {
        const { db } = work
        const [queued, rules] = await db.batch([
          db.select().from(assignmentQueue).where(which),
          db.select().from(assignmentRules).where(eq(assignmentRules.active, true)).orderBy(asc(assignmentRules.id)),
        ])
        const userIds = queued.map(({ userId }) => userId)
        for (let at = 0; at < rules.length; at += RULES_PER_TRIP)
          await evaluateRules(work, rules.slice(at, at + RULES_PER_TRIP), userIds)
        return [
          // Rules that were deleted with their group or portal.
          ...applyClaims(
            work,
            sql`${enrollments.userId} in ${idList(userIds)} and ${enrollments.dueRuleId} is not null
              and not ${rowExists(assignmentRules, sql`${assignmentRules.id} = ${enrollments.dueRuleId}`)}`,
          ),
          db.delete(assignmentQueue).where(
            // A user who changed meanwhile stays.
            sql`(${assignmentQueue.userId}, ${assignmentQueue.changes}) in (
                select ${jsonField("userId")}, ${jsonField("changes")} from ${rowList(queued)}
              )`,
          ),
        ]
      },
    },
  ],
}
