import { and, eq, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { limitAttempts } from "../../access/attempts.ts"
import { firstRow } from "../../db/client.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import { decrypted, sameSecret } from "../../lib/crypto/crypto.ts"
import { ApiError, conflict, forbidden, invalid, notFound } from "../../lib/errors.ts"
import { planEnrollment } from "./enrollments.queries.ts"

/** The condition that learners can enroll themselves in the row's course. */
export const ALLOWS_SELF_ENROLLMENT: SQL = sql`(
  ${courses.status} = 'publish' and (${courses.selfEnroll} or ${courses.enrollmentKey} is not null)
)`

/** A course, by id or slug. */
type CourseRef = { id: number } | { slug: string }

/** Checks the enrollment key. @throws 422 for a missing or wrong key, 429 */
async function requireKey(env: Bindings, userId: number, encryptedKey: string, key: string | undefined) {
  if (key === undefined) throw invalid("enrollment_key", "enrollment_key is required for this course.")
  const error = await limitAttempts(env, { account: `enrollment-key:${userId}` }, async () =>
    sameSecret(decrypted(env, encryptedKey) ?? "", key)
      ? { verdict: "undecided", result: undefined }
      : { verdict: "wrong code", result: invalid("enrollment_key", "enrollment_key is incorrect.") },
  )
  if (error instanceof ApiError) throw error
}

/**
 * Enrolls the caller in a course that allows self-enrollment. A user has ten wrong keys in 15 minutes across all
 * courses. A correct key does not reset the counter: otherwise a user who knows one key could keep guessing others.
 * @throws 404 the course doesn't allow self-enrollment; 409 no seat is left, or the enrollment has expired; 422 missing
 *   or wrong key; 429; 403 the caller is not a user
 */
export async function enrollSelf(work: UnitOfWork, ref: CourseRef, key: string | undefined) {
  const { caller } = work
  if (caller.kind !== "user") throw forbidden("Only users can enroll themselves.", "self_only")
  const userId = caller.id
  const { db } = work
  const matchesRef = "id" in ref ? eq(courses.id, ref.id) : eq(courses.slug, ref.slug)
  const courseIds = sql`select ${courses.id} from ${courses} where ${matchesRef} and ${ALLOWS_SELF_ENROLLMENT}`
  const plan = planEnrollment(work, { userIds: [userId], courseIds })
  const [rows, ...results] = await work.read([
    db
      .select({
        name: courses.name,
        encryptedKey: courses.enrollmentKey,
        isOpen: sql<number>`${ALLOWS_SELF_ENROLLMENT}`.as("is_open"),
        registrationId: sql<number | null>`${enrollments.id}`.as("registration_id"),
        expiresAt: enrollments.expiresAt,
      })
      .from(courses)
      .leftJoin(enrollments, and(eq(enrollments.courseId, courses.id), eq(enrollments.userId, userId)))
      .where(matchesRef),
    ...plan.reads,
  ])
  const [course] = rows
  if (!course || (!course.isOpen && course.registrationId === null)) throw notFound("course")
  const { name, registrationId, expiresAt } = course
  if (registrationId !== null) {
    if (expiresAt && expiresAt <= now())
      throw conflict("registration_expired", `Your enrollment in ${name} has expired. Contact your administrator.`)
    const message = `You are already enrolled in ${name}.`
    return work.commit([], { message, registrationId, alreadyEnrolled: true })
  }
  if (course.encryptedKey !== null) await requireKey(work.env, userId, course.encryptedKey, key)
  const { statements } = plan.settle(...results)
  const [ids] = results
  return work.commit(statements, {
    message: `You are enrolled in ${name}.`,
    registrationId: firstRow(ids).last,
    alreadyEnrolled: false,
  })
}
