import { eq, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { modules, quizQuestions } from "../../../drizzle/schema/modules.ts"
import { quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { AttemptStatus } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { insertedAfter, rowExists, rowList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { SECOND } from "../../lib/clock.ts"
import { pluralize, summarizeOutcome } from "../../lib/text/words.ts"
import { type ModulePoints, setModulePoints } from "../courses/quiz-questions.queries.ts"
import { RETRY_ON_CONFLICT } from "../enrollments/module-progress.queries.ts"
import { advanceModules, type ModuleStep, toStatusRowId } from "../enrollments/module-statuses.queries.ts"
import { resolveRecords, SUBMITTED_AT } from "../enrollments/recorded-modules.queries.ts"
import { guardEnrollmentsExist } from "../enrollments/registrations.queries.ts"
import { percentEarned, pointsEarned, toQuizResult } from "./quiz-grading.ts"
import { onQuizPassed } from "./quiz-passed.ts"
import type { AttemptRecords } from "./quizzes.schemas.ts"

/**
 * Imports up to 500 attempts from another system, without their questions, in two round trips. Locks, dates and attempt
 * limits are not checked. Attempts with the same registration, quiz and `submitted_on` are not recorded twice.
 * @throws 409 if a concurrent request creates an attempt at one of the quizzes
 */
export async function recordAttempts(work: UnitOfWork, { attempts: records }: AttemptRecords) {
  const { db } = work
  const fromAttempts = sql`
    from ${quizAttempts}
    where ${quizAttempts.enrollmentId} = ${enrollments.id} and ${quizAttempts.moduleId} = ${modules.id}`
  const [attemptIds, resolvedRecords] = await work.read([
    work.nextIds("quiz_attempts", records.length),
    resolveRecords(db, records, "quiz", {
      name: sql<string>`${modules.name}`.as("module_name"),
      totalPoints: sql<number>`${modules.totalPoints}`.as("total_points"),
      isEmpty: sql<number>`not ${rowExists(quizQuestions, eq(quizQuestions.moduleId, modules.id))}`.as("is_empty"),
      passPercent: sql<number>`${modules.passPercent}`.as("pass_percent"),
      last: sql<number>`coalesce((select max(number) ${fromAttempts}), 0)`.as("last_number"),
      already: sql<number>`exists (
        select 1 ${fromAttempts} and ${quizAttempts.recorded} and ${quizAttempts.completedAt} = ${SUBMITTED_AT}
      )`.as("already_there"),
    }),
  ])

  const resolvedByIndex = new Map(resolvedRecords.map((resolved) => [resolved.index, resolved]))
  const modulePoints = derivePoints(records, resolvedRecords)
  const steps = new Map<string, ModuleStep & { attempts: number }>()
  const seen = new Set<string>()
  const attemptRows: (typeof quizAttempts.$inferInsert)[] = []
  const firstAttempt = firstRow(attemptIds).last - records.length + 1
  let alreadyRecorded = 0
  // Attempts are numbered chronologically.
  const chronological = [...records.entries()].sort(([, a], [, b]) => a.submitted_on - b.submitted_on)
  for (const [index, { score, outOf, started_on, submitted_on: completedAt }] of chronological) {
    const resolved = resolvedByIndex.get(index)
    if (!resolved) continue
    const { enrollmentId, moduleId, userId, courseId, passPercent } = resolved
    const moduleKey = `${enrollmentId}:${moduleId}`
    const recordKey = `${moduleKey}:${completedAt}`
    if (resolved.already || seen.has(recordKey)) {
      alreadyRecorded++
      continue
    }
    seen.add(recordKey)
    const startedAt = started_on ?? completedAt
    const timeTaken = Math.floor((completedAt - startedAt) / SECOND)
    const result = toQuizResult(score, outOf, passPercent)
    const step = steps.get(moduleKey) ?? {
      enrollmentId,
      moduleId,
      completed: false,
      points: null,
      opened: true,
      seconds: 0,
      startedAt,
      at: 0,
      attempts: 0,
    }
    steps.set(moduleKey, {
      ...step,
      completed: step.completed || result === "passed",
      points: Math.max(
        step.points ?? 0,
        pointsEarned(score, outOf, modulePoints.get(moduleId)?.totalPoints ?? resolved.totalPoints),
      ),
      seconds: step.seconds + timeTaken,
      startedAt: Math.min(step.startedAt, startedAt),
      // The first passed attempt completed the module.
      at: step.completed ? step.at : completedAt,
      attempts: step.attempts + 1,
    })
    attemptRows.push({
      id: firstAttempt + attemptRows.length,
      enrollmentId,
      moduleId,
      statusRowId: toStatusRowId(resolved),
      userId,
      courseId,
      number: resolved.last + step.attempts + 1,
      status: AttemptStatus.Completed,
      result,
      score,
      outOf,
      percent: percentEarned(score, outOf),
      passPercent,
      moduleVersion: 0,
      startedAt,
      completedAt,
      timeTaken,
    })
  }
  const recorded = attemptRows.length
  const skipped = records.length - recorded - alreadyRecorded
  const message = summarizeOutcome({
    done: `${pluralize(recorded, "attempt")} recorded.`,
    already: alreadyRecorded,
    skipped,
    because: "the registration doesn't exist, or the quiz isn't in its course.",
  })
  const answer = { message, recorded, alreadyRecorded, skipped }
  if (recorded === 0) return work.commit([], answer)
  const registrationIds = [...new Set(attemptRows.map((row) => row.enrollmentId))]
  return work.commit(
    [
      guardEnrollmentsExist(work, registrationIds),
      ...setModulePoints(work, [...modulePoints.values()]),
      ...advanceModules(work, [...steps.values()]),
      insertFrom(
        db,
        quizAttempts,
        {
          id: jsonField("id"),
          enrollmentId: jsonField("enrollmentId"),
          moduleId: jsonField("moduleId"),
          statusRowId: jsonField("statusRowId"),
          userId: jsonField("userId"),
          courseId: jsonField("courseId"),
          number: jsonField("number"),
          status: jsonField("status"),
          result: jsonField("result"),
          score: jsonField("score"),
          outOf: jsonField("outOf"),
          percent: jsonField("percent"),
          passPercent: jsonField("passPercent"),
          moduleVersion: jsonField("moduleVersion"),
          responses: sql`'[]'`,
          recorded: true,
          startedAt: jsonField("startedAt"),
          completedAt: jsonField("completedAt"),
          timeTaken: jsonField("timeTaken"),
        },
        sql`from ${rowList(attemptRows)} where true`,
      ),
      onQuizPassed(work, insertedAfter(quizAttempts.id, firstAttempt - 1, records.length)),
      work.audit(
        "created",
        "quiz attempt",
        { id: null, name: pluralize(recorded, "recorded attempt") },
        { registrationIds: registrationIds, user_ids: [...new Set(attemptRows.map((row) => row.userId))] },
      ),
    ],
    answer,
    RETRY_ON_CONFLICT,
  )
}

/** Quizzes without questions and points get the points that their imported attempts are out of. */
function derivePoints(
  records: { outOf: number }[],
  resolvedRecords: { index: number; moduleId: number; name: string; totalPoints: number; isEmpty: number }[],
): Map<number, ModulePoints> {
  const modulePoints = new Map<number, ModulePoints>()
  for (const { index, moduleId, name, totalPoints, isEmpty } of resolvedRecords) {
    const outOf = Math.round(records[index]?.outOf ?? 0)
    if (isEmpty && totalPoints === 0 && outOf > (modulePoints.get(moduleId)?.totalPoints ?? 0))
      modulePoints.set(moduleId, { moduleId, name, totalPoints: outOf })
  }
  return modulePoints
}
