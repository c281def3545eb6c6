import { type SQL, sql } from "drizzle-orm"
import { MODULE_IDS } from "../../../drizzle/rules.ts"
import { moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { idList, rowExists, rowList } from "../../db/sql.ts"

// The only writer of `module_statuses`: every way in which a registration moves in a module. The registration's own
// progress follows by triggers.

const own = moduleStatuses

/** A registration and a module of its course. */
export interface ModulePlace {
  enrollmentId: number
  moduleId: number
}

/** The first beginning stays; so does the latest access. */
const firstStarted = sql`iif(module_statuses.started_at = 0, excluded.started_at, module_statuses.started_at)`
const lastAccessed = sql`max(module_statuses.last_accessed_at, excluded.last_accessed_at)`
const onceCompleted = sql`iif(
  module_statuses.status = 'Completed',
  module_statuses.completed_at,
  excluded.completed_at
)`

const onePerModule = [own.enrollmentId, own.moduleId]

/** The id of the status row of a registration in a module, whether there is a row or not. */
export const statusRowIdOf = ({ enrollmentId, moduleId }: ModulePlace): number => enrollmentId * MODULE_IDS + moduleId

/** The registration and the module that a status row's id names. */
export const placeOfStatus = (statusRowId: number): ModulePlace => ({
  enrollmentId: Math.floor(statusRowId / MODULE_IDS),
  moduleId: statusRowId % MODULE_IDS,
})

/** The condition that a row is the status of a registration in a module. */
export const statusAt = ({ enrollmentId, moduleId }: ModulePlace): SQL =>
  sql`${own.enrollmentId} = ${enrollmentId} and ${own.moduleId} = ${moduleId}`

/** The condition that the latest access of a registration to a module was at this moment. */
export const isAccessedAt = (place: ModulePlace, at: number): SQL =>
  rowExists(own, sql`${statusAt(place)} and ${own.lastAccessedAt} = ${at}`)

/** One step of a registration in a module. */
export interface Move extends ModulePlace {
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
export const moveForward = (db: Database, moves: Move[]) =>
  insertFrom(
    db,
    moduleStatuses,
    {
      enrollmentId: jsonField("enrollmentId"),
      moduleId: jsonField("moduleId"),
      status: sql`iif(${jsonField("completed")}, 'Completed', 'In Progress')`,
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
    target: onePerModule,
    set: {
      status: sql`iif(
        excluded.status = 'Completed' or module_statuses.status not in ('Submitted', 'Completed'),
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
      startedAt: firstStarted,
      completedAt: onceCompleted,
      lastAccessedAt: lastAccessed,
    },
  })

/** Where a status row is, or will be. */
interface StatusPlace extends ModulePlace {
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
    : db.update(moduleStatuses).set(next).where(statusAt(place))

const startedOnce = (at: number) => sql`iif(${own.startedAt} = 0, ${at}, ${own.startedAt})`
const accessedAt = (at: number) => sql`max(${own.lastAccessedAt}, ${at})`

/** What a call tells of a module. */
export interface ModuleState {
  status: "In Progress" | "Completed"
  percent: number
  /** Seconds to be added. */
  timeSpent: number
  startedAt: number
  completedAt: number
}

/**
 * Records a state, which is never less than it is when the batch runs: percents only rise and time is added.
 * @param isOpening counted as an access
 */
export const recordState = (
  db: Database,
  place: StatusPlace,
  state: ModuleState,
  { at, isOpening }: { at: number; isOpening: boolean },
) =>
  written(
    db,
    place,
    { ...state, timesAccessed: 1, lastAccessedAt: at },
    {
      status:
        state.status === "Completed"
          ? state.status
          : sql`iif(${own.status} in ('Submitted', 'Completed'), ${own.status}, ${state.status})`,
      percent: sql`max(${own.percent}, ${state.percent})`,
      timeSpent: sql`${own.timeSpent} + ${state.timeSpent}`,
      timesAccessed: sql`${own.timesAccessed} + ${isOpening ? 1 : 0}`,
      startedAt: startedOnce(state.startedAt),
      completedAt: sql`iif(${own.completedAt} = 0, ${state.completedAt}, ${own.completedAt})`,
      lastAccessedAt: accessedAt(at),
    },
  )

/** Opens an assignment: In Progress, unless it is further. */
export const openAssignmentStatus = (db: Database, place: StatusPlace, at: number) =>
  written(
    db,
    place,
    { status: "In Progress", timesAccessed: 1, startedAt: at, lastAccessedAt: at },
    {
      status: sql`iif(${own.status} = 'Not Started', 'In Progress', ${own.status})`,
      timesAccessed: sql`${own.timesAccessed} + 1`,
      startedAt: startedOnce(at),
      lastAccessedAt: accessedAt(at),
    },
  )

/** Marks an assignment as Submitted: it awaits its evaluation. */
export const awaitEvaluation = (db: Database, place: StatusPlace, at: number) =>
  written(
    db,
    place,
    { status: "Submitted", timesAccessed: 1, startedAt: at, lastAccessedAt: at },
    { status: "Submitted", startedAt: startedOnce(at), lastAccessedAt: accessedAt(at) },
  )

/** Ends an assignment's evaluation: Completed with its points, or In Progress again. */
export const endEvaluation = (
  db: Database,
  place: ModulePlace,
  { isAccepted, pointsAwarded, at }: { isAccepted: boolean; pointsAwarded: number | null; at: number },
) =>
  db
    .update(moduleStatuses)
    .set(isAccepted ? { status: "Completed", percent: 100, pointsAwarded, completedAt: at } : { status: "In Progress" })
    .where(statusAt(place))

/** Where records of another system take an assignment of a registration. */
export interface AssignmentOutcome extends ModulePlace {
  status: "In Progress" | "Submitted" | "Completed"
  points: number | null
  startedAt: number
  /** When it was Completed; 0: it is not. */
  completedAt: number
  lastAccessedAt: number
}

/** Moves assignments on: Completed stays Completed with its points, and what awaits its evaluation goes on to. */
export const recordOutcomes = (db: Database, outcomes: AssignmentOutcome[]) =>
  insertFrom(
    db,
    moduleStatuses,
    {
      enrollmentId: jsonField("enrollmentId"),
      moduleId: jsonField("moduleId"),
      status: jsonField("status"),
      percent: sql`iif(${jsonField("completedAt")}, 100, 0)`,
      pointsAwarded: jsonField("points"),
      timesAccessed: 1,
      startedAt: jsonField("startedAt"),
      completedAt: jsonField("completedAt"),
      lastAccessedAt: jsonField("lastAccessedAt"),
    },
    sql`from ${rowList(outcomes)} where true`,
  ).onConflictDoUpdate({
    target: onePerModule,
    set: {
      status: sql`iif(
        module_statuses.status = 'Completed' or excluded.status = 'Completed',
        'Completed',
        iif(module_statuses.status = 'Submitted', 'Submitted', excluded.status)
      )`,
      percent: sql`max(module_statuses.percent, excluded.percent)`,
      pointsAwarded: sql`iif(
        module_statuses.status = 'Completed',
        module_statuses.points_awarded,
        excluded.points_awarded
      )`,
      startedAt: firstStarted,
      completedAt: onceCompleted,
      lastAccessedAt: lastAccessed,
    },
  })

/** Columns of the new rows, each an expression over what the rows are read from. */
type StatusColumns = Record<
  "enrollmentId" | "moduleId" | "status" | "percent" | "timeSpent" | "startedAt" | "completedAt" | "lastAccessedAt",
  SQL
>

/**
 * Writes the states of modules that registrations have none of.
 * @param source what the rows are read from, from `from` on
 */
export const recordStates = (db: Database, columns: StatusColumns, source: SQL) =>
  insertFrom(db, moduleStatuses, { ...columns, timesAccessed: 1 }, source)

/**
 * Completes modules that are not Completed, without points.
 * @param source what the rows are read from, from `from` on
 */
export const completeModules = (
  db: Database,
  columns: Record<"enrollmentId" | "moduleId", SQL>,
  at: number,
  source: SQL,
) =>
  insertFrom(
    db,
    moduleStatuses,
    {
      ...columns,
      status: "Completed",
      percent: 100,
      timesAccessed: 1,
      startedAt: at,
      completedAt: at,
      lastAccessedAt: at,
    },
    source,
  ).onConflictDoUpdate({
    target: onePerModule,
    set: {
      status: "Completed",
      percent: 100,
      startedAt: firstStarted,
      completedAt: sql`excluded.completed_at`,
      lastAccessedAt: lastAccessed,
    },
  })

/** Takes the modules of registrations back to Not Started. Time spent and times accessed stay: they happened. */
export const resetModules = (db: Database, registrationIds: number[]) =>
  db
    .update(moduleStatuses)
    .set({ status: "Not Started", percent: 0, pointsAwarded: null, startedAt: 0, completedAt: 0 })
    .where(sql`${own.enrollmentId} in ${idList(registrationIds)} and ${own.status} <> 'Not Started'`)
