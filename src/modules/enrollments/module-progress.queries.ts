import { type SQL, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { type ModuleType, modules } from "../../../drizzle/schema/modules.ts"
import type { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { ConflictError } from "../../db/commit-errors.ts"
import { type Caller, canSeeAllUsers, hasRole } from "../../lib/caller.ts"
import { conflict, forbidden, notFound } from "../../lib/errors.ts"
import { lockError, type ModuleRowWithPrerequisite, moduleAvailability, selectModuleRow } from "./module-rows.ts"
import { type ModuleKey, parseStatusRowId } from "./module-statuses.queries.ts"

// The progress of an enrollment in one module: shared by quizzes, SCORM packages and assignments.

/** Identifies a module of an enrollment: by its status row, or by both ids if there is no status row yet. */
export interface ModuleRef {
  statusRowId?: number | undefined
  registrationId?: number | undefined
  moduleId?: number | undefined
}

/** Resolves the ids of the enrollment and the module. */
export const resolveModule = ({ statusRowId = 0, registrationId = 0, moduleId = 0 }: ModuleRef): ModuleKey =>
  statusRowId < 1 ? { enrollmentId: registrationId, moduleId } : parseStatusRowId(statusRowId)

/** The result of `resolveModule`, or a query for each id. */
export type ModuleSelector = Record<keyof ModuleKey, number | SQL>

/** The condition that the caller may submit work for an enrollment: learners for their own, staff for all. */
export const canSubmitFor = (caller: Caller): SQL =>
  canSeeAllUsers(caller) ? sql`1` : sql`${enrollments.userId} = ${caller.id}`

/** Selects an enrollment with its module. Learners see only their own. */
export const selectModuleProgress = (
  db: Database,
  caller: Caller,
  type: ModuleType,
  { enrollmentId, moduleId }: ModuleSelector,
) =>
  [
    db
      .select({
        id: sql<number>`${enrollments.id}`.as("registration_id"),
        status: sql<EnrollmentStatus>`${enrollments.status}`.as("registration_status"),
        enrollmentId: sql<number>`${enrollments.id}`.as("enrollment_id"),
        userId: enrollments.userId,
        courseId: enrollments.courseId,
        registeredAt: enrollments.registeredAt,
        expiresAt: enrollments.expiresAt,
        moduleId: sql<number>`${modules.id}`.as("module_id"),
        name: modules.name,
        version: modules.version,
        totalPoints: modules.totalPoints,
        passPercent: modules.passPercent,
        maxAttempts: modules.maxAttempts,
        timeLimitMinutes: modules.timeLimitMinutes,
        shuffleQuestions: modules.shuffleQuestions,
        shuffleOptions: modules.shuffleOptions,
        partialCredit: modules.partialCredit,
        scormVersion: modules.scormVersion,
        packageKey: modules.packageKey,
        launchPath: modules.launchPath,
        launchCmi: modules.launchCmi,
      })
      .from(enrollments)
      .innerJoin(modules, sql`${modules.id} = ${moduleId} and ${modules.type} = ${type}`)
      .where(sql`${enrollments.id} = ${enrollmentId} and ${canSubmitFor(caller)}`),
    selectModuleRow(db, { enrollmentId, moduleId }),
  ] as const

interface EnrollmentDates {
  moduleId: number
  registeredAt: number
  expiresAt: number
}

/**
 * Returns the enrollment, the module, and the error to throw while the module is locked.
 * @throws 404 if the caller may not see them; 409 if the module was removed from the course
 */
export function requireModuleAccess<R extends EnrollmentDates>(
  found: R[],
  row: ModuleRowWithPrerequisite | undefined,
  type: ModuleType,
) {
  const [registration] = found
  if (!registration) throw notFound(`${type} module of a registration`)
  if (!row) throw conflict("module_removed", "The module is no longer part of the course.")
  const availability = moduleAvailability(row, registration)
  return { registration, row, ...availability, lockError: lockError(availability, registration) }
}

const toConflict = () => new ConflictError()
/** Commit options: the request is retried if a concurrent one inserted the same row. */
export const RETRY_ON_CONFLICT = {
  unique: {
    "module_statuses.enrollment_id": toConflict,
    "quiz_attempts.enrollment_id": toConflict,
    "scorm_attempts.enrollment_id": toConflict,
    "scorm_interactions.attempt_id": toConflict,
    "submissions.enrollment_id": toConflict,
    "submissions.status_row_id": toConflict,
  },
}

/** Only staff can set dates, for records from another system. @throws 403 */
export function requireStaffForDates(caller: Caller, ...dates: (number | undefined)[]) {
  if (dates.some((date) => date !== undefined) && !hasRole(caller, "staff"))
    throw forbidden("Only staff can set dates.")
}
