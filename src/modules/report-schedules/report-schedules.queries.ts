import { asc, eq, type SQL, sql } from "drizzle-orm"
import { reportRecipients, reportSchedules } from "../../../drizzle/schema/report-schedules.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { canSeeUser } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import {
  changedFields,
  deleteRecords,
  guardUnchanged,
  hasSameIds,
  requireExisting,
  requireVersion,
  updateChanged,
} from "../../db/records.ts"
import { selectFrom } from "../../db/select.ts"
import { idList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers, userIdOf } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { forbidden, invalid, notFound } from "../../lib/errors.ts"
import { personTimeZone, zoneOf } from "../progress/cycles.ts"
import type { NewSchedule, ScheduleChanges } from "./report-schedules.schemas.ts"
import { startSchedules } from "./report-sweep.ts"
import { nextRunAt, type RunTimes } from "./run-times.ts"
import { listedScheduleColumns, scheduleColumns, scheduleFields } from "./schedule-fields.ts"
import { checksOf, kindOf, readFilter } from "./scheduled-exports.ts"

type Schedule = typeof reportSchedules.$inferSelect

/** Staff manage all schedules, supervisors their own. */
const canManage = (caller: Caller): SQL =>
  canSeeAllUsers(caller) ? sql`1` : sql`${reportSchedules.ownerId} = ${caller.id}`

function checkTimes({ interval, day }: RunTimes): void {
  if (interval === "weekly" && day > 7) throw invalid("day", "day must be 1 (Monday) to 7 with the interval weekly.")
}

const selectZone = (db: Database, userId: SQL | number) =>
  selectFrom(db, { id: users.id, timeZone: personTimeZone }, sql`from ${users} where ${users.id} = ${userId}`)

/** Selects users who may receive reports. */
const selectRecipients = ({ db, caller }: UnitOfWork, ids: number[]) =>
  selectFrom(
    db,
    { id: users.id },
    sql`from ${users} where ${users.id} in ${idList(ids)} and ${canSeeUser(caller, users.id)}
      and not ${users.disabled} and ${users.userType} <> 'general'`,
  )

const selectRecipientIds = (db: Database, scheduleId: number) =>
  db
    .select({ id: reportRecipients.userId })
    .from(reportRecipients)
    .where(eq(reportRecipients.scheduleId, scheduleId))
    .orderBy(asc(reportRecipients.userId))

const addRecipients = (db: Database, scheduleId: number, ids: number[]) =>
  insertFrom(db, reportRecipients, { scheduleId, userId: sql`value` }, sql`from ${idList(ids)} where true`)

/** @throws 404 or 422 for the filter; 422 for the recipients and the day */
export async function createSchedule(work: UnitOfWork, input: NewSchedule) {
  const { db, caller, env } = work
  const ownerId = userIdOf(caller)
  if (ownerId === null) throw forbidden("Only a signed-in user can schedule reports.", "user_session_required")
  const row = scheduleFields.toInsert(input)
  checkTimes(row)
  const kind = await kindOf(row.report)
  const filter = readFilter(kind, row.report, row.filter)
  const recipientIds = input.recipientIds.filter((id) => id !== ownerId)
  const { check } = kind
  const [newIds, zones, recipients, ...checked] = await work.read([
    work.nextIds("report_schedules"),
    selectZone(db, ownerId),
    selectRecipients(work, recipientIds),
    ...(check?.read(work, filter) ?? []),
  ] as const)
  check?.validate(work, checked, filter)
  requireExisting("recipientIds", recipientIds, recipients)
  const id = firstRow(newIds).last
  const zone = zoneOf(firstRow(zones), env)
  const { name, ...details } = row
  return work.commit(
    [
      db.insert(reportSchedules).values({
        id,
        ...row,
        filter: JSON.parse(filter),
        ownerId,
        nextRunAt: row.active ? nextRunAt(row, zone, now()) : 0,
        createdAt: now(),
      }),
      addRecipients(db, id, [ownerId, ...recipientIds]),
      work.audit("created", "report schedule", { id, name }, { ...details, recipientIds }),
    ],
    { id, message: "Report schedule created." },
  )
}

export const listSchedules = (db: Database, caller: Caller, query: PageQuery) =>
  readPage(
    db,
    {
      table: reportSchedules,
      key: reportSchedules.id,
      fields: listedScheduleColumns.fields,
      sort: listedScheduleColumns.sort,
      defaultSort: { colName: "id", direction: "desc" },
      scope: canSeeAllUsers(caller)
        ? []
        : [
            {
              test: canManage(caller),
              ids: sql`select ${reportSchedules.id} as id from ${reportSchedules} where ${canManage(caller)}`,
            },
          ],
      search: [],
    },
    query,
  )

