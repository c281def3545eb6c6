import { asc, eq, lte, sql } from "drizzle-orm"
import { assignmentMembers, assignmentQueue, assignmentRules } from "../../../drizzle/schema/assignment-rules.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { newJob } from "../../db/background-work.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { jsonField } from "../../db/insert-from.ts"
import { idList, rowList } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { drawEnrollmentIds } from "../enrollments/missing-enrollments.ts"
import { assignPeople, wantedEnrollments } from "./assign-people.ts"
import { type Rule, readPeople, selectPeople } from "./assigned-people.ts"
import { endMemberships } from "./ended-claims.ts"
import { ruleEvaluation } from "./evaluation.background.ts"
import { audienceOfRule } from "./rule-scope.ts"

// Run by the cron: users who changed are evaluated for all active rules, and each rule daily for everyone.

/** The users of one slice, and the slices of one run. The next run, a minute later, continues. */
const SLICE = 25
const MAX_SLICES = 20
/** The rules that are asked in one round trip. */
const RULES_PER_TRIP = 20

const systemWork = (env: Bindings, db: Database) =>
  new UnitOfWork(db, callerAs(null, "anonymous", "job:assignment-rules"), env)

const activeRules = (db: Database) =>
  db.select().from(assignmentRules).where(eq(assignmentRules.active, true)).orderBy(asc(assignmentRules.id))

/** Evaluates the users who changed. */
export async function evaluateQueue(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const work = systemWork(env, db)
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const [queued, rules] = await db.batch([
      db.select().from(assignmentQueue).orderBy(asc(assignmentQueue.userId)).limit(SLICE),
      activeRules(db),
    ])
    if (queued.length === 0) return
    const userIds = queued.map(({ userId }) => userId)
    for (let at = 0; at < rules.length; at += RULES_PER_TRIP)
      await evaluateRules(work, rules.slice(at, at + RULES_PER_TRIP), userIds)
    await db.batch([
      db.delete(assignmentQueue).where(
        // A user who changed meanwhile stays.
        sql`(${assignmentQueue.userId}, ${assignmentQueue.changes}) in (
            select ${jsonField("userId")}, ${jsonField("changes")} from ${rowList(queued)}
          )`,
      ),
    ])
    if (queued.length < SLICE) return
  }
}

/** Evaluates users for rules: one round trip finds what changes, and each rule that changes something needs two. */
async function evaluateRules(work: UnitOfWork, rules: Rule[], userIds: number[]): Promise<void> {
  const { db, env } = work
  const at = now()
  const which = sql`${users.id} in ${idList(userIds)}`
  const [first, ...others] = rules.map((rule) => selectPeople(db, rule, which))
  if (!first) return
  const found = await db.batch([first, ...others])
  for (const [index, rule] of rules.entries()) {
    const people = readPeople(env, rule, found[index] ?? [], at).filter((person) => person.changes)
    const leaving = people.filter((person) => !person.matches).map(({ id }) => id)
    const assigned = people.filter((person) => person.matches)
    const ends =
      leaving.length > 0
        ? endMemberships(
            work,
            [rule.id],
            sql`${assignmentMembers.ruleId} = ${rule.id} and ${assignmentMembers.userId} in ${idList(leaving)}`,
            rule.onLeave,
          )
        : []
    if (ends.length > 0) await work.commit(ends, {}, { marker: "row" })
    if (assigned.length === 0) continue
    const ids = drawEnrollmentIds(
      work,
      wantedEnrollments(rule.id, sql`${users.id} in ${idList(assigned.map(({ id }) => id))}`),
    )
    const drawn = await db.batch(ids.statements)
    await work.commit(assignPeople(work, rule, assigned, ids.read(...drawn), { at }), {}, { marker: "row" })
  }
}

/** The rules that one run starts to evaluate for everyone. */
const MAX_RULES = 20

/** Starts the daily evaluation of rules. */
export async function startDailyRuns(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const work = systemWork(env, db)
  const at = now()
  const [due] = await db.batch([
    db
      .select()
      .from(assignmentRules)
      .where(sql`${eq(assignmentRules.active, true)} and ${lte(assignmentRules.nextRunAt, at)}`)
      .limit(MAX_RULES),
  ])
  for (const rule of due) {
    const { id: ruleId, version, onLeave, userCount } = rule
    const params = { ruleId, version, audience: audienceOfRule(rule), onLeave, refresh: false, rescheduled: false }
    const job = newJob(work, ruleEvaluation, params, userCount)
    await work.commit(
      [
        work.guard(
          sql`exists (
            select 1 from ${assignmentRules}
            where ${assignmentRules.id} = ${ruleId} and ${assignmentRules.nextRunAt} = ${rule.nextRunAt}
          )`,
        ),
        db
          .update(assignmentRules)
          .set({ nextRunAt: at + DAY })
          .where(eq(assignmentRules.id, ruleId)),
        ...job.statements,
      ],
      {},
      { marker: "row" },
    )
    await job.start()
  }
}
