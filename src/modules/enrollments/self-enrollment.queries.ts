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

/** The condition that learners may enroll themselves in the course of the row. */
export const ALLOWS_SELF_ENROLLMENT: SQL = sql`(
  ${courses.status} = 'publish' and (${courses.selfEnroll} or ${courses.enrollmentKey} is not null)
)`

/** A course by its id or by its slug. */
type Wanted = { id: number } | { slug: string }

/** Checks the key that opens a course. @throws 422 for a missing or wrong one, 429 */
async function requireKey(env: Bindings, userId: number, sealed: string, key: string | undefined) {
  if (key === undefined) throw invalid("enrollment_key", "enrollment_key is required: this course has one.")
  const refused = await limitAttempts(env, { account: `enrollment-key:${userId}` }, async () =>
    sameSecret(decrypted(env, sealed) ?? "", key)
      ? { verdict: "undecided", result: undefined }
      : { verdict: "wrong code", result: invalid("enrollment_key", "enrollment_key is not this course's.") },
  )
  if (refused instanceof ApiError) throw refused
}

/**
 * Enrolls the caller in a course of the library that takes self-enrollment. A wrong key is one of ten attempts in 15
 * minutes that a user has for all courses; a right one forgives none of them, or whoever knows one key could guess on.
 * @throws 404 for a course that takes none; 409 where no seat is left, or the caller's registration has expired; 422
 *   for a missing or wrong key; 429; 403 for callers who are no user
 */
export async function enrollSelf(work: UnitOfWork, wanted: Wanted, key: string | undefined) {
  const { caller } = work
  if (caller.kind !== "user") throw forbidden("Only a person can enroll themselves.", "self_only")
  const userId = caller.id
  const { db } = work
  const named = "id" in wanted ? eq(courses.id, wanted.id) : eq(courses.slug, wanted.slug)
  const which = sql`select ${courses.id} from ${courses} where ${named} and ${ALLOWS_SELF_ENROLLMENT}`
  const plan = planEnrollment(work, { userIds: [userId], courseIds: which })
  const [rows, ...results] = await work.read([
    db
      .select({
        name: courses.name,
        sealed: courses.enrollmentKey,
        open: sql<number>`${ALLOWS_SELF_ENROLLMENT}`.as("open"),
        registrationId: sql<number | null>`${enrollments.id}`.as("registration_id"),
        expiresAt: enrollments.expiresAt,
      })
      .from(courses)
      .leftJoin(enrollments, and(eq(enrollments.courseId, courses.id), eq(enrollments.userId, userId)))
      .where(named),
    ...plan.reads,
  ])
  const [course] = rows
  if (!course || (!course.open && course.registrationId === null)) throw notFound("course")
  const { name, registrationId, expiresAt } = course
  if (registrationId !== null) {
    if (expiresAt && expiresAt <= now())
      throw conflict("registration_expired", `Your registration in ${name} has expired. Ask those who run the academy.`)
    const message = `You are enrolled in ${name} already.`
    return work.commit([], { message, registrationId, alreadyEnrolled: true })
  }
  if (course.sealed !== null) await requireKey(work.env, userId, course.sealed, key)
  const { statements } = plan.settle(...results)
  const [ids] = results
  return work.commit(statements, {
    message: `You are enrolled in ${name}.`,
    registrationId: firstRow(ids).last,
    alreadyEnrolled: false,
  })
}
