import { sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { queueMailFromRow } from "../../db/outbox.ts"
import { literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { displayDate } from "../../lib/text/dates.ts"
import { appUrl, CONSOLE } from "../../lib/web/academy.ts"

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
  const courseUrl = appUrl(work.env) ?? `${base}${CONSOLE}/learning`
  const emailTemplate = sql`json_object(
    'subject', 'You completed ' || ${courses.name},
    'paragraphs', iif(
      ${code} is null,
      json_array(${"You completed "} || ${courses.name} || ${` on ${displayDate(at)}.`}),
      json_array(
        ${"You completed "} || ${courses.name} || ${` on ${displayDate(at)}.`},
        'Your certificate is ready. Anyone with the link can verify it.'
      )
    ),
    'action', iif(
      ${code} is null,
      json_object('label', 'View my courses', 'url', ${courseUrl}),
      json_object('label', 'View certificate', 'url', ${`${base}/certificate/`} || ${code})
    )
  )`
  const source = sql`
    from ${enrollments}
    join ${courses} on ${courses.id} = ${enrollments.courseId}
    join ${users} on ${users.id} = ${enrollments.userId}
    where ${enrollments.id} = ${enrollmentId}
      and ${enrollments.status} = ${literal(EnrollmentStatus.Completed)}
      and ${enrollments.completedAt} = ${at}
      and not ${users.disabled}`
  return queueMailFromRow(work, "course completed", { id: enrollmentId, at }, { template: emailTemplate, source })
}
