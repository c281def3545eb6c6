import { and, asc, eq, sql } from "drizzle-orm"
import {
  certificates,
  certificateTemplates,
  certificateTemplateVersions,
} from "../../../drizzle/schema/certificates.ts"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ClassStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { primaryPortalName } from "../../access/accounts.ts"
import { belongs, canSeeUser, selectVisibleUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { updateRecord } from "../../db/records.ts"
import { idList, literal, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canChangeUserOfType } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { forbidden, invalid, notFound } from "../../lib/errors.ts"
import { portalFilter } from "../../lib/input/list-query.ts"
import { displayDate, shiftDate } from "../../lib/text/dates.ts"
import { pluralize } from "../../lib/text/words.ts"
import { displayFieldValue } from "../users/custom-field-columns.ts"
import { certificateColumns } from "./certificate-columns.ts"
import { missingCharacterWarning, planCertificates } from "./certificate-issuing.ts"
import { renderCertificate } from "./certificate-values.ts"
import type { NewDates } from "./certificates.schemas.ts"

const holds = sql`${certificates.revokedAt} = 0`
const expired = () => sql`(${certificates.expiresAt} > 0 and ${certificates.expiresAt} <= ${now()})`

type ListQuery = PageQuery & {
  portalId?: number | undefined
  group_id?: number | undefined
  return_type?: string | undefined
  search_param: { courseName?: string | undefined; courseId?: number | undefined; portalId?: number | undefined }
}

/** One page of a user's certificates. @throws 404 outside the caller's reach */
export async function listCertificates(db: Database, caller: Caller, userId: number, query: ListQuery) {
  const { group_id, return_type: type, search_param: search } = query
  const within = belongs(userId, { portalId: portalFilter(query), group_id })
  const which = new Map([
    ["active", sql`not ${expired()}`],
    ["expired", expired()],
  ])
  const wanted = type === undefined ? undefined : which.get(type.toLowerCase())
  const found = preparePage(
    db,
    {
      table: certificates,
      key: certificates.id,
      fields: certificateColumns.fields,
      sort: certificateColumns.sort,
      defaultSort: { colName: "issueDate", direction: "desc" },
      scope: [{ test: sql`${certificates.userId} = ${userId} and ${holds}` }, ...(within ? [{ test: within }] : [])],
      search: [
        ...(search.courseName
          ? [{ test: sql`instr(${certificates.searchText}, ${search.courseName.toLowerCase()})` }]
          : []),
        ...(search.courseId ? [{ test: sql`${certificates.courseId} = ${search.courseId}` }] : []),
        ...(wanted ? [{ test: wanted }] : []),
      ],
    },
    query,
  )
  const [rows, totals, people] = await db.batch([...found.statements, selectVisibleUser(db, caller, userId)])
  if (people.length === 0) throw notFound("user")
  return found.read(rows, totals)
}

/** A certificate that was not revoked, with whose it is: for a mutation's first trip. */
const certificateOf = (work: UnitOfWork, id: number) =>
  work.db
    .select({
      id: certificates.id,
      userId: certificates.userId,
      courseName: certificates.courseName,
      issuedAt: certificates.issuedAt,
      expiresAt: certificates.expiresAt,
      version: certificates.version,
      userType: users.userType,
    })
    .from(certificates)
    .innerJoin(users, eq(users.id, certificates.userId))
    .where(and(eq(certificates.id, id), holds, canSeeUser(work.caller, certificates.userId)))

type Found = Awaited<ReturnType<typeof certificateOf>>[number]

/** @throws 404, 403 for a user whom the caller may not change */
function requireChangeable(work: UnitOfWork, found: Found | undefined): Found {
  if (!found) throw notFound("certificate")
  if (!canChangeUserOfType(work.caller, found.userType))
    throw forbidden("Your role does not allow you to change this user's certificates.")
  return found
}

/**
 * Revokes a certificate: it leaves every list and count, and its page says so.
 * @param pathId the user's id, or the certificate's own
 * @throws 404 where the certificate is not the user's; 403
 */
export async function revokeCertificate(work: UnitOfWork, pathId: number, id: number) {
  const [rows] = await work.read([certificateOf(work, id)])
  const found = requireChangeable(
    work,
    rows.find(({ userId }) => pathId === userId || pathId === id),
  )
  return work.commit(
    [
      work.guard(rowExists(certificates, sql`${certificates.id} = ${id} and ${holds}`)),
      work.db
        .update(certificates)
        .set({ revokedAt: now(), version: sql`${certificates.version} + 1` })
        .where(eq(certificates.id, id)),
      work.audit("deleted", "certificate", { id, name: found.courseName }, { userId: found.userId }),
    ],
    { message: "Certificate deleted." },
  )
}

/**
 * Changes when a certificate was issued and when it expires; a date as it is shown leaves the time.
 * @throws 404, 403, 422 for an expiry before the issue
 */
export async function updateCertificateDates(work: UnitOfWork, { rowId, newIssueDate, newExpiryDate }: NewDates) {
  const [rows] = await work.read([certificateOf(work, rowId)])
  const { userType: _, ...found } = requireChangeable(work, rows[0])
  const issuedAt = shiftDate(found.issuedAt, newIssueDate)
  const expiresAt =
    newExpiryDate === undefined ? found.expiresAt : newExpiryDate ? shiftDate(found.expiresAt, newExpiryDate) : 0
  if (expiresAt > 0 && expiresAt <= issuedAt)
    throw newExpiryDate === undefined
      ? invalid("newIssueDate", `newIssueDate must be before the expiry, ${displayDate(expiresAt)}.`)
      : invalid("newExpiryDate", "newExpiryDate must be after newIssueDate.")
  return updateRecord(work, {
    table: certificates,
    record: found,
    next: { issuedAt, expiresAt },
    subject: "certificate",
    name: found.courseName,
    answer: { message: "Certificate dates updated." },
    details: { userId: found.userId, issuedAt, expiresAt },
  })
}

/** Issues certificates for Completed registrations that have none that holds; the others are counted. */
export async function issueCertificates(work: UnitOfWork, registrationIds: number[]) {
  const plan = planCertificates(
    work,
    sql`
      select ${enrollments.userId} as user_id, ${enrollments.courseId} as course_id, null as class_enrollment_id
      from ${enrollments}
      where ${enrollments.id} in ${idList(registrationIds)}
        and ${enrollments.status} = ${literal(EnrollmentStatus.Completed)}`,
  )
  const { statements, issued, holders } = plan.settle(...(await work.read([...plan.reads])))
  const skipped = registrationIds.length - issued
  const message = [
    `${pluralize(issued, "certificate")} issued.`,
    ...(skipped > 0 ? [`${pluralize(skipped, "registration")} skipped.`] : []),
    ...(await missingCharacterWarning(work, holders)),
  ].join(" ")
  return work.commit(statements, { message, issued, skipped })
}

/**
 * Issues the certificates of a class's course to learners of the class, but those who have one that holds and those who
 * did not come (No Show, Cancelled). @throws 404 for the class
 */
export async function issueClassCertificates(work: UnitOfWork, classId: number, enrollmentIds: number[]) {
  const plan = planCertificates(
    work,
    sql`
      select ${classEnrollments.userId} as user_id, ${classes.courseId} as course_id,
        ${classEnrollments.id} as class_enrollment_id
      from ${classEnrollments}
      join ${classes} on ${classes.id} = ${classEnrollments.classId}
      where ${classEnrollments.classId} = ${classId}
        and ${classEnrollments.id} in ${idList(enrollmentIds)}
        and ${classEnrollments.status} in (${literal(ClassStatus.Registered)}, ${literal(ClassStatus.Attended)})`,
  )
  const [found, ...results] = await work.read([
    work.db
      .select({ templateId: sql<number | null>`${courses.certificateTemplateId}`.as("template_id") })
      .from(classes)
      .innerJoin(courses, eq(courses.id, classes.courseId))
      .where(eq(classes.id, classId)),
    ...plan.reads,
  ])
  const [place] = found
  if (!place) throw notFound("class")
  const { statements, issued, holders } = plan.settle(...results)
  const skipped = enrollmentIds.length - issued
  const message = [
    `${pluralize(issued, "certificate")} issued.`,
    ...(place.templateId === null ? ["The class's course has no certificate template; give it one first."] : []),
    ...(skipped > 0 && place.templateId !== null
      ? [`${skipped} skipped: unknown, not there, or with a certificate of the course already.`]
      : []),
    ...(await missingCharacterWarning(work, holders)),
  ].join(" ")
  return work.commit(statements, { isSucess: issued > 0, message })
}

/**
 * Draws a certificate with its template as it was at issue.
 * @throws 404 outside the caller's reach, and for a revoked one
 */
export async function downloadCertificate(work: UnitOfWork, origin: string, id: number) {
  const { db, caller } = work
  const [rows, answers, versions] = await db.batch([
    db
      .select({
        code: certificates.code,
        courseName: certificates.courseName,
        instructorName: certificates.instructorName,
        courseCredit: certificates.courseCredit,
        issuedAt: certificates.issuedAt,
        expiresAt: certificates.expiresAt,
        firstName: users.firstName,
        lastName: users.lastName,
        site: primaryPortalName(users.id),
        bgUrl: certificateTemplates.bgUrl,
        width: certificateTemplates.width,
        height: certificateTemplates.height,
        fields: certificateTemplates.fields,
        qrCode: certificateTemplates.qrCode,
      })
      .from(certificates)
      .innerJoin(users, eq(users.id, certificates.userId))
      .innerJoin(certificateTemplates, eq(certificateTemplates.id, certificates.templateId))
      .where(and(eq(certificates.id, id), holds, canSeeUser(caller, certificates.userId))),
    db
      .select({
        key: customFields.userMetaKey,
        type: customFields.type,
        options: customFields.options,
        value: customFieldValues.value,
      })
      .from(customFieldValues)
      .innerJoin(customFields, eq(customFields.id, customFieldValues.fieldId))
      .where(
        sql`${customFields.onCertificate} and ${customFieldValues.userId} = (
          select ${certificates.userId} from ${certificates} where ${certificates.id} = ${id}
        )`,
      ),
    // What its template was when it was issued, where that was changed since.
    db
      .select()
      .from(certificateTemplateVersions)
      .where(
        sql`
          ${certificateTemplateVersions.templateId} = (
            select ${certificates.templateId} from ${certificates} where ${certificates.id} = ${id}
          )
          and ${certificateTemplateVersions.lastCertificateId} >= ${id}`,
      )
      .orderBy(asc(certificateTemplateVersions.lastCertificateId))
      .limit(1),
  ])
  const [found] = rows
  if (!found) throw notFound("certificate")
  const custom = new Map(answers.map((answer) => [answer.key.toLowerCase(), displayFieldValue(answer, answer.value)]))
  return renderCertificate(work.env, origin, versions[0] ?? found, { ...found, custom })
}

/** What the public page tells of a certificate's code; undefined for a code that no certificate has. */
export async function verifyCertificate(db: Database, code: string) {
  const [rows] = await db.batch([
    db
      .select({
        code: certificates.code,
        courseName: certificates.courseName,
        instructorName: certificates.instructorName,
        issuedAt: certificates.issuedAt,
        expiresAt: certificates.expiresAt,
        revokedAt: certificates.revokedAt,
        firstName: users.firstName,
        lastName: users.lastName,
        site: primaryPortalName(users.id),
      })
      .from(certificates)
      .innerJoin(users, eq(users.id, certificates.userId))
      .where(eq(certificates.code, code)),
  ])
  return rows[0]
}
