import { type SQL, sql } from "drizzle-orm"
import { announcementMailingIn } from "../../../drizzle/rules.ts"
import { announcements, announcementUsers } from "../../../drizzle/schema/announcements.ts"
import { outbox } from "../../../drizzle/schema/outbox.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { BackgroundKind, Stage } from "../../db/background-work.ts"
import { type Deletion, deletionStatements } from "../../db/records.ts"
import { idList, textList } from "../../db/sql.ts"
import { notifyStatements } from "../notifications/notify.ts"
import {
  ANNOUNCEMENTS_PATH,
  type AnnouncementAudience,
  isForUser,
  isInAudience,
  isNotExpired,
  recipientColumns,
} from "./announcement-readers.ts"

/** The rows that one recipient writes: a mail with its index entry, or a notification for the digest with two. */
export const MAIL_WEIGHT = 3

/** The number of a mail in the mailing of its announcement: a user gets one mail. */
export const MAIL_NUMBER = sql`user_id`

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
      change: (work, { mailingId, heading }, condition) => [
        ...notifyStatements(
          work,
          "announcement",
          sql`select ${recipientColumns} from ${announcements} cross join ${users} where ${condition}`,
          { mailingId, number: MAIL_NUMBER, variables: { heading, path: ANNOUNCEMENTS_PATH } },
        ),
      ],
    },
  ],
}

/** Deletes the queued mails of announcements. `+` disables the status index in favor of the key. */
function withdrawal<P>(mailingIds: (params: P) => SQL): Stage<P> {
  const where = (params: P) => sql`+${outbox.status} = 'queued' and ${outbox.mailingId} in ${mailingIds(params)}`
  return {
    table: outbox,
    where,
    key: [outbox.mailingId, outbox.number],
    weight: 1,
    total: (params) => sql`(select count(*) from ${outbox} where ${where(params)})`,
    change: ({ db }, _, condition) => [db.delete(outbox).where(condition)],
  }
}

/** Deletes the queued mails of deleted announcements. */
export const announcementWithdrawal: BackgroundKind<{ mailingIds: string[] }> = {
  name: "announcement.withdraw",
  stages: [withdrawal(({ mailingIds }) => textList(mailingIds))],
}

/** Deletes announcements with their queued emails and user links. */
export const announcementDeletion: BackgroundKind<Deletion> = {
  name: "announcement.delete",
  stages: [
    withdrawal(
      ({ ids }) => sql`(
        select ${sql.raw(announcementMailingIn("announcements"))} from ${announcements}
        where ${announcements.id} in ${idList(ids)}
      )`,
    ),
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
