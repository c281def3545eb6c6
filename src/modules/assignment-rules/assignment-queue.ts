import { eq, lte, sql } from "drizzle-orm"
import { assignmentQueue, assignmentRules } from "../../../drizzle/schema/assignment-rules.ts"
import { backgroundJobs } from "../../../drizzle/schema/background-jobs.ts"
import { newJob } from "../../db/background-work.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { rawStatement } from "../../db/select.ts"
import { selectSettings } from "../../db/settings.ts"
import { rowExists } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { ruleEvaluation } from "./evaluation.background.ts"
import { queueEvaluation } from "./queue.background.ts"
import { audienceOfRule } from "./rule-scope.ts"

// Run by the cron: starts the evaluation of users who changed, and of each rule daily for everyone.

const systemWork = (env: Bindings, db: Database) =>
  new UnitOfWork(db, callerAs(null, "anonymous", "job:assignment-rules"), env)

/** A job of this kind that is not completed. */
const isRunning = rowExists(
  backgroundJobs,
  sql`${backgroundJobs.dueAt} is not null and ${backgroundJobs.kind} = ${queueEvaluation.name}`,
)

/** Starts the evaluation of users who changed, unless it is running. */
export async function evaluateQueue(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const [[found]] = await db.batch([
    rawStatement<{ isNeeded: number }>(
      db,
      sql`select exists (select 1 from ${assignmentQueue}) and not ${isRunning} as "isNeeded"`,
    ),
  ])
  if (!found?.isNeeded) return
  const work = systemWork(env, db)
  const job = newJob(work, queueEvaluation, {}, 0)
  await work.commit([work.guard(sql`not ${isRunning}`), ...job.statements], {}, { marker: "row" })
  await job.start()
}

/** The rules that one run starts to evaluate for everyone. */
const MAX_RULES = 20

/** Starts the daily evaluation of rules. */
export async function startDailyRuns(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const work = systemWork(env, db)
  const at = now()
  const [due, [academy]] = await db.batch([
    db
      .select()
      .from(assignmentRules)
      .where(sql`${eq(assignmentRules.active, true)} and ${lte(assignmentRules.nextRunAt, at)}`)
      .limit(MAX_RULES),
    selectSettings(db),
  ])
  const settingsChangedAt = academy?.updatedAt ?? 0
  for (const rule of due) {
    const { id: ruleId, version, onLeave, userCount } = rule
    // The time zone of the academy may have changed since the last run, and with it all due dates.
    const refresh = settingsChangedAt >= (rule.nextRunAt || at) - DAY
    const params = { ruleId, version, audience: audienceOfRule(rule), onLeave, refresh, rescheduled: false }
    const job = newJob(work, ruleEvaluation, params, userCount)
    const isUnchanged = sql`${eq(assignmentRules.id, ruleId)} and ${eq(assignmentRules.nextRunAt, rule.nextRunAt)}`
    await work.commit(
      [
        work.guard(rowExists(assignmentRules, isUnchanged)),
        db
          .update(assignmentRules)
          // At the same time of the day, also after a late run.
          .set({ nextRunAt: rule.nextRunAt + DAY * (Math.floor((at - rule.nextRunAt) / DAY) + 1) })
          .where(eq(assignmentRules.id, ruleId)),
        ...job.statements,
      ],
      {},
      { marker: "row" },
    )
    await job.start()
  }
}
