import { and, eq, lt, type SQL, sql } from "drizzle-orm"
import { type NotificationVariables, notifications } from "../../../drizzle/schema/notifications.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { selectSettings } from "../../db/settings.ts"
import { runInSlices } from "../../db/slices.ts"
import { idList, inFirstIds, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { DAY, now } from "../../lib/clock.ts"
import { forbidden, invalid } from "../../lib/errors.ts"
import { isoTime, isoTimeOrNull } from "../../lib/text/dates.ts"
import { academyLanguage, academyTimeZone } from "../settings/settings.ts"
import type { ListQuery } from "./notifications.schemas.ts"
import { titleOf } from "./shown-values.ts"
import { isUnread, unreadCount } from "./unread.ts"

const PAGE_SIZE = 20

const messageOf = ({ sender, text }: NotificationVariables) => ({
  sender: String(sender ?? ""),
  text: String(text ?? ""),
})
const RETENTION_PERIOD = 90 * DAY

/** The person who calls. @throws 403 */
export function requirePerson({ caller }: Pick<UnitOfWork, "caller">): number {
  if (caller.kind !== "user") throw forbidden("Sign in as a user.", "user_session_required")
  return caller.id
}

/** A cursor is the position of the last row: whether it is read, and its id. */
function readCursor(cursor: string) {
  const [, isRead, id] = /^([01])-([1-9]\d{0,14})$/.exec(cursor) ?? []
  if (isRead === undefined || id === undefined) throw invalid("cursor", "cursor must be a nextCursor of this list.")
  return { isRead: Number(isRead), id: Number(id) }
}

/** The caller's notifications: unread first, then the latest. One round trip. @throws 403, 422 */
export async function listNotifications(work: UnitOfWork, { page_size = PAGE_SIZE, cursor }: ListQuery) {
  const { db, env } = work
  const userId = requirePerson(work)
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const isAfter = (isRead: 0 | 1) => {
    if (!after || after.isRead < isRead) return sql`1`
    return after.isRead > isRead ? sql`0` : lt(notifications.id, after.id)
  }
  /** One branch for each part of the index. */
  const part = (isRead: 0 | 1) => sql`
    select id from (
      select ${notifications.id} as id from ${notifications}
      where ${notifications.userId} = ${userId} and (${notifications.readAt} > 0) = ${sql.raw(String(isRead))}
        and ${notifications.isListed} and ${isAfter(isRead)}
      order by ${notifications.id} desc
      limit ${page_size + 1}
    )`
  const [rows, [person], [academy], [counted]] = await db.batch([
    db
      .select()
      .from(notifications)
      .where(sql`${notifications.id} in (${part(0)} union all ${part(1)})`)
      .orderBy(sql`${notifications.readAt} > 0`, sql`${notifications.id} desc`)
      .limit(page_size + 1),
    db.select({ language: users.language, timeZone: users.timeZone }).from(users).where(eq(users.id, userId)),
    selectSettings(db),
    db.select({ unread: unreadCount(userId).as("unread") }).from(sql`(select 1)`),
  ])
  const page = rows.slice(0, page_size)
  const last = page.at(-1)
  const locale = {
    language: person?.language ?? academyLanguage(academy),
    timeZone: person?.timeZone ?? academyTimeZone(academy, env),
    base: "",
  }
  return {
    unread: counted?.unread ?? 0,
    records: page.map(({ id, kind, variables, path, readAt, createdAt }) => ({
      id,
      kind,
      title: titleOf(kind, variables, locale),
      message: kind === "message" ? messageOf(variables) : null,
      path,
      readAt: isoTimeOrNull(readAt),
      createdAt: isoTime(createdAt),
    })),
    nextCursor: last && rows.length > page_size ? `${last.readAt > 0 ? 1 : 0}-${last.id}` : null,
  }
}

/** Marks the caller's notifications as read; those of others are left. @throws 403 */
export const markRead = (work: UnitOfWork, ids: number[]) =>
  mark(work, sql`${notifications.id} in ${idList(ids)} and ${notifications.readAt} = 0`)

/** How many one call marks: the latest. */
const MAX_MARKED = 1000

/** Marks all of the caller's notifications as read, the latest 1,000 of them. @throws 403 */
export const markAllRead = (work: UnitOfWork) =>
  mark(
    work,
    sql`${notifications.id} in (
      select id from ${notifications} where ${notifications.userId} = ${requirePerson(work)} and ${isUnread}
      order by id desc limit ${MAX_MARKED}
    )`,
  )

async function mark(work: UnitOfWork, which: SQL) {
  const ownUnread = sql`${notifications.userId} = ${requirePerson(work)} and ${which}`
  const change = work.db.update(notifications).set({ readAt: now() }).where(ownUnread)
  // Without an audit row: it is nothing but the person's own view.
  return work.commit(
    [change],
    { message: "Marked as read." },
    { marker: () => sql`not ${rowExists(notifications, ownUnread)}` },
  )
}

/** Deletes notifications after 90 days. Run by the cron. Ids are in the order of creation. */
export async function deleteOldNotifications(db: Database): Promise<void> {
  const { id, createdAt } = notifications
  await runInSlices(db, 4, (limit) =>
    db
      .delete(notifications)
      .where(and(inFirstIds(id, sql`1 order by ${id}`, limit), lt(createdAt, now() - RETENTION_PERIOD)))
      .returning({ id }),
  )
}
