import { type SQL, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { ActivityVerb } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { idList, rowCount } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { invalid } from "../../lib/errors.ts"
import { summarizeEnded } from "../../lib/text/words.ts"
import { disownEnrollments } from "../progress/disowned-claims.ts"
import { onCoursesUnenrolled } from "../progress/path-progress.ts"
import { auditEnrollments, MAX_PAIRS } from "./enrollments.queries.ts"
import type { Unenrollment } from "./enrollments.schemas.ts"
import { fromEnrollmentsWithCourses, recordEnrollmentActivity } from "./registrations.queries.ts"

/** Deletes enrollments with their progress. @param condition a condition on them */
export const unenrollStatements = (work: UnitOfWork, condition: SQL): Statement[] => [
  recordEnrollmentActivity(work, ActivityVerb.Unenrolled, fromEnrollmentsWithCourses(condition)),
  onCoursesUnenrolled(work.db, condition),
  auditEnrollments(work, "deleted", condition),
  work.db.delete(enrollments).where(condition),
]

/** Deletes enrollments with their progress. Pairs that are not enrolled are counted. */
export async function unenroll(work: UnitOfWork, { course_ids, user_ids }: Unenrollment) {
  const { db } = work
  if (user_ids.length * course_ids.length > MAX_PAIRS)
    throw invalid("user_ids", `user_ids times course_ids must be ${MAX_PAIRS} or less. Split the request.`)
  const condition = sql`${enrollments.courseId} in ${idList(course_ids)}
    and ${enrollments.userId} in ${idList(user_ids)}`
  const [found] = await work.read([
    db
      .select({ count: sql<number>`count(*)`.as("count") })
      .from(enrollments)
      .where(condition),
  ])
  const unenrolled = firstRow(found).count
  const notEnrolled = user_ids.length * course_ids.length - unenrolled
  const answer = { message: summarizeEnded(unenrolled, "enrollment", notEnrolled), unenrolled, notEnrolled }
  if (unenrolled === 0) return work.commit([], answer)
  return work.commit(
    [
      work.guard(sql`${rowCount(enrollments, condition)} = ${unenrolled}`),
      ...unenrollStatements(work, condition),
      disownEnrollments(work, user_ids, course_ids),
    ],
    answer,
  )
}
