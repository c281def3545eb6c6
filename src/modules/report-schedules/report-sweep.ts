import { and, inArray, lt, type SQL, sql } from "drizzle-orm"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { reportDeliveries, reportRecipients, reportSchedules } from "../../../drizzle/schema/report-schedules.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { selectFrom } from "../../db/select.ts"
import { idList, rowExists, rowList, subquery } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { callerAs, canSeeAllUsers, isSupervisor } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { enqueueExport, insertExports, newExport } from "../exports/exports.queries.ts"
import { personTimeZone, zoneOf } from "../progress/cycles.ts"
import { nextRunAt } from "./run-times.ts"
import { kindOf } from "./scheduled-exports.ts"

// A run of a schedule writes an export for each recipient, with what that person may see, and a delivery that waits for
// it. The key of deliveries and the time of the next run ensure that each period is started once.

/** Schedules in one batch: at most 21 recipients each, with up to 12 rows written for each of them. */
const SLICE = 15
/** Deliveries are deleted with the first run after this time. */
const RETENTION_PERIOD = 400 * DAY

interface Person {
  id: number
  userType: string
  disabled: 0 | 1
}

const SCHEDULE = {
  id: reportSchedules.id,
  name: reportSchedules.name,
  report: reportSchedules.report,
  filter: reportSchedules.filter,
  interval: reportSchedules.interval,
  day: reportSchedules.day,
  hour: reportSchedules.hour,
  ownerId: reportSchedules.ownerId,
  nextRunAt: reportSchedules.nextRunAt,
  timeZone: personTimeZone,
  recipients: subquery(sql`(
    select json_group_array(json_object('id', person.id, 'userType', person.user_type, 'disabled', person.disabled))
    from ${reportRecipients} join ${users} as person on person.id = ${reportRecipients.userId}
    where ${reportRecipients.scheduleId} = ${reportSchedules.id}
  )`).mapWith((json: string): Person[] => JSON.parse(json)),
}

/** Whether a person may receive reports: supervisors and staff. */
const mayReceive = ({ id, userType, disabled }: Person): boolean => {
  const caller = callerAs(id, userType, `user:${id}`)
  return !disabled && (canSeeAllUsers(caller) || isSupervisor(caller))
}

/**
 * Starts schedules. Those whose owner was disabled or lost the role are paused.
 * @param isDue whether the run is the scheduled one, which sets the time of the next
 * @param answer the response of the request that starts one
 * @returns how many it found, and whether the first is paused
 */
export async function startSchedules(
  work: UnitOfWork,
  {
    which,
    isDue = false,
    answer = () => ({}),
  }: { which: SQL; isDue?: boolean; answer?: (isStopped: boolean) => object },
): Promise<{ found: number; isStopped: boolean }> {
  const { db, env } = work
  const at = now()
  const [found] = await work.read([
    selectFrom(
      db,
      SCHEDULE,
      sql`from ${reportSchedules} join ${users} on ${users.id} = ${reportSchedules.ownerId}
        where ${which} order by ${reportSchedules.nextRunAt} limit ${SLICE}`,
    ),
  ])
  const [first] = found
  if (!first) return { found: 0, isStopped: false }
  const stopped = found.filter(
    ({ ownerId, recipients }) => !recipients.some((row) => row.id === ownerId && mayReceive(row)),
  )
  const started = found.filter((schedule) => !stopped.includes(schedule))
  const runs = await Promise.all(
    started.map(async (schedule) => {
      const kind = await kindOf(schedule.report)
      const filter = JSON.stringify(schedule.filter)
      const runAt = isDue ? schedule.nextRunAt : at
      return schedule.recipients.filter(mayReceive).map((person) => ({
        ...newExport(kind, person, filter),
        scheduleId: schedule.id,
        runAt,
        nextRunAt: schedule.nextRunAt,
      }))
    }),
  )
  const rows = runs.flat()
  // Another run of the sweep may have started them since they were read.
  const isUnchanged = sql`exists (
    select 1 from ${reportSchedules}
    where ${reportSchedules.id} = ${jsonField("scheduleId")}
      and ${reportSchedules.nextRunAt} = ${jsonField("nextRunAt")}
  )`
  const times = started.map((schedule) => ({
    id: schedule.id,
    runAt: isDue ? schedule.nextRunAt : at,
    was: schedule.nextRunAt,
    next: isDue ? nextRunAt(schedule, zoneOf(schedule, env), at) : schedule.nextRunAt,
  }))
  const startedIds = started.map(({ id }) => id)
  const stoppedIds = stopped.map(({ id }) => id)
  const isFirstStopped = stoppedIds.includes(first.id)
  const isStopped = sql`${reportSchedules.id} in ${idList(stoppedIds)} and ${reportSchedules.active}`
  await work.commit(
    [
      // A request runs again if the schedule changed meanwhile; the sweep leaves it to its next run.
      ...(isDue
        ? []
        : [
            work.guard(
              rowExists(
                reportSchedules,
                sql`${reportSchedules.id} = ${first.id} and ${reportSchedules.nextRunAt} = ${first.nextRunAt}`,
              ),
            ),
          ]),
      insertExports(db, rows, isUnchanged),
      insertFrom(
        db,
        reportDeliveries,
        {
          scheduleId: jsonField("scheduleId"),
          userId: jsonField("callerId"),
          runAt: jsonField("runAt"),
          // The recipient may be running the same export already.
          exportId: sql`(
            select ${exportJobs.id} from ${exportJobs}
            where ${exportJobs.callerId} = ${jsonField("callerId")} and ${exportJobs.kind} = ${jsonField("kind")}
              and ${exportJobs.filter} = ${jsonField("filter")} and ${exportJobs.status} = 'processing'
          )`,
        },
        sql`from ${rowList(rows)} where ${isUnchanged}`,
      ).onConflictDoNothing(),
      db
        .delete(reportDeliveries)
        .where(
          and(
            inArray(reportDeliveries.scheduleId, idList(startedIds)),
            lt(reportDeliveries.runAt, at - RETENTION_PERIOD),
          ),
        ),
      ...(stoppedIds.length > 0
        ? [
            work.auditMany(
              "updated",
              "report schedule",
              sql`select ${reportSchedules.id} as id, ${reportSchedules.name} as name,
                json_object('active', json('false'), 'reason', 'The owner may not receive reports.') as details
                from ${reportSchedules} where ${isStopped}`,
            ),
            db
              .update(reportSchedules)
              .set({
                ...{ active: false, nextRunAt: 0, updatedAt: nextUpdatedAt },
                version: sql`${reportSchedules.version} + 1`,
              })
              .where(isStopped),
          ]
        : []),
      db
        .update(reportSchedules)
        .set({ lastRunAt: jsonField("runAt"), nextRunAt: jsonField("next") })
        .from(rowList(times))
        .where(sql`${reportSchedules.id} = ${jsonField("id")} and ${reportSchedules.nextRunAt} = ${jsonField("was")}`),
    ],
    answer(isFirstStopped),
    {
      marker: () =>
        rowExists(
          reportSchedules,
          sql`${reportSchedules.id} = ${first.id} and ${
            isFirstStopped
              ? sql`not ${reportSchedules.active}`
              : sql`${reportSchedules.lastRunAt} >= ${isDue ? first.nextRunAt : at}`
          }`,
        ),
    },
  )
  for (const { id } of rows) await enqueueExport(env, id)
  return { found: found.length, isStopped: isFirstStopped }
}
