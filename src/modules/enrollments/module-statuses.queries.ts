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

const own = moduleStatuses

/** An enrollment as the first round trip read it. */
export interface EnrollmentState {
  id: number
  status: EnrollmentStatus
}

/** A registration and a module of its course. */
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

export const STATUS_KEY = [own.enrollmentId, own.moduleId]

/** The id of the status row of a registration in a module, whether there is a row or not. */
export const toStatusRowId = ({ enrollmentId, moduleId }: ModuleKey): number =>
  enrollmentId * MODULE_ID_LIMIT + moduleId

/** The registration and the module that a status row's id names. */
export const parseStatusRowId = (statusRowId: number): ModuleKey => ({
  enrollmentId: Math.floor(statusRowId / MODULE_ID_LIMIT),
  moduleId: statusRowId % MODULE_ID_LIMIT,
})

/** The condition that a row is the status of a registration in a module. */
export const isStatusOf = ({ enrollmentId, moduleId }: ModuleKey): SQL =>
  sql`${own.enrollmentId} = ${enrollmentId} and ${own.moduleId} = ${moduleId}`

const isCompletedAt = (place: ModuleKey): SQL =>
  rowExists(own, sql`${isStatusOf(place)} and ${own.status} = ${literal(Completed)}`)

/** The condition that the latest access of a registration to a module was at this moment. */
export const wasLastAccessedAt = (place: ModuleKey, at: number): SQL =>
  rowExists(own, sql`${isStatusOf(place)} and ${own.lastAccessedAt} = ${at}`)

/** One step of a registration in a module. */
export interface ModuleStep extends ModuleKey {
  completed: boolean
  /** Kept when they are the best so far; null: nothing was graded. */
  points: number | null
  /** Opened anew: counted as an access. */
  opened: boolean
  /** Seconds to be added. */
  seconds: number
  startedAt: number
  at: number
}

/** Moves module statuses forward, never back: In Progress, or Completed at 100 percent. */
const moveForward = (db: Database, moves: ModuleStep[]) =>
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
    sql`from ${rowList(moves)} where true`,
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

/** One step of an enrollment, with what follows from it. */
export const advanceModule = (
  work: UnitOfWork,
  enrollment: EnrollmentState,
  move: Omit<ModuleStep, "enrollmentId">,
): Statement[] => [
  moveForward(work.db, [{ ...move, enrollmentId: enrollment.id }]),
  ...(move.completed ? onModuleCompleted(work, enrollment.id) : onModuleOpened(work, enrollment, move)),
]

/** Steps of many enrollments, with what follows from them. */
export const advanceModules = (work: UnitOfWork, moves: ModuleStep[]): Statement[] => [
  moveForward(work.db, moves),
  ...onModulesRecorded(work, enrollmentsWithIds(moves.map((move) => move.enrollmentId))),
]

/** Where a status row is, or will be. */
interface StatusPlace extends ModuleKey {
  isNew: boolean
}

type NewStatus = typeof moduleStatuses.$inferInsert

/** Writes the row if it is new, and changes it if there is one. */
const written = (
  db: Database,
  { isNew, ...place }: StatusPlace,
  first: Omit<NewStatus, "enrollmentId" | "moduleId">,
  next: { [Column in keyof NewStatus]?: NewStatus[Column] | SQL },
) =>
  isNew
    ? db.insert(moduleStatuses).values({ ...place, ...first })
    : db.update(moduleStatuses).set(next).where(isStatusOf(place))

const startedOnce = (at: number) => sql`iif(${own.startedAt} = 0, ${at}, ${own.startedAt})`
const accessedAt = (at: number) => sql`max(${own.lastAccessedAt}, ${at})`

/** What a call tells of a module. */
export interface ModuleState {
  status: typeof InProgress | typeof Completed
  percent: number
  /** Seconds to be added. */
  timeSpent: number
  startedAt: number
  completedAt: number
}

/** A query of the `id` of status rows, for `closeSubmissions`. */
export const statusRowsAt = (places: ModuleKey[]) => sql`select value as id from ${rowList(places.map(toStatusRowId))}`

/** The assignment of an enrollment is about to become Completed, unless it is. */
const acceptAssignment = (work: UnitOfWork, place: ModuleKey, at: number): Statement =>
  onAssignmentsAccepted(
    work,
    sql`
      select ${enrollments.userId} as user_id, ${modules.id} as module_id, ${at} as at
      from ${enrollments}
      join ${modules} on ${modules.id} = ${place.moduleId}
      where ${enrollments.id} = ${place.enrollmentId} and not ${isCompletedAt(place)}`,
  )

