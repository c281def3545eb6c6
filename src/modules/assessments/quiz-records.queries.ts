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
 * Records attempts that were made in another system, without their questions: up to 500 in two trips. No lock, date or
 * number of attempts holds them up. An attempt of the same registration, quiz and `submitted_on` is there already.
 * @throws 409 when another call makes an attempt at one of the quizzes meanwhile
 */
export async function recordAttempts(work: UnitOfWork, { attempts: given }: AttemptRecords) {
  const { db } = work
  const own = sql`
    from ${quizAttempts}
    where ${quizAttempts.enrollmentId} = ${enrollments.id} and ${quizAttempts.moduleId} = ${modules.id}`
  const [attemptIds, places] = await work.read([
    work.nextIds("quiz_attempts", given.length),
    resolveRecords(db, given, "quiz", {
      name: sql<string>`${modules.name}`.as("module_name"),
      totalPoints: sql<number>`${modules.totalPoints}`.as("total_points"),
      isEmpty: sql<number>`not ${rowExists(quizQuestions, eq(quizQuestions.moduleId, modules.id))}`.as("is_empty"),
      passPercent: sql<number>`${modules.passPercent}`.as("pass_percent"),
      last: sql<number>`coalesce((select max(number) ${own}), 0)`.as("last_number"),
      already: sql<number>`exists (
        select 1 ${own} and ${quizAttempts.recorded} and ${quizAttempts.completedAt} = ${SUBMITTED_AT}
      )`.as("already_there"),
    }),
  ])

  const placeOf = new Map(places.map((place) => [place.at, place]))
  const worth = worthOf(given, places)
  const moves = new Map<string, ModuleStep & { attempts: number }>()
  const seen = new Set<string>()
  const attemptRows: (typeof quizAttempts.$inferInsert)[] = []
  const firstAttempt = firstRow(attemptIds).last - given.length + 1
  let alreadyRecorded = 0
  // In the order in which they were made, so that their numbers follow it.
  const inOrder = [...given.entries()].sort(([, a], [, b]) => a.submitted_on - b.submitted_on)
  for (const [at, { score, outOf, started_on, submitted_on: completedAt }] of inOrder) {
    const place = placeOf.get(at)
    if (!place) continue
    const { enrollmentId, moduleId, userId, courseId, passPercent } = place
    const pair = `${enrollmentId}:${moduleId}`
    const same = `${pair}:${completedAt}`
    if (place.already || seen.has(same)) {
      alreadyRecorded++
      continue
    }
    seen.add(same)
    const startedAt = started_on ?? completedAt
    const timeTaken = Math.floor((completedAt - startedAt) / SECOND)
    const result = toQuizResult(score, outOf, passPercent)
    const move = moves.get(pair) ?? {
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
    moves.set(pair, {
      ...move,
      completed: move.completed || result === "passed",
      points: Math.max(
        move.points ?? 0,
        pointsEarned(score, outOf, worth.get(moduleId)?.totalPoints ?? place.totalPoints),
      ),
      seconds: move.seconds + timeTaken,
      startedAt: Math.min(move.startedAt, startedAt),
      // Of several, the module was Completed by the first that passed.
      at: move.completed ? move.at : completedAt,
      attempts: move.attempts + 1,
    })
    attemptRows.push({
      id: firstAttempt + attemptRows.length,
      enrollmentId,
      moduleId,
      statusRowId: toStatusRowId(place),
      userId,
      courseId,
      number: place.last + move.attempts + 1,
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
  const skipped = given.length - recorded - alreadyRecorded
  const message = summarizeOutcome({
    done: `${pluralize(recorded, "attempt")} recorded.`,
    already: alreadyRecorded,
    skipped,
    because: "no such registration, or no quiz of its course.",
  })
  const answer = { message, recorded, alreadyRecorded, skipped }
  if (recorded === 0) return work.commit([], answer)
  const registrations = [...new Set(attemptRows.map((row) => row.enrollmentId))]
  return work.commit(
    [
      guardEnrollmentsExist(work, registrations),
      ...setModulePoints(work, [...worth.values()]),
      ...advanceModules(work, [...moves.values()]),
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
      onQuizPassed(work, insertedAfter(quizAttempts.id, firstAttempt - 1, given.length)),
      work.audit(
        "created",
        "quiz attempt",
        { id: null, name: pluralize(recorded, "recorded attempt") },
        { registrationIds: registrations, user_ids: [...new Set(attemptRows.map((row) => row.userId))] },
      ),
    ],
    answer,
    RETRY_ON_CONFLICT,
  )
}

/** Of quizzes without questions and without points, what they are worth from now on: what their attempts are out of. */
function worthOf(
  given: { outOf: number }[],
  places: { at: number; moduleId: number; name: string; totalPoints: number; isEmpty: number }[],
): Map<number, ModulePoints> {
  const worth = new Map<number, ModulePoints>()
  for (const { at, moduleId, name, totalPoints, isEmpty } of places) {
    const outOf = Math.round(given[at]?.outOf ?? 0)
    if (isEmpty && totalPoints === 0 && outOf > (worth.get(moduleId)?.totalPoints ?? 0))
      worth.set(moduleId, { moduleId, name, totalPoints: outOf })
  }
  return worth
}
