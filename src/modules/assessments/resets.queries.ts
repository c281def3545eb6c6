import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { AttemptStatus, EnrollmentStatus, QuizResult } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { idList, literal, rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now, SECOND } from "../../lib/clock.ts"
import { conflict, notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { hasExpired } from "../enrollments/expiry.ts"
import { requireProgressAccess, resetEnrollments, selectRegistration } from "../enrollments/registrations.queries.ts"
import { claimCycles, plannedCycles, selectCycleState } from "../progress/cycles.ts"
import type { Reset } from "./resets.schemas.ts"

const ifOpen = (value: SQL, otherwise: SQLWrapper) =>
  sql`iif(${quizAttempts.status} = ${literal(AttemptStatus.InProgress)}, ${value}, ${otherwise})`

/** Ends open quiz attempts with a score of 0, and attempts that wait to be graded with the score that they have. */
const endOpenAttempts = (db: Database, registrationIds: number[]): Statement =>
  db
    .update(quizAttempts)
    .set({
      status: AttemptStatus.Completed,
      result: QuizResult.Failed,
      completedAt: ifOpen(sql`max(${now()}, ${quizAttempts.startedAt})`, quizAttempts.completedAt),
      timeTaken: ifOpen(
        sql`cast(max(0, ${now()} - ${quizAttempts.startedAt}) / ${SECOND} as integer)`,
        quizAttempts.timeTaken,
      ),
    })
    .where(
      sql`${quizAttempts.enrollmentId} in ${idList(registrationIds)}
        and (+${quizAttempts.status} = ${literal(AttemptStatus.InProgress)}
          or ${quizAttempts.result} = ${literal(QuizResult.Pending)})`,
    )

/** Resets enrollments, and ends their open quiz attempts. */
export const resetStatements = (
  work: UnitOfWork,
  ids: number[],
  options: Parameters<typeof resetEnrollments>[2] = {},
): Statement[] => [...resetEnrollments(work, ids, options), endOpenAttempts(work.db, ids)]

/** Resets enrollments to Not Started and renews expired ones. Unknown ids are counted. */
export async function resetProgress(work: UnitOfWork, { registration_ids: ids, expire_on: expireOn }: Reset) {
  const [found] = await work.read([
    work.db
      .select({ id: enrollments.id })
      .from(enrollments)
      .where(sql`${enrollments.id} in ${idList(ids)}`),
  ])
  const skipped = ids.length - found.length
  const message = [
    `${pluralize(found.length, "registration")} reset.`,
    ...(skipped > 0 ? [`${pluralize(skipped, "id")} not found.`] : []),
  ].join(" ")
  const answer = { message, reset: found.length, skipped }
  if (found.length === 0) return work.commit([], answer)
  const known = found.map((row) => row.id)
  return work.commit(resetStatements(work, known, { expireOn }), answer)
}

/**
 * Begins the next cycle of a completed and expired enrollment, for the course's access duration. In courses without an
 * access duration, staff set the expiry.
 * @throws 404, 403, 409
 */
export async function recertify(work: UnitOfWork, registrationId: number) {
  const { db, caller } = work
  const isRegistration = eq(enrollments.id, registrationId)
  const [found, states] = await work.read([
    selectRegistration(db, caller, registrationId),
    selectCycleState(db, isRegistration),
  ])
  const [registration] = found
  if (!registration) throw notFound("registration")
  requireProgressAccess(caller, registration)
  const { status, expiresAt, expiresAfterDays } = registration
  if (status !== EnrollmentStatus.Completed || !hasExpired(registration))
    throw conflict("not_expired", "Only completed and expired enrollments can be renewed.")
  if (expiresAfterDays === 0)
    throw conflict("no_recertification_term", "This course has no access duration. Ask staff to renew the enrollment.")
  return work.commit(
    [
      work.guard(
        rowExists(
          enrollments,
          and(isRegistration, eq(enrollments.status, EnrollmentStatus.Completed), eq(enrollments.expiresAt, expiresAt)),
        ),
      ),
      ...resetStatements(work, [registrationId], { startsCycle: true }),
      ...claimCycles(work, plannedCycles(work.env, states), isRegistration),
    ],
    { message: "The enrollment was renewed." },
  )
}
