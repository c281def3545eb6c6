import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm"
import { scormAttempts, scormInteractions } from "../../../drizzle/schema/scorm.ts"
import type { Database } from "../../db/client.ts"
import { iteratePages } from "../../db/keyset.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { resolveModule } from "../enrollments/module-progress.queries.ts"
import { type ModuleReportParams, selectReportedModule } from "../enrollments/reported-module.queries.ts"

/** Rows per round trip: enough for most reports, and small enough for memory. */
const PAGE_SIZE = 2000

/** The condition that an attempt belongs to the status row. */
const attemptsOf = (statusRowId: number) => {
  const { enrollmentId, moduleId } = resolveModule({ statusRowId })
  return and(eq(scormAttempts.enrollmentId, enrollmentId), eq(scormAttempts.moduleId, moduleId))
}

/** Streams the attempts of an enrollment at a package. @throws 404 */
export async function getScormReport(db: Database, caller: Caller, params: ModuleReportParams) {
  const attempts = (after: number) =>
    db
      .select({
        number: scormAttempts.number,
        startedAt: scormAttempts.startedAt,
        lastAccessedAt: scormAttempts.lastAccessedAt,
        completionStatus: scormAttempts.completionStatus,
        successStatus: scormAttempts.successStatus,
        scoreRaw: scormAttempts.scoreRaw,
        scoreMin: scormAttempts.scoreMin,
        scoreMax: scormAttempts.scoreMax,
        scoreScaled: scormAttempts.scoreScaled,
        totalTime: scormAttempts.totalTime,
      })
      .from(scormAttempts)
      .where(and(attemptsOf(params.statusRowId), gt(scormAttempts.number, after)))
      .orderBy(asc(scormAttempts.number))
      .limit(PAGE_SIZE)
  const [[reported], first] = await db.batch([selectReportedModule(db, caller, "scorm", params), attempts(0)])
  if (!reported) throw notFound("SCORM module")
  const next = async ({ number }: { number: number }) => (await db.batch([attempts(number)]))[0]
  return { ...reported, attempts: iteratePages(first, PAGE_SIZE, next) }
}

/** Streams a learner's interactions in a package, by attempt. @throws 404 */
export async function getScormActivityReport(db: Database, caller: Caller, params: ModuleReportParams) {
  const interactions = (after: SQL | undefined) =>
    db
      .select({
        number: scormAttempts.number,
        position: scormInteractions.position,
        interactionId: scormInteractions.interactionId,
        type: scormInteractions.type,
        objectives: scormInteractions.objectives,
        timestamp: scormInteractions.timestamp,
        correctResponses: scormInteractions.correctResponses,
        weighting: scormInteractions.weighting,
        learnerResponse: scormInteractions.learnerResponse,
        result: scormInteractions.result,
        latency: scormInteractions.latency,
        description: scormInteractions.description,
      })
      .from(scormAttempts)
      .innerJoin(scormInteractions, eq(scormInteractions.attemptId, scormAttempts.id))
      .where(and(attemptsOf(params.statusRowId), after))
      .orderBy(asc(scormAttempts.number), asc(scormInteractions.position))
      .limit(PAGE_SIZE)
  const [[reported], first] = await db.batch([
    selectReportedModule(db, caller, "scorm", params),
    interactions(undefined),
  ])
  if (!reported) throw notFound("SCORM module")
  // The first comparison uses the index of attempt numbers and skips all earlier attempts.
  const next = async ({ number, position }: { number: number; position: number }) => {
    const after = sql`${scormAttempts.number} >= ${number}
      and (${scormAttempts.number} > ${number} or ${scormInteractions.position} > ${position})`
    return (await db.batch([interactions(after)]))[0]
  }
  return { ...reported, interactions: iteratePages(first, PAGE_SIZE, next) }
}
