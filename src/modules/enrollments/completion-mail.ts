import { sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { mailingIdOf } from "../../db/outbox.ts"
import { literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { CONSOLE } from "../../lib/web/academy.ts"
import { notifyStatements } from "../notifications/notify.ts"

/**
 * Queues the mail about a completed course, with a link to the certificate if one was issued. Must run after the
 * statements that complete the module: it writes nothing unless these completed the course too.
 * @param base the origin of links in the mail, without a trailing slash
 * @param at when the module was completed, in epoch ms
 */
export function queueCompletionMail(work: UnitOfWork, base: string, enrollmentId: number, at: number): Statement[] {
  const code = sql`(
    select ${certificates.code}
    from ${certificates}
    where ${certificates.enrollmentId} = ${enrollments.id}
      and ${certificates.issuedAt} = ${enrollments.completedAt}
      and ${certificates.revokedAt} = 0
    order by ${certificates.id} desc
    limit 1
  )`
  const recipients = sql`
    select ${enrollments.userId} as user_id,
      json_object(
        'course', ${courses.name},
        'completed_on', ${enrollments.completedAt},
        'certificate_url', '/certificate/' || ${code}
      ) as variables,
      ${`${CONSOLE}/learning`} as path, null as dedupe
    from ${enrollments}
    join ${courses} on ${courses.id} = ${enrollments.courseId}
    where ${enrollments.id} = ${enrollmentId}
      and ${enrollments.status} = ${literal(EnrollmentStatus.Completed)}
      and ${enrollments.completedAt} = ${at}`
  const mailingId = mailingIdOf("completion", enrollmentId, at)
  return notifyStatements(work, "course_completed", recipients, { base, mailingId })
}
