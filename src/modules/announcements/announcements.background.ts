import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { announcements, announcementUsers } from "../../../drizzle/schema/announcements.ts"
import { outbox } from "../../../drizzle/schema/outbox.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { type Deletion, deletionStatements } from "../../db/records.ts"
import { idList } from "../../db/sql.ts"
import { notifyStatements } from "../notifications/notify.ts"
import {
  type AnnouncementAudience,
  isForUser,
  isInAudience,
  isNotExpired,
  recipientColumns,
} from "./announcement-readers.ts"

/** The rows that one email writes: its own row and three index entries. */
export const MAIL_WEIGHT = 4

interface Mailing {
  announcementId: number
  mailingId: string
  heading: string
  /** The time of the request. Users who are created later get no email. */
  at: number
  /** The previous audience, which gets no email. */
  before?: AnnouncementAudience
}

/** Queues one email to each user in the audience of an announcement that still exists. */
export const announcementMail: BackgroundKind<Mailing> = {
  name: "announcement.mail",
  stages: [
    {
      table: sql`${announcements} cross join ${users}`,
      where: ({ announcementId, at, before }) => sql`
        ${announcements.id} = ${announcementId} and ${isNotExpired()} and ${isForUser(users.id)}
        and not ${users.disabled} and ${users.createdAt} <= ${at}
        and ${before ? sql`not ${isInAudience(users.id, before)}` : sql`1`}`,
      key: [users.id],
      weight: MAIL_WEIGHT,
      total: () => sql`0`,
      change: (work, { announcementId, mailingId, heading }, condition) => [
        ...notifyStatements(
          work,
          "announcement",
          sql`select ${recipientColumns(announcementId)} from ${announcements} cross join ${users} where ${condition}`,
          { mailingId, number: sql`user_id`, variables: { heading } },
        ),
      ],
    },
  ],
}

/** Whether an email belongs to an announcement. */
const ofAnnouncement = (id: SQLWrapper | number): SQL => sql`(
  ${outbox.dedupe} >= 'announcement:' || ${id} || ':' and ${outbox.dedupe} < 'announcement:' || ${id} || ';'
)`

/** Whether an email is queued for one of the announcements. `+` disables the status index in favor of the key. */
export const isQueuedMail = (ids: number[]): SQL => {
  const [first, ...rest] = ids
  const belongsToAny =
    first !== undefined && rest.length === 0
      ? ofAnnouncement(sql.raw(String(first)))
      : sql`${outbox.dedupe} >= 'announcement:' and ${outbox.dedupe} < 'announcement;' and exists (
          select 1 from ${idList(ids)} where ${ofAnnouncement(sql`value`)}
        )`
  return sql`+${outbox.status} = 'queued' and ${belongsToAny}`
}

/** Deletes the queued emails of deleted announcements. */
export const announcementWithdrawal: BackgroundKind<Deletion> = {
  name: "announcement.withdraw",
  stages: [
    {
      table: outbox,
      where: ({ ids }) => isQueuedMail(ids),
      key: [outbox.dedupe],
      weight: 1,
      total: ({ ids }) => sql`(select count(*) from ${outbox} where ${isQueuedMail(ids)})`,
      change: ({ db }, _, condition) => [db.delete(outbox).where(condition)],
    },
  ],
}

/** Deletes announcements with their queued emails and user links. */
export const announcementDeletion: BackgroundKind<Deletion> = {
  name: "announcement.delete",
  stages: [
    ...announcementWithdrawal.stages,
    {
      table: announcementUsers,
      where: ({ ids }) => sql`${announcementUsers.announcementId} in ${idList(ids)}`,
      key: [announcementUsers.announcementId, announcementUsers.userId],
      weight: 3,
      total: ({ ids }) =>
        sql`(select sum(${announcements.userCount}) from ${announcements} where ${announcements.id} in ${idList(ids)})`,
      change: ({ db }, _, condition) => [db.delete(announcementUsers).where(condition)],
    },
  ],
  finish: deletionStatements(announcements),
}

interface LinksChange {
  id: number
  /** The users that the announcement still lists; null: unchanged. */
  userIds: number[] | null
  /** The new expiry; null: unchanged. */
  until: number | null
}

/** Deletes links of removed users and updates the expiry of the others. */
export const announcementLinks: BackgroundKind<LinksChange> = {
  name: "announcement.links",
  stages: [
    {
      table: announcementUsers,
      where: ({ id, userIds }) =>
        userIds === null
          ? sql`0`
          : sql`${announcementUsers.announcementId} = ${id} and ${announcementUsers.userId} not in ${idList(userIds)}`,
      key: [announcementUsers.announcementId, announcementUsers.userId],
      weight: 3,
      total: ({ id }) => sql`(select user_count from announcements where id = ${id})`,
      change: ({ db }, _, condition) => [db.delete(announcementUsers).where(condition)],
    },
    {
      table: announcementUsers,
      where: ({ id, until }) =>
        until === null
          ? sql`0`
          : sql`${announcementUsers.announcementId} = ${id} and ${announcementUsers.shownUntil} <> ${until}`,
      key: [announcementUsers.announcementId, announcementUsers.userId],
      weight: 3,
      total: () => sql`0`,
      change: ({ db }, { until }, condition) => [
        db
          .update(announcementUsers)
          .set({ shownUntil: until ?? 0 })
          .where(condition),
      ],
    },
  ],
}
