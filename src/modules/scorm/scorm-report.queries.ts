import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm"
import { scormAttempts, scormInteractions } from "../../../drizzle/schema/scorm.ts"
import type { Database } from "../../db/client.ts"
import { iteratePages } from "../../db/keyset.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { resolveModule } from "../enrollments/module-progress.queries.ts"
import { type ModuleReportParams, selectReportedModule } from "../enrollments/reported-module.queries.ts"

/** How many rows a trip reads: what most reports have, and no more than is held in memory with ease. */
const PAGE = 2000

/** The attempts of the registration and module that a status row is of. */
const attemptsOf = (statusRowId: number) => {
  const { enrollmentId, moduleId } = resolveModule({ statusRowId })
  return and(eq(scormAttempts.enrollmentId, enrollmentId), eq(scormAttempts.moduleId, moduleId))
}

/** A registration's attempts at a package, read as they are taken. @throws 404 */
export async function getScormReport(db: Database, caller: Caller, of: ModuleReportParams) {
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
      .where(and(attemptsOf(of.statusRowId), gt(scormAttempts.number, after)))
      .orderBy(asc(scormAttempts.number))
      .limit(PAGE)
  const [[reported], first] = await db.batch([selectReportedModule(db, caller, "scorm", of), attempts(0)])
  if (!reported) throw notFound("SCORM module")
  const next = async ({ number }: { number: number }) => (await db.batch([attempts(number)]))[0]
  return { ...reported, attempts: iteratePages(first, PAGE, next) }
}

/** What a learner answered in a package, attempt by attempt, read as it is taken. @throws 404 */
export async function getScormActivityReport(db: Database, caller: Caller, of: ModuleReportParams) {
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
      .where(and(attemptsOf(of.statusRowId), after))
      .orderBy(asc(scormAttempts.number), asc(scormInteractions.position))
      .limit(PAGE)
  const [[reported], first] = await db.batch([selectReportedModule(db, caller, "scorm", of), interactions(undefined)])
  if (!reported) throw notFound("SCORM module")
  // The attempt's number first, by itself: its index leads there, past all attempts before it.
  const next = async ({ number, position }: { number: number; position: number }) => {
    const after = sql`${scormAttempts.number} >= ${number}
      and (${scormAttempts.number} > ${number} or ${scormInteractions.position} > ${position})`
    return (await db.batch([interactions(after)]))[0]
  }
  return { ...reported, interactions: iteratePages(first, PAGE, next) }
}
