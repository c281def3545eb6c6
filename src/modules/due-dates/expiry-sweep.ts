import { sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { runInSlices } from "../../db/slices.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import { EXPIRY_NOTICE } from "../progress/certificates.ts"

// Access to a course and certificates expire by the clock. A trigger writes the event of each once, when the sweep
// stores that it has seen it. The partial indexes contain only rows that it has not seen.

/** The row, its index entries and the event. */
const ROWS_WRITTEN = 8

const markEnrollments = (db: Database) =>
  runInSlices(db, ROWS_WRITTEN, (limit) =>
    db
      .update(enrollments)
      .set({ expiredAt: now() })
      .where(
        sql`${enrollments.id} in (
          select ${enrollments.id} from ${enrollments}
          where ${enrollments.expiresAt} > 0 and ${enrollments.expiredAt} = 0 and ${enrollments.expiresAt} <= ${now()}
          order by ${enrollments.expiresAt} limit ${limit}
        )`,
      )
      .returning({ id: enrollments.id }),
  )

/** @param state the state before; @param until the last expiry that moves to the next */
const markCertificates = (db: Database, state: 0 | 1, until: number) =>
  runInSlices(db, ROWS_WRITTEN, (limit) =>
    db
      .update(certificates)
      .set({ expiryState: sql`iif(${certificates.expiresAt} <= ${now()}, 2, 1)`, updatedAt: nextUpdatedAt })
      .where(
        sql`${certificates.id} in (
          select ${certificates.id} from ${certificates}
          where ${certificates.expiresAt} > 0 and ${certificates.expiryState} < 2 and ${certificates.revokedAt} = 0
            and ${certificates.expiryState} = ${state} and ${certificates.expiresAt} <= ${until}
          order by ${certificates.expiresAt} limit ${limit}
        )`,
      )
      .returning({ id: certificates.id }),
  )

/** Finds enrollments and certificates that expired, and certificates that expire soon. Run by the cron. */
export async function sweepExpiries(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  await markEnrollments(db)
  await markCertificates(db, 0, now() + EXPIRY_NOTICE)
  await markCertificates(db, 1, now())
}
