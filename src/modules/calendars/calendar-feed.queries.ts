import { and, eq, gt, type SQL, sql } from "drizzle-orm"
import { calendarCancellations, calendarSubscriptions } from "../../../drizzle/schema/calendars.ts"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { userLanguage, userSiteName } from "../../access/accounts.ts"
import type { Database } from "../../db/client.ts"
import { literal, subquery } from "../../db/sql.ts"
import type { Bindings } from "../../env.ts"
import { DAY, now } from "../../lib/clock.ts"
import { sha256Text } from "../../lib/crypto/crypto.ts"
import type { ClassEvent } from "../classes/calendar.ts"
import { calendarColumns, toCalendarClass } from "../classes/calendar-columns.ts"
import { CANCELLATION_LIFETIME } from "./calendars.queries.ts"

/** A calendar has classes that ended at most this long ago, and all later ones. */
const MAX_AGE = 365 * DAY

/** The ids of the classes that a person attends or teaches. */
const classesOf = (userId: SQL) => sql`(
  select ${classEnrollments.classId} from ${classEnrollments}
  where ${classEnrollments.userId} = ${userId} and ${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}
  union select ${classes.id} from ${classes} where ${classes.instructorId} = ${userId}
)`

/** How often a class left the person's calendar before. */
const cancellationCount = (userId: SQL) =>
  subquery(
    sql<number>`coalesce((
      select ${calendarCancellations.count} from ${calendarCancellations}
      where ${calendarCancellations.userId} = ${userId} and ${calendarCancellations.classId} = ${classes.id}
    ), 0)`,
  ).as("cancellation_count")

/**
 * Reads the events of a calendar subscription, in one round trip. A later kind of event, such as a due date, is another
 * query of the batch.
 * @param token of the URL
 * @returns undefined if the token is of no subscription
 */
export async function readCalendar(
  db: Database,
  token: string,
  context: { env: Bindings; base: string },
): Promise<{ events: ClassEvent[]; site: string | null; language: string | null } | undefined> {
  const tokenHash = sha256Text(token)
  const userId = sql`(
    select ${calendarSubscriptions.userId} from ${calendarSubscriptions}
    where ${calendarSubscriptions.tokenHash} = ${tokenHash}
  )`
  const [[subscription], attended, canceled] = await db.batch([
    db
      .select({ site: userSiteName(users.id), language: userLanguage(calendarSubscriptions.userId) })
      .from(calendarSubscriptions)
      .innerJoin(users, eq(users.id, calendarSubscriptions.userId))
      .where(and(eq(calendarSubscriptions.tokenHash, tokenHash), eq(users.disabled, false))),
    db
      .select({ ...calendarColumns(userId), updatedAt: classes.updatedAt, count: cancellationCount(userId) })
      .from(classes)
      .where(and(sql`${classes.id} in ${classesOf(userId)}`, gt(classes.endAt, now() - MAX_AGE)))
      .orderBy(classes.startAt, classes.id),
    db
      .select()
      .from(calendarCancellations)
      .where(
        and(
          sql`${calendarCancellations.userId} = ${userId}`,
          gt(calendarCancellations.canceledAt, now() - CANCELLATION_LIFETIME),
          sql`${calendarCancellations.classId} not in ${classesOf(userId)}`,
        ),
      )
      .orderBy(calendarCancellations.classId),
  ])
  if (!subscription) return undefined
  const events = [
    ...attended.map(({ updatedAt, count, ...row }) => ({
      ...toCalendarClass(row, context),
      sequence: sequenceOf(row.version, count),
      stamp: updatedAt,
    })),
    ...canceled.map(({ classId, version, count, canceledAt, ...row }) => ({
      ...row,
      id: classId,
      version,
      lastAt: row.endAt,
      location: null,
      instructor: "",
      sessionCount: 1,
      recurrence: null,
      url: undefined,
      sequence: sequenceOf(version, count) - 1,
      stamp: canceledAt,
      canceled: true,
    })),
  ]
  return { events, ...subscription }
}

/** Rises with each change of the class and each time that it leaves and enters the calendar. */
const sequenceOf = (version: number, cancellations: number) => version - 1 + 2 * cancellations