/**
 * Records a state, which is never less than it is when the batch runs: percents only rise and time is added.
 * @param isOpening counted as an access
 */
export function recordModuleState(
  work: UnitOfWork,
  enrollment: EnrollmentState,
  { moduleId, type, isNew }: { moduleId: number; type: ModuleType; isNew: boolean },
  state: ModuleState,
  { at, isOpening }: { at: number; isOpening: boolean },
): Statement[] {
  const place = { enrollmentId: enrollment.id, moduleId }
  const write = written(
    work.db,
    { ...place, isNew },
    { ...state, timesAccessed: 1, lastAccessedAt: at },
    {
      status:
        state.status === Completed
          ? state.status
          : sql`iif(${own.status} in (${literal(Submitted)}, ${literal(Completed)}), ${own.status}, ${state.status})`,
      percent: sql`max(${own.percent}, ${state.percent})`,
      timeSpent: sql`${own.timeSpent} + ${state.timeSpent}`,
      timesAccessed: sql`${own.timesAccessed} + ${isOpening ? 1 : 0}`,
      startedAt: startedOnce(state.startedAt),
      completedAt: sql`iif(${own.completedAt} = 0, ${state.completedAt}, ${own.completedAt})`,
      lastAccessedAt: accessedAt(at),
    },
  )
  if (state.status !== Completed) return [write, ...onModuleOpened(work, enrollment, { seconds: state.timeSpent, at })]
  if (type !== "assignment") return [write, ...onModuleCompleted(work, enrollment.id)]
  return [
    acceptAssignment(work, place, state.completedAt),
    write,
    closeSubmissions(work, statusRowsAt([place])),
    ...onModuleCompleted(work, enrollment.id),
  ]
}

/** Opens an assignment: In Progress, unless it is further. */
export const openAssignmentStatus = (
  work: UnitOfWork,
  enrollment: EnrollmentState,
  place: Omit<StatusPlace, "enrollmentId">,
  at: number,
): Statement[] => [
  written(
    work.db,
    { ...place, enrollmentId: enrollment.id },
    { status: InProgress, timesAccessed: 1, startedAt: at, lastAccessedAt: at },
    {
      status: sql`iif(${own.status} = ${literal(NotStarted)}, ${literal(InProgress)}, ${own.status})`,
      timesAccessed: sql`${own.timesAccessed} + 1`,
      startedAt: startedOnce(at),
      lastAccessedAt: accessedAt(at),
    },
  ),
  ...onModuleOpened(work, enrollment, { seconds: 0, at }),
]

/** Marks an assignment as Submitted: it waits for its evaluation. */
export const markSubmitted = (
  work: UnitOfWork,
  enrollment: EnrollmentState,
  place: Omit<StatusPlace, "enrollmentId">,
  at: number,
): Statement[] => [
  written(
    work.db,
    { ...place, enrollmentId: enrollment.id },
    { status: Submitted, timesAccessed: 1, startedAt: at, lastAccessedAt: at },
    { status: Submitted, startedAt: startedOnce(at), lastAccessedAt: accessedAt(at) },
  ),
  ...onModuleOpened(work, enrollment, { seconds: 0, at }),
]

/** Ends an assignment's evaluation: Completed with its points, or In Progress again. */
export const recordEvaluation = (
  work: UnitOfWork,
  place: ModuleKey,
  { isAccepted, pointsAwarded, at }: { isAccepted: boolean; pointsAwarded: number | null; at: number },
): Statement[] => {
  const write = (next: Partial<NewStatus>) => work.db.update(moduleStatuses).set(next).where(isStatusOf(place))
  if (!isAccepted) return [write({ status: InProgress })]
  return [
    acceptAssignment(work, place, at),
    write({ status: Completed, percent: 100, pointsAwarded, completedAt: at }),
    ...onModuleCompleted(work, place.enrollmentId),
  ]
}

/**
 * Takes the modules of enrollments back to Not Started, and closes the submissions that wait for an evaluation. Time
 * spent and times accessed stay: they happened.
 */
export const resetModules = (work: UnitOfWork, registrationIds: number[]): Statement[] => {
  const ofThese = sql`${own.enrollmentId} in ${idList(registrationIds)}`
  return [
    work.db
      .update(moduleStatuses)
      .set({ status: NotStarted, percent: 0, pointsAwarded: null, startedAt: 0, completedAt: 0 })
      .where(sql`${ofThese} and ${own.status} <> ${literal(NotStarted)}`),
    closeSubmissions(work, sql`select ${own.id} as id from ${own} where ${ofThese}`),
  ]
}
