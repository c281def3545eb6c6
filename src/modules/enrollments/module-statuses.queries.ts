import { type SQL, sql } from "drizzle-orm"
import { MODULE_ID_LIMIT } from "../../../drizzle/rules.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { type ModuleType, modules } from "../../../drizzle/schema/modules.ts"
import { type EnrollmentStatus, ModuleStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { idList, literal, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { closeSubmissions, onAssignmentsAccepted } from "../progress/assignment-progress.ts"
import { onModuleCompleted, onModuleOpened, onModulesRecorded } from "../progress/course-progress.ts"

// Only this file and module-records.queries.ts write `module_statuses`. Each function returns the write together with
// everything that follows from it.

const { NotStarted, InProgress, Submitted, Completed } = ModuleStatus

/** The enrollment, as read in the first round trip. */
export interface EnrollmentState {
  id: number
  status: EnrollmentStatus
}

/** An enrollment and a module of its course. */
export interface ModuleKey {
  enrollmentId: number
  moduleId: number
}

export const earliestStart = sql`iif(module_statuses.started_at = 0, excluded.started_at, module_statuses.started_at)`
export const latestAccess = sql`max(module_statuses.last_accessed_at, excluded.last_accessed_at)`
export const firstCompletion = sql`iif(
  module_statuses.status = ${literal(Completed)},
  module_statuses.completed_at,
  excluded.completed_at
)`

export const STATUS_KEY = [moduleStatuses.enrollmentId, moduleStatuses.moduleId]

/** The id of the status row, whether or not it exists yet. */
export const toStatusRowId = ({ enrollmentId, moduleId }: ModuleKey): number =>
  enrollmentId * MODULE_ID_LIMIT + moduleId

/** The enrollment and the module that a status row id identifies. */
export const parseStatusRowId = (statusRowId: number): ModuleKey => ({
  enrollmentId: Math.floor(statusRowId / MODULE_ID_LIMIT),
  moduleId: statusRowId % MODULE_ID_LIMIT,
})

/** The condition that a row is the status of this module. */
export const isStatusOf = ({ enrollmentId, moduleId }: ModuleKey): SQL =>
  sql`${moduleStatuses.enrollmentId} = ${enrollmentId} and ${moduleStatuses.moduleId} = ${moduleId}`

const isCompletedAt = (moduleKey: ModuleKey): SQL =>
  rowExists(moduleStatuses, sql`${isStatusOf(moduleKey)} and ${moduleStatuses.status} = ${literal(Completed)}`)

/** The condition that the module was last accessed at this time. */
export const wasLastAccessedAt = (moduleKey: ModuleKey, at: number): SQL =>
  rowExists(moduleStatuses, sql`${isStatusOf(moduleKey)} and ${moduleStatuses.lastAccessedAt} = ${at}`)

/** Progress in a module. */
export interface ModuleStep extends ModuleKey {
  completed: boolean
  /** The best points are stored; null if nothing was graded. */
  points: number | null
  /** Counts as an access. */
  opened: boolean
  /** Seconds to add. */
  seconds: number
  startedAt: number
  at: number
}

/** Statuses only move forward: to In Progress, or to Completed at 100 percent. */
const advanceStatuses = (db: Database, steps: ModuleStep[]) =>
  insertFrom(
    db,
    moduleStatuses,
    {
      enrollmentId: jsonField("enrollmentId"),
      moduleId: jsonField("moduleId"),
      status: sql`iif(${jsonField("completed")}, ${literal(Completed)}, ${literal(InProgress)})`,
      percent: sql`iif(${jsonField("completed")}, 100, 0)`,
      pointsAwarded: jsonField("points"),
      timesAccessed: jsonField("opened"),
      timeSpent: jsonField("seconds"),
      startedAt: jsonField("startedAt"),
      completedAt: sql`iif(${jsonField("completed")}, ${jsonField("at")}, 0)`,
      lastAccessedAt: jsonField("at"),
    },
    sql`from ${rowList(steps)} where true`,
  ).onConflictDoUpdate({
    target: STATUS_KEY,
    set: {
      status: sql`iif(
        excluded.status = ${literal(Completed)}
          or module_statuses.status not in (${literal(Submitted)}, ${literal(Completed)}),
        excluded.status,
        module_statuses.status
      )`,
      percent: sql`max(module_statuses.percent, excluded.percent)`,
      pointsAwarded: sql`iif(
        excluded.points_awarded is null,
        module_statuses.points_awarded,
        max(coalesce(module_statuses.points_awarded, excluded.points_awarded), excluded.points_awarded)
      )`,
      timesAccessed: sql`module_statuses.times_accessed + excluded.times_accessed`,
      timeSpent: sql`module_statuses.time_spent + excluded.time_spent`,
      startedAt: earliestStart,
      completedAt: firstCompletion,
      lastAccessedAt: latestAccess,
    },
  })

export const enrollmentsWithIds = (ids: number[]) => sql`${enrollments.id} in ${idList(ids)}`

/** Records progress in a module, and its consequences. */
export const advanceModule = (
  work: UnitOfWork,
  enrollment: EnrollmentState,
  step: Omit<ModuleStep, "enrollmentId">,
): Statement[] => [
  advanceStatuses(work.db, [{ ...step, enrollmentId: enrollment.id }]),
  ...(step.completed ? onModuleCompleted(work, enrollment.id) : onModuleOpened(work, enrollment, step)),
]

/** Records progress in the modules of many enrollments, and its consequences. */
export const advanceModules = (work: UnitOfWork, steps: ModuleStep[]): Statement[] => [
  advanceStatuses(work.db, steps),
  ...onModulesRecorded(work, enrollmentsWithIds(steps.map((step) => step.enrollmentId))),
]

/** The key of a status row, and whether it must be inserted. */
interface StatusKey extends ModuleKey {
  isNew: boolean
}

type NewStatus = typeof moduleStatuses.$inferInsert

/** Inserts a new row or updates the existing one. */
const upsertStatus = (
  db: Database,
  { isNew, ...moduleKey }: StatusKey,
  first: Omit<NewStatus, "enrollmentId" | "moduleId">,
  next: { [Column in keyof NewStatus]?: NewStatus[Column] | SQL },
) =>
  isNew
    ? db.insert(moduleStatuses).values({ ...moduleKey, ...first })
    : db.update(moduleStatuses).set(next).where(isStatusOf(moduleKey))

const keepStart = (at: number) => sql`iif(${moduleStatuses.startedAt} = 0, ${at}, ${moduleStatuses.startedAt})`
const keepLatestAccess = (at: number) => sql`max(${moduleStatuses.lastAccessedAt}, ${at})`

/** Progress in a module as reported by a request. */
export interface ModuleState {
  status: typeof InProgress | typeof Completed
  percent: number
  /** Seconds to add. */
  timeSpent: number
  startedAt: number
  completedAt: number
}

/** A query of the `id` of status rows, for `closeSubmissions`. */
export const statusRowsAt = (moduleKeys: ModuleKey[]) =>
  sql`select value as id from ${rowList(moduleKeys.map(toStatusRowId))}`

/** Must run before the assignment becomes Completed; does nothing if it is Completed already. */
const acceptAssignment = (work: UnitOfWork, moduleKey: ModuleKey, at: number): Statement =>
  onAssignmentsAccepted(
    work,
    sql`
      select ${enrollments.userId} as user_id, ${modules.id} as module_id, ${at} as at
      from ${enrollments}
      join ${modules} on ${modules.id} = ${moduleKey.moduleId}
      where ${enrollments.id} = ${moduleKey.enrollmentId} and not ${isCompletedAt(moduleKey)}`,
  )

/**
 * Records reported progress. Status and percentage never decrease, and time is added.
 * @param isOpening counts as an access
 */
export function recordModuleState(
  work: UnitOfWork,
  enrollment: EnrollmentState,
  { moduleId, type, isNew }: { moduleId: number; type: ModuleType; isNew: boolean },
  state: ModuleState,
  { at, isOpening }: { at: number; isOpening: boolean },
): Statement[] {
  const moduleKey = { enrollmentId: enrollment.id, moduleId }
  const write = upsertStatus(
    work.db,
    { ...moduleKey, isNew },
    { ...state, timesAccessed: 1, lastAccessedAt: at },
    {
      status:
        state.status === Completed
          ? state.status
          : sql`iif(
              ${moduleStatuses.status} in (${literal(Submitted)}, ${literal(Completed)}),
              ${moduleStatuses.status},
              ${state.status}
            )`,
      percent: sql`max(${moduleStatuses.percent}, ${state.percent})`,
      timeSpent: sql`${moduleStatuses.timeSpent} + ${state.timeSpent}`,
      timesAccessed: sql`${moduleStatuses.timesAccessed} + ${isOpening ? 1 : 0}`,
      startedAt: keepStart(state.startedAt),
      completedAt: sql`iif(${moduleStatuses.completedAt} = 0, ${state.completedAt}, ${moduleStatuses.completedAt})`,
      lastAccessedAt: keepLatestAccess(at),
    },
  )
  if (state.status !== Completed) return [write, ...onModuleOpened(work, enrollment, { seconds: state.timeSpent, at })]
  if (type !== "assignment") return [write, ...onModuleCompleted(work, enrollment.id)]
  return [
    acceptAssignment(work, moduleKey, state.completedAt),
    write,
    closeSubmissions(work, statusRowsAt([moduleKey])),
    ...onModuleCompleted(work, enrollment.id),
  ]
}

/** Opens an assignment: Not Started becomes In Progress. */
export const openAssignmentStatus = (
  work: UnitOfWork,
  enrollment: EnrollmentState,
  moduleKey: Omit<StatusKey, "enrollmentId">,
  at: number,
): Statement[] => [
  upsertStatus(
    work.db,
    { ...moduleKey, enrollmentId: enrollment.id },
    { status: InProgress, timesAccessed: 1, startedAt: at, lastAccessedAt: at },
    {
      status: sql`iif(
        ${moduleStatuses.status} = ${literal(NotStarted)},
        ${literal(InProgress)},
        ${moduleStatuses.status}
      )`,
      timesAccessed: sql`${moduleStatuses.timesAccessed} + 1`,
      startedAt: keepStart(at),
      lastAccessedAt: keepLatestAccess(at),
    },
  ),
  ...onModuleOpened(work, enrollment, { seconds: 0, at }),
]

/** Marks an assignment as Submitted, waiting for its evaluation. */
export const markSubmitted = (
  work: UnitOfWork,
  enrollment: EnrollmentState,
  moduleKey: Omit<StatusKey, "enrollmentId">,
  at: number,
): Statement[] => [
  upsertStatus(
    work.db,
    { ...moduleKey, enrollmentId: enrollment.id },
    { status: Submitted, timesAccessed: 1, startedAt: at, lastAccessedAt: at },
    { status: Submitted, startedAt: keepStart(at), lastAccessedAt: keepLatestAccess(at) },
  ),
  ...onModuleOpened(work, enrollment, { seconds: 0, at }),
]

/** Records an evaluation: the assignment becomes Completed with its points, or In Progress again. */
export const recordEvaluation = (
  work: UnitOfWork,
  moduleKey: ModuleKey,
  { isAccepted, pointsAwarded, at }: { isAccepted: boolean; pointsAwarded: number | null; at: number },
): Statement[] => {
  const write = (next: Partial<NewStatus>) => work.db.update(moduleStatuses).set(next).where(isStatusOf(moduleKey))
  if (!isAccepted) return [write({ status: InProgress })]
  return [
    acceptAssignment(work, moduleKey, at),
    write({ status: Completed, percent: 100, pointsAwarded, completedAt: at }),
    ...onModuleCompleted(work, moduleKey.enrollmentId),
  ]
}

/**
 * Resets the modules of enrollments to Not Started and closes submissions that wait for an evaluation. Time spent and
 * access counts are retained.
 */
export const resetModules = (work: UnitOfWork, registrationIds: number[]): Statement[] => {
  const inEnrollments = sql`${moduleStatuses.enrollmentId} in ${idList(registrationIds)}`
  return [
    work.db
      .update(moduleStatuses)
      .set({ status: NotStarted, percent: 0, pointsAwarded: null, startedAt: 0, completedAt: 0 })
      .where(sql`${inEnrollments} and ${moduleStatuses.status} <> ${literal(NotStarted)}`),
    closeSubmissions(work, sql`select ${moduleStatuses.id} as id from ${moduleStatuses} where ${inEnrollments}`),
  ]
}
