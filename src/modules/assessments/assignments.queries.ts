import { desc, eq, type SQL, sql } from "drizzle-orm"
import { assignmentUploads } from "../../../drizzle/schema/assignments.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { submissionFiles, submissions } from "../../../drizzle/schema/submissions.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { type EnrollmentStatus, ModuleStatus } from "../../../drizzle/statuses.ts"
import { canSeeUser, inPortal } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { actorName, fullNameIn, literal, subquery } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import {
  canSubmitFor,
  type ModuleSelector,
  RETRY_ON_CONFLICT,
  requireModuleAccess,
  resolveModule,
} from "../enrollments/module-progress.queries.ts"
import { expiryMessage, type ModuleRow, selectModuleRows, withPrerequisite } from "../enrollments/module-rows.ts"
import { openAssignmentStatus, toStatusRowId, wasLastAccessedAt } from "../enrollments/module-statuses.queries.ts"
import { guardEnrollmentExists } from "../enrollments/registrations.queries.ts"

/** Selects an assignment of an enrollment, with the course and the learner. */
export const selectAssignment = (
  db: Database,
  { enrollmentId, moduleId }: ModuleSelector,
  accessCondition: SQL,
  portalId?: number,
) =>
  db
    .select({
      enrollmentId: sql<number>`${enrollments.id}`.as("enrollment_id"),
      enrollmentStatus: sql<EnrollmentStatus>`${enrollments.status}`.as("enrollment_status"),
      userId: enrollments.userId,
      courseId: enrollments.courseId,
      registeredAt: enrollments.registeredAt,
      expiresAt: enrollments.expiresAt,
      courseName: sql<string>`${courses.name}`.as("course_name"),
      courseSlug: sql<string>`${courses.slug}`.as("course_slug"),
      moduleId: sql<number>`${modules.id}`.as("module_id"),
      name: sql<string>`${modules.name}`.as("module_name"),
      slug: sql<string>`${modules.slug}`.as("module_slug"),
      content: sql<string>`${modules.content}`.as("module_content"),
      totalPoints: modules.totalPoints,
      submissionType: modules.submissionType,
      allowedFiletypes: modules.allowedFiletypes,
      maxUploadSize: modules.maxUploadSize,
      learner: fullNameIn().as("learner_name"),
      email: sql<string>`${users.email}`.as("learner_email"),
      statusRowId: sql<number | null>`${moduleStatuses.id}`.as("status_row_id"),
      status: sql<ModuleStatus>`coalesce(${moduleStatuses.status}, ${literal(ModuleStatus.NotStarted)})`.as(
        "module_status",
      ),
    })
    .from(enrollments)
    .innerJoin(modules, sql`${modules.id} = ${moduleId} and ${modules.type} = 'assignment'`)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .innerJoin(users, eq(users.id, enrollments.userId))
    .leftJoin(
      moduleStatuses,
      sql`${moduleStatuses.enrollmentId} = ${enrollments.id} and ${moduleStatuses.moduleId} = ${modules.id}`,
    )
    .where(
      sql`${enrollments.id} = ${enrollmentId} and ${accessCondition}${
        portalId === undefined ? sql`` : sql` and ${inPortal(enrollments.userId, portalId)}`
      }`,
    )

export const toEnrollmentState = (assignment: { enrollmentId: number; enrollmentStatus: EnrollmentStatus }) => ({
  id: assignment.enrollmentId,
  status: assignment.enrollmentStatus,
})

/** Selects the submissions for an assignment of an enrollment, newest first. */
const submissionsOf = (db: Database, { enrollmentId, moduleId }: ModuleSelector) =>
  db
    .select({
      id: submissions.id,
      number: submissions.number,
      status: submissions.status,
      body: submissions.body,
      studentMessage: submissions.studentMessage,
      instructorMessage: submissions.instructorMessage,
      pointsAwarded: submissions.pointsAwarded,
      submittedAt: submissions.submittedAt,
      evaluatedAt: submissions.evaluatedAt,
      evaluatedBy: actorName(submissions.evaluatedBy).as("evaluator_name"),
      files: subquery(sql<string>`(
        select json_group_array(json_object('id', upload_id, 'name', filename))
        from (
          select ${submissionFiles.uploadId} as upload_id, ${assignmentUploads.filename} as filename
          from ${submissionFiles}
          join ${assignmentUploads} on ${assignmentUploads.id} = ${submissionFiles.uploadId}
          where ${submissionFiles.submissionId} = ${submissions.id}
          order by ${submissionFiles.position}
        )
      )`)
        .mapWith((json: string): { id: number; name: string }[] => JSON.parse(json))
        .as("submitted_files"),
    })
    .from(submissions)
    .where(sql`${submissions.enrollmentId} = ${enrollmentId} and ${submissions.moduleId} = ${moduleId}`)
    .orderBy(desc(submissions.number))

