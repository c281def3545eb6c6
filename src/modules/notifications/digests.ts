import { sql } from "drizzle-orm"
import { notifications } from "../../../drizzle/schema/notifications.ts"
import { mailings, outbox } from "../../../drizzle/schema/outbox.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { insertRows, newMailingId, tryDispatch } from "../../db/outbox.ts"
import { rawStatement } from "../../db/select.ts"
import { selectSettings } from "../../db/settings.ts"
import { runInSlices } from "../../db/slices.ts"
import { inFirstIds, rowExists } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { MINUTE, now } from "../../lib/clock.ts"
import { academyTimeZone } from "../settings/settings.ts"
import { isOutdatedReminder, withPresentDueDate } from "./outdated-reminder.ts"
import { lastMorning } from "./quiet-hours.ts"

/** Offsets of time zones are multiples of this, so digests become due only then. */
const INTERVAL = 15 * MINUTE
/**
 * The runs of an interval that check: after the first run, which sends the reminders of the day. The second repeats the
 * check, in case the cron missed the first.
 */
const CHECKS = { from: MINUTE, until: 3 * MINUTE }
/** How many people one batch sends a digest to, and how many notifications are in them: fewer than 5,000 rows. */
const PEOPLE_PER_BATCH = 100
const NOTIFICATIONS_PER_BATCH = 2000
/** How many notifications a digest names; the list has the others. */
const MAX_ITEMS = 20

/**
 * Merges the notifications that wait into one mail per person, once a day after 07:00 in the person's time zone. The
 * mail and the end of the waiting are one batch, so nothing is sent twice.
 */
export async function sendDigests(env: Bindings, db: Database): Promise<void> {
  const at = now()
  if (at % INTERVAL < CHECKS.from || at % INTERVAL >= CHECKS.until) return
  await dropOutdated(db)
  const [zones, [academy]] = await db.batch([
    rawStatement<{ zone: string | null }>(
      db,
      sql`select distinct ${users.timeZone} as zone from ${notifications}
        join ${users} on ${users.id} = ${notifications.userId} where ${notifications.inDigest}`,
    ),
    selectSettings(db),
  ])
  if (zones.length === 0) return
  const mornings = zones.map(({ zone }) => ({
    zone: zone ?? "",
    ...lastMorning(at, zone ?? academyTimeZone(academy, env)),
  }))
  while ((await sendSlice(env, db, JSON.stringify(mornings))) > 0);
}

/** No digest reminds of training that is no longer due then. The list of notifications keeps the reminder. */
const dropOutdated = (db: Database) =>
  runInSlices(db, 2, (limit) =>
    db
      .update(notifications)
      .set({ inDigest: false })
      .where(
        inFirstIds(
          notifications.id,
          sql`${notifications.inDigest} and ${isOutdatedReminder(notifications.variables)}`,
          limit,
        ),
      )
      .returning({ id: notifications.id }),
  )

/** A person gets one digest a day. */
const KEY = sql`'digest:' || ${users.id} || ':' || (morning.value ->> '$.day')`

/** Sends the digests of some people. @returns how many */
async function sendSlice(env: Bindings, db: Database, mornings: string): Promise<number> {
  const work = new UnitOfWork(db, callerAs(null, "anonymous", "job:digests"), env)
  const mailing = {
    id: newMailingId(),
    kind: "digest",
    template: { notification: "digest", base: env.BASE_URL } as const,
  }
  /** The people with a notification from before their last 07:00, or soon after: reminders are sent at 07:00. */
  const waiting = sql`
    select ${notifications.userId} as user_id, morning.value ->> '$.day' as day, count(*) as waiting
    from ${notifications}
    join ${users} on ${users.id} = ${notifications.userId} and not ${users.disabled}
    join json_each(${mornings}) as morning on morning.value ->> '$.zone' = coalesce(${users.timeZone}, '')
    where ${notifications.inDigest} and not ${rowExists(outbox, sql`${outbox.dedupe} = ${KEY}`)}
    group by ${notifications.userId}
    having min(${notifications.createdAt}) < (morning.value ->> '$.at') + ${INTERVAL}`
  const due = sql`
    select user_id, day from (
      select user_id, day, row_number() over (order by user_id) as position,
        sum(waiting) over (order by user_id) as total
      from (${waiting})
    )
    where position = 1 or (position <= ${PEOPLE_PER_BATCH} and total <= ${NOTIFICATIONS_PER_BATCH})`
  const items = sql`(
    select json_group_array(json_object('kind', kind, 'variables', json(variables), 'path', path))
    from (
      select kind, ${withPresentDueDate(notifications.variables)} as variables, path from ${notifications}
      where ${notifications.userId} = due.user_id and ${notifications.inDigest}
      order by ${notifications.id} limit ${MAX_ITEMS}
    )
  )`
  const more = sql`max(0, -${MAX_ITEMS} + (
    select count(*) from ${notifications} where ${notifications.userId} = due.user_id and ${notifications.inDigest}
  ))`
  const [[counted]] = await db.batch([
    rawStatement<{ people: number }>(db, sql`select count(*) as people from (${due})`),
  ])
  const { people } = firstRow(counted ? [counted] : [])
  if (people === 0) return 0
  // The mails of this batch show whose notifications are in it.
  const isSent = sql`${notifications.inDigest} and ${notifications.userId} in (
    select ${outbox.userId} from ${outbox} where ${outbox.mailingId} = ${mailing.id}
  )`
  await db.batch([
    insertFrom(work.db, mailings, { ...mailing, portalId: null }, sql`where exists (${due})`),
    insertRows(
      work,
      mailing.id,
      sql`
        select ${users.id} as user_id, ${users.email} as recipient, ${users.firstName} as name, null as secret,
          'digest:' || due.user_id || ':' || due.day as dedupe,
          json_object('items', json(${items}), 'more', ${more}) as variables
        from (${due}) as due
        join ${users} on ${users.id} = due.user_id`,
      { isBulk: true, variables: sql`variables` },
    ),
    db.update(notifications).set({ inDigest: false }).where(isSent),
  ])
  await tryDispatch(env, people)
  return people
}
