import { type SQL, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import type { RowOf } from "../../db/select.ts"
import { nullableColumn, selectFrom } from "../../db/select.ts"
import { literal } from "../../db/sql.ts"
import { DAY, now } from "../../lib/clock.ts"
import { type ApiError, conflict } from "../../lib/errors.ts"
import { displayDate, duration } from "../../lib/text/dates.ts"
import { pluralize } from "../../lib/text/words.ts"
import { hasExpired } from "./expiry.ts"

// A registration's modules in order, each with where it stands and whether it is open. Every family that opens or
// completes a module asks here, so that locks, dates and least times are judged in one place.

/** A module of a course, and where a registration stands in it. */
const PLACE = {
  moduleId: modules.id,
  name: modules.name,
  slug: modules.slug,
  type: modules.type,
  icon: modules.icon,
  counts: courseModules.counts,
  // The two tables' columns of one name would be read as one.
  locks: sql<number>`${courseModules.isLocked} or ${modules.isLocked}`.as("locks"),
  dripDays: courseModules.dripDays,
  minTimeSpent: courseModules.minTimeSpent,
  statusRowId: sql<number | null>`${moduleStatuses.id}`.as("status_row_id"),
  status: nullableColumn(moduleStatuses.status),
  percent: nullableColumn(moduleStatuses.percent),
  pointsAwarded: nullableColumn(moduleStatuses.pointsAwarded),
  timesAccessed: nullableColumn(moduleStatuses.timesAccessed),
  timeSpent: nullableColumn(moduleStatuses.timeSpent),
  startedAt: nullableColumn(moduleStatuses.startedAt),
  completedAt: nullableColumn(moduleStatuses.completedAt),
  lastAccessedAt: nullableColumn(moduleStatuses.lastAccessedAt),
}

export type ModuleRow = RowOf<typeof PLACE>

const from = (enrollmentId: SQL | number) => sql`
  from ${courseModules}
  join ${modules} on ${modules.id} = ${courseModules.moduleId}
  left join ${moduleStatuses}
    on ${moduleStatuses.enrollmentId} = ${enrollmentId} and ${moduleStatuses.moduleId} = ${courseModules.moduleId}
  where ${courseModules.courseId} = (select course_id from enrollments where id = ${enrollmentId})`

/**
 * The modules of a registration's course in order, with the registration's own states.
 * @param enrollmentId an id, or a query of one
 */
export const selectModuleRows = (db: Database, enrollmentId: SQL | number) =>
  selectFrom(db, PLACE, sql`${from(enrollmentId)} order by ${courseModules.position}`)

/** A module of a registration, and what holds it up: null where nothing has to be completed first. */
export interface ModuleRowWithPrerequisite extends ModuleRow {
  /** The name of the first module before it that counts and is not Completed, where it opens after those. */
  before: string | null
}

/** The first module before this one that counts and is not Completed: asked where it locks and was not begun. */
const before = (enrollmentId: SQL | number) => sql`
  case when (${courseModules.isLocked} or ${modules.isLocked})
    and coalesce(${moduleStatuses.status}, ${literal(ModuleStatus.NotStarted)}) = ${literal(ModuleStatus.NotStarted)}
  then (
    select earlier.name
    from course_modules as prior
    join modules as earlier on earlier.id = prior.module_id
    left join module_statuses as past on past.enrollment_id = ${enrollmentId} and past.module_id = prior.module_id
    where prior.course_id = ${courseModules.courseId}
      and prior.position < ${courseModules.position}
      and prior.counts
      and past.status is not ${literal(ModuleStatus.Completed)}
    order by prior.position
    limit 1
  ) end`

/** One module of a registration: what a heartbeat reads does not grow with the course. */
export const selectModuleRow = (
  db: Database,
  { enrollmentId, moduleId }: Record<"enrollmentId" | "moduleId", SQL | number>,
) =>
  selectFrom<typeof PLACE, { before: string | null }>(
    db,
    PLACE,
    sql`, ${before(enrollmentId)} as before ${from(enrollmentId)} and ${courseModules.moduleId} = ${moduleId}`,
  )

/** The `at`-th of a registration's modules as `selectModuleRow` reads it. */
export function withPrerequisite(rows: ModuleRow[], at: number): ModuleRowWithPrerequisite | undefined {
  const row = rows[at]
  const begun = row?.status && row.status !== ModuleStatus.NotStarted
  const earlier =
    row?.locks && !begun
      ? rows.slice(0, at).find((one) => one.counts && one.status !== ModuleStatus.Completed)
      : undefined
  return row && { ...row, before: earlier?.name ?? null }
}

/** Whether a module is open, and if not, why: in words for the learner; empty where nothing holds it up. */
interface Availability {
  lock: string
  drip: string
}

interface Registered {
  registeredAt: number
  expiresAt: number
}

/** Why a registration is over; empty while it is not. */
export const expiryMessage = (registration: Registered): string =>
  hasExpired(registration) ? `The registration expired on ${displayDate(registration.expiresAt)}.` : ""

/** Whether a module of a registration is open. What was opened before stays open. */
export function moduleAvailability(place: ModuleRowWithPrerequisite, registration: Registered): Availability {
  const over = expiryMessage(registration)
  if (over) return { lock: over, drip: "" }
  if (place.status && place.status !== ModuleStatus.NotStarted) return { lock: "", drip: "" }
  const opensAt = registration.registeredAt + place.dripDays * DAY
  return {
    lock: place.before === null ? "" : `Complete ${place.before} first.`,
    drip: opensAt > now() ? `Opens on ${displayDate(opensAt)}.` : "",
  }
}

/** What to throw where a module is not open; undefined where it is. */
export function lockError({ lock, drip }: Availability, registration: Registered): ApiError | undefined {
  if (lock) return conflict(hasExpired(registration) ? "registration_expired" : "locked", lock)
  return drip ? conflict("too_early", drip) : undefined
}

/**
 * Why a module may not be Completed yet: empty once its least time was spent in it.
 * @param measured seconds that the service measured itself
 * @param told seconds that the call tells of, which counts for nothing when it is refused
 */
export function missingTimeMessage(
  row: ModuleRow,
  { measured = 0, told = 0 }: { measured?: number; told?: number },
): string {
  const missing = row.minTimeSpent - (row.timeSpent ?? 0) - measured
  if (missing <= told) return ""
  const again = told > 0 ? `, and tell all ${missing} then: nothing of this call was recorded` : ""
  return `Spend ${pluralize(missing - told, "more second")} in ${row.name} first${again}.`
}

const moment = (at: number | null) => (at ? new Date(at).toISOString() : null)

/** A registration's modules as the interface shows them. */
export function toModuleStatusRows(rows: ModuleRow[], registration: Registered) {
  const openings = rows.map((_, at) => {
    const place = withPrerequisite(rows, at)
    return place && moduleAvailability(place, registration)
  })
  const waits = (row: ModuleRow) => row.status === ModuleStatus.Completed || row.status === ModuleStatus.Submitted
  const current = rows.findIndex((row, at) => !waits(row) && !openings[at]?.lock && !openings[at]?.drip)
  return rows.map((row, at) => {
    const { lock = "", drip = "" } = openings[at] ?? {}
    return {
      module_id: row.moduleId,
      name: row.name,
      slug: row.slug,
      type: row.type,
      icon: row.icon,
      is_locked: lock !== "",
      lock_reason: lock,
      is_dripped: drip !== "",
      drip_message: drip,
      is_current: at === current,
      status_row_id: row.statusRowId ?? -1,
      status: row.status ?? ModuleStatus.NotStarted,
      started_on: moment(row.startedAt),
      completed_on: moment(row.completedAt),
      last_accessed_on: moment(row.lastAccessedAt),
      total_time_spent: row.statusRowId === null ? ("" as const) : duration(row.timeSpent ?? 0),
      points_awarded: row.pointsAwarded,
      completion_percentage: row.percent ?? 0,
      no_of_times_accessed: row.timesAccessed ?? 0,
    }
  })
}
