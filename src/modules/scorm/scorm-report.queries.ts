import { asc, eq, sql } from "drizzle-orm"
import { scormAttempts, scormInteractions } from "../../../drizzle/scorm.ts"
import type { Caller } from "../../gate/access.ts"
import type { Database } from "../../lib/db.ts"
import { notFound } from "../../lib/errors.ts"
import { type ReportOf, reportedModule } from "../progress/reported-module.queries.ts"

/** The attempts of the registration and module that a status row is of. */
const attemptsOf = (statusRowId: number) =>
  sql`${scormAttempts.enrolmentId} = (select enrolment_id from module_statuses where id = ${statusRowId}) and ${scormAttempts.moduleId} = (select module_id from module_statuses where id = ${statusRowId})`

/** A registration's attempts at a package. @throws 404 */
export async function scormReport(db: Database, caller: Caller, of: ReportOf) {
  const [found, attempts] = await db.batch([
    reportedModule(db, caller, "scorm", of),
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
      .where(attemptsOf(of.statusRowId))
      .orderBy(asc(scormAttempts.number)),
  ])
  const [reported] = found
  if (!reported) throw notFound("SCORM module")
  return { ...reported, attempts }
}

/** What a learner answered in a package, attempt by attempt. @throws 404 */
export async function scormActivityReport(db: Database, caller: Caller, of: ReportOf) {
  const [found, interactions] = await db.batch([
    reportedModule(db, caller, "scorm", of),
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
      .where(attemptsOf(of.statusRowId))
      .orderBy(asc(scormAttempts.number), asc(scormInteractions.position)),
  ])
  const [reported] = found
  if (!reported) throw notFound("SCORM module")
  return { ...reported, interactions }
}
