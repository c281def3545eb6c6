import { sql } from "drizzle-orm"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { reportDeliveries, reportSchedules } from "../../../drizzle/schema/report-schedules.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { openDatabase } from "../../db/client.ts"
import { jsonField } from "../../db/insert-from.ts"
import { selectFrom } from "../../db/select.ts"
import { rowList } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs, outranks } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notifyStatements } from "../notifications/notify.ts"
import { selectDueSummary } from "../reports/due.queries.ts"
import type { DueSummaryQuery } from "../reports/due.schemas.ts"
import { startSchedules } from "./report-sweep.ts"
import { kindOf } from "./scheduled-exports.ts"

/** Deliveries in one batch, each with a summary of its recipient. */
const SLICE = 20
/** How many slices one run takes. The next run continues. */
const MAX_SLICES = 10

const DELIVERY = {
  scheduleId: reportDeliveries.scheduleId,
  userId: reportDeliveries.userId,
  runAt: reportDeliveries.runAt,
  exportId: reportDeliveries.exportId,
  report: reportSchedules.report,
  name: reportSchedules.name,
  filter: reportSchedules.filter,
  userType: users.userType,
  disabled: users.disabled,
  exportStatus: exportJobs.status,
  message: exportJobs.message,
  exportedAs: exportJobs.callerType,
}

/** The people and the course of a report's filter. */
function subjectOf(filter: Record<string, unknown>): DueSummaryQuery {
  const { group_id, portalId, supervisor_id, user_id, search_param } = filter as Partial<DueSummaryQuery> & {
    search_param?: { courseId?: number }
  }
  return { group_id, portalId, supervisor_id, user_id, course_id: search_param?.courseId }
}

/** Sends the mails of a slice of reports whose file is complete. @returns how many deliveries it settled */
async function sendSlice(work: UnitOfWork): Promise<number> {
  const { db } = work
  const [found] = await work.read([
    selectFrom(
      db,
      DELIVERY,
      sql`from ${reportDeliveries}
        join ${exportJobs} on ${exportJobs.id} = ${reportDeliveries.exportId}
        join ${reportSchedules} on ${reportSchedules.id} = ${reportDeliveries.scheduleId}
        join ${users} on ${users.id} = ${reportDeliveries.userId}
        where ${reportDeliveries.status} = 'waiting' and ${exportJobs.status} <> 'processing' limit ${SLICE}`,
    ),
  ])
  const callerOf = ({ userId, userType }: (typeof found)[number]) => callerAs(userId, userType, `user:${userId}`)
  const [first, ...others] = found
  if (!first) return 0
  const summaryOf = (row: typeof first) => selectDueSummary(db, callerOf(row), subjectOf(row.filter))
  const summaries = await db.batch([summaryOf(first), ...others.map(summaryOf)])
  const rows = await Promise.all(
    found.map(async (row, at) => {
      const { scheduleId, userId, runAt, name, message, exportId } = row
      const summary = summaries[at]?.[0]
      const isReady = row.exportStatus === "completed" && !row.disabled && !outranks(row.exportedAs, callerOf(row))
      const counts = summary?.allowed
        ? {
            ...{ overdue: String(summary.overdue), due_soon: String(summary.dueSoon) },
            ...{ on_track: String(summary.onTrack), completed: String(summary.completed + summary.completedLate) },
          }
        : {}
      return {
        ...{ scheduleId, userId, runAt, status: isReady ? "sent" : "failed" },
        variables: JSON.stringify({ report: name, rows: /\d+/.exec(message)?.[0] ?? "", ...counts }),
        path: (await kindOf(row.report)).download.replace("{exportId}", exportId),
      }
    }),
  )
  const isWaiting = sql`${reportDeliveries.scheduleId} = ${jsonField("scheduleId")}
    and ${reportDeliveries.userId} = ${jsonField("userId")} and ${reportDeliveries.runAt} = ${jsonField("runAt")}
    and ${reportDeliveries.status} = 'waiting'`
  const recipients = sql`
    select ${reportDeliveries.userId} as user_id, ${jsonField("variables")} as variables, ${jsonField("path")} as path,
      'report:' || (${jsonField("scheduleId")}) || ':' || (${jsonField("userId")}) || ':'
        || (${jsonField("runAt")}) as dedupe
    from ${rowList(rows)} join ${reportDeliveries} on ${isWaiting}
    where ${jsonField("status")} = 'sent'`
  await work.commit(
    [
      ...notifyStatements(work, "report_ready", recipients),
      db
        .update(reportDeliveries)
        .set({ status: jsonField("status"), sentAt: now() })
        .from(rowList(rows))
        .where(isWaiting),
    ],
    {},
    {
      marker: () => sql`exists (
        select 1 from ${reportDeliveries}
        where ${reportDeliveries.scheduleId} = ${first.scheduleId} and ${reportDeliveries.userId} = ${first.userId}
          and ${reportDeliveries.runAt} = ${first.runAt} and ${reportDeliveries.status} <> 'waiting'
      )`,
    },
  )
  return found.length
}

/** Starts the reports that are due, and sends those whose file is complete. Run by the cron. */
export async function sweepReports(env: Bindings): Promise<void> {
  const work = new UnitOfWork(openDatabase(env.DB, "first-primary"), callerAs(null, "owner", "sweep:reports"), env)
  const which = sql`${reportSchedules.nextRunAt} > 0 and ${reportSchedules.nextRunAt} <= ${now()}`
  for (let slices = 0; slices < MAX_SLICES && (await startSchedules(work, { which, isDue: true })).found > 0; slices++);
  for (let slices = 0; slices < MAX_SLICES && (await sendSlice(work)) > 0; slices++);
}
