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

// Where a registration stands in one module of its course: what quizzes, SCORM packages and assignments share.

/** Names a module of a registration: by its status row, or by both ids where none exists yet. */
export interface ModuleRef {
  statusRowId?: number | undefined
  registrationId?: number | undefined
  moduleId?: number | undefined
}

/** The registration and the module that a call names. */
export const resolveModule = ({ statusRowId = 0, registrationId = 0, moduleId = 0 }: ModuleRef): ModuleKey =>
  statusRowId < 1 ? { enrollmentId: registrationId, moduleId } : parseStatusRowId(statusRowId)

/** As `resolveModule` has it, or by queries of an id each. */
export type ModuleSelector = Record<keyof ModuleKey, number | SQL>

/** Whose attempts callers may make: their own, and anybody's for staff. */
const own = (caller: Caller): SQL => (canSeeAllUsers(caller) ? sql`1` : sql`${enrollments.userId} = ${caller.id}`)

/** The statements that read where the caller's own registration stands in a module; anybody's, for staff. */
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
        scormVersion: modules.scormVersion,
        packageKey: modules.packageKey,
        launchPath: modules.launchPath,
        launchCmi: modules.launchCmi,
      })
      .from(enrollments)
      .innerJoin(modules, sql`${modules.id} = ${moduleId} and ${modules.type} = ${type}`)
      .where(sql`${enrollments.id} = ${enrollmentId} and ${own(caller)}`),
    selectModuleRow(db, { enrollmentId, moduleId }),
  ] as const

interface Registered {
  moduleId: number
  registeredAt: number
  expiresAt: number
}

/**
 * The registration with its module's own row, and what to throw while the module is not open.
 * @throws 404 for what the caller may not know, 409 when the module has left the course
 */
export function requireModuleAccess<R extends Registered>(
  found: R[],
  row: ModuleRowWithPrerequisite | undefined,
  type: ModuleType,
) {
  const [registration] = found
  if (!registration) throw notFound(`${type} module of a registration`)
  if (!row) throw conflict("module_removed", "The module is no longer part of the course.")
  const opening = moduleAvailability(row, registration)
  return { registration, row, ...opening, held: lockError(opening, registration) }
}

const overtaken = () => new ConflictError()
/** Options of a commit that runs again: what two calls at once may both have written. */
export const RETRY_ON_CONFLICT = {
  unique: {
    "module_statuses.enrollment_id": overtaken,
    "quiz_attempts.enrollment_id": overtaken,
    "scorm_attempts.enrollment_id": overtaken,
    "scorm_interactions.attempt_id": overtaken,
    "submissions.enrollment_id": overtaken,
    "submissions.status_row_id": overtaken,
  },
}

/** Only staff give dates: of records from another system. @throws 403 */
export function requireStaffForDates(caller: Caller, ...dates: (number | undefined)[]) {
  if (dates.some((date) => date !== undefined) && !hasRole(caller, "staff"))
    throw forbidden("Only staff may give the dates of records from another system.")
}
