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
  selectModuleRows,
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
import { selectQuizTerms } from "./quiz-availability.ts"
import { guardEnrollmentExists, requireProgressAccess, selectRegistration } from "./registrations.queries.ts"

/** A registration's modules in order. @throws 404 outside the caller's reach */
export async function listCourseModules(db: Database, caller: Caller, registrationId: number) {
  const [found, rows, quizzes] = await db.batch([
    selectRegistration(db, caller, registrationId),
    selectModuleRows(db, registrationId),
    selectQuizTerms(db, registrationId),
  ])
  const [registration] = found
  if (!registration) throw notFound("registration")
  return { registration, rows, quizzes }
}

/** The types that a learner completes by looking through them; the others are completed by their own operations. */
const SELF_PACED = ["text", "video"]

/** @throws 409 when the module is locked, opens later, needs more time or is not completed this way */
function requireOpen(
  row: ModuleRowWithPrerequisite,
  registration: { registeredAt: number; expiresAt: number },
  input: NewProgress,
) {
  const held = lockError(moduleAvailability(row, registration), registration)
  if (held) throw held
  if (input.status !== ModuleStatus.Completed || row.status === ModuleStatus.Completed) return
  if (!SELF_PACED.includes(row.type))
    throw conflict(
      "wrong_completion_method",
      `${row.name} is Completed by its own operation: a quiz by its attempt, an assignment by its evaluation.`,
    )
  const missing = missingTimeMessage(row, { told: input.timeSpent ?? 0 })
  if (missing) throw conflict("too_early", missing)
}

/**
 * Records that a module was opened, gone on with or Completed. States and percents only rise, time is added: calls at
 * the same time lose nothing.
 * @param base the origin that links in mails lead to, without a slash at the end
 * @throws 404, 403, 409 as the module's locks, dates and least time say
 */
export async function recordProgress(work: UnitOfWork, base: string, input: NewProgress) {
  const { db, caller } = work
  const given = (input.statusRowId ?? 0) > 0 ? input.statusRowId : undefined
  const { enrollmentId, moduleId } = resolveModule(input)
  const place = { enrollmentId, moduleId }
  const [found, rows] = await work.read([selectRegistration(db, caller, enrollmentId), selectModuleRow(db, place)])
  const [registration] = found
  if (!registration) throw notFound(given ? "module status" : "registration")
  requireProgressAccess(caller, registration)
  const [row] = rows
  if (!row) {
    if (given) throw conflict("module_removed", "The module is no longer part of the course.")
    throw notFound("module in this course")
  }
  requireStaffForDates(caller, input.started_on, input.completed_on)
  const imported = input.started_on ?? input.completed_on
  if (imported === undefined) requireOpen(row, registration, input)

  const statusRowId = toStatusRowId(place)
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
      ...auditMove(work, place, registration.userId, state.status),
      ...recordModuleState(work, registration, { moduleId, type: row.type, isNew: row.statusRowId === null }, state, {
        at: moment,
        isOpening: !completes && input.timeSpent === undefined,
      }),
      ...(completes && imported === undefined ? queueCompletionMail(work, base, enrollmentId, moment) : []),
    ],
    { message: "Progress recorded.", statusRowId },
    {
      ...RETRY_ON_CONFLICT,
      // A heartbeat writes nothing but the state, and is what there is most of.
      mark: imported === undefined ? () => wasLastAccessedAt(place, moment) : "row",
    },
  )
}

/**
 * The audit row of a module's completion, and of its first opening by others, each once; going on with it leaves none.
 * Of what learners open themselves the state and the STARTED activity tell.
 */
function auditMove(work: UnitOfWork, place: ModuleKey, userId: number, status: string): Statement[] {
  if (status !== ModuleStatus.Completed && userId === work.caller.id) return []
  const { InProgress, Submitted, Completed } = ModuleStatus
  const reached = textList(status === Completed ? [Completed] : [InProgress, Submitted, Completed])
  return [
    work.auditMany(
      "updated",
      "module progress",
      sql`
        select ${toStatusRowId(place)} as id, ${modules.name} as name, ${JSON.stringify({ userId, status })} as details
        from ${modules}
        where ${modules.id} = ${place.moduleId} and not exists (
          select 1
          from ${moduleStatuses}
          where ${isStatusOf(place)} and ${moduleStatuses.status} in ${reached}
        )`,
    ),
  ]
}
