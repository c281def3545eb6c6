import { eq, sql } from "drizzle-orm"
import { calendarCancellations, calendarSubscriptions } from "../../../drizzle/schema/calendars.ts"
import type { Database } from "../../db/client.ts"
import { runInSlices } from "../../db/slices.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { DAY, now } from "../../lib/clock.ts"
import { randomToken, sha256Text } from "../../lib/crypto/crypto.ts"
import { forbidden } from "../../lib/errors.ts"

/** How long calendars show a canceled class. */
export const CANCELLATION_LIFETIME = 30 * DAY

/** The person who calls. @throws 403 */
function requirePerson({ caller }: Pick<UnitOfWork, "caller">): number {
  if (caller.kind !== "user") throw forbidden("Sign in as a user.", "user_session_required")
  return caller.id
}

/** Reads whether the caller has a calendar subscription. @throws 403 */
export async function getCalendar(work: UnitOfWork) {
  const userId = requirePerson(work)
  const [[found]] = await work.db.batch([
    work.db
      .select({ createdAt: calendarSubscriptions.createdAt })
      .from(calendarSubscriptions)
      .where(eq(calendarSubscriptions.userId, userId)),
  ])
  return { active: found !== undefined, createdAt: found ? new Date(found.createdAt).toISOString() : null }
}

const ownedBy = (userId: number) => ({ id: userId, name: "calendar subscription" })

/** Creates the caller's subscription. A new one replaces it, and its address ends. @throws 403 */
export async function createCalendar(work: UnitOfWork, base: string) {
  const userId = requirePerson(work)
  const token = randomToken()
  const row = { tokenHash: sha256Text(token), createdAt: now() }
  const url = `${base}/calendar/${token}.ics`
  return work.commit(
    [
      work.db
        .insert(calendarSubscriptions)
        .values({ userId, ...row })
        .onConflictDoUpdate({ target: calendarSubscriptions.userId, set: row }),
      work.audit("created", "calendar subscription", ownedBy(userId)),
    ],
    { message: "Calendar subscription created.", url, webcalUrl: url.replace(/^https?:/, "webcal:") },
  )
}

/** Ends the caller's subscription. @throws 403 */
export async function deleteCalendar(work: UnitOfWork) {
  const userId = requirePerson(work)
  const { db } = work
  const [[existing]] = await work.read([
    db
      .select({ userId: calendarSubscriptions.userId })
      .from(calendarSubscriptions)
      .where(eq(calendarSubscriptions.userId, userId)),
  ])
  if (!existing) return work.commit([], { message: "There was no calendar subscription." })
  return work.commit(
    [
      db.delete(calendarCancellations).where(eq(calendarCancellations.userId, userId)),
      db.delete(calendarSubscriptions).where(eq(calendarSubscriptions.userId, userId)),
      work.audit("deleted", "calendar subscription", ownedBy(userId)),
    ],
    { message: "Calendar subscription ended." },
  )
}

/** Deletes cancellations that calendars have read. Run by the cron. */
export async function deleteOldCancellations(db: Database): Promise<void> {
  const { userId, classId, canceledAt } = calendarCancellations
  await runInSlices(db, 2, (limit) =>
    db
      .delete(calendarCancellations)
      .where(
        sql`(${userId}, ${classId}) in (
          select user_id, class_id from ${calendarCancellations}
          where ${canceledAt} <= ${now() - CANCELLATION_LIFETIME} limit ${limit}
        )`,
      )
      .returning({ id: classId }),
  )
}
