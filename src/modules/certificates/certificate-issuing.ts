import { eq, type SQL, sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { firstRow } from "../../db/client.ts"
import { insertedAfter, rowCount, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { loadFontCatalog } from "../../lib/pdf/font-files.ts"
import { pluralize } from "../../lib/text/words.ts"
import { insertCertificates, joinTemplate } from "../progress/certificates.ts"

/**
 * Plans certificates for users in courses. `reads` belong to the first round trip; `toStatements` takes their results
 * and returns the statements of the second. Users with a valid certificate of the course and courses without a template
 * are skipped.
 * @param earned a query of `user_id`, `course_id` and `class_enrollment_id`, with distinct pairs of user and course
 */
export function planCertificates(work: UnitOfWork, earned: SQL) {
  const { db } = work
  const at = now()
  const hasValidCertificate = rowExists(
    certificates,
    sql`${certificates.courseId} = earned.course_id
      and ${certificates.userId} = earned.user_id
      and ${certificates.revokedAt} = 0
      and (${certificates.expiresAt} = 0 or ${certificates.expiresAt} > ${at})`,
  )
  const earnedBy = (joins: SQL) => sql`
    from (${earned}) as earned
    join ${courses} on ${courses.id} = earned.course_id
    join ${users} on ${users.id} = earned.user_id
    ${joins}`
  const toIssue = sql`${earnedBy(joinTemplate)} where not ${hasValidCertificate}`
  const reads = [
    work.nextIds("certificates", sql`(select count(*) ${toIssue})`),
    db
      .select({
        firstName: sql<string>`issuing.first_name`.as("first_name"),
        lastName: sql<string>`issuing.last_name`.as("last_name"),
        courseName: sql<string>`issuing.course_name`.as("course_name"),
      })
      .from(
        sql`(
          select ${users.firstName} as first_name, ${users.lastName} as last_name, ${courses.name} as course_name
          ${toIssue}
        ) as issuing`,
      ),
  ] as const

  const toStatements = (ids: { last: number }[], holders: CertificateHolder[]) => {
    const issued = holders.length
    const afterId = firstRow(ids).last - issued
    const isNewCertificate = insertedAfter(certificates.id, afterId, issued)
    const statements =
      issued === 0
        ? []
        : [
            insertCertificates(
              work,
              {
                id: sql`${afterId} + row_number() over (order by ${courses.id}, ${users.id})`,
                userId: users.id,
                enrollmentId: enrollments.id,
                classEnrollmentId: sql`earned.class_enrollment_id`,
                issuedAt: at,
                expiresAt: sql`coalesce(${enrollments.expiresAt}, 0)`,
              },
              {
                from: earnedBy(sql`
                  left join ${enrollments}
                    on ${enrollments.courseId} = ${courses.id} and ${enrollments.userId} = ${users.id}`),
                where: sql`not ${hasValidCertificate}`,
              },
            ),
            work.guard(eq(rowCount(certificates, isNewCertificate), issued)),
            work.auditMany(
              "created",
              "certificate",
              sql`
                select ${certificates.id} as id, ${certificates.courseName} as name,
                  json_object('userId', ${certificates.userId}) as details
                from ${certificates}
                where ${isNewCertificate}`,
            ),
          ]
    return { statements, issued, holders }
  }
  return { reads, settle: toStatements }
}

/** The user and the course of a certificate. */
interface CertificateHolder {
  firstName: string
  lastName: string
  courseName: string
}

/** Returns a warning about certificates with characters that no font has, if there are any. */
export async function missingCharacterWarning(
  work: UnitOfWork,
  holders: readonly CertificateHolder[],
): Promise<string[]> {
  if (holders.length === 0) return []
  const catalog = await loadFontCatalog(work.env.ASSETS)
  const affected = holders.flatMap(({ firstName, lastName, courseName }) => {
    const missing = catalog.missing(`${firstName} ${lastName} ${courseName}`)
    return missing.length > 0 ? [{ name: `${firstName} ${lastName}`, missing }] : []
  })
  const [first] = affected
  if (!first) return []
  const count = pluralize(affected.length, "certificate")
  const example = `${first.name} (${first.missing.join(" ")})${affected.length > 1 ? " and others" : ""}`
  return [`${count} with characters that no certificate font has, which are drawn as boxes: ${example}.`]
}
