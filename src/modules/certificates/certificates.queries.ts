import { and, eq, sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ClassStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
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
import { certificateColumns } from "./certificate-columns.ts"
import { missingCharacterWarning, planCertificates } from "./certificate-issuing.ts"
import type { NewDates } from "./certificates.schemas.ts"

const isNotRevoked = sql`${certificates.revokedAt} = 0`
const isExpired = () => sql`(${certificates.expiresAt} > 0 and ${certificates.expiresAt} <= ${now()})`

type ListQuery = PageQuery & {
  portalId?: number | undefined
  group_id?: number | undefined
  return_type?: string | undefined
  search_param: { courseName?: string | undefined; courseId?: number | undefined; portalId?: number | undefined }
}

/** Returns one page of a user's certificates. @throws 404 for a user the caller cannot see */
export async function listCertificates(db: Database, caller: Caller, userId: number, query: ListQuery) {
  const { group_id, return_type: type, search_param: search } = query
  const isMember = belongs(userId, { portalId: portalFilter(query), group_id })
  const statusTests = new Map([
    ["active", sql`not ${isExpired()}`],
    ["expired", isExpired()],
  ])
  const statusTest = type === undefined ? undefined : statusTests.get(type.toLowerCase())
  const found = preparePage(
    db,
    {
      table: certificates,
      key: certificates.id,
      fields: certificateColumns.fields,
      sort: certificateColumns.sort,
      defaultSort: { colName: "issueDate", direction: "desc" },
      scope: [
        { test: sql`${certificates.userId} = ${userId} and ${isNotRevoked}` },
        ...(isMember ? [{ test: isMember }] : []),
      ],
      search: [
        ...(search.courseName
          ? [{ test: sql`instr(${certificates.searchText}, ${search.courseName.toLowerCase()})` }]
          : []),
        ...(search.courseId ? [{ test: sql`${certificates.courseId} = ${search.courseId}` }] : []),
        ...(statusTest ? [{ test: statusTest }] : []),
      ],
    },
    query,
  )
  const [rows, totals, userRows] = await db.batch([...found.statements, selectVisibleUser(db, caller, userId)])
  if (userRows.length === 0) throw notFound("user")
  return found.read(rows, totals)
}

/** Selects a certificate that is not revoked, with its owner. */
const selectCertificate = (work: UnitOfWork, id: number) =>
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
    .where(and(eq(certificates.id, id), isNotRevoked, canSeeUser(work.caller, certificates.userId)))

type CertificateRow = Awaited<ReturnType<typeof selectCertificate>>[number]

/** @throws 404; 403 for a user that the caller may not change */
function requireChangeable(work: UnitOfWork, found: CertificateRow | undefined): CertificateRow {
  if (!found) throw notFound("certificate")
  if (!canChangeUserOfType(work.caller, found.userType))
    throw forbidden("Your role does not allow you to change this user's certificates.")
  return found
}

/**
 * Revokes a certificate: lists and counts exclude it, and its public page says that it is revoked.
 * @param pathId the id of the user or of the certificate
 * @throws 404 when the certificate belongs to another user; 403
 */
export async function revokeCertificate(work: UnitOfWork, pathId: number, id: number) {
  const [rows] = await work.read([selectCertificate(work, id)])
  const found = requireChangeable(
    work,
    rows.find(({ userId }) => pathId === userId || pathId === id),
  )
  return work.commit(
    [
      work.guard(rowExists(certificates, sql`${certificates.id} = ${id} and ${isNotRevoked}`)),
      work.db
        .update(certificates)
        .set({ revokedAt: now(), version: sql`${certificates.version} + 1`, updatedAt: nextUpdatedAt })
        .where(eq(certificates.id, id)),
      work.audit("deleted", "certificate", { id, name: found.courseName }, { userId: found.userId }),
    ],
    { message: "Certificate deleted." },
  )
}

/** A new expiry is announced again, unless it has passed. */
const expiryStateOf = (expiresAt: number) => (expiresAt > 0 && expiresAt <= now() ? 2 : 0)

/**
 * Changes the issue and expiry dates of a certificate. A date without a time keeps the time of day.
 * @throws 404, 403, 422 for an expiry before the issue
 */
export async function updateCertificateDates(work: UnitOfWork, { rowId, newIssueDate, newExpiryDate }: NewDates) {
  const [rows] = await work.read([selectCertificate(work, rowId)])
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
    next: { issuedAt, expiresAt, ...(expiresAt !== found.expiresAt && { expiryState: expiryStateOf(expiresAt) }) },
    subject: "certificate",
    name: found.courseName,
    answer: { message: "Certificate dates updated." },
    details: { userId: found.userId, issuedAt, expiresAt },
  })
}

/** Issues certificates for completed enrollments without a valid one; the others are counted. */
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
 * Issues certificates of a class's course to learners of the class. Learners with a valid certificate and enrollments
 * with No Show or Cancelled are skipped. @throws 404 for the class
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
  const [classRows, ...results] = await work.read([
    work.db
      .select({ templateId: sql<number | null>`${courses.certificateTemplateId}`.as("template_id") })
      .from(classes)
      .innerJoin(courses, eq(courses.id, classes.courseId))
      .where(eq(classes.id, classId)),
    ...plan.reads,
  ])
  const [classRow] = classRows
  if (!classRow) throw notFound("class")
  const { statements, issued, holders } = plan.settle(...results)
  const skipped = enrollmentIds.length - issued
  const message = [
    `${pluralize(issued, "certificate")} issued.`,
    ...(classRow.templateId === null ? ["The course of the class has no certificate template. Assign one first."] : []),
    ...(skipped > 0 && classRow.templateId !== null
      ? [`${skipped} skipped: unknown, not attending, or already certified.`]
      : []),
    ...(await missingCharacterWarning(work, holders)),
  ].join(" ")
  return work.commit(statements, { isSucess: issued > 0, message })
}
