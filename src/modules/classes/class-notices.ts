import { type SQL, sql } from "drizzle-orm"
import { classCounts, classEnrollments, classes, classSessions } from "../../../drizzle/schema/classes.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { jsonField } from "../../db/insert-from.ts"
import { literal, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { CONSOLE } from "../../lib/web/academy.ts"
import { notifyStatements } from "../notifications/notify.ts"
import { classCourseName, locationName } from "./class-names.ts"

/** The rows that one notification of a class writes at most, with its mail and both keys. */
export const NOTICE_WEIGHT = 8

const isRegistered = sql`${classEnrollments.status} = ${literal(ClassStatus.Registered)}`
const calendarUrl = sql`'/api/class/calendar/' || ${classes.id}`

/** A query of the users who are registered for classes, for `notifyStatements`. */
const registeredUsers = (
  { startsAt, dedupe, from = sql`` }: { startsAt: SQL; dedupe: SQL; from?: SQL },
  condition: SQL,
): SQL => sql`
  select ${classEnrollments.userId} as user_id,
    json_object(
      'class', ${classCourseName}, 'starts_at', ${startsAt}, 'location', ${locationName}, 'calendar_url', ${calendarUrl}
    ) as variables,
    ${`${CONSOLE}/my-classes`} as path,
    ${dedupe} || ':' || ${classEnrollments.userId} as dedupe
  from ${classEnrollments}
  join ${classes} on ${classes.id} = ${classEnrollments.classId}
  ${from}
  where ${condition} and ${isRegistered}`

/** The start of the next session of a class, or of the last one if there is no next one. */
const nextStart = () => {
  const sessions = sql`from ${classSessions} where ${classSessions.classId} = ${classes.id}`
  return sql`coalesce(
    (select min(${classSessions.startAt}) ${sessions} and ${classSessions.startAt} > ${now()}),
    (select max(${classSessions.startAt}) ${sessions})
  )`
}

/** Notifies the users of classes that are about to be deleted and have not ended. */
export const cancellationNotices = (work: UnitOfWork, condition: SQL): Statement[] =>
  notifyStatements(
    work,
    "class_canceled",
    registeredUsers(
      { startsAt: nextStart(), dedupe: sql`'class-canceled:' || ${classes.id}` },
      sql`${condition} and ${classes.endAt} > ${now()}`,
    ),
  )

interface ClassChange {
  classId: number
  /** The time of the change: part of the key of its notifications. */
  at: number
  base: string
}

/** Notifies the users of a class that its times or its location have changed. */
export const classChangeNotices: BackgroundKind<ClassChange> = {
  name: "classes.changed",
  stages: [
    {
      table: classEnrollments,
      where: ({ classId }) => sql`${classEnrollments.classId} = ${classId} and ${isRegistered}`,
      key: [classEnrollments.classId, classEnrollments.userId],
      weight: NOTICE_WEIGHT,
      total: ({ classId }) => sql`(
        select ${classCounts.registered} from ${classCounts}
        where ${classCounts.audience} = 'all' and ${classCounts.classId} = ${classId}
      )`,
      change: (work, { at, base }, condition) =>
        notifyStatements(
          work,
          "class_changed",
          registeredUsers(
            { startsAt: nextStart(), dedupe: sql`'class-changed:' || ${classes.id} || ':' || ${at}` },
            condition,
          ),
          { base },
        ),
    },
  ],
}

/** How long before a session its reminders are sent. */
const REMINDER_TIME = DAY
/** How many users one batch reminds: it writes fewer than 5,000 rows. */
const USERS_PER_BATCH = 400
/** How many sessions one run of the cron starts with. */
const SESSIONS_PER_RUN = 20
/** The `remindedTo` of a session whose users are all reminded. */
const ALL_REMINDED = -1

/** Reminds the users of sessions that start within a day, each once. Run by the cron. */
export async function sendClassReminders(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const at = now()
  const [sessions] = await db.batch([
    db
      .select({ id: classSessions.id, classId: classSessions.classId, remindedTo: classSessions.remindedTo })
      .from(classSessions)
      .innerJoin(classes, sql`${classes.id} = ${classSessions.classId} and not ${classes.disabled}`)
      .where(
        sql`${classSessions.startAt} > ${at} and ${classSessions.startAt} <= ${at + REMINDER_TIME}
          and ${classSessions.remindedTo} >= 0`,
      )
      .orderBy(classSessions.startAt)
      .limit(SESSIONS_PER_RUN),
  ])
  for (const session of sessions) {
    let { remindedTo } = session
    while (remindedTo !== ALL_REMINDED) remindedTo = await remindSlice(env, db, { ...session, remindedTo })
  }
}

/** Reminds the next users of a session. @returns the last of them, or ALL_REMINDED */
async function remindSlice(
  env: Bindings,
  db: Database,
  { id, classId, remindedTo }: Pick<typeof classSessions.$inferSelect, "id" | "classId" | "remindedTo">,
): Promise<number> {
  const work = new UnitOfWork(db, callerAs(null, "anonymous", "job:class-reminders"), env)
  const isNext = sql`${classEnrollments.classId} = ${classId} and ${classEnrollments.userId} > ${remindedTo}`
  const [users] = await db.batch([
    db
      .select({ userId: classEnrollments.userId })
      .from(classEnrollments)
      .where(isNext)
      .orderBy(classEnrollments.userId)
      .limit(USERS_PER_BATCH),
  ])
  const last = users.length === USERS_PER_BATCH ? (users.at(-1)?.userId ?? ALL_REMINDED) : ALL_REMINDED
  const isAtPosition = sql`${classSessions.id} = ${id} and ${classSessions.remindedTo} = ${remindedTo}`
  const recipients = registeredUsers(
    {
      startsAt: sql`${classSessions.startAt}`,
      // A change of the class replaces its sessions, but not all of their times.
      dedupe: sql`'class-reminder:' || ${classSessions.classId} || ':' || ${classSessions.startAt}`,
      from: sql`join ${classSessions} on ${isAtPosition}`,
    },
    sql`${isNext} and ${classEnrollments.userId} in (select ${jsonField("userId")} from ${rowList(users)})`,
  )
  await work.commit(
    [
      ...notifyStatements(work, "class_reminder", recipients),
      db.update(classSessions).set({ remindedTo: last }).where(isAtPosition),
    ],
    {},
    { marker: () => sql`not ${rowExists(classSessions, isAtPosition)}` },
  )
  return last
}
