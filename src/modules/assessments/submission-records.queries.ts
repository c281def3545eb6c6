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
 * Imports up to 500 submissions from another system, in two round trips. Locks, dates and minimum times are not
 * checked.
 * Submissions with the same registration, assignment and `submitted_on` are not recorded twice.
 * @throws 409 if one of the assignments is submitted concurrently; 422 for more points than the assignment has
 */
export async function recordSubmissions(work: UnitOfWork, { submissions: records }: SubmissionRecords) {
  const { db, caller } = work
  const fromSubmissions = sql`
    from ${submissions}
    where ${submissions.enrollmentId} = ${enrollments.id} and ${submissions.moduleId} = ${modules.id}`
  const [ids, resolvedRecords] = await work.read([
    work.nextIds("submissions", records.length),
    resolveRecords(db, records, "assignment", {
      totalPoints: sql<number>`${modules.totalPoints}`.as("total_points"),
      status: sql<string | null>`${moduleStatuses.status}`.as("module_status"),
      last: sql<number>`coalesce((select max(${submissions.number}) ${fromSubmissions}), 0)`.as("last_number"),
      already: sql<number>`exists (select 1 ${fromSubmissions} and ${submissions.submittedAt} = ${SUBMITTED_AT})`.as(
        "already_there",
      ),
    }),
  ])
  const resolvedByIndex = new Map(resolvedRecords.map((resolved) => [resolved.index, resolved]))
  const errors: FieldErrors = {}
  for (const { index, totalPoints } of resolvedRecords)
    if ((records[index]?.pointsAwarded ?? 0) > totalPoints)
      errors[`submissions.${index}.pointsAwarded`] = [
        `submissions.${index}.pointsAwarded must be ${totalPoints} or less.`,
      ]
  if (Object.keys(errors).length > 0) throw invalidFields(errors)

  const firstId = firstRow(ids).last - records.length + 1
  const outcomes = new Map<string, AssignmentOutcome & { attempts: number }>()
  const awaiting = new Map<string, (typeof rows)[number]>()
  const seen = new Set<string>()
  const rows: (typeof submissions.$inferInsert)[] = []
  let alreadyRecorded = 0
  // Submissions are numbered chronologically.
  for (const [index, record] of [...records.entries()].sort(([, a], [, b]) => a.submitted_on - b.submitted_on)) {
    const resolved = resolvedByIndex.get(index)
    if (!resolved) continue
    const { enrollmentId, moduleId, userId, courseId } = resolved
    const moduleKey = `${enrollmentId}:${moduleId}`
    const submittedAt = record.submitted_on
    const recordKey = `${moduleKey}:${submittedAt}`
    if (resolved.already || seen.has(recordKey)) {
      alreadyRecorded++
      continue
    }
    seen.add(recordKey)
    const points = record.pointsAwarded ?? null
    const accepted = record.isAccepted ?? (points === null ? undefined : true)
    const evaluatedAt = accepted === undefined ? 0 : (record.evaluated_on ?? submittedAt)
    const previous = outcomes.get(moduleKey)
    const isCompleted = previous?.status === ModuleStatus.Completed
    outcomes.set(moduleKey, {
      enrollmentId,
      moduleId,
      status:
        isCompleted || accepted
          ? ModuleStatus.Completed
          : accepted === undefined
            ? ModuleStatus.Submitted
            : ModuleStatus.InProgress,
      points: isCompleted ? previous.points : accepted ? points : null,
      startedAt: previous?.startedAt ?? submittedAt,
      completedAt: isCompleted ? previous.completedAt : accepted ? evaluatedAt : 0,
      lastAccessedAt: submittedAt,
      attempts: (previous?.attempts ?? 0) + 1,
    })
    const row: typeof submissions.$inferInsert = {
      id: firstId + rows.length,
      enrollmentId,
      moduleId,
      statusRowId: toStatusRowId(resolved),
      userId,
      courseId,
      number: resolved.last + (previous?.attempts ?? 0) + 1,
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
    // A later submission closes an earlier one that awaits evaluation. Submitted and Completed modules stay so.
    const earlier = awaiting.get(moduleKey)
    if (earlier) earlier.status = SubmissionStatus.Closed
    awaiting.delete(moduleKey)
    if (row.status !== SubmissionStatus.Submitted) continue
    if (isCompleted || resolved.status === ModuleStatus.Completed || resolved.status === ModuleStatus.Submitted)
      row.status = SubmissionStatus.Closed
    else awaiting.set(moduleKey, row)
  }
  const recorded = rows.length
  const skipped = records.length - recorded - alreadyRecorded
  const message = summarizeOutcome({
    done: `${pluralize(recorded, "submission")} recorded.`,
    already: alreadyRecorded,
    skipped,
    because: "the registration doesn't exist, or the assignment isn't in its course.",
  })
  const answer = { message, recorded, alreadyRecorded, skipped }
  if (recorded === 0) return work.commit([], answer)
  const registrationIds = [...new Set(rows.map((row) => row.enrollmentId))]
  return work.commit(
    [
      guardEnrollmentsExist(work, registrationIds),
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
        { registrationIds: registrationIds, user_ids: [...new Set(rows.map((row) => row.userId))] },
      ),
    ],
    answer,
    RETRY_ON_CONFLICT,
  )
}
