import { eq, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/courses.ts"
import { activities, enrolments, moduleStatuses } from "../../../drizzle/enrolments.ts"
import { modules } from "../../../drizzle/modules.ts"
import { quizAttempts } from "../../../drizzle/quizzes.ts"
import { users } from "../../../drizzle/users.ts"
import { mayKnow } from "../../gate/scope.ts"
import { type Caller, seesEveryone } from "../../lib/access.ts"
import { DAY, now, SECOND } from "../../lib/clock.ts"
import { conflict, forbidden, notFound } from "../../lib/errors.ts"
import { type Database, one } from "../../lib/sql/db.ts"
import { idList } from "../../lib/sql/sql.ts"
import { type Statement, settled, type UnitOfWork } from "../../lib/sql/work.ts"
import { counted } from "../../lib/text/words.ts"
import { type ModuleRow, missingTime, moduleRowsOf, openingOf } from "./module-rows.ts"
import type { Progress, Reset } from "./progress.schemas.ts"
import { requireStaffForDates, turns } from "./standing.queries.ts"

/** A registration within the caller's reach. @param enrolmentId an id, or a query of one */
export const registrationOf = (db: Database, caller: Caller, enrolmentId: SQL | number) =>
  db
    .select({
      id: enrolments.id,
      userId: enrolments.userId,
      courseId: enrolments.courseId,
      status: enrolments.status,
      registeredAt: enrolments.registeredAt,
      expiresAt: enrolments.expiresAt,
      courseName: courses.name,
      courseSlug: courses.slug,
      expiresAfterDays: courses.expiresAfterDays,
    })
    .from(enrolments)
    .innerJoin(courses, eq(courses.id, enrolments.courseId))
    .innerJoin(users, eq(users.id, enrolments.userId))
    .where(sql`${enrolments.id} = ${enrolmentId} and ${mayKnow(caller, users.id)}`)

/** A registration's modules in order. @throws 404 outside the caller's reach */
export async function listCourseModules(db: Database, caller: Caller, registrationId: number) {
  const [found, rows] = await db.batch([registrationOf(db, caller, registrationId), moduleRowsOf(db, registrationId)])
  const [registration] = found
  if (!registration) throw notFound("registration")
  return { registration, rows }
}

/** Only the learner itself, and staff, write a learner's progress. @throws 403 */
export function requireOwn(caller: Caller, registration: { userId: number }) {
  if (registration.userId !== caller.id && !seesEveryone(caller))
    throw forbidden("Only the learner and staff may change a registration's progress.")
}

/** The types that a learner completes by looking through them; the others are completed by their own operations. */
const SELF_PACED = ["text", "video"]

/** @throws 409 when the module is locked, opens later, needs more time or is not completed this way */
function requireOpen(
  rows: ModuleRow[],
  at: number,
  registration: { registeredAt: number; expiresAt: number },
  input: Progress,
) {
  const row = rows[at]
  if (!row) return
  const { lock, drip } = openingOf(rows, at, registration)
  if (lock || drip) throw conflict(lock || drip)
  if (input.status !== "Completed" || row.status === "Completed") return
  if (!SELF_PACED.includes(row.type))
    throw conflict(
      `${row.name} is Completed by its own operation: a quiz by its attempt, an assignment by its evaluation.`,
    )
  const missing = missingTime(row, { told: input.timeSpent ?? 0 })
  if (missing) throw conflict(missing)
}

/**
 * Records that a module was opened, gone on with or Completed. States and percents only rise, time is added: calls at
 * the same time lose nothing. The registration's own progress follows by triggers.
 * @throws 404, 403, 409 as the module's locks, dates and least time say
 */
export const recordProgress = (work: UnitOfWork, input: Progress) => settled(() => recordOnce(work, input))

async function recordOnce(work: UnitOfWork, input: Progress) {
  const { db, caller } = work
  const given = (input.statusRowId ?? 0) > 0 ? input.statusRowId : undefined
  const enrolmentId = given
    ? sql`(select enrolment_id from module_statuses where id = ${given})`
    : sql`${input.registrationId ?? 0}`
  const [ids, found, rows] = await work.read([
    work.nextIds("module_statuses"),
    registrationOf(db, caller, enrolmentId),
    moduleRowsOf(db, enrolmentId),
  ])
  const [registration] = found
  if (!registration) throw notFound(given ? "module status" : "registration")
  requireOwn(caller, registration)
  const at = rows.findIndex((row) => (given ? row.statusRowId === given : row.moduleId === input.moduleId))
  const row = rows[at]
  if (!row) {
    if (given) throw conflict("The module is no longer part of the course.")
    throw notFound("module in this course")
  }
  requireStaffForDates(caller, input.started_on, input.completed_on)
  const imported = input.started_on ?? input.completed_on
  if (imported === undefined) requireOpen(rows, at, registration, input)

  const statusRowId = row.statusRowId ?? one(ids).last
  const moment = input.completed_on ?? input.started_on ?? now()
  const completes = input.status === "Completed" || input.completed_on !== undefined
  const state = {
    status: completes ? "Completed" : "In Progress",
    percent: completes ? 100 : (input.percentage ?? 0),
    timeSpent: input.timeSpent ?? 0,
    startedAt: input.started_on ?? moment,
    completedAt: completes ? moment : 0,
  }
  return work.commit(
    [
      work.guard(sql`exists (select 1 from ${enrolments} where ${enrolments.id} = ${registration.id})`),
      ...auditMove(work, row, registration.userId, statusRowId, state.status),
      row.statusRowId === null
        ? db.insert(moduleStatuses).values({
            id: statusRowId,
            enrolmentId: registration.id,
            moduleId: row.moduleId,
            ...state,
            timesAccessed: 1,
            lastAccessedAt: moment,
          })
        : db
            .update(moduleStatuses)
            .set(raised(state, moment, !completes && input.timeSpent === undefined))
            .where(eq(moduleStatuses.id, statusRowId)),
    ],
    { message: "Progress recorded.", statusRowId },
    turns,
  )
}

interface State {
  status: string
  percent: number
  timeSpent: number
  startedAt: number
  completedAt: number
}

/** What a state becomes: never less than it is when the batch runs. */
const raised = ({ status, percent, timeSpent, startedAt, completedAt }: State, at: number, isOpening: boolean) => ({
  status:
    status === "Completed"
      ? status
      : sql`iif(${moduleStatuses.status} in ('Submitted', 'Completed'), ${moduleStatuses.status}, ${status})`,
  percent: sql`max(${moduleStatuses.percent}, ${percent})`,
  timeSpent: sql`${moduleStatuses.timeSpent} + ${timeSpent}`,
  timesAccessed: sql`${moduleStatuses.timesAccessed} + ${isOpening ? 1 : 0}`,
  startedAt: sql`iif(${moduleStatuses.startedAt} = 0, ${startedAt}, ${moduleStatuses.startedAt})`,
  completedAt: sql`iif(${moduleStatuses.completedAt} = 0, ${completedAt}, ${moduleStatuses.completedAt})`,
  lastAccessedAt: sql`max(${moduleStatuses.lastAccessedAt}, ${at})`,
})

/** The audit row of a module's first opening and of its completion, each once; going on with it leaves none. */
function auditMove(work: UnitOfWork, row: ModuleRow, userId: number, statusRowId: number, status: string): Statement[] {
  const reached = status === "Completed" ? sql`('Completed')` : sql`('In Progress', 'Submitted', 'Completed')`
  return [
    work.auditMany(
      "updated",
      "module progress",
      sql`select ${statusRowId} as id, ${modules.name} as name, ${JSON.stringify({ userId, status })} as details from ${modules} where ${modules.id} = ${row.moduleId} and not exists (select 1 from ${moduleStatuses} where ${moduleStatuses.id} = ${statusRowId} and ${moduleStatuses.status} in ${reached})`,
    ),
  ]
}

/**
 * Takes registrations back to Not Started. Time spent and times accessed stay: they happened. A quiz attempt that is open
 * ends with nothing counted: the quiz is begun anew. A registration that has expired begins a new term.
 * @param expireOn for all of them; undefined: those that have expired get the course's own term from now on
 */
function resetStatements(work: UnitOfWork, ids: number[], expireOn?: number): Statement[] {
  const { db, caller } = work
  const term = sql`coalesce((select ${now()} + ${courses.expiresAfterDays} * ${DAY} from ${courses} where ${courses.id} = ${enrolments.courseId} and ${courses.expiresAfterDays} > 0), 0)`
  const expiresAt =
    expireOn ?? sql`iif(${enrolments.expiresAt} between 1 and ${now()}, ${term}, ${enrolments.expiresAt})`
  const these = sql`${enrolments.id} in ${idList(ids)}`
  return [
    work.guard(sql`(select count(*) from ${enrolments} where ${these}) = ${ids.length}`),
    db
      .update(moduleStatuses)
      .set({ status: "Not Started", percent: 0, pointsAwarded: null, startedAt: 0, completedAt: 0 })
      .where(sql`${moduleStatuses.enrolmentId} in ${idList(ids)} and ${moduleStatuses.status} <> 'Not Started'`),
    db
      .update(quizAttempts)
      .set({
        status: "Completed",
        result: "failed",
        completedAt: sql`max(${now()}, ${quizAttempts.startedAt})`,
        timeTaken: sql`cast(max(0, ${now()} - ${quizAttempts.startedAt}) / ${SECOND} as integer)`,
      })
      .where(sql`${quizAttempts.enrolmentId} in ${idList(ids)} and ${quizAttempts.status} = 'In Progress'`),
    db
      .update(enrolments)
      .set({ status: "Not Started", percent: 0, done: 0, startedAt: 0, completedAt: 0, expiresAt })
      .where(these),
    db
      .insert(activities)
      .select(
        sql`select null as id, ${enrolments.userId} as user_id, 'RESET' as verb, ${courses.id} as course_id, ${courses.name} as course_name, nullif(${caller.id}, ${enrolments.userId}) as actor_id, ${now()} as created_at from ${enrolments} join ${courses} on ${courses.id} = ${enrolments.courseId} where ${these}`,
      ),
    work.auditMany(
      "updated",
      "enrolment",
      sql`select ${enrolments.id} as id, ${courses.name} as name, json_object('userId', ${enrolments.userId}, 'progress', 'reset') as details from ${enrolments} join ${courses} on ${courses.id} = ${enrolments.courseId} where ${these}`,
    ),
  ]
}

/** Takes registrations back to Not Started, with a new term where one has expired; unknown ids are counted. */
export async function resetProgress(work: UnitOfWork, { registration_ids: ids, expire_on: expireOn }: Reset) {
  const [found] = await work.read([
    work.db
      .select({ id: enrolments.id })
      .from(enrolments)
      .where(sql`${enrolments.id} in ${idList(ids)}`),
  ])
  const skipped = ids.length - found.length
  const message = [
    `${counted(found.length, "registration")} reset.`,
    ...(skipped > 0 ? [`${counted(skipped, "id")} unknown.`] : []),
  ].join(" ")
  const answer = { message, reset: found.length, skipped }
  if (found.length === 0) return work.commit([], answer)
  return work.commit(
    resetStatements(
      work,
      found.map((row) => row.id),
      expireOn,
    ),
    answer,
  )
}

/**
 * Begins a Completed registration that has expired anew, for the course's own term. A date that staff gave a registration
 * in a course without one is theirs to move.
 * @throws 404, 403, 409
 */
export async function recertify(work: UnitOfWork, registrationId: number) {
  const { db, caller } = work
  const [found] = await work.read([registrationOf(db, caller, registrationId)])
  const [registration] = found
  if (!registration) throw notFound("registration")
  requireOwn(caller, registration)
  const { status, expiresAt, expiresAfterDays } = registration
  if (status !== "Completed" || expiresAt === 0 || expiresAt > now())
    throw conflict("Only a Completed registration that has expired can be certified again.")
  if (expiresAfterDays === 0) throw conflict("The course has no term of its own: ask its staff to begin it anew.")
  return work.commit(
    [
      work.guard(
        sql`exists (select 1 from ${enrolments} where ${enrolments.id} = ${registrationId} and ${enrolments.status} = 'Completed' and ${enrolments.expiresAt} = ${expiresAt})`,
      ),
      ...resetStatements(work, [registrationId]),
    ],
    { message: "The registration begins anew." },
  )
}
