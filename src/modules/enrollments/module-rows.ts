import { type Placeholder, type SQL, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { moduleOpenings, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { EnrollmentStatus, ModuleStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { prepared } from "../../db/prepared.ts"
import { nullableColumn, type RowOf, selectFrom } from "../../db/select.ts"
import { literal } from "../../db/sql.ts"
import { DAY, now } from "../../lib/clock.ts"
import { type ApiError, conflict } from "../../lib/errors.ts"
import { displayDate, duration } from "../../lib/text/dates.ts"
import { pluralize } from "../../lib/text/words.ts"
import { hasExpired } from "./expiry.ts"
import { selectQuizTerms } from "./quiz-availability.ts"

// The modules of an enrollment with their progress and availability. Everything that opens or completes a module checks
// locks, dates and minimum times here.

const MODULE_ROW = {
  moduleId: modules.id,
  name: modules.name,
  slug: modules.slug,
  type: modules.type,
  icon: modules.icon,
  counts: courseModules.counts,
  // An expression, because both tables have this column name.
  locks: sql<number>`${courseModules.isLocked} or ${modules.isLocked}`.as("locks"),
  dripDays: courseModules.dripDays,
  opensAt: sql<number>`${courseModules.opensAt}`.as("opens_at"),
  ownOpensAt: sql<number | null>`${moduleOpenings.opensAt}`.as("own_opens_at"),
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

/** An id, a query or column of one, or its place in a statement that is built once. */
type Id = SQL | number | Placeholder

interface CourseLock {
  /**
   * The names of the courses that must be completed first; null if there are none. In a list of modules, the first row
   * has it.
   */
  missingCourses: string | null
}

export type ModuleRow = RowOf<typeof MODULE_ROW> & CourseLock

const NOT_STARTED = literal(ModuleStatus.NotStarted)
const isUnstarted = sql`coalesce(${moduleStatuses.status}, ${NOT_STARTED}) = ${NOT_STARTED}`

/** The first module of the course. */
const isFirst = sql`${courseModules.position} = 1`

/**
 * Selects the names of the prerequisites that the learner has not completed, in this cycle or an earlier one.
 * @param when the rows for which it is read
 */
const courseLock = (enrollmentId: Id, when: SQL) => sql`,
  case when ${when} then (
    select group_concat(name, ', ')
    from (
      select needed.name
      from course_prerequisites as needs
      cross join enrollments as learner on learner.id = ${enrollmentId}
      cross join courses as needed on needed.id = needs.prerequisite_id
      where needs.course_id = ${courseModules.courseId}
        and not exists (
          select 1 from enrollments as done
          where done.user_id = learner.user_id
            and done.course_id = needs.prerequisite_id
            and done.status = ${literal(EnrollmentStatus.Completed)}
        )
        and not exists (
          select 1 from enrollment_cycles as earlier_cycle
          where earlier_cycle.user_id = learner.user_id
            and earlier_cycle.course_id = needs.prerequisite_id
            and earlier_cycle.status = ${literal(EnrollmentStatus.Completed)}
        )
      order by needs.position
    )
  ) end as "missingCourses"`

const joinOpenings = (enrollmentId: Id) => sql`
  left join ${moduleOpenings}
    on ${moduleOpenings.enrollmentId} = ${enrollmentId} and ${moduleOpenings.moduleId} = ${courseModules.moduleId}`

const fromModules = (enrollmentId: Id) => sql`
  from ${courseModules}
  join ${modules} on ${modules.id} = ${courseModules.moduleId}
  left join ${moduleStatuses}
    on ${moduleStatuses.enrollmentId} = ${enrollmentId} and ${moduleStatuses.moduleId} = ${courseModules.moduleId}
  ${joinOpenings(enrollmentId)}
  where ${courseModules.courseId} = (select course_id from enrollments where id = ${enrollmentId})`

/**
 * Selects the modules of the enrollment's course in order, with the enrollment's progress.
 * @param enrollmentId an id, or a query of one
 */
export const selectModuleRows = (db: Database, enrollmentId: SQL | number) =>
  selectFrom<typeof MODULE_ROW, CourseLock>(
    db,
    MODULE_ROW,
    sql`${courseLock(enrollmentId, isFirst)} ${fromModules(enrollmentId)} order by ${courseModules.position}`,
  )

type ModuleRowsWithTerms = ReturnType<typeof selectFrom<typeof MODULE_ROW, CourseLock & { terms: string | null }>>

/** The same with the terms of the quizzes, as JSON. */
export const selectModuleRowsWithTerms = prepared<"enrollmentId", ModuleRowsWithTerms>((db) => {
  const enrollmentId = sql.placeholder("enrollmentId")
  return selectFrom(
    db,
    MODULE_ROW,
    sql`${courseLock(enrollmentId, isFirst)}, ${selectQuizTerms(enrollmentId)} as terms
      ${fromModules(enrollmentId)} order by ${courseModules.position}`,
  )
})

/**
 * Selects the modules of several enrollments, each in order.
 * @param enrollmentIds a query of their ids
 */
export const selectModuleRowsOfMany = (db: Database, enrollmentIds: SQL) =>
  selectFrom<typeof MODULE_ROW, CourseLock & { enrollmentId: number }>(
    db,
    MODULE_ROW,
    sql`${courseLock(sql`own.id`, isFirst)}, own.id as "enrollmentId"
      from (${enrollmentIds}) as own
      cross join enrollments as learning on learning.id = own.id
      cross join ${courseModules} on ${courseModules.courseId} = learning.course_id
      join ${modules} on ${modules.id} = ${courseModules.moduleId}
      left join ${moduleStatuses}
        on ${moduleStatuses.enrollmentId} = own.id and ${moduleStatuses.moduleId} = ${courseModules.moduleId}
      ${joinOpenings(sql`own.id`)}
      order by own.id, ${courseModules.position}`,
  )

/** A module of an enrollment, with the module that must be completed first. */
export interface ModuleRowWithPrerequisite extends ModuleRow {
  /** The name of the first required module before it that is not Completed; null if it is not locked. */
  prerequisite: string | null
}

/** Selects the first required module before a locked, unstarted module that is not Completed. */
const prerequisite = (enrollmentId: Id) => sql`
  case when (${courseModules.isLocked} or ${modules.isLocked}) and ${isUnstarted} then (
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

type ModuleRowStatement = ReturnType<typeof selectFrom<typeof MODULE_ROW, CourseLock & { prerequisite: string | null }>>

const moduleRowStatement = (db: Pick<Database, "batch">, enrollmentId: Id, moduleId: Id): ModuleRowStatement =>
  selectFrom(
    db,
    MODULE_ROW,
    sql`${courseLock(enrollmentId, isUnstarted)}, ${prerequisite(enrollmentId)} as prerequisite
      ${fromModules(enrollmentId)}
        and ${courseModules.moduleId} = ${moduleId}`,
  )

const moduleRowByIds = prepared<"enrollmentId" | "moduleId", ModuleRowStatement>((db) =>
  moduleRowStatement(db, sql.placeholder("enrollmentId"), sql.placeholder("moduleId")),
)

/** Selects one module of an enrollment. Heartbeats use it, so it must not read the whole course. */
export const selectModuleRow = (
  db: Database,
  { enrollmentId, moduleId }: Record<"enrollmentId" | "moduleId", SQL | number>,
) =>
  typeof enrollmentId === "number" && typeof moduleId === "number"
    ? moduleRowByIds({ enrollmentId, moduleId })
    : moduleRowStatement(db, enrollmentId, moduleId)

/** Adds the prerequisite to the module at `index`, as `selectModuleRow` does. */
export function withPrerequisite(rows: ModuleRow[], index: number): ModuleRowWithPrerequisite | undefined {
  const row = rows[index]
  const hasStarted = row?.status && row.status !== ModuleStatus.NotStarted
  const earlier =
    row?.locks && !hasStarted
      ? rows.slice(0, index).find((one) => one.counts && one.status !== ModuleStatus.Completed)
      : undefined
  const missingCourses = rows[0]?.missingCourses ?? null
  return row && { ...row, prerequisite: earlier?.name ?? null, missingCourses }
}

/** Why a module is not open, as messages for the learner; both are empty if it is open. */
interface Availability {
  lockReason: string
  dripMessage: string
}

interface EnrollmentDates {
  registeredAt: number
  expiresAt: number
}

/** Empty if the enrollment has not expired. */
export const expiryMessage = (registration: EnrollmentDates): string =>
  hasExpired(registration) ? `The enrollment expired on ${displayDate(registration.expiresAt)}.` : ""

/** When a module opens by the dates of the course. */
export const courseOpensAt = (
  { dripDays, opensAt }: Pick<ModuleRow, "dripDays" | "opensAt">,
  { registeredAt }: Pick<EnrollmentDates, "registeredAt">,
): number => Math.max(registeredAt + dripDays * DAY, opensAt)

/** A module that was opened before stays open. */
export function moduleAvailability(module: ModuleRowWithPrerequisite, registration: EnrollmentDates): Availability {
  const expired = expiryMessage(registration)
  if (expired) return { lockReason: expired, dripMessage: "" }
  if (module.status && module.status !== ModuleStatus.NotStarted) return { lockReason: "", dripMessage: "" }
  if (module.missingCourses !== null)
    return { lockReason: `Complete these courses first: ${module.missingCourses}.`, dripMessage: "" }
  const opensAt = module.ownOpensAt ?? courseOpensAt(module, registration)
  return {
    lockReason: module.prerequisite === null ? "" : `Complete ${module.prerequisite} first.`,
    dripMessage: opensAt > now() ? `Available on ${displayDate(opensAt)}.` : "",
  }
}

/** The error to throw for a module that is not open; undefined if it is open. */
export function lockError(
  { lockReason, dripMessage }: Availability,
  registration: EnrollmentDates,
): ApiError | undefined {
  if (lockReason) return conflict(hasExpired(registration) ? "registration_expired" : "locked", lockReason)
  return dripMessage ? conflict("too_early", dripMessage) : undefined
}

/**
 * Why a module can't be completed yet; empty once its minimum time was spent.
 * @param measured seconds that the service measured itself
 * @param reported seconds reported by the request; they are not recorded if it fails
 */
export function missingTimeMessage(
  row: ModuleRow,
  { measured = 0, reported = 0 }: { measured?: number; reported?: number },
): string {
  const missing = row.minTimeSpent - (row.timeSpent ?? 0) - measured
  if (missing <= reported) return ""
  const hint = reported > 0 ? `, then report all ${missing} seconds: this request was not recorded` : ""
  return `Spend ${pluralize(missing - reported, "more second")} in ${row.name} first${hint}.`
}

const toIsoTime = (time: number | null) => (time ? new Date(time).toISOString() : null)

/** The modules of an enrollment as the API returns them. */
export function toModuleStatusRows(rows: ModuleRow[], registration: EnrollmentDates) {
  const availabilities = rows.map((_, index) => {
    const module = withPrerequisite(rows, index)
    return module && moduleAvailability(module, registration)
  })
  const isDone = (row: ModuleRow) => row.status === ModuleStatus.Completed || row.status === ModuleStatus.Submitted
  const currentIndex = rows.findIndex(
    (row, index) => !isDone(row) && !availabilities[index]?.lockReason && !availabilities[index]?.dripMessage,
  )
  return rows.map((row, index) => {
    const { lockReason = "", dripMessage = "" } = availabilities[index] ?? {}
    return {
      module_id: row.moduleId,
      name: row.name,
      slug: row.slug,
      type: row.type,
      icon: row.icon,
      is_locked: lockReason !== "",
      lock_reason: lockReason,
      is_dripped: dripMessage !== "",
      drip_message: dripMessage,
      is_current: index === currentIndex,
      status_row_id: row.statusRowId ?? -1,
      status: row.status ?? ModuleStatus.NotStarted,
      started_on: toIsoTime(row.startedAt),
      completed_on: toIsoTime(row.completedAt),
      last_accessed_on: toIsoTime(row.lastAccessedAt),
      total_time_spent: row.statusRowId === null ? ("" as const) : duration(row.timeSpent ?? 0),
      points_awarded: row.pointsAwarded,
      completion_percentage: row.percent ?? 0,
      no_of_times_accessed: row.timesAccessed ?? 0,
    }
  })
}
