import { sql } from "drizzle-orm"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { submissions } from "../../../drizzle/schema/submissions.ts"
import { ModuleStatus, SubmissionStatus } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { rowList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type FieldErrors, invalidFields } from "../../lib/errors.ts"
import { pluralize, summarizeOutcome } from "../../lib/text/words.ts"
import { RETRY_ON_CONFLICT } from "../enrollments/module-progress.queries.ts"
import { type AssignmentOutcome, recordAssignmentOutcomes } from "../enrollments/module-records.queries.ts"
import { toStatusRowId } from "../enrollments/module-statuses.queries.ts"
import { resolveRecords, SUBMITTED_AT } from "../enrollments/recorded-modules.queries.ts"
import { guardEnrollmentsExist } from "../enrollments/registrations.queries.ts"
import type { SubmissionRecords } from "./assignments.schemas.ts"

/**
 * Records submissions that were made, and mostly evaluated, in another system: up to 500 in two trips. No lock, date or
 * time holds them up. One of the same registration, assignment and `submitted_on` is there already.
 * @throws 409 when one of the assignments is submitted meanwhile; 422 for more points than there are
 */
export async function recordSubmissions(work: UnitOfWork, { submissions: given }: SubmissionRecords) {
  const { db, caller } = work
  const own = sql`
    from ${submissions}
    where ${submissions.enrollmentId} = ${enrollments.id} and ${submissions.moduleId} = ${modules.id}`
  const [ids, places] = await work.read([
    work.nextIds("submissions", given.length),
    resolveRecords(db, given, "assignment", {
      totalPoints: sql<number>`${modules.totalPoints}`.as("total_points"),
      status: sql<string | null>`${moduleStatuses.status}`.as("module_status"),
      last: sql<number>`coalesce((select max(${submissions.number}) ${own}), 0)`.as("last_number"),
      already: sql<number>`exists (select 1 ${own} and ${submissions.submittedAt} = ${SUBMITTED_AT})`.as(
        "already_there",
      ),
    }),
  ])
  const placeOf = new Map(places.map((place) => [place.at, place]))
  const errors: FieldErrors = {}
  for (const { at, totalPoints } of places)
    if ((given[at]?.pointsAwarded ?? 0) > totalPoints)
      errors[`submissions.${at}.pointsAwarded`] = [`submissions.${at}.pointsAwarded must be ${totalPoints} or less.`]
  if (Object.keys(errors).length > 0) throw invalidFields(errors)

  const firstId = firstRow(ids).last - given.length + 1
  const outcomes = new Map<string, AssignmentOutcome & { attempts: number }>()
  const awaiting = new Map<string, (typeof rows)[number]>()
  const seen = new Set<string>()
  const rows: (typeof submissions.$inferInsert)[] = []
  let alreadyRecorded = 0
  // In the order in which they were made, so that their numbers follow it.
  for (const [at, record] of [...given.entries()].sort(([, a], [, b]) => a.submitted_on - b.submitted_on)) {
    const place = placeOf.get(at)
    if (!place) continue
    const { enrollmentId, moduleId, userId, courseId } = place
    const pair = `${enrollmentId}:${moduleId}`
    const submittedAt = record.submitted_on
    const same = `${pair}:${submittedAt}`
    if (place.already || seen.has(same)) {
      alreadyRecorded++
      continue
    }
    seen.add(same)
    const points = record.pointsAwarded ?? null
    const accepted = record.isAccepted ?? (points === null ? undefined : true)
    const evaluatedAt = accepted === undefined ? 0 : (record.evaluated_on ?? submittedAt)
    const before = outcomes.get(pair)
    const isCompleted = before?.status === ModuleStatus.Completed
    outcomes.set(pair, {
      enrollmentId,
      moduleId,
      status:
        isCompleted || accepted
          ? ModuleStatus.Completed
          : accepted === undefined
            ? ModuleStatus.Submitted
            : ModuleStatus.InProgress,
      points: isCompleted ? before.points : accepted ? points : null,
      startedAt: before?.startedAt ?? submittedAt,
      completedAt: isCompleted ? before.completedAt : accepted ? evaluatedAt : 0,
      lastAccessedAt: submittedAt,
      attempts: (before?.attempts ?? 0) + 1,
    })
    const row: typeof submissions.$inferInsert = {
      id: firstId + rows.length,
      enrollmentId,
      moduleId,
      statusRowId: toStatusRowId(place),
      userId,
      courseId,
      number: place.last + (before?.attempts ?? 0) + 1,
      status:
        accepted === undefined
          ? SubmissionStatus.Submitted
          : accepted
            ? SubmissionStatus.Accepted
            : SubmissionStatus.Returned,
      instructorMessage: record.instructorMessage ?? "",
      pointsAwarded: points,
      evaluatedBy: accepted === undefined ? null : caller.id,
      submittedAt,
      evaluatedAt,
    }
    rows.push(row)
    // A later submission closes one that awaits its evaluation. What awaits one already, or is Completed, stays so.
    const earlier = awaiting.get(pair)
    if (earlier) earlier.status = SubmissionStatus.Closed
    awaiting.delete(pair)
    if (row.status !== SubmissionStatus.Submitted) continue
    if (isCompleted || place.status === ModuleStatus.Completed || place.status === ModuleStatus.Submitted)
      row.status = SubmissionStatus.Closed
    else awaiting.set(pair, row)
  }
  const recorded = rows.length
  const skipped = given.length - recorded - alreadyRecorded
  const message = summarizeOutcome({
    done: `${pluralize(recorded, "submission")} recorded.`,
    already: alreadyRecorded,
    skipped,
    because: "no such registration, or no assignment of its course.",
  })
  const answer = { message, recorded, alreadyRecorded, skipped }
  if (recorded === 0) return work.commit([], answer)
  const registrations = [...new Set(rows.map((row) => row.enrollmentId))]
  return work.commit(
    [
      guardEnrollmentsExist(work, registrations),
      ...recordAssignmentOutcomes(work, [...outcomes.values()]),
      insertFrom(
        db,
        submissions,
        {
          id: jsonField("id"),
          enrollmentId: jsonField("enrollmentId"),
          moduleId: jsonField("moduleId"),
          statusRowId: jsonField("statusRowId"),
          userId: jsonField("userId"),
          courseId: jsonField("courseId"),
          number: jsonField("number"),
          status: jsonField("status"),
          instructorMessage: jsonField("instructorMessage"),
          pointsAwarded: jsonField("pointsAwarded"),
          evaluatedBy: jsonField("evaluatedBy"),
          submittedAt: jsonField("submittedAt"),
          evaluatedAt: jsonField("evaluatedAt"),
        },
        sql`from ${rowList(rows)} where true`,
      ),
      work.audit(
        "created",
        "submission",
        { id: null, name: pluralize(recorded, "recorded submission") },
        { registrationIds: registrations, user_ids: [...new Set(rows.map((row) => row.userId))] },
      ),
    ],
    answer,
    RETRY_ON_CONFLICT,
  )
}