export type Submission = Awaited<ReturnType<typeof submissionsOf>>[number]

/** Whether the assignment can be opened; if not, why. */
function launchCheck(
  registration: { expiresAt: number; registeredAt: number },
  { lockReason, dripMessage }: Record<string, string>,
) {
  const title = expiryMessage(registration)
    ? "Enrollment expired"
    : lockReason
      ? "Module locked"
      : dripMessage
        ? "Not available yet"
        : ""
  return { canbeLaunched: title === "", errTitle: title, errDesc: lockReason || dripMessage || "" }
}

/** The module's row after it was opened. */
const toOpenedRow = (row: ModuleRow, statusRowId: number, at: number): ModuleRow => ({
  ...row,
  statusRowId,
  status: !row.status || row.status === ModuleStatus.NotStarted ? ModuleStatus.InProgress : row.status,
  timesAccessed: (row.timesAccessed ?? 0) + 1,
  timeSpent: row.timeSpent ?? 0,
  startedAt: row.startedAt || at,
  lastAccessedAt: Math.max(row.lastAccessedAt ?? 0, at),
})

/**
 * Opens an assignment if its locks and dates allow it, and returns its details.
 * @throws 404; 409 if the module was removed from the course
 */
export async function openAssignment(
  work: UnitOfWork,
  { portalId, ...ref }: { registrationId: number; moduleId: number; portalId?: number | undefined },
) {
  const { db, caller } = work
  const moduleKey = resolveModule(ref)
  const [found, rows, submissionRows] = await work.read([
    selectAssignment(db, moduleKey, canSubmitFor(caller), portalId),
    selectModuleRows(db, moduleKey.enrollmentId),
    submissionsOf(db, moduleKey),
  ])
  const at = rows.findIndex((one) => one.moduleId === moduleKey.moduleId)
  const { registration, row, lockReason, dripMessage, lockError } = requireModuleAccess(
    found,
    withPrerequisite(rows, at),
    "assignment",
  )
  const check = launchCheck(registration, { lockReason, dripMessage })
  const openedAt = now()
  const { moduleId } = registration
  const statusRowId = toStatusRowId(registration)
  const openedRow = lockError ? row : toOpenedRow(row, statusRowId, openedAt)
  const answer = {
    registration: { ...registration, content: lockError && !canSeeAllUsers(caller) ? "" : registration.content },
    check,
    row: openedRow,
    rows: rows.with(at, openedRow),
    previous: rows[at - 1]?.slug ?? null,
    next: rows[at + 1]?.slug ?? null,
    submissionRows,
  }
  if (lockError) return work.commit([], answer)
  // When learners open it themselves, the status and the STARTED activity record it.
  const isAudited = row.status !== openedRow.status && registration.userId !== caller.id
  return work.commit(
    [
      guardEnrollmentExists(work, toEnrollmentState(registration)),
      ...openAssignmentStatus(
        work,
        toEnrollmentState(registration),
        { moduleId, isNew: row.statusRowId === null },
        openedAt,
      ),
      ...(isAudited
        ? [
            work.audit(
              "updated",
              "module progress",
              { id: statusRowId, name: registration.name },
              { userId: registration.userId, status: ModuleStatus.InProgress },
            ),
          ]
        : []),
    ],
    answer,
    { ...RETRY_ON_CONFLICT, marker: () => wasLastAccessedAt(registration, openedAt) },
  )
}

/** Returns the submissions for an assignment. @throws 404 if the caller may not see the learner */
export async function getSubmissions(db: Database, caller: Caller, statusRowId: number) {
  const moduleKey = resolveModule({ statusRowId })
  const [found, submissionRows] = await db.batch([
    selectAssignment(db, moduleKey, canSeeUser(caller, enrollments.userId)),
    submissionsOf(db, moduleKey),
  ])
  const [assignment] = found
  if (!assignment) throw notFound("assignment status")
  return { assignment, submissionRows }
}
