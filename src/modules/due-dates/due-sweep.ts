import { type SQL, sql } from "drizzle-orm"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { dueDateChanges, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { DueStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { openDatabase } from "../../db/client.ts"
import { ConflictError } from "../../db/commit-errors.ts"
import { jsonField } from "../../db/insert-from.ts"
import { type RowOf, selectFrom } from "../../db/select.ts"
import { idList, rowCount, rowList, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { resetStatements } from "../assessments/resets.queries.ts"
import { claimCycles, planCycle, selectClaims, zoneOf } from "../progress/cycles.ts"
import { checkDueDate } from "../progress/due-schedule.ts"
import { applyClaims } from "../progress/set-due-dates.ts"
import { DUE_FIELDS, fromEnrollmentsWithUsers, scheduleOf } from "./changeable-enrollments.ts"
import { planDigests, reminderStatements, type SentReminder } from "./reminders.ts"

// The sweep looks at enrollments whose time has come: a status, a reminder, the end of an exemption, or the next cycle.
// A slice takes two round trips. The second writes only if no other sweep or change came first.

/** Up to 20 rows written each, the audiences of the person, and 8 for each notification. */
const CHECKS_PER_SLICE = 120
/** Each resets the modules and attempts of an enrollment, and is written to the history. */
const CYCLES_PER_SLICE = 20
/** How many slices of each kind one run of the cron takes. The next run continues. */
const MAX_SLICES = 15

const SWEPT_FIELDS = {
  ...DUE_FIELDS,
  dueCheckAt: enrollments.dueCheckAt,
  claims: selectClaims,
  /** The end of the exemption from the current cycle. 0: none */
  exemptUntil: subquery(sql<number>`coalesce((
    select exemption.until from ${dueDateChanges} as exemption
    where exemption.user_id = ${enrollments.userId} and exemption.course_id = ${enrollments.courseId}
      and exemption.cycle = ${enrollments.cycle} and exemption.kind = 'exemption' and exemption.ended_at = 0
    order by exemption.id desc limit 1
  ), 0)`),
}
type SweptRow = RowOf<typeof SWEPT_FIELDS>

/** What a slice writes of an enrollment, unless it has changed since it was read. */
interface Check {
  id: number
  /** As read. */
  cycle: number
  checkedAt: number
  was: DueStatus
  dueStatus: DueStatus
  dueSoonAt: number
  overdueAt: number
  nextCheckAt: number
}

interface CycleStart {
  id: number
  userId: number
  courseId: number
  planned: ReturnType<typeof planCycle>
}

/** What happens to an enrollment now. */
function decide(
  row: SweptRow,
  env: Bindings,
  at: number,
): { check?: Check; reminder?: SentReminder; start?: CycleStart; isOrphan?: true } {
  const { id, userId, courseId, cycle, dueAt, dueStatus, exemptUntil } = row
  const zone = zoneOf(row, env)
  const read = { id, cycle, checkedAt: row.dueCheckAt, was: dueStatus }
  const isExempt = dueStatus === DueStatus.Exempt && (exemptUntil === 0 || at <= exemptUntil)
  const isCompleted = row.status === EnrollmentStatus.Completed
  if (!isCompleted && row.dueRuleId !== null && row.schedule === null) return { isOrphan: true }
  const due = checkDueDate({ dueAt, lastReminderDay: row.lastReminderDay, schedule: scheduleOf(row), zone }, at)
  const times = { dueSoonAt: due.dueSoonAt, overdueAt: due.overdueAt }
  if (isCompleted || isExempt) {
    const planned = planCycle(row.claims, isCompleted ? row.completedAt : dueAt, zone)
    if (planned.opensAt <= at) return { start: { id, userId, courseId, planned } }
    const next = [planned.opensAt, isExempt && exemptUntil > 0 ? exemptUntil + 1 : Number.POSITIVE_INFINITY]
    const nextCheckAt = Math.min(...next)
    return {
      check: { ...read, dueStatus, ...times, nextCheckAt: nextCheckAt === Number.POSITIVE_INFINITY ? 0 : nextCheckAt },
    }
  }
  if (dueAt === 0) return { check: { ...read, dueStatus, dueSoonAt: 0, overdueAt: 0, nextCheckAt: 0 } }
  const { reminder } = due
  return {
    check: { ...read, dueStatus: due.dueStatus, ...times, nextCheckAt: due.nextCheckAt },
    ...(reminder &&
      !row.isDisabled && {
        reminder: {
          ...{ id, cycle, day: reminder.day, isOverdue: reminder.isOverdue },
          isCopied: reminder.isFirstOverdue && scheduleOf(row).copySupervisors,
        },
      }),
  }
}

/** The condition that the enrollment of a value is as it was read. */
const isUnchanged = sql`enrollments.id = ${jsonField("id")} and enrollments.cycle = ${jsonField("cycle")}
  and enrollments.due_check_at = ${jsonField("checkedAt")} and enrollments.due_status = ${jsonField("was")}`

/** Indexed columns are written only if they change. */
function writeChecks({ db }: UnitOfWork, checks: Check[]): Statement[] {
  const moves = checks.filter((check) => check.was !== check.dueStatus)
  const stays = checks.filter((check) => check.was === check.dueStatus)
  const times = {
    dueSoonAt: jsonField("dueSoonAt"),
    overdueAt: jsonField("overdueAt"),
    dueCheckAt: jsonField("nextCheckAt"),
  }
  const update = (rows: Check[], set: { dueStatus?: SQL; updatedAt?: SQL }) =>
    rows.length > 0
      ? [
          db
            .update(enrollments)
            .set({ ...times, ...set })
            .from(rowList(rows))
            .where(isUnchanged),
        ]
      : []
  return [...update(moves, { dueStatus: jsonField("dueStatus"), updatedAt: nextUpdatedAt }), ...update(stays, {})]
}

type ReadState = Pick<Check, "id" | "cycle" | "checkedAt" | "was">

/** The condition that all rows of a slice are as they were read. */
const areUnchanged = (rows: ReadState[]) =>
  sql`${rowCount(sql`${rowList(rows)} join ${enrollments} on ${isUnchanged}`, sql`true`)} = ${rows.length}`

const startStatements = (work: UnitOfWork, starts: CycleStart[]): Statement[] => {
  const ids = starts.map(({ id }) => id)
  return [
    ...resetStatements(work, ids, { startsCycle: true }),
    ...claimCycles(work, starts, sql`${enrollments.id} in ${idList(ids)}`),
  ]
}

/** Commits a slice. If another sweep or a change was faster, the next slice reads the rows again. */
async function commitOrSkip(work: UnitOfWork, read: ReadState[], statements: Statement[]): Promise<void> {
  try {
    const marker = () => sql`not (${areUnchanged(read)})`
    await work.commit([work.guard(areUnchanged(read)), ...statements], {}, { marker })
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
  }
}

/** The enrollments that are overdue: a change of the due date may have made them so before. */
const overdueIds = (checks: Check[]): number[] =>
  checks.filter(({ dueStatus }) => dueStatus === DueStatus.Overdue).map(({ id }) => id)

/** @returns whether more enrollments may be due */
async function sweepSlice(work: UnitOfWork, env: Bindings): Promise<boolean> {
  const at = now()
  const [rows] = await work.read([
    selectFrom(
      work.db,
      SWEPT_FIELDS,
      sql`${fromEnrollmentsWithUsers(sql`${enrollments.dueCheckAt} > 0 and ${enrollments.dueCheckAt} <= ${at}`)}
        order by ${enrollments.dueCheckAt}, ${enrollments.id} limit ${CHECKS_PER_SLICE}`,
    ),
  ])
  if (rows.length === 0) return false
  const decided = rows.map((row) => ({ row, ...decide(row, env, at) }))
  const checks = decided.flatMap(({ check }) => check ?? [])
  const reminders = decided.flatMap(({ reminder }) => reminder ?? [])
  if (checks.length > 0)
    await commitOrSkip(work, checks, [
      ...reminderStatements(work, reminders),
      ...planDigests(work, overdueIds(checks)),
      ...writeChecks(work, checks),
    ])
  // Their rule was deleted with its group or portal.
  const orphans = decided.filter(({ isOrphan }) => isOrphan).map(({ row }) => row.id)
  if (orphans.length > 0)
    await work.commit(applyClaims(work, sql`${enrollments.id} in ${idList(orphans)}`), {}, { marker: "row" })
  const starting = decided.flatMap(({ row, start }) => (start ? [{ row, start }] : []))
  for (let from = 0; from < starting.length; from += CYCLES_PER_SLICE) {
    const slice = starting.slice(from, from + CYCLES_PER_SLICE)
    const read = slice.map(({ row: { id, cycle, dueCheckAt, dueStatus } }) => ({
      ...{ id, cycle, checkedAt: dueCheckAt, was: dueStatus },
    }))
    const starts = slice.map(({ start }) => start)
    await commitOrSkip(work, read, startStatements(work, starts))
  }
  return rows.length === CHECKS_PER_SLICE
}

/** Moves due statuses, sends reminders and begins cycles. Run by the cron. */
export async function sweepDueDates(env: Bindings): Promise<void> {
  const work = new UnitOfWork(openDatabase(env.DB, "first-primary"), callerAs(null, "owner", "sweep:due-dates"), env)
  for (let slices = 0; slices < MAX_SLICES; slices++) if (!(await sweepSlice(work, env))) return
}
