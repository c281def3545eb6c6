import { type SQL, sql } from "drizzle-orm"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { literal, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { closeSubmissions, onAssignmentsAccepted } from "../progress/assignment-progress.ts"
import { onModulesRecorded } from "../progress/course-progress.ts"
import {
  earliestStart,
  enrollmentsWithIds,
  firstCompletion,
  latestAccess,
  type ModuleKey,
  STATUS_KEY,
  statusRowsAt,
} from "./module-statuses.queries.ts"

// Module statuses of many enrollments, mostly imported from another system.

const { NotStarted, InProgress, Submitted, Completed } = ModuleStatus

/** The result of imported submissions for one assignment. */
export interface AssignmentOutcome extends ModuleKey {
  status: typeof InProgress | typeof Submitted | typeof Completed
  points: number | null
  startedAt: number
  /** 0 if it is not Completed. */
  completedAt: number
  lastAccessedAt: number
}

/** Completed assignments keep their status and points; Submitted ones stay Submitted. */
const writeOutcomes = (db: Database, outcomes: AssignmentOutcome[]) =>
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
    target: STATUS_KEY,
    set: {
      status: sql`iif(
        ${literal(Completed)} in (module_statuses.status, excluded.status),
        ${literal(Completed)},
        iif(module_statuses.status = ${literal(Submitted)}, ${literal(Submitted)}, excluded.status)
      )`,
      percent: sql`max(module_statuses.percent, excluded.percent)`,
      pointsAwarded: sql`iif(
        module_statuses.status = ${literal(Completed)},
        module_statuses.points_awarded,
        excluded.points_awarded
      )`,
      startedAt: earliestStart,
      completedAt: firstCompletion,
      lastAccessedAt: latestAccess,
    },
  })

/** Records the results of assignments and their consequences. */
export const recordAssignmentOutcomes = (work: UnitOfWork, outcomes: AssignmentOutcome[]): Statement[] => [
  onAssignmentsAccepted(
    work,
    sql`
      select ${enrollments.userId} as user_id, ${jsonField("moduleId")} as module_id, ${jsonField("completedAt")} as at
      from ${rowList(outcomes.filter((outcome) => outcome.status === Completed))}
      join ${enrollments} on ${enrollments.id} = ${jsonField("enrollmentId")}
      where not ${rowExists(
        moduleStatuses,
        sql`${moduleStatuses.enrollmentId} = ${enrollments.id} and ${moduleStatuses.moduleId} = ${jsonField("moduleId")}
          and ${moduleStatuses.status} = ${literal(Completed)}`,
      )}`,
  ),
  writeOutcomes(work.db, outcomes),
  closeSubmissions(work, statusRowsAt(outcomes)),
  ...onModulesRecorded(work, enrollmentsWithIds(outcomes.map((outcome) => outcome.enrollmentId))),
]

/** Expressions over `source` for the columns of the new rows. */
type StatusColumns = Record<
  "enrollmentId" | "moduleId" | "status" | "percent" | "timeSpent" | "startedAt" | "completedAt" | "lastAccessedAt",
  SQL
>

/** A module that was reset, for example by a new cycle, is Not Started again and keeps its time. */
export const isOpened = sql`${moduleStatuses.status} <> ${literal(NotStarted)}`

/**
 * Writes the statuses of modules that were not opened yet.
 * @param source the `from` clause; it includes `enrollments`
 */
export const recordModuleStatuses = (
  work: UnitOfWork,
  columns: StatusColumns,
  source: SQL,
  enrollmentIds: number[],
): Statement[] => [
  onAssignmentsAccepted(
    work,
    sql`
      select recorded.user_id, recorded.module_id, recorded.at
      from (
        select ${enrollments.userId} as user_id, ${columns.moduleId} as module_id, ${columns.completedAt} as at,
          ${columns.status} as status
        ${source}
      ) as recorded
      join ${modules} on ${modules.id} = recorded.module_id and ${modules.type} = 'assignment'
      where recorded.status = ${literal(Completed)}`,
  ),
  insertFrom(work.db, moduleStatuses, { ...columns, timesAccessed: 1 }, source).onConflictDoUpdate({
    target: STATUS_KEY,
    set: {
      status: sql`excluded.status`,
      percent: sql`excluded.percent`,
      timeSpent: sql`module_statuses.time_spent + excluded.time_spent`,
      timesAccessed: sql`module_statuses.times_accessed + 1`,
      startedAt: sql`excluded.started_at`,
      completedAt: sql`excluded.completed_at`,
      lastAccessedAt: latestAccess,
    },
  }),
  ...onModulesRecorded(work, enrollmentsWithIds(enrollmentIds)),
]

/**
 * Completes text modules that are not Completed yet.
 * @param source the `from` clause
 * @param enrollments a condition on their enrollments
 */
export const completeTextModules = (
  work: UnitOfWork,
  columns: Record<"enrollmentId" | "moduleId", SQL>,
  at: number,
  source: SQL,
  enrollments: SQL,
): Statement[] => [
  insertFrom(
    work.db,
    moduleStatuses,
    {
      ...columns,
      status: Completed,
      percent: 100,
      timesAccessed: 1,
      startedAt: at,
      completedAt: at,
      lastAccessedAt: at,
    },
    source,
  ).onConflictDoUpdate({
    target: STATUS_KEY,
    set: {
      status: Completed,
      percent: 100,
      startedAt: earliestStart,
      completedAt: sql`excluded.completed_at`,
      lastAccessedAt: latestAccess,
    },
  }),
  ...onModulesRecorded(work, enrollments),
]
