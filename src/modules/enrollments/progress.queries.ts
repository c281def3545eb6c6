import { sql } from "drizzle-orm"
import { moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { textList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { conflict, notFound } from "../../lib/errors.ts"
import { queueCompletionMail } from "./completion-mail.ts"
import { RETRY_ON_CONFLICT, requireStaffForDates, resolveModule } from "./module-progress.queries.ts"
import {
  lockError,
  type ModuleRowWithPrerequisite,
  missingTimeMessage,
  moduleAvailability,
  selectModuleRow,
  selectModuleRowsWithTerms,
} from "./module-rows.ts"
import {
  isStatusOf,
  type ModuleKey,
  type ModuleState,
  recordModuleState,
  toStatusRowId,
  wasLastAccessedAt,
} from "./module-statuses.queries.ts"
import type { NewProgress } from "./progress.schemas.ts"
import { guardEnrollmentExists, requireProgressAccess, selectRegistration } from "./registrations.queries.ts"

/** Lists the modules of an enrollment in order. @throws 404 if the caller may not see it */
export async function listCourseModules(db: Database, caller: Caller, registrationId: number) {
  const [found, rows] = await db.batch([
    selectRegistration(db, caller, registrationId),
    selectModuleRowsWithTerms({ enrollmentId: registrationId }),
  ])
  const [registration] = found
  if (!registration) throw notFound("registration")
  return { registration, rows }
}

/** Module types that learners complete themselves; the others are completed by their own operations. */
const SELF_PACED = ["text", "video"]

/** @throws 409 if the module is locked, opens later, needs more time, or is completed in another way */
function requireOpen(
  row: ModuleRowWithPrerequisite,
  registration: { registeredAt: number; expiresAt: number },
  input: NewProgress,
) {
  const error = lockError(moduleAvailability(row, registration), registration)
  if (error) throw error
  if (input.status !== ModuleStatus.Completed || row.status === ModuleStatus.Completed) return
  if (!SELF_PACED.includes(row.type))
    throw conflict(
      "wrong_completion_method",
      `${row.name} can't be completed directly: quizzes are completed by an attempt, assignments by an evaluation.`,
    )
  const missing = missingTimeMessage(row, { reported: input.timeSpent ?? 0 })
  if (missing) throw conflict("too_early", missing)
}

/**
 * Records that a module was opened, continued or completed. Status and percentage never decrease and time is added, so
 * concurrent requests lose nothing.
 * @param base the origin of links in mails, without a trailing slash
 * @throws 404, 403; 409 if the module is locked, opens later, or needs more time
 */
export async function recordProgress(work: UnitOfWork, base: string, input: NewProgress) {
  const { db, caller } = work
  const statusRowGiven = (input.statusRowId ?? 0) > 0 ? input.statusRowId : undefined
  const { enrollmentId, moduleId } = resolveModule(input)
  const moduleKey = { enrollmentId, moduleId }
  const [found, rows] = await work.read([selectRegistration(db, caller, enrollmentId), selectModuleRow(db, moduleKey)])
  const [registration] = found
  if (!registration) throw notFound(statusRowGiven ? "module status" : "registration")
  requireProgressAccess(caller, registration)
  const [row] = rows
  if (!row) {
    if (statusRowGiven) throw conflict("module_removed", "The module is no longer part of the course.")
    throw notFound("module in this course")
  }
  requireStaffForDates(caller, input.started_on, input.completed_on)
  const importedAt = input.started_on ?? input.completed_on
  if (importedAt === undefined) requireOpen(row, registration, input)

  const statusRowId = toStatusRowId(moduleKey)
  const moment = input.completed_on ?? input.started_on ?? now()
  const completes = input.status === ModuleStatus.Completed || input.completed_on !== undefined
  const state: ModuleState = {
    status: completes ? ModuleStatus.Completed : ModuleStatus.InProgress,
    percent: completes ? 100 : (input.percentage ?? 0),
    timeSpent: input.timeSpent ?? 0,
    startedAt: input.started_on ?? moment,
    completedAt: completes ? moment : 0,
  }
  return work.commit(
    [
      guardEnrollmentExists(work, registration),
      ...auditProgress(work, moduleKey, registration.userId, state.status),
      ...recordModuleState(work, registration, { moduleId, type: row.type, isNew: row.statusRowId === null }, state, {
        at: moment,
        isOpening: !completes && input.timeSpent === undefined,
      }),
      ...(completes && importedAt === undefined ? queueCompletionMail(work, base, enrollmentId, moment) : []),
    ],
    { message: "Progress recorded.", statusRowId },
    {
      ...RETRY_ON_CONFLICT,
      // Heartbeats are the most frequent request and write no other row that could mark the commit.
      marker: importedAt === undefined ? () => wasLastAccessedAt(moduleKey, moment) : "row",
    },
  )
}

/**
 * Audits a module's completion, and its first opening by somebody other than the learner, once each. When learners open
 * a module themselves, the status and the STARTED activity record it.
 */
function auditProgress(work: UnitOfWork, moduleKey: ModuleKey, userId: number, status: string): Statement[] {
  if (status !== ModuleStatus.Completed && userId === work.caller.id) return []
  const { InProgress, Submitted, Completed } = ModuleStatus
  const skippedStatuses = textList(status === Completed ? [Completed] : [InProgress, Submitted, Completed])
  return [
    work.auditMany(
      "updated",
      "module progress",
      sql`
        select ${toStatusRowId(moduleKey)} as id, ${modules.name} as name,
          ${JSON.stringify({ userId, status })} as details
        from ${modules}
        where ${modules.id} = ${moduleKey.moduleId} and not exists (
          select 1
          from ${moduleStatuses}
          where ${isStatusOf(moduleKey)} and ${moduleStatuses.status} in ${skippedStatuses}
        )`,
    ),
  ]
}
