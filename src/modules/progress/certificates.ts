import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { certificates, certificateTemplates } from "../../../drizzle/schema/certificates.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { isErased } from "../../db/erased-users.ts"
import { type ColumnValues, insertFrom } from "../../db/insert-from.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { DAY, now } from "../../lib/clock.ts"

/** Joins `courses` with the certificate template; courses without one are excluded. */
export const joinTemplate = sql`
  join ${certificateTemplates} on ${certificateTemplates.id} = ${courses.certificateTemplateId}`

/** Joins `courses` with `author`, whose name is on the certificate. */
const withAuthor = sql`left join ${users} as author on author.id = ${courses.authorId}`

/** How long before its expiry a certificate is announced as expiring. */
export const EXPIRY_NOTICE = 30 * DAY

type Issued = Pick<
  ColumnValues<typeof certificates>,
  "id" | "userId" | "enrollmentId" | "classEnrollmentId" | "issuedAt" | "expiresAt"
>

/** Certificates that are imported expired, or valid for less than the time of the notice, are not announced. */
const initialExpiryState = ({ issuedAt, expiresAt }: Issued) => sql`(case
    when ${expiresAt} between 1 and ${now()} then 2
    when ${expiresAt} between 1 and ${issuedAt} + ${EXPIRY_NOTICE} then 1
    else 0
  end)`

/**
 * Inserts certificates with a copy of the course's data and a random code.
 * @param from a `from` clause that includes `courses`; @param where a condition on it
 */
export const insertCertificates = ({ db }: UnitOfWork, issued: Issued, { from, where }: { from: SQL; where: SQL }) =>
  insertFrom(
    db,
    certificates,
    {
      ...issued,
      code: sql`hex(randomblob(12))`,
      courseId: courses.id,
      templateId: sql`${courses.certificateTemplateId}`,
      courseName: courses.name,
      instructorName: sql`coalesce(trim(author.first_name || ' ' || author.last_name), '')`,
      courseCredit: courses.courseCredit,
      searchText: courses.searchText,
      expiryState: initialExpiryState(issued),
    },
    sql`${from} ${joinTemplate} ${withAuthor} where ${where}`,
  )

/**
 * Issues the certificates of enrollments that complete their course.
 * @param completion the enrollments: a join with `enrollments`, and a condition
 */
export function issueEarnedCertificates(
  work: UnitOfWork,
  completion: { from: SQLWrapper; where: SQL; completedAt: SQLWrapper },
): Statement[] {
  const { from, completedAt } = completion
  const where = sql`(${completion.where}) and not ${isErased(enrollments.userId)}`
  const fromCompletedCourses = sql`from ${from} join ${courses} on ${courses.id} = ${enrollments.courseId}`
  const lastId = sql`(select value from sequences where name = 'certificates')`
  return [
    work.nextIds(
      "certificates",
      sql`(select count(*) ${fromCompletedCourses} ${joinTemplate} where ${where})`,
      sql`wanted.count > 0`,
    ),
    insertCertificates(
      work,
      {
        id: sql`${lastId} - count(*) over () + row_number() over (order by ${enrollments.id})`,
        userId: enrollments.userId,
        enrollmentId: enrollments.id,
        classEnrollmentId: null,
        issuedAt: completedAt,
        expiresAt: enrollments.expiresAt,
      },
      { from: fromCompletedCourses, where },
    ),
  ]
}
