import { sql } from "drizzle-orm"
import { dueCounts, overdueDigests } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { openDatabase } from "../../db/client.ts"
import { jsonField } from "../../db/insert-from.ts"
import { selectFrom } from "../../db/select.ts"
import { rowList, subquery } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { DAY, HOUR, now } from "../../lib/clock.ts"
import { instantOf, wallTimeOf } from "../../lib/text/zones.ts"
import { notifyStatements } from "../notifications/notify.ts"
import { personTimeZone, zoneOf } from "../progress/cycles.ts"

const SLICE = 200

/** The next Monday at 08:00 in a zone. */
export function nextDigestAt(at: number, zone: string): number {
  const today = Math.floor(wallTimeOf(at, zone) / DAY)
  // January 5, 1970 was a Monday.
  const monday = today + ((((4 - today) % 7) + 7) % 7)
  const candidate = instantOf(monday * DAY + 8 * HOUR, zone)
  return candidate > at ? candidate : instantOf((monday + 7) * DAY + 8 * HOUR, zone)
}

const DIGEST_FIELDS = {
  supervisorId: overdueDigests.supervisorId,
  sendAt: overdueDigests.sendAt,
  timeZone: personTimeZone,
  overdue: subquery(sql<number>`coalesce((
    select ${dueCounts.overdue} from ${dueCounts}
    where ${dueCounts.audience} = 'supervisor:' || ${overdueDigests.supervisorId}
  ), 0)`),
}

const isUnchanged = sql`${overdueDigests.supervisorId} = ${jsonField("supervisorId")}
  and ${overdueDigests.sendAt} = ${jsonField("sendAt")}`

/** Tells supervisors on Mondays how many enrollments of their people are overdue. Run by the cron. */
export async function sendOverdueDigests(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const work = new UnitOfWork(db, callerAs(null, "owner", "sweep:overdue-digests"), env)
  const at = now()
  const [found] = await work.read([
    selectFrom(
      db,
      DIGEST_FIELDS,
      sql`from ${overdueDigests} join ${users} on ${users.id} = ${overdueDigests.supervisorId}
        where ${overdueDigests.sendAt} <= ${at} order by ${overdueDigests.sendAt} limit ${SLICE}`,
    ),
  ])
  const [first] = found
  if (!first) return
  const planned = found.map((row) => ({ ...row, nextAt: nextDigestAt(at, zoneOf(row, env)) }))
  const isListed = sql`(${overdueDigests.supervisorId}, ${overdueDigests.sendAt}) in (
    select ${jsonField("supervisorId")}, ${jsonField("sendAt")} from ${rowList(planned)}
    where ${jsonField("overdue")} = 0
  )`
  const recipients = sql`
    select ${overdueDigests.supervisorId} as user_id,
      json_object('count', cast(${jsonField("overdue")} as text)) as variables,
      '/console/due?dueStatus=overdue' as path, null as dedupe
    from ${rowList(planned)} join ${overdueDigests} on ${isUnchanged}
    where ${jsonField("overdue")} > 0 and ${jsonField("sendAt")} > 0`
  await work.commit(
    [
      ...notifyStatements(work, "team_overdue", recipients),
      db.delete(overdueDigests).where(isListed),
      db
        .update(overdueDigests)
        .set({ sendAt: jsonField("nextAt") })
        .from(rowList(planned))
        .where(isUnchanged),
    ],
    {},
    {
      marker: () => sql`not exists (
        select 1 from ${overdueDigests}
        where ${overdueDigests.supervisorId} = ${first.supervisorId} and ${overdueDigests.sendAt} = ${first.sendAt}
      )`,
    },
  )
}
