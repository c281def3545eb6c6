import { type SQL, sql } from "drizzle-orm"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { dueDateChanges, enrollments, reminders } from "../../../drizzle/schema/enrollments.ts"
import { DueStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { idList, literal, rowCount, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { invalid } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { notifyStatements } from "../notifications/notify.ts"
import { zoneOf } from "../progress/cycles.ts"
import { dayAt } from "../progress/due-dates.ts"
import { DEFAULT_SCHEDULE, dueTimes } from "../progress/due-schedule.ts"
import { dueStatusOf, isExempt, recurs, STORED } from "../progress/due-status.ts"
import { applyClaims } from "../progress/set-due-dates.ts"
import { type DueRow, deadlineIn, isOpen, scheduleOf, selectChangeable } from "./changeable-enrollments.ts"
import type { DueDate, Exemption, Extension } from "./due-dates.schemas.ts"
import { learnersOf, reminderStatements } from "./reminders.ts"

const withIds = (rows: { id: number }[]) => sql`${enrollments.id} in ${idList(rows.map(({ id }) => id))}`

/** Guards that the enrollments exist, in the cycles that were read. */
const guardCycles = (work: UnitOfWork, rows: DueRow[]): Statement =>
  work.guard(
    sql`${rowCount(
      sql`${rowList(rows.map(({ id, cycle }) => ({ id, cycle })))} join ${enrollments}
        on ${enrollments.id} = ${jsonField("id")} and ${enrollments.cycle} = ${jsonField("cycle")}`,
      sql`true`,
    )} = ${rows.length}`,
  )

/**
 * Writes an audit row for each enrollment.
 * @param details a JSON object as SQL, over `enrollments`
 * @param from `enrollments`, or a join with it
 */
const auditDueDates = (work: UnitOfWork, which: SQL, details: SQL, from = sql`${enrollments}`): Statement =>
  work.auditMany(
    "updated",
    "enrollment",
    sql`
      select ${enrollments.id} as id, ${courses.name} as name,
        json_patch(json_object('userId', ${enrollments.userId}), ${details}) as details
      from ${from} join ${courses} on ${courses.id} = ${enrollments.courseId}
      where ${which}`,
  )

interface NewDueDate {
  id: number
  dueAt: number
  dueSoonAt: number
  overdueAt: number
}

/** Writes due dates. The sweep plans the reminders. @param dueRuleId who sets the reminders */
const writeDueDates = ({ db }: UnitOfWork, rows: NewDueDate[], dueRuleId: SQL): Statement => {
  const [dueAt, dueSoonAt, overdueAt] = [jsonField("dueAt"), jsonField("dueSoonAt"), jsonField("overdueAt")]
  const at = now()
  return db
    .update(enrollments)
    .set({
      ...{ dueAt, dueSoonAt, overdueAt, dueRuleId },
      dueStatus: dueStatusOf({ ...STORED, dueAt, dueSoonAt, overdueAt }, at),
      dueCheckAt: sql`iif(
        ${STORED.status} = ${literal(EnrollmentStatus.Completed)} or ${isExempt},
        enrollments.due_check_at,
        max(${at}, ${dueSoonAt})
      )`,
      updatedAt: nextUpdatedAt,
    })
    .from(rowList(rows))
    .where(sql`enrollments.id = ${jsonField("id")}`)
}

const response = (work: string, changed: number, skipped: number, because: string) => ({
  message: [
    `${pluralize(changed, "enrollment")} ${work}.`,
    ...(skipped > 0 ? [`${skipped} skipped: ${because}`] : []),
  ].join(" "),
  changed,
  skipped,
})

const NOT_FOUND = "they don't exist, or you don't have access to them."

/** Sets the due dates of enrollments by hand, or lets the rules set them again. */
export async function setDueDates(work: UnitOfWork, { registrationIds: ids, dueAt: deadline }: DueDate) {
  const [rows] = await work.read([selectChangeable(work, ids)])
  const answer = response(deadline ? "changed" : "cleared", rows.length, ids.length - rows.length, NOT_FOUND)
  if (rows.length === 0) return work.commit([], answer)
  const which = withIds(rows)
  const previous = sql`'previousDueAt', ${enrollments.dueAt}`
  if (!deadline)
    return work.commit(
      [
        guardCycles(work, rows),
        auditDueDates(work, which, sql`json_object('dueAt', null, ${previous})`),
        ...clearDueDates(work, which),
      ],
      answer,
    )
  const next = rows.map((row) => {
    const zone = zoneOf(row, work.env)
    const dueAt = deadlineIn(zone, deadline)
    return { id: row.id, dueAt, ...dueTimes(dueAt, DEFAULT_SCHEDULE, zone) }
  })
  const withNext = sql`${rowList(next)} join ${enrollments} on ${enrollments.id} = ${jsonField("id")}`
  return work.commit(
    [
      guardCycles(work, rows),
      auditDueDates(work, sql`true`, sql`json_object('dueAt', ${jsonField("dueAt")}, ${previous})`, withNext),
      writeDueDates(work, next, sql`null`),
    ],
    answer,
  )
}

/** Marks the due dates as set by a rule that does not exist, so that the claims replace them, or nothing does. */
const clearDueDates = (work: UnitOfWork, which: SQL): Statement[] => [
  work.db
    .update(enrollments)
    .set({ dueRuleId: 0 })
    .where(sql`${which} and ${enrollments.dueRuleId} is null and ${enrollments.dueAt} > 0`),
  ...applyClaims(work, which),
  // Of completed enrollments without claims.
  work.db
    .update(enrollments)
    .set({
      ...{ dueAt: 0, dueSoonAt: 0, overdueAt: 0, dueRuleId: null },
      dueStatus: DueStatus.NoDueDate,
      updatedAt: nextUpdatedAt,
    })
    .where(sql`${which} and ${enrollments.dueRuleId} = 0`),
]

/**
 * Writes the history of exemptions and extensions, before the enrollments change.
 * @param afterId the id before the first new one
 */
const insertChanges = (
  work: UnitOfWork,
  { kind, reason, afterId }: { kind: "exemption" | "extension"; reason: string; afterId: number },
  changes: { id: number; until: number }[],
): Statement =>
  insertFrom(
    work.db,
    dueDateChanges,
    {
      id: sql`${afterId} + key + 1`,
      userId: enrollments.userId,
      courseId: enrollments.courseId,
      cycle: enrollments.cycle,
      kind,
      until: jsonField("until"),
      previousDueAt: enrollments.dueAt,
      reason,
      createdBy: work.caller.id,
      createdAt: now(),
    },
    sql`from ${rowList(changes)} join ${enrollments} on ${enrollments.id} = ${jsonField("id")} where true`,
  )

/** Moves due dates to a later day. Only enrollments that are not completed or exempt and due before it change. */
export async function extendDueDates(work: UnitOfWork, { registrationIds: ids, dueAt: deadline, reason }: Extension) {
  const [newIds, found] = await work.read([work.nextIds("due_date_changes", ids.length), selectChangeable(work, ids)])
  const rows = found.filter(isOpen).flatMap((row) => {
    const zone = zoneOf(row, work.env)
    const dueAt = deadlineIn(zone, deadline)
    return dueAt > row.dueAt ? [{ ...row, next: { id: row.id, dueAt, ...dueTimes(dueAt, scheduleOf(row), zone) } }] : []
  })
  const because = `${NOT_FOUND.slice(0, -1)}, or they have no earlier due date, are completed or exempt.`
  const answer = response("extended", rows.length, ids.length - rows.length, because)
  if (rows.length === 0) return work.commit([], answer)
  const afterId = firstRow(newIds).last - ids.length
  const until = rows.map(({ id, next }) => ({ id, until: next.dueAt }))
  const details = sql`json_object('previousDueAt', ${enrollments.dueAt}, 'reason', ${reason})`
  return work.commit(
    [
      guardCycles(work, rows),
      auditDueDates(work, withIds(rows), details),
      insertChanges(work, { kind: "extension", reason, afterId }, until),
      ...notifyStatements(
        work,
        "extended",
        learnersOf(until, sql`'reason', ${reason}, 'due_date', given.value ->> '$.until'`),
      ),
      writeDueDates(
        work,
        rows.map(({ next }) => next),
        sql`enrollments.due_rule_id`,
      ),
    ],
    answer,
  )
}

/** Exempts learners from completing the current cycle. @throws 422 for an end in the past */
export async function exempt(work: UnitOfWork, { registrationIds: ids, until: deadline, reason }: Exemption) {
  const [newIds, found] = await work.read([work.nextIds("due_date_changes", ids.length), selectChangeable(work, ids)])
  const at = now()
  const rows = found
    .filter(isOpen)
    .map((row) => ({ ...row, until: deadline ? deadlineIn(zoneOf(row, work.env), deadline) : 0 }))
  if (rows.some(({ until }) => until > 0 && until <= at)) throw invalid("until", "until must be in the future.")
  const because = `${NOT_FOUND.slice(0, -1)}, or they have no due date, are completed or exempt already.`
  const answer = response("exempted", rows.length, ids.length - rows.length, because)
  if (rows.length === 0) return work.commit([], answer)
  const afterId = firstRow(newIds).last - ids.length
  const changes = rows.map(({ id, until }) => ({ id, until }))
  return work.commit(
    [
      guardCycles(work, rows),
      auditDueDates(work, withIds(rows), sql`json_object('exempt', json('true'), 'reason', ${reason})`),
      insertChanges(work, { kind: "exemption", reason, afterId }, changes),
      ...notifyStatements(
        work,
        "exempted",
        learnersOf(changes, sql`'reason', ${reason}, 'until', nullif(given.value ->> '$.until', 0)`),
      ),
      work.db
        .update(enrollments)
        .set({
          dueStatus: DueStatus.Exempt,
          // The next cycle may open before the exemption ends.
          dueCheckAt: sql`case when ${recurs} then ${at}
            when ${jsonField("until")} > 0 then ${jsonField("until")} + 1 else 0 end`,
          updatedAt: nextUpdatedAt,
        })
        .from(rowList(changes))
        .where(sql`enrollments.id = ${jsonField("id")}`),
    ],
    answer,
  )
}

/** Ends exemptions, so that the due dates apply again. */
export async function endExemptions(work: UnitOfWork, ids: number[]) {
  const [found] = await work.read([selectChangeable(work, ids)])
  const rows = found.filter(({ dueStatus }) => dueStatus === DueStatus.Exempt)
  const because = `${NOT_FOUND.slice(0, -1)}, or they are not exempt.`
  const answer = response("no longer exempt", rows.length, ids.length - rows.length, because)
  if (rows.length === 0) return work.commit([], answer)
  const which = withIds(rows)
  return work.commit(
    [
      guardCycles(work, rows),
      auditDueDates(work, which, sql`json_object('exempt', json('false'))`),
      work.db
        .update(dueDateChanges)
        .set({ endedAt: now() })
        .where(
          sql`(${dueDateChanges.userId}, ${dueDateChanges.courseId}, ${dueDateChanges.cycle}) in (
              select ${enrollments.userId}, ${enrollments.courseId}, ${enrollments.cycle}
              from ${enrollments} where ${which}
            ) and ${dueDateChanges.kind} = 'exemption' and ${dueDateChanges.endedAt} = 0`,
        ),
      endExempt(work, which),
    ],
    answer,
  )
}

/** Makes enrollments open again. The sweep plans the reminders. */
const endExempt = ({ db }: UnitOfWork, which: SQL): Statement =>
  db
    .update(enrollments)
    .set({
      dueStatus: dueStatusOf({ ...STORED, isExempt: sql`0` }, now()),
      dueCheckAt: now(),
      updatedAt: nextUpdatedAt,
    })
    .where(sql`${which} and ${isExempt}`)

/** Reminds learners now. Those who were reminded today are skipped. */
export async function remind(work: UnitOfWork, ids: number[]) {
  const [found] = await work.read([selectChangeable(work, ids)])
  const at = now()
  const sent = found
    .filter((row) => isOpen(row) && !row.isDisabled)
    .map((row) => ({ ...row, day: dayAt(at, zoneOf(row, work.env)) }))
    .filter(
      ({ lastReminderDay: last, lastReminderAt, day, ...row }) =>
        last === null || Math.max(last, dayAt(lastReminderAt ?? 0, zoneOf(row, work.env))) < day,
    )
    .map(({ id, cycle, day, dueStatus }) => ({
      id,
      cycle,
      day,
      isOverdue: dueStatus === DueStatus.Overdue,
      isCopied: false,
    }))
  const skipped = ids.length - sent.length
  const because = `${NOT_FOUND.slice(0, -1)}, or they have nothing due, or they were reminded today.`
  const { message } = response("reminded", sent.length, skipped, because)
  const answer = { message, reminded: sent.length, skipped }
  if (sent.length === 0) return work.commit([], answer)
  const isReminded = sql`${rowCount(
    sql`${rowList(sent)} join ${reminders}
      on ${reminders.enrollmentId} = ${jsonField("id")} and ${reminders.cycle} = ${jsonField("cycle")}
        and ${reminders.day} = ${jsonField("day")}`,
    sql`true`,
  )} > 0`
  return work.commit(
    [
      work.guard(sql`not (${isReminded})`),
      auditDueDates(work, withIds(sent), sql`json_object('reminded', json('true'))`),
      ...reminderStatements(work, sent),
    ],
    answer,
  )
}