/** @throws 404 */
export async function getSchedule(db: Database, caller: Caller, id: number) {
  const [rows, recipients] = await db.batch([
    selectFrom<typeof scheduleColumns.fields, { version: number; ownedBy: number }>(
      db,
      scheduleColumns.fields,
      sql`, ${reportSchedules.version} as version, ${reportSchedules.ownerId} as "ownedBy"
        from ${reportSchedules} where ${reportSchedules.id} = ${id} and ${canManage(caller)}`,
    ),
    selectRecipientIds(db, id),
  ])
  const [found] = rows
  if (!found) throw notFound("report schedule")
  return { ...found, recipientIds: recipients.map((row) => row.id).filter((userId) => userId !== found.ownedBy) }
}

const selectSchedule = ({ db, caller }: UnitOfWork, id: number) =>
  db
    .select()
    .from(reportSchedules)
    .where(sql`${reportSchedules.id} = ${id} and ${canManage(caller)}`)

/** The time of the next run after a change; the same one unless its times change or it is activated. */
function movedRunAt(before: Schedule, next: RunTimes & { active: boolean }, zone: string): number {
  if (!next.active) return 0
  const isSame =
    before.active && before.interval === next.interval && before.day === next.day && before.hour === next.hour
  return isSame ? before.nextRunAt : nextRunAt(next, zone, now())
}

/** Changes the given fields. @throws 404 also for a changed filter, 412, 422 */
export async function updateSchedule(work: UnitOfWork, id: number, changes: ScheduleChanges, expectedVersion?: number) {
  const { db, env } = work
  const { recipientIds: given } = changes
  // The report is known only after the round trip, which therefore reads the checks of all reports.
  const checks = await checksOf(changes.filter, work)
  const [rows, zones, currentRecipients, recipients, ...checked] = await work.read([
    selectSchedule(work, id),
    selectZone(
      db,
      sql`(select ${reportSchedules.ownerId} from ${reportSchedules} where ${reportSchedules.id} = ${id})`,
    ),
    selectRecipientIds(db, id),
    selectRecipients(work, given ?? []),
    ...checks.flatMap(({ queries }) => queries),
  ] as const)
  const schedule = requireVersion(rows, "report schedule", expectedVersion)
  const { ownerId } = schedule
  const recipientIds = given && [...new Set([ownerId, ...given])]
  requireExisting("recipientIds", recipientIds ?? [], [...recipients, ...currentRecipients, { id: ownerId }])
  const next = scheduleFields.toUpdate(schedule, changes)
  checkTimes(next)
  const kind = await kindOf(schedule.report)
  const filter = JSON.parse(readFilter(kind, schedule.report, next.filter))
  const timed = { ...next, filter, nextRunAt: movedRunAt(schedule, next, zoneOf(firstRow(zones), env)) }
  const changed = changedFields(schedule, timed)
  for (const { report, queries, validate } of checks) {
    const results = checked.splice(0, queries.length)
    if (changed.filter && report === schedule.report) validate(results)
  }
  const hasRecipients = !hasSameIds(recipientIds, currentRecipients)
  const answer = { message: "Report schedule updated." }
  if (Object.keys(changed).length === 0 && !hasRecipients) return work.commit([], answer)
  return work.commit(
    [
      guardUnchanged(reportSchedules, schedule),
      updateChanged(db, reportSchedules, schedule, changed),
      ...(hasRecipients && recipientIds
        ? [
            db.delete(reportRecipients).where(
              sql`${reportRecipients.scheduleId} = ${id}
                  and ${reportRecipients.userId} not in ${idList(recipientIds)}`,
            ),
            addRecipients(db, id, recipientIds).onConflictDoNothing(),
          ]
        : []),
      work.audit(
        "updated",
        "report schedule",
        { id, name: next.name },
        { ...changed, ...(hasRecipients && { recipientIds: given }) },
      ),
    ],
    answer,
  )
}

export const deleteSchedules = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: reportSchedules,
    subject: "report schedule",
    name: reportSchedules.name,
    ids,
    within: canManage(work.caller),
  })

/** Starts the report now; the next scheduled time stays. @throws 404 */
export async function runSchedule(work: UnitOfWork, id: number) {
  const answer = (isStopped: boolean) => ({
    message: isStopped
      ? "Nothing is sent, and the schedule is paused: its owner is disabled, or no longer a supervisor or staff."
      : "The report is being written. Its recipients get it by mail.",
  })
  const { found, isStopped } = await startSchedules(work, {
    which: sql`${reportSchedules.id} = ${id} and ${canManage(work.caller)}`,
    answer,
  })
  if (found === 0) throw notFound("report schedule")
  return answer(isStopped)
}
