import { type SQL, sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { openDatabase } from "../../db/client.ts"
import { rawStatement } from "../../db/select.ts"
import { idList, rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notifyStatements } from "../notifications/notify.ts"
import { EXPIRY_NOTICE } from "../progress/certificates.ts"

// Access to a course and certificates expire by the clock. A trigger writes the event of each once, when the sweep
// stores that it has seen it. The partial indexes contain only rows that it has not seen.

/** Up to 16 rows written each: the row, its index entries, the event and a notification. */
const SLICE = 300
/** How many slices of each kind one run takes. The next run continues. */
const MAX_SLICES = 10

type Found = ReturnType<typeof rawStatement<{ id: number }>>

interface Expiry {
  /** The rows that no run has seen, with a limit. */
  find: (limit: number) => Found
  /** The change of rows; it must not change rows that another run has changed. */
  mark: (ids: number[]) => Statement[]
  /** The condition that a row was changed. */
  isMarked: (id: number) => SQL
}

async function runSlices(work: UnitOfWork, { find, mark, isMarked }: Expiry): Promise<void> {
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const [found] = await work.read([find(SLICE)])
    const [first] = found
    if (!first) return
    await work.commit(mark(found.map(({ id }) => id)), {}, { marker: () => isMarked(first.id) })
    if (found.length < SLICE) return
  }
}

function enrollmentExpiry({ db }: UnitOfWork): Expiry {
  const isDue = sql`${enrollments.expiresAt} > 0 and ${enrollments.expiredAt} = 0
    and ${enrollments.expiresAt} <= ${now()}`
  return {
    find: (limit) =>
      rawStatement(
        db,
        sql`select ${enrollments.id} as id from ${enrollments} where ${isDue}
          order by ${enrollments.expiresAt} limit ${limit}`,
      ),
    mark: (ids) => [
      db
        .update(enrollments)
        .set({ expiredAt: now() })
        .where(sql`${enrollments.id} in ${idList(ids)} and ${isDue}`),
    ],
    isMarked: (id) => rowExists(enrollments, sql`${enrollments.id} = ${id} and ${enrollments.expiredAt} > 0`),
  }
}

/** The owners of certificates without a newer certificate of the same course. */
const owners = (which: SQL): SQL => sql`
  select ${certificates.userId} as user_id,
    json_object('course', ${certificates.courseName}, 'expires_on', ${certificates.expiresAt}) as variables,
    '/console/my-certificates' as path, null as dedupe
  from ${certificates}
  where ${which} and not exists (
    select 1 from ${certificates} as newer
    where newer.user_id = ${certificates.userId} and newer.course_id = ${certificates.courseId}
      and newer.id > ${certificates.id} and newer.revoked_at = 0
  )`

/** @param state the state before: 0 until the notice, 1 until the expiry */
function certificateExpiry(work: UnitOfWork, state: 0 | 1): Expiry {
  const { db } = work
  const until = state === 0 ? now() + EXPIRY_NOTICE : now()
  const isDue = sql`${certificates.expiresAt} > 0 and ${certificates.expiryState} < 2 and ${certificates.revokedAt} = 0
    and ${certificates.expiryState} = ${state} and ${certificates.expiresAt} <= ${until}`
  const hasExpired = sql`${certificates.expiresAt} <= ${now()}`
  return {
    find: (limit) =>
      rawStatement(
        db,
        sql`select ${certificates.id} as id from ${certificates} where ${isDue}
          order by ${certificates.expiresAt} limit ${limit}`,
      ),
    mark: (ids) => {
      const which = sql`${certificates.id} in ${idList(ids)} and ${isDue}`
      return [
        ...notifyStatements(work, "certificate_expiring", owners(sql`${which} and not ${hasExpired}`)),
        ...notifyStatements(work, "certificate_expired", owners(sql`${which} and ${hasExpired}`)),
        db
          .update(certificates)
          .set({ expiryState: sql`iif(${hasExpired}, 2, 1)`, updatedAt: nextUpdatedAt })
          .where(which),
      ]
    },
    isMarked: (id) =>
      rowExists(certificates, sql`${certificates.id} = ${id} and ${certificates.expiryState} > ${state}`),
  }
}

/** Finds enrollments and certificates that expired, and certificates that expire soon. Run by the cron. */
export async function sweepExpiries(env: Bindings): Promise<void> {
  const work = new UnitOfWork(openDatabase(env.DB, "first-primary"), callerAs(null, "owner", "sweep:expiries"), env)
  await runSlices(work, enrollmentExpiry(work))
  await runSlices(work, certificateExpiry(work, 0))
  await runSlices(work, certificateExpiry(work, 1))
}
