import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { announcements, announcementUsers } from "../../../drizzle/schema/announcements.ts"
import { outbox } from "../../../drizzle/schema/outbox.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { insertRows, tryDispatch } from "../../db/outbox.ts"
import { type Deletion, deletionStatements } from "../../db/records.ts"
import { idList } from "../../db/sql.ts"
import { type Audience, isForUser, isInAudience, isNotExpired, recipientColumns } from "./announcement-readers.ts"

/** The rows that one mail writes: the row itself and its entries in three indexes. */
export const MAIL_WEIGHT = 4

interface Mailing {
  announcementId: number
  mailingId: string
  /** When the call was made. Users created later get no mail. */
  at: number
  /** For whom the announcement was before the call; they get no mail. */
  before?: Audience
}

/** Writes one mail to each reader of an announcement that is still there. */
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
      change: (work, { announcementId, mailingId }, which) => [
        insertRows(
          work,
          mailingId,
          sql`select ${recipientColumns(announcementId)} from ${announcements} cross join ${users} where ${which}`,
          { number: sql`user_id`, isBulk: true },
        ),
      ],
      committed: tryDispatch,
    },
  ],
}

/** The condition that a mail is one of an announcement. */
const ofAnnouncement = (id: SQLWrapper | number): SQL => sql`(
  ${outbox.dedupe} >= 'announcement:' || ${id} || ':' and ${outbox.dedupe} < 'announcement:' || ${id} || ';'
)`

/** The mails of some announcements that wait. The plus leaves the choice of an index to the key. */
export const isQueuedMail = (ids: number[]): SQL => {
  const [first, ...others] = ids
  const ofThese =
    first !== undefined && others.length === 0
      ? ofAnnouncement(sql.raw(String(first)))
      : sql`${outbox.dedupe} >= 'announcement:' and ${outbox.dedupe} < 'announcement;' and exists (
          select 1 from ${idList(ids)} where ${ofAnnouncement(sql`value`)}
        )`
  return sql`+${outbox.status} = 'queued' and ${ofThese}`
}

/** Deletes the mails of deleted announcements that still wait. */
export const announcementWithdrawal: BackgroundKind<Deletion> = {
  name: "announcement.withdraw",
  stages: [
    {
      table: outbox,
      where: ({ ids }) => isQueuedMail(ids),
      key: [outbox.dedupe],
      weight: 1,
      total: ({ ids }) => sql`(select count(*) from ${outbox} where ${isQueuedMail(ids)})`,
      change: ({ db }, _, which) => [db.delete(outbox).where(which)],
    },
  ],
}

/** Deletes announcements: their mails that wait, and then whom they name. */
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
      change: ({ db }, _, which) => [db.delete(announcementUsers).where(which)],
    },
  ],
  finish: deletionStatements(announcements),
}

interface LinksChange {
  id: number
  /** The users whom the announcement still names; null: those of before. */
  userIds: number[] | null
  /** Until when it is shown; null: as before. */
  until: number | null
}

/** Takes out the users whom an announcement no longer names, and gives the others its expiry. */
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
      change: ({ db }, _, which) => [db.delete(announcementUsers).where(which)],
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
      change: ({ db }, { until }, which) => [
        db
          .update(announcementUsers)
          .set({ shownUntil: until ?? 0 })
          .where(which),
      ],
    },
  ],
}
